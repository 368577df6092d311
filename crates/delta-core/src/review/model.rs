//! Reviews.

use forms_core::Evidence;
use serde_json::Value;
use shared_core::{Cursor, Revision, Timestamp, Violation};

use super::item::{ASSIGN, NewReview, ReviewEntry, ReviewReason, ReviewState};
use crate::{GroupId, RunId};

/// A value in the queue.
#[derive(Clone, Debug, PartialEq)]
pub struct Review {
    /// What came into the queue.
    pub about: NewReview,
    /// Internal id of the agent.
    pub agent_id: String,
    /// The agent's name in URLs.
    pub namespace: String,
    /// The group of documents.
    pub group: GroupId,
    /// What was decided last.
    pub state: ReviewState,
    /// The value as it is now.
    pub value: Value,
    /// The rules that it breaks now.
    pub errors: Vec<Violation>,
    /// Who is to decide: any text, such as an e-mail address.
    pub assignee: Option<String>,
    /// What was done, oldest first.
    pub history: Vec<ReviewEntry>,
    /// Compared by conditional updates.
    pub revision: Revision,
    /// When it came into the queue.
    pub created: Timestamp,
    /// When it was last changed.
    pub updated: Timestamp,
}

impl Review {
    /// The review of a value that has just come into the queue.
    #[must_use]
    pub fn new(about: NewReview, agent: (String, String), group: GroupId, now: Timestamp) -> Self {
        let (agent_id, namespace) = agent;
        Self {
            agent_id,
            namespace,
            group,
            state: ReviewState::Open,
            value: about.subject.value.clone(),
            errors: about.subject.errors.clone(),
            assignee: None,
            history: Vec::new(),
            revision: Revision::FIRST,
            created: now,
            updated: now,
            about,
        }
    }
}

impl Review {
    /// When its value was decided last; an assignment decides nothing.
    #[must_use]
    pub fn decided(&self) -> Timestamp {
        let last = self.history.iter().rev().find(|entry| entry.action != ASSIGN);
        last.map_or(self.created, |entry| entry.time)
    }

    /// The decision that holds.
    fn last_decision(&self) -> Option<&ReviewEntry> {
        self.history.iter().rev().find(|entry| entry.action != ASSIGN)
    }

    /// Where the documents state the value, as the reviewer who corrected it last said.
    #[must_use]
    pub fn stated(&self) -> Option<&Evidence> {
        self.last_decision().and_then(|entry| entry.evidence.as_ref())
    }

    /// The same for the members of a list or an object, by JSON pointer into the value.
    pub fn stated_members(&self) -> impl Iterator<Item = (&String, &Evidence)> {
        self.last_decision().into_iter().flat_map(|entry| &entry.member_evidence)
    }
}

impl Review {
    /// The position in a list of this order. Where it orders by confidence, the time of the cursor has the microseconds
    /// of [`NewReview::doubt`].
    #[must_use]
    pub fn cursor(&self, order: ReviewOrder) -> Cursor {
        let created = match order {
            ReviewOrder::Newest => self.created,
            ReviewOrder::Confidence => Timestamp::from_micros(self.about.doubt()).unwrap_or(self.created),
        };
        Cursor { created, id: self.about.id.clone() }
    }
}

/// The order of a list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ReviewOrder {
    /// Newest first.
    #[default]
    Newest,
    /// Lowest confidence first, values without one before all others; then newest first.
    Confidence,
}

/// Which reviews of a workspace a list has, and in which order. `None` is no condition.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReviewFilter {
    /// Internal id of the agent.
    pub agent_id: Option<String>,
    /// The run.
    pub sid: Option<RunId>,
    /// What was decided last.
    pub state: Option<ReviewState>,
    /// Why they are in the queue.
    pub reason: Option<ReviewReason>,
    /// The field: a JSON pointer without indexes.
    pub field: Option<String>,
    /// Who is to decide.
    pub assignee: Option<String>,
    /// Index of the group in its run.
    pub group: Option<u32>,
    /// The order of the list.
    pub order: ReviewOrder,
}

impl ReviewFilter {
    /// Whether a review meets every condition.
    #[must_use]
    pub fn matches(&self, review: &Review) -> bool {
        self.agent_id.as_ref().is_none_or(|agent| *agent == review.agent_id)
            && self.sid.is_none_or(|sid| sid == review.group.sid)
            && self.state.is_none_or(|state| state == review.state)
            && self.reason.is_none_or(|reason| review.about.reasons.contains(&reason))
            && self.field.as_ref().is_none_or(|field| *field == review.about.field)
            && self.assignee.as_ref().is_none_or(|assignee| Some(assignee) == review.assignee.as_ref())
            && self.group.is_none_or(|group| group == review.group.index)
    }
}
