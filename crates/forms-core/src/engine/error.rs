//! How an extraction can fail as a whole.

use gen_core::{Fault, GenError, Spend, Usage};
use shared_core::{DomainError, ErrorKind, StoreError};

/// A failed extraction. `Display` is shown to the user.
#[derive(Debug, thiserror::Error)]
pub enum ExtractError {
    /// The model could not be asked.
    #[error("{source}")]
    Model {
        /// Why.
        source: GenError,
        /// Spent before; in a box, since errors are moved by every call that may fail.
        spent: Box<Spend>,
    },
    /// The model would not answer.
    #[error("the model refused to answer")]
    Refused {
        /// Spent.
        spent: Spend,
    },
    /// There was no record in the model's answer, nor in its second one.
    #[error("the model's answer is not a JSON object")]
    Unusable {
        /// Spent.
        spent: Spend,
    },
    /// The answers that were paid for could not be read or kept.
    #[error("{source}")]
    Store {
        /// Why.
        source: StoreError,
        /// Spent before.
        spent: Spend,
    },
    /// The documents are more than a model can be given in a reasonable number of parts.
    #[error("the documents of the group are too long for this model")]
    TooLong {
        /// Spent before that was known.
        spent: Spend,
    },
}

/// A failed call, before it is known what the whole group spent.
#[derive(Debug)]
pub(super) enum Failure {
    Model(GenError),
    Refused,
    Unusable,
    Store(StoreError),
    /// Another call of the group failed before.
    Stopped,
}

impl Failure {
    /// Whether the same call may succeed later.
    pub(super) fn may_pass(&self) -> bool {
        match self {
            Self::Model(GenError::Provider { error, .. }) => error.is_retryable(),
            Self::Model(error) => {
                matches!(error, GenError::Limit(_) | GenError::Saturated { .. } | GenError::Paused { .. })
            }
            Self::Store(_) => true,
            Self::Refused | Self::Unusable | Self::Stopped => false,
        }
    }

    /// Whether a model found that it was shown more than it can read.
    pub(super) fn is_too_much(&self) -> bool {
        matches!(self, Self::Model(GenError::Provider { error, .. }) if error.fault == Fault::ContextTooLong)
    }
}

impl ExtractError {
    pub(super) fn new(failure: Failure, spent: Spend) -> Self {
        match failure {
            Failure::Model(source) => Self::Model { source, spent: Box::new(spent) },
            Failure::Refused => Self::Refused { spent },
            Failure::Unusable => Self::Unusable { spent },
            Failure::Store(source) => Self::Store { source, spent },
            // A call is only stopped after another failed, whose failure is told.
            Failure::Stopped => Self::Unusable { spent },
        }
    }

    /// What was spent all the same.
    #[must_use]
    pub fn spent(&self) -> Spend {
        match self {
            Self::Model { spent, .. } => **spent,
            Self::Refused { spent }
            | Self::Unusable { spent }
            | Self::Store { spent, .. }
            | Self::TooLong { spent } => *spent,
        }
    }

    /// Tokens that were spent all the same.
    #[must_use]
    pub fn usage(&self) -> Usage {
        self.spent().usage
    }
}

impl DomainError for ExtractError {
    fn kind(&self) -> ErrorKind {
        match self {
            Self::Model { source, .. } => source.kind(),
            Self::Store { source, .. } => source.kind(),
            Self::Refused { .. } | Self::Unusable { .. } => ErrorKind::ProviderFailed,
            Self::TooLong { .. } => ErrorKind::TooLarge,
        }
    }

    fn code(&self) -> &'static str {
        match self {
            Self::Model { source, .. } => source.code(),
            Self::Store { source, .. } => source.code(),
            Self::Refused { .. } => "model_refused",
            Self::Unusable { .. } => "model_answer_unusable",
            Self::TooLong { .. } => "documents_too_long",
        }
    }

    fn retry_after(&self) -> Option<u64> {
        match self {
            Self::Model { source, .. } => source.retry_after(),
            Self::Store { .. } | Self::Refused { .. } | Self::Unusable { .. } | Self::TooLong { .. } => None,
        }
    }
}
