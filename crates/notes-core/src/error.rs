//! The errors of notes.

use shared_core::{DomainError, ErrorKind, StoreError, Violation};

use crate::ResourceKind;

/// A failed operation on notes. `Display` is shown to the user.
#[derive(Debug, thiserror::Error)]
pub enum NotesError {
    /// No such note in the workspace.
    #[error("there is no such note")]
    NotFound,
    /// The workspace has no such resource.
    #[error("there is no such {}", display_name(*.0))]
    ResourceNotFound(ResourceKind),
    /// Values break rules; never empty.
    #[error("{}", .0.first().map_or("the note is not valid", |v| v.message.as_str()))]
    Invalid(Vec<Violation>),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

fn display_name(kind: ResourceKind) -> &'static str {
    match kind {
        ResourceKind::Agent => "agent",
        ResourceKind::KnowledgeBase => "knowledge base",
        ResourceKind::File => "file",
    }
}

impl DomainError for NotesError {
    fn kind(&self) -> ErrorKind {
        match self {
            Self::NotFound | Self::ResourceNotFound(_) => ErrorKind::NotFound,
            Self::Invalid(_) => ErrorKind::Invalid,
            Self::Store(error) => error.kind(),
        }
    }

    fn code(&self) -> &'static str {
        match self {
            Self::NotFound => "note_not_found",
            Self::ResourceNotFound(ResourceKind::Agent) => "agent_not_found",
            Self::ResourceNotFound(ResourceKind::KnowledgeBase) => "knowledge_base_not_found",
            Self::ResourceNotFound(ResourceKind::File) => "file_not_found",
            Self::Invalid(_) => "validation_failed",
            Self::Store(error) => error.code(),
        }
    }

    fn violations(&self) -> &[Violation] {
        match self {
            Self::Invalid(violations) => violations,
            _ => &[],
        }
    }
}
