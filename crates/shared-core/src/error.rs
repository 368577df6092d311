//! The error vocabulary: a closed set of kinds, stable codes, and what a store can say.

use std::error::Error;

use serde::{Deserialize, Serialize};

/// A cause that is kept for the log.
pub type BoxError = Box<dyn Error + Send + Sync + 'static>;

/// What kind of failure it is. The shell maps each kind to one answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ErrorKind {
    /// The request breaks a rule that the caller can mend.
    Invalid,
    /// No credential, or one that is not accepted.
    Unauthenticated,
    /// The credential does not allow it.
    Forbidden,
    /// It does not exist, or not for this workspace.
    NotFound,
    /// It contradicts what is stored.
    Conflict,
    /// More than a limit allows.
    TooLarge,
    /// A content type that is not taken here.
    UnsupportedMedia,
    /// A document that cannot be read.
    Unreadable,
    /// Too many requests for now.
    RateLimited,
    /// A provider outside failed.
    ProviderFailed,
    /// A provider outside did not answer in time.
    ProviderTimeout,
    /// Something that the operator must set up first.
    NotConfigured,
    /// Too much at once; the same request may go through later.
    Saturated,
    /// The disk or the database is full.
    StorageFull,
    /// A defect or an outage on this side.
    Internal,
}

/// One broken rule and the place of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Violation {
    /// JSON pointer (RFC 6901) into the request body; empty for the body itself.
    pub path: String,
    /// One sentence.
    pub message: String,
}

impl Violation {
    /// A violation at `path`.
    pub fn new(path: impl Into<String>, message: impl Into<String>) -> Self {
        Self { path: path.into(), message: message.into() }
    }
}

/// What every service error can tell. `Display` is the sentence shown to the user: it names the
/// field and the rule and nothing of the inside; `source()` is for the log.
pub trait DomainError: Error + Send + Sync + 'static {
    /// The kind, which decides the status.
    fn kind(&self) -> ErrorKind;
    /// The stable snake-case code.
    fn code(&self) -> &'static str;
    /// Every broken rule, for validation errors.
    fn violations(&self) -> &[Violation] {
        &[]
    }
    /// Seconds after which the same request may go through, where that can be told.
    fn retry_after(&self) -> Option<u64> {
        None
    }
}

/// What a store can say. The domain decides what it means.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// A uniqueness rule: the name of the taken thing.
    #[error("{0} is already taken")]
    Taken(&'static str),
    /// Rows of this kind still refer to it; their names, at most ten.
    #[error("still in use")]
    InUse(Vec<String>),
    /// A row that it refers to does not exist in the workspace: what is missing.
    #[error("{0} does not exist")]
    Missing(&'static str),
    /// Somebody changed the record since it was read.
    #[error("the record was changed in the meantime")]
    Stale,
    /// No room left.
    #[error("the storage is full")]
    Full,
    /// Too busy, shutting down, or not reachable.
    #[error("the store is not available")]
    Unavailable(#[source] BoxError),
    /// A row that cannot be read as what it should be.
    #[error("a stored record is damaged")]
    Corrupt(#[source] BoxError),
    /// Anything else.
    #[error("the store failed")]
    Failed(#[source] BoxError),
}

impl DomainError for StoreError {
    fn kind(&self) -> ErrorKind {
        match self {
            Self::Taken(_) | Self::InUse(_) | Self::Stale => ErrorKind::Conflict,
            Self::Missing(_) => ErrorKind::NotFound,
            Self::Full => ErrorKind::StorageFull,
            Self::Unavailable(_) => ErrorKind::Saturated,
            Self::Corrupt(_) | Self::Failed(_) => ErrorKind::Internal,
        }
    }

    fn code(&self) -> &'static str {
        match self {
            Self::Taken(_) => "already_exists",
            Self::InUse(_) => "in_use",
            Self::Stale => "changed_meanwhile",
            Self::Missing(_) => "not_found",
            Self::Full => "storage_full",
            Self::Unavailable(_) => "store_unavailable",
            Self::Corrupt(_) | Self::Failed(_) => "internal",
        }
    }
}
