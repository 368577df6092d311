//! Records of the interface. `rest` has the keys that have no field of their own here; `docs/openapi.json` describes
//! them all.

use serde::Deserialize;
use serde_json::{Map, Value};

use crate::violation::Violation;

/// A file that the server has.
#[derive(Clone, Debug, Deserialize)]
#[non_exhaustive]
pub struct StoredFile {
    /// Its number, which names it in requests.
    pub id: i64,
    /// Its name, without folders.
    pub name: String,
    /// Size in bytes.
    pub bytes: u64,
    /// Who has this URL can read the file.
    pub url: String,
    /// All other keys, such as `meta`.
    #[serde(flatten)]
    pub rest: Map<String, Value>,
}

/// A form: named, typed fields.
#[derive(Clone, Debug, Deserialize)]
#[non_exhaustive]
pub struct Form {
    /// Its identifier.
    pub form_id: String,
    /// Its title, 1 to 1,000 characters.
    pub title: String,
    /// Field names and their definitions; empty in lists.
    #[serde(default)]
    pub schema: Map<String, Value>,
    /// All other keys, such as `warnings` of a change.
    #[serde(flatten)]
    pub rest: Map<String, Value>,
}

/// An agent, which extracts records and holds conversations.
#[derive(Clone, Debug, Deserialize)]
#[non_exhaustive]
pub struct Agent {
    /// Its name in paths.
    pub namespace: String,
    /// Its form, if it has one.
    pub form_id: Option<String>,
    /// Its instructions for the model.
    pub instructions: Option<String>,
    /// Its model, `model@provider`; `None` for that of the server.
    #[serde(rename = "modelId")]
    pub model: Option<String>,
    /// All other keys.
    #[serde(flatten)]
    pub rest: Map<String, Value>,
}

/// The state of a run or of its part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum RunState {
    /// Some groups have no outcome yet.
    Running,
    /// Every group succeeded.
    Succeeded,
    /// Some groups succeeded, some failed.
    PartlyFailed,
    /// No group succeeded.
    Failed,
    /// It was cancelled; finished groups keep their results.
    Cancelled,
    /// A limit of the key ended it; finished groups keep their results.
    Stopped,
    /// A state that this version of the client does not know.
    #[serde(other)]
    Unknown,
}

/// How far a run is.
#[derive(Clone, Debug, Deserialize)]
#[non_exhaustive]
pub struct RunRecord {
    /// Its number.
    pub sid: i64,
    /// Whether it is over, and how it ended.
    pub state: RunState,
    /// Number of groups.
    pub total: u32,
    /// Number of groups with a record.
    pub successful: u32,
    /// Number of failed groups.
    pub failed: u32,
    /// Share of the groups that are finished, 0 to 1.
    pub progress: f64,
    /// Why it ended early; `None` when it did not.
    pub error: Option<GroupError>,
    /// The form whose fields its records have.
    pub form_id: String,
    /// That version of it that was current at the start.
    pub form_version: u32,
    /// All other keys, such as `usage`, `model` and `duration` in seconds.
    #[serde(flatten)]
    pub rest: Map<String, Value>,
}

/// Why a group, or a run, has no record.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, thiserror::Error)]
#[error("{message} ({code})")]
#[non_exhaustive]
pub struct GroupError {
    /// Category: `fetch`, `parse`, `model`, `validation`, `budget`, `cancelled` or `internal`.
    pub class: String,
    /// Stable code.
    pub code: String,
    /// One sentence.
    pub message: String,
}

/// The answer of an agent.
#[derive(Clone, Debug, Deserialize)]
#[non_exhaustive]
pub struct ChatAnswer {
    /// The session, with which the conversation continues.
    pub session_id: String,
    /// The message as Markdown; empty with a record.
    #[serde(default)]
    pub text: String,
    /// The state of the form in a guided conversation: `status`, `values`, `missing`, `submission_id` and others.
    pub form: Option<Value>,
    /// The record, with the option `response_format: "json"`.
    pub record: Option<Map<String, Value>>,
    /// Rules that the record breaks.
    #[serde(default)]
    pub errors: Vec<Violation>,
    /// All other keys, such as `context`, `citations`, `usage` and `warnings`.
    #[serde(flatten)]
    pub rest: Map<String, Value>,
}

/// The answer of a model.
#[derive(Clone, Debug, Deserialize)]
#[non_exhaustive]
pub struct Generation {
    /// The text; empty for pictures and speech.
    #[serde(default)]
    pub text: String,
    /// Why the answer ended, such as `stop`.
    #[serde(rename = "finishReason")]
    pub finish_reason: Option<String>,
    /// Passages that the text cites as `[n]`.
    #[serde(default)]
    pub context: Vec<Value>,
    /// All other keys, such as `citations`, `usage` and `warnings`.
    #[serde(flatten)]
    pub rest: Map<String, Value>,
}

/// Documents that can be searched.
#[derive(Clone, Debug, Deserialize)]
#[non_exhaustive]
pub struct KnowledgeBase {
    /// Its identifier.
    #[serde(rename = "knowledgeId")]
    pub id: String,
    /// As given at its creation.
    pub name: String,
    /// All other keys, such as `files`, `chunks` and `status`.
    #[serde(flatten)]
    pub rest: Map<String, Value>,
}

/// A file of a knowledge base.
#[derive(Clone, Debug, Deserialize)]
#[non_exhaustive]
pub struct KnowledgeFile {
    /// Its identifier.
    pub id: String,
    /// Its title.
    pub name: String,
    /// `queued`, `processing`, `ready` or `failed`.
    pub status: String,
    /// All other keys, such as `error` and `progress`.
    #[serde(flatten)]
    pub rest: Map<String, Value>,
}

/// A passage that a search found.
#[derive(Clone, Debug, Deserialize)]
#[non_exhaustive]
pub struct Passage {
    /// The file's identifier in the knowledge base.
    pub file: String,
    /// The file's title.
    pub title: String,
    /// The page that it begins on, from 1; `None` without pages.
    pub page: Option<u32>,
    /// Relevance from 0 to 1, comparable within one answer.
    pub score: f64,
    /// The words of the passage.
    pub text: String,
    /// All other keys, such as `meta`, `heading`, and `start` and `end` in Unicode characters.
    #[serde(flatten)]
    pub rest: Map<String, Value>,
}

/// A ready form.
#[derive(Clone, Debug, Deserialize)]
#[non_exhaustive]
pub struct Template {
    /// Its identifier, such as `invoice`.
    pub template_id: String,
    /// Its title in the language that was asked for.
    pub title: String,
    /// Field names and their definitions; empty in lists.
    #[serde(default)]
    pub schema: Map<String, Value>,
    /// Text of an invented document of its kind; empty in lists.
    #[serde(default)]
    pub sample: String,
    /// The record that the sample states; empty in lists.
    #[serde(default)]
    pub record: Map<String, Value>,
}
