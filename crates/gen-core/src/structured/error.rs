//! How asking for a structured answer can fail.

use shared_core::{DomainError, ErrorKind, Violation};

use crate::{GenError, Usage};

/// A structured answer that did not come about. `Display` is shown to the user.
#[derive(Debug, thiserror::Error)]
pub enum StructuredError {
    /// The model could not be asked.
    #[error("{source}")]
    Generation {
        /// Why.
        source: GenError,
        /// Tokens spent, over all asks.
        usage: Usage,
    },
    /// The model would not answer.
    #[error("the model refused to answer")]
    Refused {
        /// Tokens spent, over all asks.
        usage: Usage,
    },
    /// The answer ran into its limit of tokens, twice where the limit could be raised.
    #[error("the model's answer was cut off at its limit of tokens; a higher one gives it more room")]
    CutOff {
        /// Tokens spent, over all asks.
        usage: Usage,
    },
    /// No answer fits the schema.
    #[error("the model's answer does not fit the schema: {}", first_violation(.violations))]
    Violation {
        /// What is wrong with the last one, by JSON pointer into it; never empty.
        violations: Vec<Violation>,
        /// Tokens spent, over all asks.
        usage: Usage,
    },
}

/// The first violation in words.
fn first_violation(violations: &[Violation]) -> String {
    let Some(first) = violations.first() else { return "it is no JSON".to_owned() };
    match first.path.as_str() {
        "" => first.message.clone(),
        path => format!("'{path}' {}", first.message),
    }
}

impl StructuredError {
    /// Tokens that were spent all the same.
    #[must_use]
    pub fn usage(&self) -> Usage {
        match self {
            Self::Generation { usage, .. }
            | Self::Refused { usage }
            | Self::CutOff { usage }
            | Self::Violation { usage, .. } => *usage,
        }
    }
}

impl DomainError for StructuredError {
    fn kind(&self) -> ErrorKind {
        match self {
            Self::Generation { source, .. } => source.kind(),
            Self::Refused { .. } | Self::CutOff { .. } | Self::Violation { .. } => ErrorKind::ProviderFailed,
        }
    }

    fn code(&self) -> &'static str {
        match self {
            Self::Generation { source, .. } => source.code(),
            Self::Refused { .. } => "model_refused",
            Self::CutOff { .. } => "answer_cut_off",
            Self::Violation { .. } => "schema_violation",
        }
    }

    fn retry_after(&self) -> Option<u64> {
        match self {
            Self::Generation { source, .. } => source.retry_after(),
            Self::Refused { .. } | Self::CutOff { .. } | Self::Violation { .. } => None,
        }
    }

    fn violations(&self) -> &[Violation] {
        match self {
            Self::Generation { source, .. } => source.violations(),
            Self::Refused { .. } | Self::CutOff { .. } => &[],
            Self::Violation { violations, .. } => violations,
        }
    }
}
