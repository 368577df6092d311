//! What people review of a group, and what they did.

use forms_core::{ConflictValue, Evidence};
use indexmap::IndexMap;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use shared_core::{Author, Timestamp, Violation};

use crate::failure::{ErrorClass, ItemError};

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
    /// Where the documents state it.
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

impl NewReview {
    /// How doubtful the value is: millionths by which its confidence falls short of 1; all of them without one.
    #[must_use]
    pub fn doubt(&self) -> i64 {
        let confidence = self.subject.evidence.as_ref().map_or(0.0, |evidence| evidence.confidence);
        // Within bounds: a confidence is from 0 to 1.
        1_000_000 - (f64::from(confidence.clamp(0.0, 1.0)) * 1e6).round() as i64
    }
}

/// Name of the action that changes no value.
pub(crate) const ASSIGN: &str = "assign";

/// One step of the history of a review.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ReviewEntry {
    /// Name of the action.
    pub action: String,
    /// The value before, or the assignee.
    pub before: Value,
    /// The value after, or the assignee.
    pub after: Value,
    /// Where the documents state the value after, as the reviewer quoted it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evidence: Option<Evidence>,
    /// The same for members of a list or an object, by JSON pointer into the value after.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub member_evidence: IndexMap<String, Evidence>,
    /// The reviewer's note; empty if none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub note: String,
    /// Who.
    pub author: Author,
    /// When.
    pub time: Timestamp,
}

/// A reviewed value of a response.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ReviewedValue {
    /// What reviewers decided; never [`ReviewState::Open`].
    pub state: ReviewState,
    /// The value as extracted.
    pub extracted: Value,
    /// What was done, oldest first.
    pub history: Vec<ReviewEntry>,
}

impl ItemError {
    /// Whether people should look at a group that failed with this error; not when they ended its run themselves.
    #[must_use]
    pub(crate) fn is_for_review(&self) -> bool {
        !matches!(self.class, ErrorClass::Cancelled | ErrorClass::Budget)
    }
}
