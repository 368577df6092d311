//! Why chunks could not be embedded, and whether that may pass.

use std::time::Duration;

use gen_core::GenError;
use shared_core::{DomainError as _, StoreError};

use crate::ItemError;

/// Embedding failed. What was paid before is kept. `Display` is shown to the user.
#[derive(Debug, thiserror::Error)]
pub(crate) enum EmbedFailure {
    /// The model failed.
    #[error(transparent)]
    Model(GenError),
    /// The model gave another number of vectors than it was given texts.
    #[error("the embedding model gave {given} vectors for {due} texts")]
    Count {
        /// How many it gave.
        given: usize,
        /// How many were due.
        due: usize,
    },
    /// The model gave vectors that cannot be compared with each other.
    #[error("the embedding model gave vectors of {first} and of {other} numbers")]
    Length {
        /// Numbers of its first one.
        first: usize,
        /// Numbers of another one.
        other: usize,
    },
    /// The store failed, or whoever heard of the progress did not want to go on.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// What can be expected of another attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Retryability {
    /// There is no room for so long; the attempt was none.
    Room(Duration),
    /// It may succeed later; not before this time where somebody asked for it.
    MayPass(Option<Duration>),
    /// It would fail again.
    Lasts,
}

/// How long to wait where too many calls wait for the provider already.
const CROWDED: Duration = Duration::from_secs(2);

impl EmbedFailure {
    /// What can be expected of another attempt.
    pub(crate) fn prospect(&self) -> Retryability {
        match self {
            Self::Model(error) => prospect(error),
            Self::Count { .. } | Self::Length { .. } => Retryability::Lasts,
            Self::Store(_) => Retryability::MayPass(None),
        }
    }

    /// As it is shown with the item.
    pub(crate) fn item_error(&self) -> ItemError {
        let code = match self {
            Self::Model(error) => error.code(),
            Self::Count { .. } | Self::Length { .. } => "provider_protocol",
            Self::Store(error) => error.code(),
        };
        ItemError { code: code.to_owned(), message: self.to_string() }
    }
}

fn prospect(error: &GenError) -> Retryability {
    match error {
        GenError::Limit(limit) => Retryability::Room(Duration::from_secs(limit.retry_after.max(1))),
        GenError::Saturated { .. } => Retryability::Room(CROWDED),
        // Nothing was sent, so that nothing failed.
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
        assert_eq!(provider(Fault::RateLimited, wait).prospect(), Retryability::MayPass(wait));
        assert_eq!(provider(Fault::Unreachable, None).prospect(), Retryability::MayPass(None));
    }

    #[test]
    fn what_will_not_pass_lasts_and_says_why() {
        for fault in [Fault::Auth, Fault::Billing, Fault::InvalidRequest, Fault::ContextTooLong] {
            assert_eq!(provider(fault, None).prospect(), Retryability::Lasts, "{fault:?}");
        }
        let error = provider(Fault::Billing, None).item_error();
        assert_eq!(error.code, "provider_billing");
        assert!(error.message.contains("as the test says"));
        assert_eq!(EmbedFailure::Count { given: 1, due: 2 }.prospect(), Retryability::Lasts);
    }

    #[test]
    fn a_limit_of_the_key_is_waited_for_without_an_attempt_counting() {
        let limit = LimitReached { limit: "tokens per minute", allowed: "10".to_owned(), retry_after: 17 };
        let failure = EmbedFailure::Model(GenError::Limit(limit));
        assert_eq!(failure.prospect(), Retryability::Room(Duration::from_secs(17)));
    }
}
