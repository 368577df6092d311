//! Reviews and what they are about.

use forms_core::{ConflictValue, Evidence};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use shared_core::{Author, Revision, Timestamp, Violation};

use crate::{ErrorClass, GroupId, ItemError, RunId};

/// Why a value is in the queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReviewReason {
    /// Its confidence is too low.
    LowConfidence,
    /// Documents state different values.
    Conflict,
    /// It breaks a rule of the form.
    Error,
    /// Its group failed.
    Failed,
}

impl ReviewReason {
    /// Every reason.
    pub const ALL: [Self; 4] = [Self::LowConfidence, Self::Conflict, Self::Error, Self::Failed];

    /// The name in responses and stores.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::LowConfidence => "low_confidence",
            Self::Conflict => "conflict",
            Self::Error => "error",
            Self::Failed => "failed",
        }
    }
}

/// The state of a review.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReviewState {
    /// Nobody has decided yet.
    Open,
    /// The value is right.
    Accepted,
    /// The value was replaced.
    Corrected,
    /// The documents do not state the value.
    NotStated,
}

impl ReviewState {
    /// Every state.
    pub const ALL: [Self; 4] = [Self::Open, Self::Accepted, Self::Corrected, Self::NotStated];

    /// The name in responses and stores.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Accepted => "accepted",
            Self::Corrected => "corrected",
            Self::NotStated => "not_stated",
        }
    }
}

/// What was extracted.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ReviewSubject {
    /// The value in the record.
    pub value: Value,
    /// Its evidence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evidence: Option<Evidence>,
    /// The values that the documents state, where they disagree; the first is the one in the record.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub candidates: Vec<ConflictValue>,
    /// The rules that it breaks.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub errors: Vec<Violation>,
    /// Why the group failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<ItemError>,
}

/// A value that comes into the queue.
#[derive(Clone, Debug, PartialEq)]
pub struct NewReview {
    /// Identifier (`review_…`).
    pub id: String,
    /// JSON pointer into the record; empty for a group that failed.
    pub path: String,
    /// The pointer without the indexes of lists.
    pub field: String,
    /// Why, in the order of [`ReviewReason::ALL`]; never empty.
    pub reasons: Vec<ReviewReason>,
    /// What was extracted.
    pub subject: ReviewSubject,
}

/// One step of the history of a review.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ReviewEntry {
    /// Name of the action.
    pub action: String,
    /// The value before, or the assignee.
    pub before: Value,
    /// The value after, or the assignee.
    pub after: Value,
    /// The reviewer's note; empty if none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub note: String,
    /// Who.
    pub author: Author,
    /// When.
    pub time: Timestamp,
}

/// A value in the queue.
#[derive(Clone, Debug, PartialEq)]
pub struct Review {
    /// What came into the queue.
    pub about: NewReview,
    /// Internal id of the agent.
    pub agent_id: String,
    /// Its namespace.
    pub namespace: String,
    /// The group of documents.
    pub group: GroupId,
    /// The state.
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

/// A reviewed value of a response.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ReviewedValue {
    /// What was decided; never [`ReviewState::Open`].
    pub state: ReviewState,
    /// The value as extracted.
    pub extracted: Value,
    /// What was done, oldest first.
    pub history: Vec<ReviewEntry>,
}

/// Which reviews of a workspace a list has. `None` is no condition.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReviewFilter {
    /// Internal id of the agent.
    pub agent_id: Option<String>,
    /// The run.
    pub sid: Option<RunId>,
    /// The state.
    pub state: Option<ReviewState>,
    /// Why they are in the queue.
    pub reason: Option<ReviewReason>,
    /// The field: a JSON pointer without indexes.
    pub field: Option<String>,
    /// Who is to decide.
    pub assignee: Option<String>,
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
    }
}

impl ItemError {
    /// Whether people should look at a group that failed with this error; not when they ended its run themselves.
    #[must_use]
    pub(crate) fn is_for_review(&self) -> bool {
        !matches!(self.class, ErrorClass::Cancelled | ErrorClass::Budget)
    }
}
