//! Retry decisions: whether a failed attempt is retried later, fails the group, or stops the run.

use std::time::Duration;

use forms_core::ExtractError;
use gen_core::GenError;
use shared_core::{Backoff, DomainError as _, ErrorKind};

use crate::{ErrorClass, ItemError};

/// The longest wait for a limit, in seconds: limits of a minute are waited for. Others, such as those of a
/// day, stop the run.
const MAX_LIMIT_WAIT_SECONDS: u64 = 60;
/// The pause after the first failed attempt at a group; it doubles with each, up to the longest. The calls
/// of each attempt were repeated in short order already, so that this is for outages. Chosen by hand; no
/// measurement is recorded.
const BACKOFF: Backoff = Backoff { first: Duration::from_secs(2), max: Duration::from_secs(120) };

/// What follows a failed attempt.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum GroupDecision {
    /// The group waits for capacity; the attempt is not counted.
    Wait(Duration),
    /// Another process goes on with the group; the attempt is not counted.
    Release,
    /// Another attempt; with `forget`, the stored answers are deleted.
    Retry { after: Duration, forget: bool },
    /// The group failed.
    Fail,
    /// The group waits for a batch.
    Defer,
    /// No group can continue: the budget is used up.
    Stop,
}

/// Decides after a failed attempt. `failed` counts the attempts that failed before it, `most` is the limit.
pub(crate) fn decide_retry(error: &ExtractError, failed: u32, most: u32) -> GroupDecision {
    let again = |forget| match failed.saturating_add(1) < most {
        true => GroupDecision::Retry {
            after: BACKOFF.delay_or(failed, error.retry_after().map(Duration::from_secs)),
            forget,
        },
        false => GroupDecision::Fail,
    };
    match error {
        ExtractError::Model { source: GenError::Limit(limit), .. } => match limit.retry_after {
            after @ ..=MAX_LIMIT_WAIT_SECONDS => GroupDecision::Wait(Duration::from_secs(after.max(1))),
            _ => GroupDecision::Stop,
        },
        ExtractError::Model { source: GenError::Saturated { .. }, .. } => GroupDecision::Wait(BACKOFF.first),
        ExtractError::Model { source, .. } => match source {
            GenError::Paused { .. } => again(false),
            GenError::Provider { error, .. } if error.is_retryable() => again(false),
            GenError::Store(_) => again(false),
            _ => GroupDecision::Fail,
        },
        // The same model may give a valid answer next time.
        ExtractError::Unusable { .. } => again(true),
        ExtractError::Store { .. } => again(false),
        ExtractError::Interrupted { .. } => GroupDecision::Release,
        ExtractError::Deferred { .. } => GroupDecision::Defer,
        ExtractError::Refused { .. } | ExtractError::TooLong { .. } => GroupDecision::Fail,
    }
}

/// The error of a group whose extraction failed.
pub(crate) fn item_error(error: &ExtractError) -> ItemError {
    let class = match (error, error.kind()) {
        (ExtractError::Unusable { .. }, _) => ErrorClass::Validation,
        (ExtractError::Store { .. } | ExtractError::Interrupted { .. }, _) => ErrorClass::Internal,
        (ExtractError::Model { source: GenError::Limit(_) | GenError::ExceedsLimit(_), .. }, _) => {
            ErrorClass::Budget
        }
        (_, ErrorKind::Internal | ErrorKind::StorageFull) => ErrorClass::Internal,
        _ => ErrorClass::Model,
    };
    ItemError { class, code: error.code().to_owned(), message: error.to_string() }
}

#[cfg(test)]
mod tests {
    use gen_core::{Fault, LimitReached, ProviderError, Spend, Upstream};
    use shared_core::StoreError;

    use super::*;

    fn model(source: GenError) -> ExtractError {
        ExtractError::Model { source, spent: Box::default() }
    }

    fn provider(fault: Fault, retry_after: Option<Duration>) -> ExtractError {
        let error = Box::new(ProviderError { retry_after, ..ProviderError::new(fault, "as the test says") });
        let upstream = Upstream::Provider(gen_core::Provider::OpenAi);
        model(GenError::Provider { upstream, error, spent: Spend::default() })
    }

    fn limit(retry_after: u64) -> ExtractError {
        model(GenError::Limit(LimitReached { limit: "tokens per day", allowed: "10".into(), retry_after }))
    }

