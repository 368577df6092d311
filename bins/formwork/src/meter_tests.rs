//! The meter over usage in memory.

use accounts_core::KeyLimits;
use accounts_core::usage::{Grouping, MemoryUsage, Totals};
use gen_core::{ModelId, Usage};
use shared_core::{FixedClock, Scope, UserId, WorkspaceId};

use tokio::task::JoinHandle;

use super::*;

const KEY: &str = "key_1";

fn payer() -> CallerContext {
    let scope = Scope { workspace: WorkspaceId("w".into()), user: UserId("u".into()) };
    CallerContext { scope, key: Some(KEY.into()) }
}

fn meter(limits: KeyLimits) -> UsageMeter {
    let store = MemoryUsage::default();
    store.add_key(&payer().scope.workspace, KEY, limits);
    let usage = UsageService::new(Arc::new(store), Arc::new(FixedClock::default()));
    UsageMeter::new(usage, deadline(Duration::from_secs(60), false))
}

fn deadline(limit: Duration, is_delayed: bool) -> ReservationDeadline {
    ReservationDeadline { limit, is_delayed: Arc::new(move || is_delayed) }
}

/// A meter whose commits are done by a task, until the sender is dropped.
fn running(limits: KeyLimits) -> (UsageMeter, oneshot::Sender<()>, JoinHandle<()>) {
    let meter = meter(limits);
    let (stop, stopped) = oneshot::channel();
    let storing = tokio::spawn(meter.clone().store(stopped));
    (meter, stop, storing)
}

fn estimate(tokens: u64) -> Estimate {
    Estimate { model: ModelId::extractive(), tokens, cost: Some(Cost(5)) }
}

fn spend(input_tokens: u64) -> Spend {
    Spend { usage: Usage { input_tokens, ..Usage::default() }, cost: Some(Cost(3)) }
}

async fn stored(meter: &UsageMeter) -> Totals {
    let query = meter.usage.query(None, None, Grouping::Model).unwrap();
    meter.usage.report(&payer().scope, &query).await.unwrap().total
}

#[tokio::test]
async fn what_is_booked_is_stored_when_the_booking_ends_and_dropped_calls_at_the_end() {
    let (meter, stop, storing) = running(KeyLimits::default());
    meter.reserve(&payer(), &estimate(9)).await.unwrap().settle(spend(7)).await.unwrap();
    assert_eq!((stored(&meter).await.requests, stored(&meter).await.tokens.input), (1, 7));
    drop(meter.reserve(&payer(), &estimate(9)).await.unwrap());
    drop(stop);
    storing.await.unwrap();
    assert_eq!(stored(&meter).await.requests, 2);
}

#[tokio::test]
async fn a_reservation_that_is_dropped_is_booked_at_its_estimate_settled_or_not() {
    let (meter, stop, storing) = running(KeyLimits { tokens_per_day: Some(100), ..KeyLimits::default() });
    drop(meter.reserve(&payer(), &estimate(30)).await.unwrap());
    // Never polled.
    drop(meter.reserve(&payer(), &estimate(30)).await.unwrap().settle(spend(1)));
    let refused = meter.reserve(&payer(), &estimate(41)).await.unwrap_err();
    assert_eq!(refused.to_string(), "the key's limit of 100 tokens per day is reached");
    drop(stop);
    storing.await.unwrap();
    let total = stored(&meter).await;
    assert_eq!((total.requests, total.tokens.input), (2, 60));
}

#[tokio::test]
async fn a_settlement_that_is_polled_once_is_booked_though_it_is_dropped() {
    let (meter, stop, storing) = running(KeyLimits { tokens_per_day: Some(100), ..KeyLimits::default() });
    let mut settling = meter.reserve(&payer(), &estimate(30)).await.unwrap().settle(spend(1));
    drop(futures_util::poll!(&mut settling));
    drop(settling);
    drop(stop);
    storing.await.unwrap();
    assert_eq!(stored(&meter).await.tokens.input, 1);
    assert!(meter.usage.settle_expired(true).await.is_ok_and(|open| open == 0));
}

#[tokio::test]
async fn a_call_that_never_fits_is_told_apart_from_one_that_must_wait() {
    let (meter, _stop, _) = running(KeyLimits { tokens_per_day: Some(100), ..KeyLimits::default() });
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
    let (meter, _stop, _) = running(KeyLimits::default());
    let call = async || {
        meter.reserve(&payer(), &estimate(9)).await.unwrap().settle(spend(1)).await.unwrap();
        stored(&meter).await.requests
    };
    let seen = futures_util::future::join_all((0..50).map(|_| call())).await;
    assert!(seen.iter().all(|requests| (1..=50).contains(requests)), "{seen:?}");
    assert_eq!(stored(&meter).await.requests, 50);
}

#[tokio::test]
async fn a_call_whose_reservation_is_late_is_refused_and_waits_on_while_the_database_is_delayed() {
    let (payer, estimate) = (payer(), estimate(9));
    let slow = UsageMeter { deadline: deadline(Duration::ZERO, false), ..meter(KeyLimits::default()) };
    let refused = slow.reserve(&payer, &estimate).await.unwrap_err();
    assert!(matches!(refused, MeterError::Store(StoreError::Unavailable(_))), "{refused:?}");
    let asked = Arc::new(tokio::sync::Notify::new());
    let told = Arc::clone(&asked);
    let is_delayed = Arc::new(move || {
        told.notify_one();
        true
    });
    let deadline = ReservationDeadline { limit: Duration::from_millis(1), is_delayed };
    let delayed = UsageMeter { deadline, ..slow };
    let mut waiting = delayed.reserve(&payer, &estimate);
    tokio::select! {
        _ = &mut waiting => panic!("nothing was committed"),
        () = asked.notified() => {}
    }
    assert!(delayed.commit().await);
    assert!(waiting.await.is_ok());
    assert_eq!(delayed.usage.settle_expired(true).await.unwrap(), 1, "the late one was not opened");
}
