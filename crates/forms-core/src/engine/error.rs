//! The errors of an extraction.

use gen_core::{Fault, GenError, Spend, Usage};
use shared_core::{DomainError, ErrorKind, StoreError};

/// A failed extraction. `Display` is shown to the user.
#[derive(Debug, thiserror::Error)]
pub enum ExtractError {
    /// The model could not be called.
    #[error("{source}")]
    Model {
        /// The cause.
        source: GenError,
        /// The spend so far; boxed, because every fallible call moves the error.
        spent: Box<Spend>,
    },
    /// The model refused to answer.
    #[error("the model refused to answer")]
    Refused {
        /// The spend so far.
        spent: Spend,
    },
    /// Neither the model's answer nor its correction contains a record.
    #[error("the model's answer is not a JSON object")]
    Unusable {
        /// The spend so far.
        spent: Spend,
    },
    /// Stored answers could not be read or written.
    #[error("{source}")]
    Store {
        /// The cause.
        source: StoreError,
        /// The spend so far.
        spent: Spend,
    },
    /// The process is about to end, and no further call was made.
    #[error("the server is stopping")]
    Interrupted {
        /// The spend so far.
        spent: Spend,
    },
    /// Calls wait for a batch of the provider.
    #[error("the calls of the group wait for a batch of the provider")]
    Deferred {
        /// The spend so far.
        spent: Spend,
    },
    /// The documents are too long for the model in a reasonable number of parts.
    #[error("the documents of the group are too long for this model")]
    TooLong {
        /// The spend so far.
        spent: Spend,
    },
}

/// A failed call, without the spend of its group.
#[derive(Debug)]
pub(super) enum Failure {
    Model(GenError),
    Refused,
    Unusable,
    Store(StoreError),
    /// [`AnswerStore::may_call`](super::AnswerStore::may_call) allows no further call.
    Interrupted,
    /// The call waits for a batch.
    Deferred,
    /// Another call of the group failed first.
    Stopped,
}

impl Failure {
    /// Whether the failure is retryable.
    pub(super) fn may_pass(&self) -> bool {
        match self {
            Self::Model(GenError::Provider { error, .. }) => error.is_retryable(),
            Self::Model(error) => {
                matches!(error, GenError::Limit(_) | GenError::Saturated { .. } | GenError::Paused { .. })
            }
            Self::Store(_) | Self::Interrupted => true,
            Self::Refused | Self::Unusable | Self::Deferred | Self::Stopped => false,
        }
    }

    /// Whether the provider refuses the request as it is, so that it may take it without pictures.
    pub(super) fn is_refused_request(&self) -> bool {
        let refused = |fault| matches!(fault, Fault::InvalidRequest | Fault::Unsupported);
        matches!(self, Self::Model(GenError::Provider { error, .. }) if refused(error.fault))
    }

    /// Whether the prompt exceeds the model's context window.
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
            Failure::Interrupted => Self::Interrupted { spent },
            Failure::Deferred => Self::Deferred { spent },
            // A call is only stopped after another one failed, and that failure is reported.
            Failure::Stopped => Self::Unusable { spent },
        }
    }

    /// The spend of the failed extraction.
    #[must_use]
    pub fn spent(&self) -> Spend {
        match self {
            Self::Model { spent, .. } => **spent,
            Self::Refused { spent }
            | Self::Unusable { spent }
            | Self::Store { spent, .. }
            | Self::Interrupted { spent }
            | Self::Deferred { spent }
            | Self::TooLong { spent } => *spent,
        }
    }

    /// Tokens of the failed extraction.
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
            Self::Interrupted { .. } | Self::Deferred { .. } => ErrorKind::Saturated,
            Self::Refused { .. } | Self::Unusable { .. } => ErrorKind::ProviderFailed,
            Self::TooLong { .. } => ErrorKind::TooLarge,
        }
    }

    fn code(&self) -> &'static str {
        match self {
            Self::Model { source, .. } => source.code(),
            Self::Store { source, .. } => source.code(),
            Self::Interrupted { .. } => "server_stopping",
            Self::Deferred { .. } => "provider_saturated",
            Self::Refused { .. } => "model_refused",
            Self::Unusable { .. } => "model_answer_unusable",
            Self::TooLong { .. } => "documents_too_long",
        }
    }

    fn retry_after(&self) -> Option<u64> {
        match self {
            Self::Model { source, .. } => source.retry_after(),
            Self::Store { .. }
            | Self::Interrupted { .. }
            | Self::Deferred { .. }
            | Self::Refused { .. }
            | Self::Unusable { .. }
            | Self::TooLong { .. } => None,
        }
    }
}
