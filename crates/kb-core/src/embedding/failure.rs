//! Embedding failures, and whether they are retryable.

use std::time::Duration;

use gen_core::GenError;
use shared_core::{DomainError as _, StoreError};

use crate::ItemError;

/// Embedding failed. Vectors that were paid already are stored. `Display` is the user's message.
#[derive(Debug, thiserror::Error)]
pub(crate) enum EmbedFailure {
    /// The model failed.
    #[error(transparent)]
    Model(GenError),
    /// The number of vectors differs from the number of texts.
    #[error("the embedding model returned {given} vectors for {due} texts")]
    Count {
        /// Vectors returned.
        given: usize,
        /// Vectors expected.
        due: usize,
    },
    /// The vectors have different lengths, so they cannot be compared.
    #[error("the embedding model returned vectors of {first} and of {other} dimensions")]
    Length {
        /// Dimensions of the first vector.
        first: usize,
        /// Dimensions of another one.
        other: usize,
    },
    /// The progress callback stopped the work, because the process is about to end.
    #[error("the server is stopping")]
    Interrupted,
    /// The store failed, or the progress callback stopped the work.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Whether another attempt may succeed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Retryability {
    /// No capacity for this time; it does not count as an attempt.
    Room(Duration),
    /// Retryable; not before this time if the provider asked for one.
    MayPass(Option<Duration>),
    /// Not retryable.
    Lasts,
}

/// Pause when too many calls wait for the provider already.
const CROWDED: Duration = Duration::from_secs(2);

impl EmbedFailure {
    /// Whether another attempt may succeed.
    pub(crate) fn retryability(&self) -> Retryability {
        match self {
            Self::Model(error) => retryability(error),
            Self::Count { .. } | Self::Length { .. } => Retryability::Lasts,
            Self::Store(_) | Self::Interrupted => Retryability::MayPass(None),
        }
    }

    /// The error as stored with the item.
    pub(crate) fn item_error(&self) -> ItemError {
        let code = match self {
            Self::Model(error) => error.code(),
            Self::Count { .. } | Self::Length { .. } => "provider_protocol",
            Self::Interrupted => "server_stopping",
            Self::Store(error) => error.code(),
        };
        ItemError { code: code.to_owned(), message: self.to_string() }
    }
}

fn retryability(error: &GenError) -> Retryability {
    match error {
        GenError::Limit(limit) => Retryability::Room(Duration::from_secs(limit.retry_after.max(1))),
        GenError::Saturated { .. } => Retryability::Room(CROWDED),
        // Nothing was sent, so nothing failed.
        GenError::Paused { wait, .. } => Retryability::Room(*wait),
        GenError::Provider { error, .. } if error.is_retryable() => Retryability::MayPass(error.retry_after),
        GenError::Store(_) => Retryability::MayPass(None),
        GenError::Provider { .. }
        | GenError::ModelId(_)
        | GenError::UnknownModel { .. }
        | GenError::TooManyFallbacks
        | GenError::NotConfigured(_)
        | GenError::UnsupportedKind { .. }
        | GenError::ExceedsLimit(_) => Retryability::Lasts,
    }
}

#[cfg(test)]
mod tests {
    use gen_core::{Fault, LimitReached, Provider, ProviderError, Spend, Upstream};

    use super::*;

    fn provider(fault: Fault, retry_after: Option<Duration>) -> EmbedFailure {
        let error = Box::new(ProviderError { retry_after, ..ProviderError::new(fault, "as the test says") });
        let upstream = Upstream::Provider(Provider::OpenAi);
        EmbedFailure::Model(GenError::Provider { upstream, error, spent: Spend::default() })
    }

    #[test]
    fn an_outage_may_pass_and_the_providers_wait_is_kept() {
        let wait = Some(Duration::from_secs(30));
        assert_eq!(provider(Fault::RateLimited, wait).retryability(), Retryability::MayPass(wait));
        assert_eq!(provider(Fault::Unreachable, None).retryability(), Retryability::MayPass(None));
    }

    #[test]
    fn what_will_not_pass_lasts_and_says_why() {
        for fault in [Fault::Auth, Fault::Billing, Fault::InvalidRequest, Fault::ContextTooLong] {
            assert_eq!(provider(fault, None).retryability(), Retryability::Lasts, "{fault:?}");
        }
        let error = provider(Fault::Billing, None).item_error();
        assert_eq!(error.code, "provider_billing");
        assert!(error.message.contains("as the test says"));
        assert_eq!(EmbedFailure::Count { given: 1, due: 2 }.retryability(), Retryability::Lasts);
    }

    #[test]
    fn a_limit_of_the_key_is_waited_for_without_an_attempt_counting() {
        let limit = LimitReached { limit: "tokens per minute", allowed: "10".to_owned(), retry_after: 17 };
        let failure = EmbedFailure::Model(GenError::Limit(limit));
        assert_eq!(failure.retryability(), Retryability::Room(Duration::from_secs(17)));
    }
}
