//! Runs, their groups, and the responses that are kept.

use forms_core::{Conflict, Evidence};
use gen_core::{Cost, Spend, Usage};
use indexmap::IndexMap;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use shared_core::{Timestamp, WorkspaceId};

/// Identifies a run: the session id of the interface, a positive integer below 2⁵³.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct RunId(pub i64);

/// One document as the caller named it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DocumentRef {
    /// What the caller says about it; empty when nothing.
    #[serde(default)]
    pub description: String,
    /// A web URL, an own file URL, or a file id in decimal.
    pub url: String,
}

/// What a run is made with. It does not change after the run is stored.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunPlan {
    /// Internal id of the agent.
    pub agent_id: String,
    /// The agent's namespace when the run began.
    pub namespace: String,
    /// The form.
    pub form_id: String,
    /// The form's version.
    pub form_version: u32,
    /// `model@provider`.
    pub model_id: String,
    /// The agent's instructions.
    pub instructions: String,
    /// Whether an unreadable document fails its group (`false`) or is left out (`true`).
    pub partial: bool,
    /// Whether every group is worked on though identical work was done before.
    #[serde(default)]
    pub fresh: bool,
    /// The API key that asked for it and pays.
    #[serde(default)]
    pub key: Option<String>,
}

/// The state of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RunState {
    /// Groups are still to be done.
    Running,
    /// Every group gave a result.
    Succeeded,
    /// Some groups gave a result and some failed.
    PartlyFailed,
    /// No group gave a result.
    Failed,
    /// It was called off; groups that were done before keep their results.
    Cancelled,
    /// A budget was used up; groups that were done before keep their results.
    Stopped,
}

impl RunState {
    /// Every state.
    pub const ALL: [Self; 6] =
        [Self::Running, Self::Succeeded, Self::PartlyFailed, Self::Failed, Self::Cancelled, Self::Stopped];

    /// The state of a run whose groups all have an outcome; `stop` is why it was ended early.
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

    /// The name in answers and stores.
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

/// What kind of thing failed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ErrorClass {
    /// The document was not there, or could not be had.
    Fetch,
    /// The document could not be read.
    Parse,
    /// The model could not be asked, or would not answer.
    Model,
    /// The model's answers hold no record.
    Validation,
    /// A limit on requests, tokens or money.
    Budget,
    /// The run was called off.
    Cancelled,
    /// A defect on this side.
    #[default]
    Internal,
}

impl ErrorClass {
    /// Every class.
    pub const ALL: [Self; 7] = [
        Self::Fetch,
        Self::Parse,
        Self::Model,
        Self::Validation,
        Self::Budget,
        Self::Cancelled,
        Self::Internal,
    ];

    /// The name in answers and stores.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Fetch => "fetch",
            Self::Parse => "parse",
            Self::Model => "model",
            Self::Validation => "validation",
            Self::Budget => "budget",
            Self::Cancelled => "cancelled",
            Self::Internal => "internal",
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
    /// What it is made with.
    pub plan: RunPlan,
    /// Its state.
    pub state: RunState,
    /// Groups in all.
    pub total: u32,
    /// Groups that gave a result.
    pub successful: u32,
    /// Groups that failed.
    pub failed: u32,
    /// Tokens spent so far.
    pub usage: Usage,
    /// What they cost; `None` once a price is not known.
    pub cost: Option<Cost>,
    /// When it was stored.
    pub created: Timestamp,
    /// When its last group was done.
    pub finished: Option<Timestamp>,
    /// Why it was ended early.
    pub stop: Option<ItemError>,
    /// The number of its latest event.
    pub sequence: u64,
}

/// How a group ended.
#[derive(Clone, Debug, PartialEq)]
pub struct GroupOutcome {
    /// The response, or why there is none.
    pub result: Result<Response, ItemError>,
    /// Documents that could not be used, or all of them when the group failed after reading.
    pub failures: Vec<DocumentFailure>,
    /// Tokens spent on the group since [`RunRepository::record_failed_attempt`](crate::RunRepository::note_failed)
    /// noted some last.
    pub usage: Usage,
    /// What they cost; `None` when a price is not known.
    pub cost: Option<Cost>,
    /// Attempts, this one included.
    pub attempts: u32,
    /// What the response may be used for again: [`crate::fingerprint()`].
    pub fingerprint: Option<String>,
}

