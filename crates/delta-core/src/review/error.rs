//! The errors of reviews.

use agents_core::AgentsError;
use forms_core::FormsError;
use shared_core::{DomainError, ErrorKind, StoreError, Violation};

use crate::DeltaError;

/// A failed operation on reviews. `Display` is shown to the user.
#[derive(Debug, thiserror::Error)]
pub enum ReviewError {
    /// The workspace has no such review.
    #[error("there is no review '{0}'")]
    NotFound(String),
    /// A decision breaks a rule; never empty.
    #[error("{}", .0.first().map_or("the decision is not valid", |v| v.message.as_str()))]
    Invalid(Vec<Violation>),
    /// The review has another revision than the one that the decision names.
    #[error("the review '{0}' was changed meanwhile; read it again")]
    Changed(String),
    /// An error of agents, runs or forms.
    #[error(transparent)]
    Delta(#[from] DeltaError),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<AgentsError> for ReviewError {
    fn from(error: AgentsError) -> Self {
        Self::Delta(error.into())
    }
}

impl From<FormsError> for ReviewError {
    fn from(error: FormsError) -> Self {
        Self::Delta(error.into())
    }
}

impl DomainError for ReviewError {
    fn kind(&self) -> ErrorKind {
        match self {
            Self::NotFound(_) => ErrorKind::NotFound,
            Self::Invalid(_) => ErrorKind::Invalid,
            Self::Changed(_) => ErrorKind::Conflict,
            Self::Delta(error) => error.kind(),
            Self::Store(error) => error.kind(),
        }
    }

    fn code(&self) -> &'static str {
        match self {
            Self::NotFound(_) => "review_not_found",
            Self::Invalid(_) => "validation_failed",
            Self::Changed(_) => "review_changed",
            Self::Delta(error) => error.code(),
            Self::Store(error) => error.code(),
        }
    }

    fn violations(&self) -> &[Violation] {
        match self {
            Self::Invalid(violations) => violations,
            Self::Delta(error) => error.violations(),
            _ => &[],
        }
    }
}
