//! Runs, their groups, and the responses that are kept.

use forms_core::{Conflict, Evidence};
use gen_core::Usage;
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
    /// Every group has an outcome.
    Finished,
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
    /// When it was stored.
    pub created: Timestamp,
    /// When its last group was done.
    pub finished: Option<Timestamp>,
}

/// A group that is still to be done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QueuedGroup {
    /// Position in the request, from 0.
    pub index: u32,
    /// Its documents.
    pub documents: Vec<DocumentRef>,
}

/// How a group ended.
#[derive(Clone, Debug, PartialEq)]
pub struct GroupOutcome {
    /// The response, when the group succeeded.
    pub response: Option<Response>,
    /// Documents that could not be used, or all of them when the group failed after reading.
    pub failures: Vec<DocumentFailure>,
    /// Tokens spent on the group.
    pub usage: Usage,
}

/// A group with its outcome.
#[derive(Clone, Debug, PartialEq)]
pub struct FinishedGroup {
    /// Position in the request, from 0.
    pub index: u32,
    /// How it ended.
    pub outcome: GroupOutcome,
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

/// The error of one item.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ItemError {
    /// Stable code.
    pub code: String,
    /// One sentence.
    pub message: String,
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
}

/// A kept response with its run.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredResponse {
    /// The run.
    pub sid: RunId,
    /// Position of its group in the run.
    pub index: u32,
    /// The response.
    pub response: Response,
}
