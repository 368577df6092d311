//! What follows a failed attempt: a retry, a fallback, or the end. Pure.

use std::time::Duration;

use super::RetryPolicy;
use crate::{Fault, ProviderError};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RetryDecision {
    /// Wait, then call the same model again.
    Retry(Duration),
    /// Call the next model.
    Fallback,
    /// Return the error.
    Stop,
}

/// The state of a request.
#[derive(Clone, Copy, Debug)]
pub(super) struct RetryState {
    /// Retries of this model so far.
    pub(super) retries: u32,
    /// Whether a fallback is left.
    pub(super) fallback: bool,
    /// Time left for the whole request.
    pub(super) remaining: Duration,
    /// Random bits, for the jitter.
    pub(super) random: u64,
}

/// Decides on a provider's failure. A refusal is an answer, so it does not fall back. A `Retry-After` above
/// [`RetryPolicy::max_delay`] is not waited for while a fallback is left, nor one above
/// [`RetryPolicy::patience`] otherwise.
pub(super) fn decide_retry(retry: &RetryPolicy, error: &ProviderError, at: RetryState) -> RetryDecision {
    let otherwise = if at.fallback && error.fault != Fault::Refused {
        RetryDecision::Fallback
    } else {
        RetryDecision::Stop
    };
    if error.fault == Fault::Billing || !error.is_retryable() || at.retries >= retry.retries {
        return otherwise;
    }
    let asked = error.retry_after.unwrap_or_default();
    let patience = if at.fallback { retry.max_delay } else { retry.patience };
    let delay = asked.saturating_add(retry.backoff().jittered_delay(at.retries, at.random));
    if asked > patience || delay >= at.remaining { otherwise } else { RetryDecision::Retry(delay) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const AT: RetryState =
        RetryState { retries: 0, fallback: false, remaining: Duration::from_secs(900), random: u64::MAX };

    fn next(fault: Fault, at: RetryState) -> RetryDecision {
        decide_retry(&RetryPolicy::default(), &ProviderError::new(fault, "no"), at)
    }

    fn asked(seconds: u64, at: RetryState) -> RetryDecision {
        let error = ProviderError {
            retry_after: Some(Duration::from_secs(seconds)),
            ..ProviderError::new(Fault::RateLimited, "no")
        };
        decide_retry(&RetryPolicy::default(), &error, at)
    }

    #[test]
    fn delays_double_from_half_a_second_to_eight_seconds_and_are_jittered_down_to_nothing() {
        for (retries, bound) in [(0, 500), (1, 1_000), (2, 2_000), (3, 4_000), (4, 8_000), (40, 8_000)] {
            let most = RetryPolicy::default().backoff().jittered_delay(retries, u64::MAX);
            assert_eq!(most.as_micros().div_ceil(1_000), bound, "{retries}");
            assert_eq!(RetryPolicy::default().backoff().jittered_delay(retries, 0), Duration::ZERO);
            let half = RetryPolicy::default().backoff().jittered_delay(retries, 1 << 63);
            assert_eq!(half.as_millis(), bound / 2);
        }
    }

    #[test]
    fn what_may_pass_is_tried_again_until_the_retries_are_used_up() {
        for fault in
            [Fault::RateLimited, Fault::Overloaded, Fault::Failed, Fault::Unreachable, Fault::Timeout]
        {
            assert!(matches!(next(fault, AT), RetryDecision::Retry(_)), "{fault:?}");
            assert_eq!(next(fault, RetryState { retries: 2, ..AT }), RetryDecision::Stop, "{fault:?}");
            let fallback = RetryState { retries: 2, fallback: true, ..AT };
            assert_eq!(next(fault, fallback), RetryDecision::Fallback, "{fault:?}");
        }
    }

    #[test]
    fn what_will_not_pass_goes_to_the_next_model_at_once() {
        let faults =
            [Fault::Auth, Fault::Billing, Fault::InvalidRequest, Fault::ContextTooLong, Fault::Unsupported];
        for fault in faults {
            assert_eq!(next(fault, AT), RetryDecision::Stop, "{fault:?}");
            assert_eq!(
                next(fault, RetryState { fallback: true, ..AT }),
                RetryDecision::Fallback,
                "{fault:?}"
            );
        }
    }

    #[test]
    fn a_refusal_is_not_taken_to_another_model() {
        assert_eq!(next(Fault::Refused, RetryState { fallback: true, ..AT }), RetryDecision::Stop);
    }

    #[test]
    fn a_used_up_quota_is_never_tried_again_even_if_the_provider_says_so() {
        let error =
            ProviderError { should_retry: Some(true), ..ProviderError::new(Fault::Billing, "no money") };
        assert_eq!(decide_retry(&RetryPolicy::default(), &error, AT), RetryDecision::Stop);
    }

    #[test]
    fn the_provider_has_the_last_word_on_whether_to_try_again() {
        let mut error = ProviderError::new(Fault::Failed, "no");
        error.should_retry = Some(false);
        assert_eq!(decide_retry(&RetryPolicy::default(), &error, AT), RetryDecision::Stop);
        error.fault = Fault::InvalidRequest;
        error.should_retry = Some(true);
        assert!(matches!(decide_retry(&RetryPolicy::default(), &error, AT), RetryDecision::Retry(_)));
    }

    #[test]
    fn a_wait_that_the_provider_asks_for_is_the_least_that_is_waited() {
        let RetryDecision::Retry(delay) = asked(20, AT) else { panic!("it should wait") };
        assert!(delay >= Duration::from_secs(20) && delay <= Duration::from_millis(20_500));
    }

    #[test]
    fn a_longer_wait_than_it_is_worth_ends_the_retries() {
        assert_eq!(asked(61, AT), RetryDecision::Stop);
        assert_eq!(asked(9, RetryState { fallback: true, ..AT }), RetryDecision::Fallback);
        assert!(matches!(asked(8, RetryState { fallback: true, ..AT }), RetryDecision::Retry(_)));
    }

    #[test]
    fn no_wait_goes_beyond_the_time_for_everything() {
        assert_eq!(asked(20, RetryState { remaining: Duration::from_secs(20), ..AT }), RetryDecision::Stop);
    }
}
