//! The meter over usage in memory.

use accounts_core::KeyLimits;
use accounts_core::usage::{Grouping, MemoryUsage, Totals};
use gen_core::{ModelId, Usage};
use shared_core::{FixedClock, Scope, UserId, WorkspaceId};

use super::*;

const KEY: &str = "key_1";

fn payer() -> CallerContext {
    let scope = Scope { workspace: WorkspaceId("w".into()), user: UserId("u".into()) };
    CallerContext { scope, key: Some(KEY.into()) }
}

fn meter(limits: KeyLimits) -> UsageMeter {
    let store = MemoryUsage::default();
    store.add_key(&payer().scope.workspace, KEY, limits);
    UsageMeter::new(UsageService::new(Arc::new(store), Arc::new(FixedClock::default())))
}

fn estimate(tokens: u64) -> Estimate {
    Estimate { model: ModelId::extractive(), tokens, cost: Some(Cost(5)) }
}

fn spend(input_tokens: u64) -> Spend {
    Spend { usage: Usage { input_tokens, ..Usage::default() }, cost: Some(Cost(3)) }
}

async fn stored(meter: &UsageMeter) -> Totals {
    let query = meter.0.usage.query(None, None, Grouping::Model).unwrap();
    meter.0.usage.report(&payer().scope, &query).await.unwrap().total
}

#[tokio::test]
async fn what_is_booked_is_stored_when_the_booking_ends_and_dropped_calls_at_the_end() {
    let meter = meter(KeyLimits::default());
    let (stop, stopped) = oneshot::channel();
    let storing = tokio::spawn(meter.clone().store(stopped));
    meter.reserve(&payer(), &estimate(9)).await.unwrap().settle(spend(7)).await.unwrap();
    assert_eq!((stored(&meter).await.requests, stored(&meter).await.tokens.input), (1, 7));
    drop(meter.reserve(&payer(), &estimate(9)).await.unwrap());
    drop(stop);
    storing.await.unwrap();
    assert_eq!(stored(&meter).await.requests, 2);
}

#[tokio::test]
async fn a_reservation_that_is_dropped_is_booked_at_its_estimate_settled_or_not() {
    let meter = meter(KeyLimits { tokens_per_day: Some(100), ..KeyLimits::default() });
    drop(meter.reserve(&payer(), &estimate(30)).await.unwrap());
    // Never polled.
    drop(meter.reserve(&payer(), &estimate(30)).await.unwrap().settle(spend(1)));
    assert!(meter.flush().await);
    let total = stored(&meter).await;
    assert_eq!((total.requests, total.tokens.input), (2, 60));
    let refused = meter.reserve(&payer(), &estimate(41)).await.unwrap_err();
    assert_eq!(refused.to_string(), "the key's limit of 100 tokens per day is reached");
}

#[tokio::test]
async fn a_settlement_that_is_polled_once_is_booked_though_it_is_dropped() {
    let meter = meter(KeyLimits { tokens_per_day: Some(100), ..KeyLimits::default() });
    let mut settling = meter.reserve(&payer(), &estimate(30)).await.unwrap().settle(spend(1));
    drop(futures_util::poll!(&mut settling));
    drop(settling);
    assert_eq!(stored(&meter).await.tokens.input, 1);
}

#[tokio::test]
async fn a_call_that_never_fits_is_told_apart_from_one_that_must_wait() {
    let meter = meter(KeyLimits { tokens_per_day: Some(100), ..KeyLimits::default() });
    let never = meter.reserve(&payer(), &estimate(101)).await.unwrap_err();
    assert!(matches!(never, MeterError::ExceedsLimit(_)), "{never:?}");
    let kept = meter.reserve(&payer(), &estimate(100)).await.unwrap();
    let wait = meter.reserve(&payer(), &estimate(1)).await.unwrap_err();
    let MeterError::Limit(reached) = wait else { panic!("{wait:?}") };
    assert_eq!((reached.limit, reached.allowed.as_str()), ("tokens per day", "100"));
    assert!((1..=86_400).contains(&reached.retry_after));
    drop(kept);
}

#[tokio::test]
async fn calls_at_the_same_time_are_stored_together_and_each_waits_for_its_own() {
    let meter = meter(KeyLimits::default());
    let (_stop, stopped) = oneshot::channel();
    tokio::spawn(meter.clone().store(stopped));
    let call = async || {
        meter.reserve(&payer(), &estimate(9)).await.unwrap().settle(spend(1)).await.unwrap();
        stored(&meter).await.requests
    };
    let seen = futures_util::future::join_all((0..50).map(|_| call())).await;
    assert!(seen.iter().all(|requests| (1..=50).contains(requests)), "{seen:?}");
    assert_eq!(stored(&meter).await.requests, 50);
}
