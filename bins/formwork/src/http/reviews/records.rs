//! The JSON shapes of a review.

use delta_core::review::{Review, ReviewEntry, ReviewReason, ReviewState};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};

use crate::http::lists::AnyObject;

/// A value that people review.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Review")]
pub(super) struct ReviewRecord {
    id: String,
    namespace: String,
    sid: i64,
    /// Index of the group in its run, from 0.
    group: u32,
    /// JSON pointer into the record; empty for a group that failed.
    path: String,
    /// The pointer without the indexes of lists.
    field: String,
    #[schemars(schema_with = "reasons")]
    reasons: Vec<&'static str>,
    #[schemars(extend("enum" = ReviewState::ALL.map(ReviewState::name)))]
    state: &'static str,
    /// The value as it is now.
    value: Value,
    /// The value as extracted.
    extracted: Value,
    /// Confidence of the extracted value; null where it has none.
    confidence: Option<f64>,
    /// Who is to decide; null for nobody in particular.
    assignee: Option<String>,
    /// Grows with each change.
    revision: i64,
    created_timestamp: String,
    updated_timestamp: String,
}

fn reasons(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
    let names = ReviewReason::ALL.map(ReviewReason::name);
    schemars::json_schema!({"type": "array", "items": {"type": "string", "enum": names}})
}

/// A review with all that a decision needs.
#[derive(Serialize, JsonSchema)]
pub(super) struct ReviewDetails {
    #[serde(flatten)]
    review: ReviewRecord,
    /// Evidence of the extracted value; null where it has none.
    evidence: Option<AnyObject>,
    /// The values that the documents state with their evidence, where they disagree; the first is the extracted one.
    candidates: Vec<AnyObject>,
    /// The rules that the value breaks.
    errors: Vec<AnyObject>,
    /// Why the group failed; null for a value.
    failure: Option<AnyObject>,
    /// What was done, oldest first.
    history: Vec<ReviewStep>,
}

/// A step of the history.
#[derive(Serialize, JsonSchema)]
pub(super) struct ReviewStep {
    action: String,
    /// The value before, or the assignee.
    before: Value,
    /// The value after, or the assignee.
    after: Value,
    /// Where the documents state the value after; absent without a quote.
    #[serde(skip_serializing_if = "Option::is_none")]
    evidence: Option<AnyObject>,
    /// The same for members of a list or an object, by JSON pointer into the value after; absent without quotes.
    #[serde(skip_serializing_if = "Option::is_none")]
    member_evidence: Option<AnyObject>,
    note: String,
    #[serde(rename = "userName")]
    user_name: String,
    /// `YYYY-MM-DD hh:mm:ss`, UTC.
    created_timestamp: String,
}

impl From<&ReviewEntry> for ReviewStep {
    fn from(entry: &ReviewEntry) -> Self {
        Self {
            action: entry.action.clone(),
            before: entry.before.clone(),
            after: entry.after.clone(),
            evidence: entry.evidence.as_ref().and_then(|evidence| json!(evidence).as_object().cloned()),
            member_evidence: (!entry.member_evidence.is_empty())
                .then(|| json!(entry.member_evidence).as_object().cloned())
                .flatten(),
            note: entry.note.clone(),
            user_name: entry.author.name.clone(),
            created_timestamp: entry.time.record_text(),
        }
    }
}

impl From<Review> for ReviewRecord {
    fn from(review: Review) -> Self {
        let evidence = review.about.subject.evidence.as_ref();
        Self {
            namespace: review.namespace,
            sid: review.group.sid.0,
            group: review.group.index,
            reasons: review.about.reasons.iter().map(|reason| reason.name()).collect(),
            state: review.state.name(),
            value: review.value,
            // The shortest decimal of the `f32`, not the nearest `f64`.
            confidence: evidence.and_then(|evidence| evidence.confidence.to_string().parse().ok()),
            extracted: review.about.subject.value,
            assignee: review.assignee,
            revision: review.revision.0,
            created_timestamp: review.created.record_text(),
            updated_timestamp: review.updated.record_text(),
            id: review.about.id,
            path: review.about.path,
            field: review.about.field,
        }
    }
}

impl From<Review> for ReviewDetails {
    fn from(review: Review) -> Self {
        let object = |value: Value| value.as_object().cloned();
        let subject = &review.about.subject;
        Self {
            evidence: subject.evidence.as_ref().and_then(|evidence| object(json!(evidence))),
            candidates: subject.candidates.iter().filter_map(|one| object(json!(one))).collect(),
            errors: review.errors.iter().filter_map(|error| object(json!(error))).collect(),
            failure: subject.failure.as_ref().and_then(|failure| object(json!(failure))),
            history: review.history.iter().map(ReviewStep::from).collect(),
            review: review.into(),
        }
    }
}
