//! Errors of operations on agents.

use shared_core::{DomainError, ErrorKind, StoreError, Violation};

/// A failed operation on agents. `Display` is shown to the user.
#[derive(Debug, thiserror::Error)]
pub enum AgentsError {
    /// The workspace has no such agent.
    #[error("there is no such agent")]
    NotFound,
    /// The agent has no such session.
    #[error("there is no such session")]
    SessionNotFound,
    /// The agent has no such submission.
    #[error("there is no such submission")]
    SubmissionNotFound,
    /// One or more values break rules; never empty.
    #[error("{}", .0.first().map_or("the agent is not valid", |v| v.message.as_str()))]
    Invalid(Vec<Violation>),
    /// The workspace has no such form.
    #[error("{}", unknown_form_text(&.0[0]))]
    UnknownForm([Violation; 1]),
    /// The model id is malformed, or its provider is not known.
    #[error("{}", .0[0].message)]
    UnknownModel([Violation; 1]),
    /// The workspace has no such knowledge base.
    #[error("{}", .0[0].message)]
    UnknownKnowledgeBase([Violation; 1]),
    /// Another agent has the namespace.
    #[error("the namespace '{0}' is already taken")]
    NamespaceTaken(String),
    /// The store failed.
    #[error(transparent)]
    Store(StoreError),
}

fn unknown_form_text(violation: &Violation) -> String {
    format!("there is no form with the id in '{}'", violation.path.trim_start_matches('/'))
}

impl DomainError for AgentsError {
    fn kind(&self) -> ErrorKind {
        match self {
            Self::NotFound | Self::SessionNotFound | Self::SubmissionNotFound => ErrorKind::NotFound,
            Self::Invalid(_)
            | Self::UnknownForm(_)
            | Self::UnknownModel(_)
            | Self::UnknownKnowledgeBase(_) => ErrorKind::Invalid,
            Self::NamespaceTaken(_) => ErrorKind::Conflict,
            Self::Store(error) => error.kind(),
        }
    }

    fn code(&self) -> &'static str {
        match self {
            Self::NotFound => "agent_not_found",
            Self::SessionNotFound => "session_not_found",
            Self::SubmissionNotFound => "submission_not_found",
            Self::Invalid(_) => "validation_failed",
            Self::UnknownForm(_) => "unknown_form",
            Self::UnknownModel(_) => "unknown_model",
            Self::UnknownKnowledgeBase(_) => "unknown_knowledge_base",
            Self::NamespaceTaken(_) => "namespace_taken",
            Self::Store(error) => error.code(),
        }
    }

    fn violations(&self) -> &[Violation] {
        match self {
            Self::Invalid(violations) => violations,
            Self::UnknownForm(one) | Self::UnknownModel(one) | Self::UnknownKnowledgeBase(one) => one,
            _ => &[],
        }
    }
}
