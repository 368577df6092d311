//! The error vocabulary: a closed set of kinds, stable codes, and the failures of a store.

use std::error::Error;

use serde::{Deserialize, Serialize};

/// A cause, recorded in the log.
pub type BoxError = Box<dyn Error + Send + Sync + 'static>;

/// The kind of a failure. The shell maps each kind to one response.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ErrorKind {
    /// The request breaks a rule; the caller can correct it.
    Invalid,
    /// No credential, or one that is not accepted.
    Unauthenticated,
    /// The credential does not permit the operation.
    Forbidden,
    /// The resource does not exist, or not in this workspace.
    NotFound,
    /// The request contradicts what is stored.
    Conflict,
    /// A size limit is exceeded.
    TooLarge,
    /// The content type is not supported here.
    UnsupportedMedia,
    /// A document cannot be read.
    Unreadable,
    /// A rate limit is exceeded.
    RateLimited,
    /// An external provider failed.
    ProviderFailed,
    /// An external provider did not answer in time.
    ProviderTimeout,
    /// The operator must configure something first.
    NotConfigured,
    /// Too many concurrent requests; the same request may succeed later.
    Saturated,
    /// The disk or the database is full.
    StorageFull,
    /// A defect or an outage of this service.
    Internal,
}

/// One broken rule and its location.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Violation {
    /// JSON pointer (RFC 6901) into the request body; empty for the body itself.
    pub path: String,
    /// One sentence, shown to the user.
    pub message: String,
}

impl Violation {
    /// A violation at `path`, a JSON pointer.
    pub fn new(path: impl Into<String>, message: impl Into<String>) -> Self {
        Self { path: path.into(), message: message.into() }
    }
}

/// What every service error provides. `Display` is the sentence shown to the user: it names the field and the
/// rule and no internals. `source()` is for the log.
pub trait DomainError: Error + Send + Sync + 'static {
    /// The kind, which decides the HTTP status.
    fn kind(&self) -> ErrorKind;
    /// The stable snake-case code.
    fn code(&self) -> &'static str;
    /// Every broken rule, for validation errors.
    fn violations(&self) -> &[Violation] {
        &[]
    }
    /// Seconds after which the same request may succeed, if known.
    fn retry_after(&self) -> Option<u64> {
        None
    }
}

/// The failures of a store. The domain decides what they mean.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// A uniqueness rule is violated; names the value that exists already.
    #[error("{0} is already taken")]
    Taken(&'static str),
    /// Rows of this kind still refer to it; their names, at most ten.
    #[error("still in use")]
    InUse(Vec<String>),
    /// A row that it refers to does not exist in the workspace; names what is missing.
    #[error("{0} does not exist")]
    Missing(&'static str),
    /// The record was changed since it was read (optimistic concurrency).
    #[error("the record was changed in the meantime")]
    Stale,
    /// The disk or the database is full.
    #[error("the storage is full")]
    Full,
    /// The workspace may not store more of these.
    #[error("the workspace may store at most {limit} {name}")]
    QuotaExceeded {
        /// What is counted, in the plural.
        name: &'static str,
        /// The quota.
        limit: u64,
    },
    /// The store is overloaded, shutting down, or not reachable.
    #[error("the store is not available")]
    Unavailable(#[source] BoxError),
    /// The store did not confirm a change in time. It may be stored or not.
    #[error("the store did not answer in time; whether the change is stored is not known")]
    OutcomeUnknown,
    /// The database itself is damaged. It accepts no changes until it is restored.
    #[error("the database is damaged; it must be restored from a backup")]
    Damaged(#[source] BoxError),
    /// A stored row cannot be decoded.
    #[error("a stored record is damaged")]
    Corrupt(#[source] BoxError),
    /// Any other failure.
    #[error("the store failed")]
    Failed(#[source] BoxError),
}

impl DomainError for StoreError {
    fn kind(&self) -> ErrorKind {
        match self {
            Self::Taken(_) | Self::InUse(_) | Self::Stale => ErrorKind::Conflict,
            Self::Missing(_) => ErrorKind::NotFound,
            Self::Full => ErrorKind::StorageFull,
            Self::QuotaExceeded { .. } => ErrorKind::Forbidden,
            Self::Unavailable(_) | Self::OutcomeUnknown | Self::Damaged(_) => ErrorKind::Saturated,
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
            Self::QuotaExceeded { .. } => "quota_exceeded",
            Self::Unavailable(_) | Self::OutcomeUnknown => "store_unavailable",
            Self::Damaged(_) => "store_damaged",
            Self::Corrupt(_) | Self::Failed(_) => "internal",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_of_the_store_has_the_kind_and_the_code_of_its_cause() {
        let cause = || BoxError::from("cause");
        for (error, kind, code) in [
            (StoreError::Taken("name"), ErrorKind::Conflict, "already_exists"),
            (StoreError::InUse(Vec::new()), ErrorKind::Conflict, "in_use"),
            (StoreError::Stale, ErrorKind::Conflict, "changed_meanwhile"),
            (StoreError::Missing("form"), ErrorKind::NotFound, "not_found"),
            (StoreError::QuotaExceeded { name: "files", limit: 1 }, ErrorKind::Forbidden, "quota_exceeded"),
            (StoreError::Full, ErrorKind::StorageFull, "storage_full"),
            (StoreError::Unavailable(cause()), ErrorKind::Saturated, "store_unavailable"),
            (StoreError::OutcomeUnknown, ErrorKind::Saturated, "store_unavailable"),
            (StoreError::Corrupt(cause()), ErrorKind::Internal, "internal"),
            (StoreError::Failed(cause()), ErrorKind::Internal, "internal"),
        ] {
            assert_eq!((error.kind(), error.code()), (kind, code), "{error}");
            // An error that names neither broken rules nor a time promises none.
            assert_eq!((error.violations(), error.retry_after()), (&[][..], None), "{error}");
        }
    }
}
