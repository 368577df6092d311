//! Runs, their groups, and stored responses.

use agents_core::ReviewPolicy;
use document::{DocumentUnit, PageRanges};
use forms_core::{Conflict, Evidence, UnseenReason};
use gen_core::{Cost, Spend, Usage};
use indexmap::IndexMap;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use shared_core::{Timestamp, WorkspaceId};

use crate::RunSettings;
use crate::classification::{Classification, DocumentClass, RunForm};
use crate::failure::{DocumentFailure, DocumentRef, ErrorClass, ItemError};
use crate::review::Calibration;
use crate::review::item::{NewReview, ReviewedValue};

/// Identifies a run: the session id of the API, a positive integer below 2⁵³.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct RunId(pub i64);

/// The input and settings of a run. Immutable once the run is stored.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunPlan {
    /// Internal id of the agent.
    pub agent_id: String,
    /// The agent's namespace when the run was started.
    pub namespace: String,
    /// Id of the form.
    pub form_id: String,
    /// The form's version.
    pub form_version: u32,
    /// `model@provider`.
    pub model_id: String,
    /// The agent's instructions.
    pub instructions: String,
    /// Whether an unreadable document fails its group (`false`) or is skipped (`true`).
    pub partial: bool,
    /// Whether to process every group, even if identical work was done before.
    #[serde(default)]
    pub fresh: bool,
    /// The evaluation set whose groups they are. Its responses are not among those of the agent, and are not used again
    /// for identical work.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evaluation_set: Option<String>,
    /// Which values are queued for review; `None` for none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub review: Option<ReviewPolicy>,
    /// What the decisions of reviewers change in confidence; `None` where they teach nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub calibration: Option<Calibration>,
    /// How its model is called, what it may cost, and its labels.
    #[serde(default)]
    pub settings: RunSettings,
    /// The API key that started the run and is charged.
    #[serde(default)]
    pub key: Option<String>,
    /// Where its documents were classified to several forms: what became of it. `form_id` is then the first of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub classification: Option<Classification>,
}

impl RunPlan {
    /// The form of a response; that of the run without one.
    #[must_use]
    pub fn form_of(&self, response: Option<&Response>) -> RunForm {
        let of_run = || RunForm { form_id: self.form_id.clone(), form_version: self.form_version };
        response.and_then(|response| response.class.as_ref()).map_or_else(of_run, |class| class.form.clone())
    }

    /// What the run has cost before its first group starts.
    #[must_use]
    pub fn spent(&self) -> Spend {
        self.classification.as_ref().map_or_else(Spend::default, |found| found.spent)
    }
}

/// The state of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RunState {
    /// Some groups have no outcome yet.
    Running,
    /// Every group has a response.
    Succeeded,
    /// Some groups have a response and some failed.
    PartlyFailed,
    /// No group has a response.
    Failed,
    /// Cancelled; groups that were completed before keep their responses.
    Cancelled,
    /// Stopped because a budget is used up; groups that were completed before keep their responses.
    Stopped,
}

impl RunState {
    /// Every state.
    pub const ALL: [Self; 6] =
        [Self::Running, Self::Succeeded, Self::PartlyFailed, Self::Failed, Self::Cancelled, Self::Stopped];

    /// The state of a run whose groups all have an outcome; `stop` is the reason for an early end.
    #[must_use]
    pub fn of_outcomes(successful: u32, failed: u32, stop: Option<ErrorClass>) -> Self {
        match (stop, successful, failed) {
            (Some(ErrorClass::Cancelled), _, 1..) => Self::Cancelled,
            (Some(_), _, 1..) => Self::Stopped,
            (_, _, 0) => Self::Succeeded,
            (_, 0, _) => Self::Failed,
            _ => Self::PartlyFailed,
        }
    }

    /// Whether every group has its outcome.
    #[must_use]
    pub fn is_over(self) -> bool {
        self != Self::Running
    }

    /// The name in responses and stores.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Succeeded => "succeeded",
            Self::PartlyFailed => "partly_failed",
            Self::Failed => "failed",
            Self::Cancelled => "cancelled",
            Self::Stopped => "stopped",
        }
    }
}

/// A stored run.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    /// Identifier.
    pub sid: RunId,
    /// The workspace.
    pub workspace: WorkspaceId,
    /// Its input and settings.
    pub plan: RunPlan,
    /// Its state.
    pub state: RunState,
    /// The number of groups.
    pub total: u32,
    /// Groups with a response.
    pub successful: u32,
    /// Groups that failed.
    pub failed: u32,
    /// Tokens spent so far.
    pub usage: Usage,
    /// The cost of the calls; `None` once a price is not known.
    pub cost: Option<Cost>,
    /// When it was stored.
    pub created: Timestamp,
    /// When its last group got its outcome; `None` while it is running.
    pub finished: Option<Timestamp>,
    /// Why it ended early; `None` if it did not.
    pub stop: Option<ItemError>,
    /// The number of its latest event.
    pub sequence: u64,
}

