//! Errors of a message to an agent.

use forms_core::{ExtractError, FormsError};
use gen_core::{GenError, GenerateError, Spend};
use shared_core::{DomainError, ErrorKind, StoreError, Violation};

use crate::AgentsError;

/// A failed message. `Display` is shown to the user. Nothing of the exchange was stored.
#[derive(Debug, thiserror::Error)]
pub enum ChatError {
    /// The message breaks rules; never empty.
    #[error("{}", .0.first().map_or("the message is not valid", |v| v.message.as_str()))]
    Invalid(Vec<Violation>),
    /// The agent could not be loaded.
    #[error(transparent)]
    Agents(#[from] AgentsError),
    /// The request asks for a record, but the agent has no form.
    #[error("the agent has no form, so there is no record to fill")]
    NoForm,
    /// The form of the agent cannot be read.
    #[error("the form of the agent cannot be used")]
    Form(#[source] FormsError),
    /// A document of the message cannot be used.
    #[error("{}", .violation[0].message)]
    Document {
        /// Stable error code, such as `file_not_found`.
        code: &'static str,
        /// Whether the document exists but cannot be parsed.
        is_unreadable: bool,
        /// JSON pointer of the document in the request, and the message.
        violation: [Violation; 1],
    },
    /// A document cannot be read at the moment; retryable.
    #[error("{message}")]
    NotReady {
        /// Stable error code.
        code: &'static str,
        /// One sentence for the user.
        message: String,
        /// Seconds to wait before a retry, if known.
        after: Option<u64>,
    },
    /// The model is not known or not available.
    #[error(transparent)]
    Model(#[from] GenError),
    /// The model failed to answer.
    #[error(transparent)]
    Answer(#[from] GenerateError),
    /// The extraction failed.
    #[error(transparent)]
    Extract(#[from] ExtractError),
    /// Concurrent messages kept changing the session.
    #[error("the session is busy; send the message again")]
    Busy,
    /// Another person, or a person at all, answers in place of the agent.
    #[error("{0} has taken over the session; it must be given back first")]
    TakenOver(String),
    /// Nobody has taken over the session.
    #[error("nobody has taken over the session; take it over first")]
    NotTakenOver,
    /// The store failed.
    #[error(transparent)]
    Store(StoreError),
}

impl ChatError {
    /// Usage and cost of a failed extraction; zero for other errors.
    #[must_use]
    pub fn spent(&self) -> Spend {
        match self {
            Self::Extract(error) => error.spent(),
            _ => Spend::default(),
        }
    }
}

impl DomainError for ChatError {
    fn kind(&self) -> ErrorKind {
        match self {
            Self::Document { is_unreadable: true, .. } => ErrorKind::Unreadable,
            Self::Invalid(_) | Self::NoForm | Self::Document { .. } => ErrorKind::Invalid,
            Self::Busy | Self::TakenOver(_) | Self::NotTakenOver => ErrorKind::Conflict,
            Self::NotReady { .. } => ErrorKind::Saturated,
            Self::Agents(error) => error.kind(),
            Self::Form(error) => error.kind(),
            Self::Model(error) => error.kind(),
            Self::Answer(error) => error.kind(),
            Self::Extract(error) => error.kind(),
            Self::Store(error) => error.kind(),
        }
    }

    fn code(&self) -> &'static str {
        match self {
            Self::Invalid(_) => "validation_failed",
            Self::NoForm => "agent_without_form",
            Self::Document { code, .. } | Self::NotReady { code, .. } => code,
            Self::Busy => "session_busy",
            Self::TakenOver(_) => "session_taken_over",
            Self::NotTakenOver => "session_not_taken_over",
            Self::Agents(error) => error.code(),
            Self::Form(error) => error.code(),
            Self::Model(error) => error.code(),
            Self::Answer(error) => error.code(),
            Self::Extract(error) => error.code(),
            Self::Store(error) => error.code(),
        }
    }

    fn violations(&self) -> &[Violation] {
        match self {
            Self::Invalid(violations) => violations,
            Self::Document { violation, .. } => violation,
            Self::Agents(error) => error.violations(),
            Self::Answer(error) => error.violations(),
            _ => &[],
        }
    }

    fn retry_after(&self) -> Option<u64> {
        match self {
            Self::NotReady { after, .. } => *after,
            Self::Busy => Some(1),
            Self::Model(error) => error.retry_after(),
            Self::Answer(error) => error.retry_after(),
            Self::Extract(error) => error.retry_after(),
            _ => None,
        }
    }
}
