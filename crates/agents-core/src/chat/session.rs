//! A stored conversation, its turns and its submissions.

use forms_core::Evidence;
use gen_core::{Finish, Spend};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use shared_core::{Author, Revision, Timestamp, WorkspaceId};

use super::{FieldStatus, FormState};

/// A conversation with an agent.
#[derive(Clone, Debug, PartialEq)]
pub struct Session {
    /// Opaque id (`session_…`).
    pub id: String,
    /// The workspace that owns it.
    pub workspace: WorkspaceId,
    /// The user who started it.
    pub author: Author,
    /// Internal id of the agent.
    pub agent: String,
    /// The beginning of its first message.
    pub title: String,
    /// State of the form; `None` when the agent had no form.
    pub form: Option<FormState>,
    /// The person who answers in place of the agent.
    pub taken_over: Option<Takeover>,
    /// ISO 639-1 code of the last detected language of the user; empty when unknown.
    pub language: String,
    /// Number of stored turns, of both speakers.
    pub turns: u32,
    /// Increases with every exchange.
    pub revision: Revision,
    /// Time of creation.
    pub created: Timestamp,
    /// Time of the last turn.
    pub updated: Timestamp,
}

/// A person who answers in place of the agent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Takeover {
    /// Who it is.
    pub by: Author,
    /// Time of the takeover.
    pub since: Timestamp,
}

/// The side that speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Speaker {
    /// The user.
    User,
    /// The agent.
    Assistant,
}

/// One turn of a conversation.
#[derive(Clone, Debug, PartialEq)]
pub struct Turn {
    /// Position in the conversation, from 1.
    pub number: u32,
    /// The side that spoke.
    pub speaker: Speaker,
    /// Text of the turn.
    pub text: String,
    /// Time of the exchange.
    pub at: Timestamp,
    /// Outcome of an agent's turn; `None` for the user's and for those of a person.
    pub outcome: Option<TurnOutcome>,
    /// What else is known of it.
    pub details: TurnDetails,
}

/// What a turn did, and who wrote it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TurnDetails {
    /// Name of the person who answered in place of the agent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub author: Option<String>,
    /// Values of the form that a turn of the user changed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<ValueChange>,
}

/// A value of the form that a turn changed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ValueChange {
    /// JSON pointer of the value.
    pub path: String,
    /// The value after the turn; `null` where it was removed.
    pub value: Value,
    /// Where it comes from; `None` for a removed value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<FieldStatus>,
    /// The place of a document that states it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evidence: Option<Evidence>,
}

/// Why an agent's turn ended, and what it spent. The default is a turn without a model call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TurnOutcome {
    /// Why the model stopped.
    pub finish: Finish,
    /// Tokens and cost of all model calls of the turn.
    pub spent: Spend,
}

/// A form that the user filled and confirmed.
#[derive(Clone, Debug, PartialEq)]
pub struct Submission {
    /// Opaque id (`submission_…`).
    pub id: String,
    /// The workspace that owns it.
    pub workspace: WorkspaceId,
    /// The user who confirmed it.
    pub author: Author,
    /// Internal id of the agent.
    pub agent: String,
    /// Id of the session.
    pub session: String,
    /// Id of the form at that time.
    pub form_id: String,
    /// The values in the form's order; `null` for unfilled fields.
    pub record: Map<String, Value>,
    /// Time of confirmation.
    pub created: Timestamp,
}
