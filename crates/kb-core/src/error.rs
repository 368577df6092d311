//! Errors of knowledge bases.

use files_core::FilesError;
use gen_core::GenError;
use shared_core::{DomainError, ErrorKind, StoreError, Violation};

use crate::IndexError;

/// A failed operation on knowledge bases. `Display` is the user's message.
#[derive(Debug, thiserror::Error)]
pub enum KnowledgeError {
    /// No such base in the workspace.
    #[error("there is no knowledge base '{0}'")]
    BaseNotFound(String),
    /// No such item in the workspace.
    #[error("there is no such file in a knowledge base")]
    ItemNotFound,
    /// Values violate rules; never empty.
    #[error("{}", .0.first().map_or("the request is not valid", |v| v.message.as_str()))]
    Invalid(Vec<Violation>),
    /// The model is unknown, or makes no embeddings.
    #[error("{}", .0[0].message)]
    UnknownModel([Violation; 1]),
    /// References name no files; never empty.
    #[error("{}", .0.first().map_or("there is no such file", |v| v.message.as_str()))]
    UnknownFiles(Vec<Violation>),
    /// Only failed items can be retried.
    #[error("the file is {0}; only failed files can be tried again")]
    NotFailed(&'static str),
    /// Another item of the base has the content.
    #[error("another file of the knowledge base has this content")]
    ContentTaken,
    /// The base has reached its maximum number of items.
    #[error("a knowledge base may have at most {0} files")]
    TooMany(u64),
    /// The index is not up to date for this search.
    #[error("the search index is not up to date yet; try again in a moment")]
    IndexNotReady,
    /// The base has no vectors to search by.
    #[error("the knowledge base has no embedding model, so that it can be searched by words alone")]
    NoVectors([Violation; 1]),
    /// The embedding model failed.
    #[error(transparent)]
    Model(GenError),
    /// A file failed.
    #[error(transparent)]
    Files(FilesError),
    /// The index failed.
    #[error("the search index failed")]
    Index(#[source] IndexError),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<IndexError> for KnowledgeError {
    fn from(error: IndexError) -> Self {
        match error {
            IndexError::NotReady => Self::IndexNotReady,
            IndexError::Full => Self::Store(StoreError::Full),
            other => Self::Index(other),
        }
    }
}

impl DomainError for KnowledgeError {
    fn kind(&self) -> ErrorKind {
        match self {
            Self::BaseNotFound(_) | Self::ItemNotFound => ErrorKind::NotFound,
            Self::Invalid(_) | Self::UnknownModel(_) | Self::UnknownFiles(_) | Self::NoVectors(_) => {
                ErrorKind::Invalid
            }
            Self::NotFailed(_) | Self::ContentTaken => ErrorKind::Conflict,
            Self::TooMany(_) => ErrorKind::TooLarge,
            Self::IndexNotReady => ErrorKind::Saturated,
            Self::Model(error) => error.kind(),
            Self::Files(error) => error.kind(),
            Self::Index(_) => ErrorKind::Internal,
            Self::Store(error) => error.kind(),
        }
    }

    fn code(&self) -> &'static str {
        match self {
            Self::BaseNotFound(_) => "knowledge_base_not_found",
            Self::ItemNotFound => "knowledge_file_not_found",
            Self::Invalid(_) => "validation_failed",
            Self::UnknownModel(_) => "unknown_model",
            Self::UnknownFiles(_) => "file_not_found",
            Self::NotFailed(_) => "file_not_failed",
            Self::ContentTaken => "content_taken",
            Self::TooMany(_) => "knowledge_base_full",
            Self::IndexNotReady => "index_not_ready",
            Self::NoVectors(_) => "no_embedding_model",
            Self::Model(error) => error.code(),
            Self::Files(error) => error.code(),
            Self::Index(_) => "internal",
            Self::Store(error) => error.code(),
        }
    }

    fn violations(&self) -> &[Violation] {
        match self {
            Self::Invalid(violations) | Self::UnknownFiles(violations) => violations,
            Self::UnknownModel(one) | Self::NoVectors(one) => one,
            Self::Model(error) => error.violations(),
            _ => &[],
        }
    }

    fn retry_after(&self) -> Option<u64> {
        match self {
            Self::IndexNotReady => Some(1),
            Self::Model(error) => error.retry_after(),
            _ => None,
        }
    }
}
