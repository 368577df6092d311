//! The errors of a generate request.

use shared_core::{DomainError, ErrorKind, StoreError, Violation};

use crate::structured::StructuredError;
use crate::{GenError, SourceError};

/// A failed request. `Display` is a message for the user.
#[derive(Debug, thiserror::Error)]
pub enum GenerateError {
    /// The request is invalid.
    #[error("{}", first(.0))]
    Invalid(Vec<Violation>),
    /// A model, document or knowledge base of the request cannot be used.
    #[error("{}", first(.violations))]
    Unusable {
        /// A stable code, such as `file_not_found`.
        code: &'static str,
        /// One violation, with the place of the reference in the request.
        violations: Vec<Violation>,
    },
    /// A document of the request cannot be read.
    #[error("{}", .violation[0].message)]
    Unreadable {
        /// A stable code, such as `document_encrypted`.
        code: &'static str,
        /// One violation, with the place of the reference in the request.
        violation: [Violation; 1],
    },
    /// A source cannot be read yet; retryable.
    #[error("{message}")]
    NotReady {
        /// A stable code, such as `index_not_ready`.
        code: &'static str,
        /// One sentence.
        message: String,
    },
    /// The store of a source failed.
    #[error("the context could not be read")]
    Source(#[source] StoreError),
    /// The model failed.
    #[error(transparent)]
    Gen(#[from] GenError),
    /// The model returned no JSON that matches the schema.
    #[error(transparent)]
    Structured(#[from] StructuredError),
    /// The generated file could not be stored.
    #[error("the generated file could not be stored")]
    Media(#[source] StoreError),
    /// The workers did not run the job.
    #[error("the server is busy; try again")]
    Busy,
}

fn first(violations: &[Violation]) -> String {
    violations
        .first()
        .map_or_else(|| "the request is not valid".to_owned(), |violation| violation.message.clone())
}

impl GenerateError {
    /// The error with its violations changed, for interfaces that name the parts of a request otherwise.
    #[must_use]
    pub fn map_violations(mut self, change: impl Fn(&mut Violation)) -> Self {
        let violations = match &mut self {
            Self::Invalid(violations) | Self::Unusable { violations, .. } => violations.as_mut_slice(),
            Self::Unreadable { violation, .. } => violation,
            _ => &mut [],
        };
        violations.iter_mut().for_each(change);
        self
    }

    pub(super) fn source(error: SourceError, path: impl Into<String>) -> Self {
        match error {
            SourceError::Unusable { code, message } => {
                Self::Unusable { code, violations: vec![Violation::new(path, message)] }
            }
            SourceError::Unreadable { code, message } => {
                Self::Unreadable { code, violation: [Violation::new(path, message)] }
            }
            SourceError::NotReady { code, message } => Self::NotReady { code, message },
            SourceError::Model(error) => Self::Gen(error),
            SourceError::Store(error) => Self::Source(error),
        }
    }
}

impl DomainError for GenerateError {
    fn kind(&self) -> ErrorKind {
        match self {
            Self::Invalid(_) | Self::Unusable { .. } => ErrorKind::Invalid,
            Self::Unreadable { .. } => ErrorKind::Unreadable,
            Self::Source(error) | Self::Media(error) => error.kind(),
            Self::Gen(error) => error.kind(),
            Self::Structured(error) => error.kind(),
            Self::Busy | Self::NotReady { .. } => ErrorKind::Saturated,
        }
    }

    fn code(&self) -> &'static str {
        match self {
            Self::Invalid(_) => "validation_failed",
            Self::Unusable { code, .. } | Self::Unreadable { code, .. } | Self::NotReady { code, .. } => code,
            Self::Source(error) | Self::Media(error) => error.code(),
            Self::Gen(error) => error.code(),
            Self::Structured(error) => error.code(),
            Self::Busy => "saturated",
        }
    }

    fn retry_after(&self) -> Option<u64> {
        match self {
            Self::Source(error) | Self::Media(error) => error.retry_after(),
            Self::Gen(error) => error.retry_after(),
            Self::Structured(error) => error.retry_after(),
            Self::NotReady { .. } => Some(1),
            Self::Invalid(_) | Self::Unusable { .. } | Self::Unreadable { .. } | Self::Busy => None,
        }
    }

    fn violations(&self) -> &[Violation] {
        match self {
            Self::Invalid(violations) | Self::Unusable { violations, .. } => violations,
            Self::Unreadable { violation, .. } => violation,
            Self::Structured(error) => error.violations(),
            Self::Gen(error) => error.violations(),
            Self::Source(_) | Self::Media(_) | Self::Busy | Self::NotReady { .. } => &[],
        }
    }
}
