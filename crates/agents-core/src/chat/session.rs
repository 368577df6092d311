//! A stored conversation, its turns, and the records that come of it.

use gen_core::{Finish, Spend};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use shared_core::{Author, Revision, Timestamp, WorkspaceId};

use super::FormState;

/// A conversation with an agent.
#[derive(Clone, Debug, PartialEq)]
pub struct Session {
    /// Opaque id (`session_…`).
    pub id: String,
    /// The workspace.
    pub workspace: WorkspaceId,
    /// Who began it.
    pub author: Author,
    /// Internal id of the agent.
    pub agent: String,
    /// The beginning of its first message.
    pub title: String,
    /// The form on its way; `None` when the agent had no form.
    pub form: Option<FormState>,
    /// ISO 639-1 code of the language that the user was last heard in; empty when not known.
    pub language: String,
    /// Turns that are stored, of both sides.
    pub turns: u32,
    /// Grows with every exchange.
    pub revision: Revision,
    /// When it began.
    pub created: Timestamp,
    /// When the last turn was.
    pub updated: Timestamp,
}

/// Who speaks.
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
    /// Place in the conversation, from 1.
    pub number: u32,
    /// Who spoke.
    pub speaker: Speaker,
    /// What was said.
    pub text: String,
    /// When.
    pub at: Timestamp,
    /// What it took, of the agent's; `None` of the user's.
    pub outcome: Option<TurnOutcome>,
}

/// Why an answer of an agent ends, and what it took. By default no model was asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TurnOutcome {
    /// Why the model stopped.
    pub finish: Finish,
    /// Tokens and money of all calls of models.
    pub spent: Spend,
}

/// A form that was filled in a conversation and confirmed.
#[derive(Clone, Debug, PartialEq)]
pub struct Submission {
    /// Opaque id (`submission_…`).
    pub id: String,
    /// The workspace.
    pub workspace: WorkspaceId,
    /// Who spoke.
    pub author: Author,
    /// Internal id of the agent.
    pub agent: String,
    /// The conversation.
    pub session: String,
    /// The form, as it was called then.
    pub form_id: String,
    /// The values in the form's order; `null` where there is none.
    pub record: Map<String, Value>,
    /// When it was confirmed.
    pub created: Timestamp,
}