    #[test]
    fn an_outage_is_waited_out_longer_each_time_and_not_for_ever() {
        let outage = provider(Fault::Overloaded, None);
        let seconds = |failed| match decide_retry(&outage, failed, 4) {
            GroupDecision::Retry { after, forget: false } => after.as_secs(),
            other => panic!("{other:?}"),
        };
        assert_eq!([seconds(0), seconds(1), seconds(2)], [2, 4, 8]);
        assert_eq!(decide_retry(&outage, 3, 4), GroupDecision::Fail);
        let asked = provider(Fault::RateLimited, Some(Duration::from_secs(30)));
        assert_eq!(
            decide_retry(&asked, 0, 4),
            GroupDecision::Retry { after: Duration::from_secs(30), forget: false }
        );
    }

    #[test]
    fn what_cannot_pass_fails_at_once() {
        for fault in [Fault::Auth, Fault::Billing, Fault::InvalidRequest, Fault::Refused] {
            assert_eq!(decide_retry(&provider(fault, None), 0, 4), GroupDecision::Fail);
        }
        assert_eq!(
            decide_retry(&ExtractError::Refused { spent: Spend::default() }, 0, 4),
            GroupDecision::Fail
        );
    }

    #[test]
    fn an_unusable_answer_is_not_kept_for_the_next_attempt() {
        let unusable = ExtractError::Unusable { spent: Spend::default() };
        assert!(matches!(decide_retry(&unusable, 0, 4), GroupDecision::Retry { forget: true, .. }));
        assert_eq!(item_error(&unusable).class, ErrorClass::Validation);
    }

    #[test]
    fn a_limit_of_a_minute_is_waited_for_and_one_of_a_day_ends_the_run() {
        assert_eq!(decide_retry(&limit(17), 9, 4), GroupDecision::Wait(Duration::from_secs(17)));
        assert_eq!(decide_retry(&limit(60), 0, 4), GroupDecision::Wait(Duration::from_secs(60)));
        assert_eq!(decide_retry(&limit(0), 0, 4), GroupDecision::Wait(Duration::from_secs(1)));
        assert_eq!(decide_retry(&limit(61), 0, 4), GroupDecision::Stop);
        assert_eq!(decide_retry(&limit(3_600), 0, 4), GroupDecision::Stop);
        assert_eq!(item_error(&limit(3_600)).class, ErrorClass::Budget);
    }

    #[test]
    fn a_full_queue_is_waited_for_and_outages_of_this_service_are_retried_with_what_is_stored() {
        let upstream = Upstream::Provider(gen_core::Provider::OpenAi);
        let saturated = model(GenError::Saturated { upstream: upstream.clone() });
        assert_eq!(decide_retry(&saturated, 9, 4), GroupDecision::Wait(Duration::from_secs(2)));
        let spent = Spend::default();
        let paused = model(GenError::Paused { upstream, wait: Duration::from_secs(5) });
        let metered = model(GenError::Store(StoreError::Full));
        let stored = ExtractError::Store { source: StoreError::Full, spent };
        for error in [paused, metered, stored] {
            let decision = decide_retry(&error, 0, 4);
            assert!(matches!(decision, GroupDecision::Retry { forget: false, .. }), "{error}");
            assert_eq!(decide_retry(&error, 3, 4), GroupDecision::Fail, "{error}");
        }
        assert_eq!(decide_retry(&ExtractError::Interrupted { spent }, 9, 4), GroupDecision::Release);
        assert_eq!(decide_retry(&ExtractError::TooLong { spent }, 0, 4), GroupDecision::Fail);
    }

    #[test]
    fn the_class_of_an_error_tells_whose_it_is() {
        let spent = Spend::default();
        for (error, class) in [
            (ExtractError::Store { source: StoreError::Stale, spent }, ErrorClass::Internal),
            (ExtractError::Interrupted { spent }, ErrorClass::Internal),
            (model(GenError::Store(StoreError::Full)), ErrorClass::Internal),
            (model(GenError::Store(StoreError::Failed("cause".into()))), ErrorClass::Internal),
            (model(GenError::ExceedsLimit("too much".into())), ErrorClass::Budget),
            (ExtractError::Refused { spent }, ErrorClass::Model),
            (ExtractError::TooLong { spent }, ErrorClass::Model),
            (provider(Fault::Auth, None), ErrorClass::Model),
        ] {
            let told = item_error(&error);
            assert_eq!((told.class, told.code.as_str()), (class, error.code()), "{error}");
            assert_eq!(told.message, error.to_string());
        }
    }
}