/// The outcome of a group.
#[derive(Clone, Debug, PartialEq)]
pub struct GroupOutcome {
    /// The response, or the error of the group.
    pub result: Result<Response, ItemError>,
    /// Documents that could not be used, or all of them when the group failed after reading.
    pub failures: Vec<DocumentFailure>,
    /// Tokens of the group since the last
    /// [`GroupRepository::record_failed_attempt`](crate::GroupRepository::record_failed_attempt), without those of
    /// its stored answers.
    pub usage: Usage,
    /// The cost of these tokens; `None` when a price is not known.
    pub cost: Option<Cost>,
    /// Attempts, including this one.
    pub attempts: u32,
    /// The fingerprint by which identical work finds the response: [`crate::fingerprint()`].
    pub fingerprint: Option<String>,
    /// What comes into the queue of reviews with it.
    pub reviews: Vec<NewReview>,
}

impl GroupOutcome {
    /// Tokens and cost.
    #[must_use]
    pub fn spent(&self) -> Spend {
        Spend { usage: self.usage, cost: self.cost }
    }
}

/// A group with its outcome.
#[derive(Clone, Debug, PartialEq)]
pub struct FinishedGroup {
    /// Position in the request, from 0.
    pub index: u32,
    /// Its response; `None` when the group failed.
    pub response: Option<Response>,
    /// Documents that could not be used, or all of them when the group failed after reading.
    pub failures: Vec<DocumentFailure>,
}

/// The state of a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GroupState {
    /// Waits for its first or next attempt.
    Queued,
    /// A worker processes it.
    Running,
    /// It has a response.
    Succeeded,
    /// It failed.
    Failed,
}

impl GroupState {
    /// Every state.
    pub const ALL: [Self; 4] = [Self::Queued, Self::Running, Self::Succeeded, Self::Failed];

    /// The name in responses and stores.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Queued => "queued",
            Self::Running => "running",
            Self::Succeeded => "succeeded",
            Self::Failed => "failed",
        }
    }
}

/// The status of a group.
#[derive(Clone, Debug, PartialEq)]
pub struct GroupStatus {
    /// Position in the request, from 0.
    pub index: u32,
    /// Its state.
    pub state: GroupState,
    /// Attempts so far, including one in progress.
    pub attempts: u32,
    /// Its error, or the error of its last attempt; `None` if there is none.
    pub error: Option<ItemError>,
    /// Tokens spent on it so far.
    pub usage: Usage,
    /// The cost of these tokens; `None` once a price is not known.
    pub cost: Option<Cost>,
    /// Its documents.
    pub documents: Vec<DocumentRef>,
    /// The number of the event with its outcome; `None` while it has none.
    pub sequence: Option<u64>,
}

/// An event of a run.
#[derive(Clone, Debug, PartialEq)]
pub enum RunEvent {
    /// A group has its outcome.
    Group(GroupStatus),
    /// The progress of the run.
    Progress(Run),
    /// The run is over; the last event.
    End(Run),
}

/// A stored response: the agent's memory.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Response {
    /// Identifier (`resp_…`).
    pub gid: String,
    /// The form's fields.
    pub record: Map<String, Value>,
    /// The source of each value, by JSON pointer into the record.
    pub evidence: IndexMap<String, Evidence>,
    /// Contradictions between documents.
    pub conflicts: Vec<Conflict>,
    /// Rules that the record breaks.
    pub errors: Vec<shared_core::Violation>,
    /// The documents it was made from, in order.
    pub sources: Vec<SourceDocument>,
    /// Seconds of model calls.
    pub generation_duration: f64,
    /// Seconds of reading and parsing.
    pub scraping_duration: f64,
    /// Seconds in total.
    pub total_duration: f64,
    /// When it was stored.
    pub created: Timestamp,
    /// The `gid` of the response of identical work that this one reuses without a model call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reused_from: Option<String>,
    /// Values that people reviewed, by JSON pointer into the record, which has their decisions.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub reviews: IndexMap<String, ReviewedValue>,
    /// The form that its document was found to fill, in a run of several forms.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub class: Option<Box<DocumentClass>>,
}

impl Response {
    /// The version of its form, in a run with this one.
    #[must_use]
    pub fn form_version(&self, of_run: u32) -> u32 {
        self.class.as_ref().map_or(of_run, |class| class.form.form_version)
    }
}

/// A document of a response. Its parsed text is stored under hash and parser version.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceDocument {
    /// Display name.
    pub name: String,
    /// SHA-256 of its bytes, lower-case hex.
    pub sha256: String,
    /// Version of the parser.
    pub parser_version: u32,
    /// The document's index in the group, from 0, and the caller's reference to it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub named: Option<(u32, String)>,
    /// Numbers of pages with text that was not read because it needs OCR, and that the model did not see either,
    /// ascending.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unread: Vec<u32>,
    /// Pages that the model should have seen as pictures and did not see.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unseen: Vec<UnseenSourcePages>,
    /// The pages that were read; `None` for the whole document.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pages: Option<PageRanges>,
    /// The row or section of them that was read; `None` for all of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit: Option<DocumentUnit>,
}

/// Pages of a document that the model should have seen as pictures.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnseenSourcePages {
    /// Why it did not see them.
    pub reason: UnseenReason,
    /// Their numbers, ascending.
    pub pages: Vec<u32>,
}

/// A stored response with its run.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredResponse {
    /// The run.
    pub sid: RunId,
    /// The index of its group in the run.
    pub index: u32,
    /// The version of its form.
    pub form_version: u32,
    /// The response.
    pub response: Response,
}
