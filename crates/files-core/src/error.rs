//! The errors of files.

use shared_core::{DomainError, ErrorKind, StoreError, Violation};

use crate::BlobError;

/// A failed operation on files. `Display` is shown to the user.
#[derive(Debug, thiserror::Error)]
pub enum FilesError {
    /// No such file in the workspace.
    #[error("there is no such file")]
    NotFound,
    /// The URL's signature is missing or wrong.
    #[error("the URL is not signed; use the 'url' of the file's record")]
    UrlUnsigned,
    /// The URL's signature is valid, but it has expired.
    #[error("the URL has expired; the file's record has a new one")]
    UrlExpired,
    /// The name breaks a rule.
    #[error("{}", .0.message)]
    Invalid(Violation),
    /// The file is larger than the limit (bytes).
    #[error("a file may have at most {0} bytes")]
    TooLarge(u64),
    /// The record exists, its content does not.
    #[error("the file's content is missing")]
    ContentMissing,
    /// The blob store failed.
    #[error("the file's content could not be stored or read")]
    Blob(#[source] BlobError),
    /// The blob store cannot be reached, or is overloaded.
    #[error("the store of files' contents is not available; try again")]
    BlobsUnavailable(#[source] BlobError),
    /// The blob store is full.
    #[error("the storage is full")]
    Full,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<BlobError> for FilesError {
    fn from(error: BlobError) -> Self {
        match error {
            BlobError::Full => Self::Full,
            BlobError::Missing => Self::ContentMissing,
            BlobError::Unavailable(_) => Self::BlobsUnavailable(error),
            BlobError::Failed(_) => Self::Blob(error),
        }
    }
}

impl DomainError for FilesError {
    fn kind(&self) -> ErrorKind {
        match self {
            Self::NotFound => ErrorKind::NotFound,
            Self::UrlUnsigned | Self::UrlExpired => ErrorKind::Forbidden,
            Self::Invalid(_) => ErrorKind::Invalid,
            Self::TooLarge(_) => ErrorKind::TooLarge,
            Self::ContentMissing | Self::Blob(_) => ErrorKind::Internal,
            Self::BlobsUnavailable(_) => ErrorKind::Saturated,
            Self::Full => ErrorKind::StorageFull,
            Self::Store(error) => error.kind(),
        }
    }

    fn code(&self) -> &'static str {
        match self {
            Self::NotFound => "file_not_found",
            Self::UrlUnsigned => "url_not_signed",
            Self::UrlExpired => "url_expired",
            Self::Invalid(_) => "validation_failed",
            Self::TooLarge(_) => "file_too_large",
            Self::ContentMissing => "content_missing",
            Self::Blob(_) => "content_failed",
            Self::BlobsUnavailable(_) => "content_unavailable",
            Self::Full => "storage_full",
            Self::Store(error) => error.code(),
        }
    }

    fn violations(&self) -> &[Violation] {
        match self {
            Self::Invalid(violation) => std::slice::from_ref(violation),
            _ => &[],
        }
    }
}
