//! The errors of structured output.

use shared_core::{DomainError, ErrorKind, Violation};

use crate::{GenError, Usage};

/// A structured request without a valid answer. `Display` is a message for the user.
#[derive(Debug, thiserror::Error)]
pub enum StructuredError {
    /// The call failed.
    #[error("{source}")]
    Generation {
        /// The cause.
        source: GenError,
        /// Tokens of all requests.
        usage: Usage,
    },
    /// The model refused.
    #[error("the model refused to answer")]
    Refused {
        /// Tokens of all requests.
        usage: Usage,
    },
    /// The answer was truncated at its token limit, also after the limit was raised where possible.
    #[error("the model's answer was truncated at its token limit; a higher limit may help")]
    CutOff {
        /// Tokens of all requests.
        usage: Usage,
    },
    /// No answer matches the schema.
    #[error("the model's answer does not fit the schema: {}", first_violation(.violations))]
    Violation {
        /// The violations of the last answer, by JSON pointer into it; never empty.
        violations: Vec<Violation>,
        /// Tokens of all requests.
        usage: Usage,
    },
}

fn first_violation(violations: &[Violation]) -> String {
    let Some(first) = violations.first() else { return "it is not JSON".to_owned() };
    match first.path.as_str() {
        "" => first.message.clone(),
        path => format!("'{path}' {}", first.message),
    }
}

impl StructuredError {
    /// Tokens used by the failed request.
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
