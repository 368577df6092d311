//! Errors of a call, and of one of its inputs.

use document::ReadError;
use shared_core::{DomainError, ErrorKind, StoreError, Violation};

/// A failed call. `Display` is the user's message.
#[derive(Debug, thiserror::Error)]
pub enum UtilitiesError {
    /// The request violates a rule.
    #[error("{}", .0.message)]
    Invalid(Violation),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl UtilitiesError {
    pub(crate) fn invalid(path: impl Into<String>, message: impl Into<String>) -> Self {
        Self::Invalid(Violation::new(path, message))
    }
}

impl DomainError for UtilitiesError {
    fn kind(&self) -> ErrorKind {
        match self {
            Self::Invalid(_) => ErrorKind::Invalid,
            Self::Store(error) => error.kind(),
        }
    }

    fn code(&self) -> &'static str {
        match self {
            Self::Invalid(_) => "validation_failed",
            Self::Store(error) => error.code(),
        }
    }

    fn violations(&self) -> &[Violation] {
        match self {
            Self::Invalid(violation) => std::slice::from_ref(violation),
            Self::Store(_) => &[],
        }
    }
}

/// Why one input of a call failed. It does not affect the others.
#[derive(Debug)]
pub struct ItemError {
    /// Stable error code, in snake case.
    pub code: &'static str,
    /// One sentence for the user.
    pub message: String,
    /// The cause for the log, when the failure is internal.
    pub cause: Option<StoreError>,
}

impl ItemError {
    pub(crate) fn new(code: &'static str, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), cause: None }
    }
}

impl From<ReadError> for ItemError {
    fn from(error: ReadError) -> Self {
        let message = error.to_string();
        match error {
            ReadError::Unusable { code, message } | ReadError::Transient { code, message, .. } => {
                Self::new(code, message)
            }
            ReadError::Store(cause) => Self { code: cause.code(), message, cause: Some(cause) },
        }
    }
}
