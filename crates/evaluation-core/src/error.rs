//! The errors of evaluation.

use delta_core::DeltaError;
use forms_core::FormsError;
use kb_core::KnowledgeError;
use shared_core::{DomainError, ErrorKind, StoreError, Violation};

use crate::MAX_GROUPS;

/// A failed operation. `Display` is shown to the user.
#[derive(Debug, thiserror::Error)]
pub enum EvaluationError {
    /// The workspace has no such set.
    #[error("there is no such evaluation set")]
    SetNotFound,
    /// The run is none of the set.
    #[error("the set has no such evaluation")]
    NotFound,
    /// A value breaks a rule; never empty.
    #[error("{}", .0.first().map_or("the set is not valid", |v| v.message.as_str()))]
    Invalid(Vec<Violation>),
    /// The evaluation of a version does not pass; never empty.
    #[error("{}", failure(.0))]
    GateFailed(Vec<Violation>),
    /// The set has no groups.
    #[error("the set has no groups yet")]
    Empty,
    /// The set cannot hold the groups.
    #[error("a set holds at most {MAX_GROUPS} groups")]
    Full,
    /// The settings of a search break a rule; never empty.
    #[error("{}", .violations.first().map_or("the settings are not valid", |v| v.message.as_str()))]
    Settings {
        /// The code of the search's error.
        code: &'static str,
        /// At their places in the request.
        violations: Vec<Violation>,
    },
    /// An error of knowledge bases.
    #[error(transparent)]
    Knowledge(#[from] KnowledgeError),
    /// An error of runs, agents or forms.
    #[error(transparent)]
    Delta(#[from] DeltaError),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

fn failure(violations: &[Violation]) -> String {
    let told: Vec<&str> = violations.iter().take(5).map(|violation| violation.message.as_str()).collect();
    let more = if violations.len() > told.len() { "; …" } else { "" };
    format!("the evaluation does not pass: {}{more}", told.join("; "))
}

impl From<FormsError> for EvaluationError {
    fn from(error: FormsError) -> Self {
        Self::Delta(error.into())
    }
}

impl DomainError for EvaluationError {
    fn kind(&self) -> ErrorKind {
        match self {
            Self::SetNotFound | Self::NotFound => ErrorKind::NotFound,
            Self::Invalid(_) | Self::Settings { .. } => ErrorKind::Invalid,
            Self::Knowledge(error) => error.kind(),
            Self::Empty | Self::Full | Self::GateFailed(_) => ErrorKind::Conflict,
            Self::Delta(error) => error.kind(),
            Self::Store(error) => error.kind(),
        }
    }

    fn code(&self) -> &'static str {
        match self {
            Self::SetNotFound => "evaluation_set_not_found",
            Self::NotFound => "evaluation_not_found",
            Self::Invalid(_) => "validation_failed",
            Self::GateFailed(_) => "evaluation_gate_failed",
            Self::Empty => "evaluation_set_empty",
            Self::Full => "evaluation_set_full",
            Self::Settings { code, .. } => code,
            Self::Knowledge(error) => error.code(),
            Self::Delta(error) => error.code(),
            Self::Store(error) => error.code(),
        }
    }

    fn violations(&self) -> &[Violation] {
        match self {
            Self::Invalid(violations) | Self::GateFailed(violations) | Self::Settings { violations, .. } => {
                violations
            }
            Self::Knowledge(error) => error.violations(),
            Self::Delta(error) => error.violations(),
            _ => &[],
        }
    }

    fn retry_after(&self) -> Option<u64> {
        match self {
            Self::Knowledge(error) => error.retry_after(),
            _ => None,
        }
    }
}
