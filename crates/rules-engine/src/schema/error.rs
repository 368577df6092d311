//! Errors of the schema generator.

use gen_core::GenError;
use shared_core::{DomainError, ErrorKind, Violation};

/// A failed generation. `Display` is shown to the user.
#[derive(Debug, thiserror::Error)]
pub enum GeneratorError {
    /// The description breaks a rule; never empty.
    #[error("{}", .0.first().map_or("the description is not valid", |violation| violation.message.as_str()))]
    Invalid(Vec<Violation>),
    /// The model failed.
    #[error("{0}")]
    Model(#[source] GenError),
}

impl GeneratorError {
    pub(super) fn invalid(message: impl Into<String>) -> Self {
        Self::Invalid(vec![Violation::new("/content", message)])
    }
}

impl DomainError for GeneratorError {
    fn kind(&self) -> ErrorKind {
        match self {
            Self::Invalid(_) => ErrorKind::Invalid,
            Self::Model(source) => source.kind(),
        }
    }

    fn code(&self) -> &'static str {
        match self {
            Self::Invalid(_) => "validation_failed",
            Self::Model(source) => source.code(),
        }
    }

    fn violations(&self) -> &[Violation] {
        match self {
            Self::Invalid(violations) => violations,
            Self::Model(_) => &[],
        }
    }

    fn retry_after(&self) -> Option<u64> {
        match self {
            Self::Model(source) => source.retry_after(),
            Self::Invalid(_) => None,
        }
    }
}