impl GroupOutcome {
    /// Tokens and money.
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
    /// Its response, if it gave one.
    pub response: Option<Response>,
    /// Documents that could not be used, or all of them when the group failed after reading.
    pub failures: Vec<DocumentFailure>,
}

/// Where a group stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GroupState {
    /// It waits for its turn, or for another attempt.
    Queued,
    /// It is being worked on.
    Running,
    /// It gave a response.
    Succeeded,
    /// It failed.
    Failed,
}

impl GroupState {
    /// Every state.
    pub const ALL: [Self; 4] = [Self::Queued, Self::Running, Self::Succeeded, Self::Failed];

    /// The name in answers and stores.
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

/// What is known of a group.
#[derive(Clone, Debug, PartialEq)]
pub struct GroupStatus {
    /// Position in the request, from 0.
    pub index: u32,
    /// Where it stands.
    pub state: GroupState,
    /// Attempts that were begun.
    pub attempts: u32,
    /// Why it failed, or why its last attempt did.
    pub error: Option<ItemError>,
    /// Tokens spent on it so far.
    pub usage: Usage,
    /// What they cost; `None` once a price is not known.
    pub cost: Option<Cost>,
    /// Its documents.
    pub documents: Vec<DocumentRef>,
    /// The number of the event that told its outcome.
    pub sequence: Option<u64>,
}

/// What happens in a run.
#[derive(Clone, Debug, PartialEq)]
pub enum RunEvent {
    /// A group has its outcome.
    Group(GroupStatus),
    /// How far the run is.
    Progress(Run),
    /// The run is over; nothing follows.
    End(Run),
}

/// A document that failed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DocumentFailure {
    /// The document as the caller named it.
    #[serde(flatten)]
    pub document: DocumentRef,
    /// What went wrong.
    pub error: ItemError,
}

/// The error of a group or of one of its documents.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ItemError {
    /// What kind of thing failed.
    #[serde(default)]
    pub class: ErrorClass,
    /// Stable code.
    pub code: String,
    /// One sentence.
    pub message: String,
}

/// All of a group's documents with the group's error.
#[must_use]
pub fn fail_all(documents: &[DocumentRef], error: &ItemError) -> Vec<DocumentFailure> {
    let failure =
        |document: &DocumentRef| DocumentFailure { document: document.clone(), error: error.clone() };
    documents.iter().map(failure).collect()
}

/// A kept response: the agent's memory.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Response {
    /// Identifier (`resp_…`).
    pub gid: String,
    /// The form's fields.
    pub record: Map<String, Value>,
    /// Evidence by JSON pointer.
    pub evidence: IndexMap<String, Evidence>,
    /// Disagreements between documents.
    pub conflicts: Vec<Conflict>,
    /// Rules that the record breaks.
    pub errors: Vec<shared_core::Violation>,
    /// The documents it was made from, in order.
    pub sources: Vec<SourceDocument>,
    /// Seconds spent on the model.
    pub generation_duration: f64,
    /// Seconds spent on reading and parsing.
    pub scraping_duration: f64,
    /// Seconds in all.
    pub total_duration: f64,
    /// When it was stored.
    pub created: Timestamp,
    /// The response of identical work that this one repeats, without asking a model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reused_from: Option<String>,
}

/// A document that a response was made from; its parsed text is kept under hash and version.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceDocument {
    /// Display name.
    pub name: String,
    /// SHA-256 of its bytes, lower-case hex.
    pub sha256: String,
    /// Version of the parser.
    pub parser_version: u32,
    /// Which of the group's documents it is, from 0, and what the caller named it by.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub named: Option<(u32, String)>,
    /// Pages that show text which was not read, ascending.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unread: Vec<u32>,
}

impl SourceDocument {
    /// What of the document was not read, as JSON for those who asked; `None` where all was.
    #[must_use]
    pub fn warning(&self) -> Option<Value> {
        let message = documents_core::unread_pages_notice(&self.unread)?;
        let (index, file) = self.named.clone().unzip();
        Some(serde_json::json!({
            "code": "pages_not_read",
            "message": format!("'{}': {message}", self.name),
            "document": self.name,
            "file": file,
            "index": index,
            "pages": self.unread
        }))
    }
}

/// A kept response with its run.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredResponse {
    /// The run.
    pub sid: RunId,
    /// Position of its group in the run.
    pub index: u32,
    /// The version of the form that it was made with.
    pub form_version: u32,
    /// The response.
    pub response: Response,
}
