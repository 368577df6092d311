//! The errors of usage.

use shared_core::{DomainError, ErrorKind, StoreError, Violation};

use super::{LimitReached, PermanentRefusal};

/// Why a call is refused, or a report. `Display` is shown to the user.
#[derive(Debug, thiserror::Error)]
pub enum UsageError {
    /// A limit of the key is reached in the current window.
    #[error("the key's limit of {} {} is reached", .0.limit.amount(.0.allowed), .0.limit.name())]
    LimitReached(LimitReached),
    /// A limit of the key can never admit such a call.
    #[error("{0}")]
    NeverAdmitted(PermanentRefusal),
    /// A report with invalid parameters.
    #[error("{}", .0.message)]
    Invalid(Violation),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl DomainError for UsageError {
    fn kind(&self) -> ErrorKind {
        match self {
            Self::LimitReached(_) => ErrorKind::RateLimited,
            Self::NeverAdmitted(_) => ErrorKind::Forbidden,
            Self::Invalid(_) => ErrorKind::Invalid,
            Self::Store(error) => error.kind(),
        }
    }

    fn code(&self) -> &'static str {
        match self {
            Self::LimitReached(_) => "limit_reached",
            Self::NeverAdmitted(_) => "limit_never_fits",
            Self::Invalid(_) => "validation_failed",
            Self::Store(error) => error.code(),
        }
    }

    fn violations(&self) -> &[Violation] {
        match self {
            Self::Invalid(violation) => std::slice::from_ref(violation),
            _ => &[],
        }
    }

    fn retry_after(&self) -> Option<u64> {
        match self {
            Self::LimitReached(reached) => Some(reached.retry_after),
            Self::NeverAdmitted(_) | Self::Invalid(_) | Self::Store(_) => None,
        }
    }
}
