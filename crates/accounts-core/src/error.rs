//! The errors of accounts.

use shared_core::{DomainError, ErrorKind, StoreError, Violation};

/// A failed operation on accounts. `Display` is shown to the user.
#[derive(Debug, thiserror::Error)]
pub enum AccountsError {
    /// The presented key is malformed, unknown, revoked or expired. The message does not say which.
    #[error("the API key is not valid")]
    InvalidKey,
    /// A value breaks a rule.
    #[error("{}", .0.message)]
    Invalid(Violation),
    /// No valid key has this prefix or id.
    #[error("there is no valid API key with this prefix or id")]
    KeyNotFound,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl DomainError for AccountsError {
    fn kind(&self) -> ErrorKind {
        match self {
            Self::InvalidKey => ErrorKind::Unauthenticated,
            Self::Invalid(_) => ErrorKind::Invalid,
            Self::KeyNotFound => ErrorKind::NotFound,
            Self::Store(error) => error.kind(),
        }
    }

    fn code(&self) -> &'static str {
        match self {
            Self::InvalidKey => "invalid_key",
            Self::Invalid(_) => "validation_failed",
            Self::KeyNotFound => "key_not_found",
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
