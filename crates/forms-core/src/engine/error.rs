//! How an extraction can fail as a whole.

use gen_core::{GenError, Usage};
use shared_core::{DomainError, ErrorKind};

/// A failed extraction. `Display` is shown to the user.
#[derive(Debug, thiserror::Error)]
pub enum ExtractError {
    /// The model could not be asked.
    #[error("{source}")]
    Model {
        /// Why.
        source: GenError,
        /// Tokens spent before.
        usage: Usage,
    },
    /// The model would not answer.
    #[error("the model refused to answer")]
    Refused {
        /// Tokens spent.
        usage: Usage,
    },
    /// There was no record in the model's answer, nor in its second one.
    #[error("the model's answer is not a JSON object")]
    Unusable {
        /// Tokens spent.
        usage: Usage,
    },
}

impl ExtractError {
    /// Tokens that were spent all the same.
    #[must_use]
    pub fn usage(&self) -> Usage {
        match self {
            Self::Model { usage, .. } | Self::Refused { usage } | Self::Unusable { usage } => *usage,
        }
    }
}

impl DomainError for ExtractError {
    fn kind(&self) -> ErrorKind {
        match self {
            Self::Model { source, .. } => source.kind(),
            Self::Refused { .. } | Self::Unusable { .. } => ErrorKind::ProviderFailed,
        }
    }

    fn code(&self) -> &'static str {
        match self {
            Self::Model { source, .. } => source.code(),
            Self::Refused { .. } => "model_refused",
            Self::Unusable { .. } => "model_answer_unusable",
        }
    }

    fn retry_after(&self) -> Option<u64> {
        match self {
            Self::Model { source, .. } => source.retry_after(),
            Self::Refused { .. } | Self::Unusable { .. } => None,
        }
    }
}
