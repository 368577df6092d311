//! Usage over the port in memory: its conformance suite and the use cases.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "tests assert"
)]

use std::pin::{Pin, pin};
use std::sync::Arc;

use accounts_core::usage::{
    CallUsage, Day, Estimate, Group, Grouping, MemoryUsage, Report, Tokens, UsageError, UsageRepository,
    UsageReservation, UsageService, contract,
};
use accounts_core::{KeyLimits, Money};
use futures_executor::block_on;
use futures_util::FutureExt as _;
use futures_util::future::{Either, select};
use shared_core::{DomainError as _, ErrorKind, FixedClock, Scope, StoreError, UserId, WorkspaceId};

type Test = Pin<Box<dyn Future<Output = ()>>>;

fn scope(workspace: &str) -> Scope {
    Scope { workspace: WorkspaceId(workspace.into()), user: UserId("u".into()) }
}

fn store(limits: KeyLimits) -> Arc<MemoryUsage> {
    let store = MemoryUsage::default();
    for scope in [scope("w1"), scope("w2")] {
        store.add_key(&scope.workspace, &contract::key(&scope), limits);
    }
    Arc::new(store)
}

fn usage(_name: &str, test: impl FnOnce(Arc<dyn UsageRepository>, Scope, Scope) -> Test) {
    block_on(test(store(contract::limits()), scope("w1"), scope("w2")));
}

accounts_core::usage_repository_contract!(usage);

fn service(limits: KeyLimits) -> UsageService {
    // Noon of 2026-01-01.
    UsageService::new(store(limits), Arc::new(FixedClock::new(1_767_268_800_000_000, 1)))
}

fn estimate(tokens: u64) -> Estimate {
    Estimate { tokens, cost: Some(Money(9)) }
}

/// Runs `call` while what waits is committed, as a server does.
fn run<T>(service: &UsageService, call: impl Future<Output = T>) -> T {
    let committing = async {
        loop {
            service.pending().await;
            service.flush().await.unwrap();
        }
    };
    match block_on(select(pin!(call), pin!(committing))) {
        Either::Left((result, _)) => result,
        Either::Right(_) => unreachable!("it commits on"),
    }
}

fn reserve(service: &UsageService, estimate: Estimate) -> Result<UsageReservation, UsageError> {
    let own = scope("w1");
    run(service, service.reserve(&own, Some(&contract::key(&own)), "m@p", estimate))
}

fn settle(service: &UsageService, held: UsageReservation, usage: CallUsage) {
    run(service, service.settle(held, usage)).unwrap();
}

fn report(service: &UsageService) -> Report {
    let query = service.query(None, None, Grouping::Model).unwrap();
    block_on(service.report(&scope("w1"), &query)).unwrap()
}

fn spend(input: u64, cost: u64) -> CallUsage {
    CallUsage { tokens: Tokens { input, ..Tokens::default() }, cost: Some(Money(cost)) }
}

#[test]
fn what_a_key_without_limits_uses_is_stored_once_when_its_settlement_ends() {
    let service = service(KeyLimits::default());
    for _ in 0..3 {
        let held = reserve(&service, estimate(100)).unwrap();
        settle(&service, held, spend(7, 2));
    }
    let total = report(&service).total;
    assert_eq!((total.requests, total.tokens.input, total.whole_cost()), (3, 21, Some(Money(6))));
    block_on(service.flush()).unwrap();
    assert_eq!(report(&service).total.requests, 3);
}

#[test]
fn calls_that_wait_at_the_same_time_share_a_commit() {
    let service = service(KeyLimits { requests_per_day: Some(3), ..KeyLimits::default() });
    let own = scope("w1");
    let key = contract::key(&own);
    let mut calls: Vec<_> =
        (0..5).map(|_| Box::pin(service.reserve(&own, Some(&key), "m@p", estimate(1)))).collect();
    calls.iter_mut().for_each(|call| assert!(call.now_or_never().is_none(), "it waits for the commit"));
    assert!(block_on(service.commit()).unwrap());
    assert!(!block_on(service.commit()).unwrap(), "all were in the first");
    let opened = calls.into_iter().filter_map(|call| call.now_or_never().unwrap().ok());
    assert_eq!(opened.count(), 3);
}

#[test]
fn a_call_whose_caller_leaves_before_it_is_opened_is_not_recorded_and_gives_its_room_back() {
    let service = service(KeyLimits { tokens_per_day: Some(100), ..KeyLimits::default() });
    let own = scope("w1");
    let key = contract::key(&own);
    // One leaves before the commit, and one after it, before it is told.
    for is_committed in [false, true] {
        let mut leaving = Box::pin(service.reserve(&own, Some(&key), "m@p", estimate(100)));
        assert!((&mut leaving).now_or_never().is_none());
        if is_committed {
            assert!(block_on(service.commit()).unwrap());
        }
        drop(leaving);
        block_on(service.flush()).unwrap();
        assert_eq!(report(&service), Report::default());
    }
    assert_eq!(block_on(service.settle_expired(true)).unwrap(), 0);
    reserve(&service, estimate(100)).unwrap();
}

#[test]
fn what_a_key_with_limits_uses_is_stored_when_it_is_settled() {
    let service = service(KeyLimits { tokens_per_day: Some(100), ..KeyLimits::default() });
    let held = reserve(&service, estimate(100)).unwrap();
    let full = reserve(&service, estimate(1)).unwrap_err();
    assert_eq!(full.to_string(), "the key's limit of 100 tokens per day is reached");
    assert_eq!((full.kind(), full.code()), (ErrorKind::RateLimited, "limit_reached"));
    settle(&service, held, spend(50, 1));
    assert_eq!(report(&service).total.tokens.input, 50);
    assert!(reserve(&service, estimate(50)).is_ok());
}

#[test]
fn a_call_that_nobody_settles_is_booked_at_its_estimate_and_keeps_its_room() {
    let service = service(KeyLimits { tokens_per_day: Some(100), ..KeyLimits::default() });
    service.settle_at_estimate(reserve(&service, estimate(100)).unwrap());
    block_on(service.flush()).unwrap();
    let total = report(&service).total;
    assert_eq!((total.requests, total.tokens.input, total.cost), (1, 100, Money(9)));
    assert!(matches!(reserve(&service, estimate(1)), Err(UsageError::LimitReached(_))));
}

#[test]
fn a_call_that_never_fits_is_refused_without_taking_room() {
    let service = service(KeyLimits { tokens_per_day: Some(100), ..KeyLimits::default() });
    let never = reserve(&service, estimate(101)).unwrap_err();
    assert_eq!((never.kind(), never.code()), (ErrorKind::Forbidden, "limit_never_fits"));
    assert!(reserve(&service, estimate(100)).is_ok());
}

#[test]
fn a_model_of_unknown_price_is_refused_to_a_key_whose_money_is_limited_and_booked_as_unknown_for_others() {
    let unpriced = Estimate { tokens: 5, cost: None };
    let limited = service(KeyLimits { cost_per_day: Some(Money(100)), ..KeyLimits::default() });
    assert!(matches!(reserve(&limited, unpriced), Err(UsageError::NeverAdmitted(_))));
    let free = service(KeyLimits::default());
    let held = reserve(&free, unpriced).unwrap();
    settle(&free, held, CallUsage { cost: None, ..spend(5, 0) });
    let held = reserve(&free, estimate(5)).unwrap();
    settle(&free, held, spend(5, 3));
    let total = report(&free).total;
    assert_eq!((total.cost, total.unpriced, total.whole_cost()), (Money(3), 1, None));
}

#[test]
fn a_key_that_the_workspace_does_not_have_gets_no_leave() {
    let service = service(KeyLimits::default());
    let foreign = contract::key(&scope("w2"));
    reserve(&service, estimate(1)).unwrap();
    run(&service, service.reserve(&scope("w2"), Some(&foreign), "m@p", estimate(1))).unwrap();
    let refused = block_on(service.reserve(&scope("w1"), Some(&foreign), "m@p", estimate(1)));
    assert!(matches!(refused, Err(UsageError::Store(StoreError::Missing("key")))), "{refused:?}");
}

#[test]
fn the_service_itself_is_booked_without_a_key_and_long_names_and_absurd_counts_are_cut() {
    let service = service(KeyLimits::default());
    let name = "ü".repeat(1_000);
    let held = run(&service, service.reserve(&scope("w1"), None, &name, estimate(u64::MAX))).unwrap();
    settle(&service, held, spend(u64::MAX, u64::MAX));
    let found = report(&service);
    assert_eq!(found.rows[0].group, Group::Model("ü".repeat(200)));
    assert_eq!(found.total.tokens.input, 1_000_000_000);
    let query = service.query(Some(Day(0)), Some(Day(1)), Grouping::Key).unwrap();
    assert_eq!(block_on(service.report(&scope("w1"), &query)).unwrap(), Report::default());
}

#[test]
fn a_call_that_may_cost_something_is_booked_though_its_server_dies_and_one_that_ended_is_booked_once() {
    let store = store(KeyLimits::default());
    let server = || UsageService::new(store.clone(), Arc::new(FixedClock::new(1_767_268_800_000_000, 1)));
    let dying = server();
    let settled = reserve(&dying, estimate(10)).unwrap();
    settle(&dying, settled, spend(7, 2));
    let unstored = reserve(&dying, estimate(20)).unwrap();
    let _open = reserve(&dying, Estimate { tokens: 30, cost: None }).unwrap();
    let free = Estimate { tokens: 99, cost: Some(Money(0)) };
    let _free = reserve(&dying, free).unwrap();
    let mut settling = Box::pin(dying.settle(unstored, spend(7, 2)));
    assert!((&mut settling).now_or_never().is_none(), "it waits for a commit");
    drop(settling);
    // Its memory is lost.
    drop(dying);
    let next = server();
    assert_eq!(block_on(next.settle_expired(false)).unwrap(), 0, "another server may still be at it");
    assert_eq!(block_on(next.settle_expired(true)).unwrap(), 2);
    assert_eq!(block_on(next.settle_expired(true)).unwrap(), 0);
    let total = report(&next).total;
    assert_eq!((total.requests, total.tokens.input, total.unpriced), (3, 57, 1));
}

#[test]
fn a_refusal_tells_when_the_limit_is_free_again_and_an_invalid_report_what_is_wrong() {
    let service = service(KeyLimits { requests_per_day: Some(1), ..KeyLimits::default() });
    reserve(&service, estimate(1)).unwrap();
    let full = reserve(&service, estimate(1)).unwrap_err();
    let seconds = full.retry_after().unwrap();
    assert!((43_100..=43_200).contains(&seconds), "the day ends in twelve hours: {seconds}");
    assert!(full.violations().is_empty());
    let invalid = service.query(Some(Day(2)), Some(Day(1)), Grouping::Day).unwrap_err();
    assert_eq!((invalid.kind(), invalid.code()), (ErrorKind::Invalid, "validation_failed"));
    assert_eq!((invalid.violations()[0].path.as_str(), invalid.retry_after()), ("?from", None));
    let store = UsageError::from(StoreError::Full);
    assert_eq!((store.kind(), store.code()), (ErrorKind::StorageFull, "storage_full"));
}

#[test]
fn absurd_counts_and_costs_are_cut_everywhere_before_they_are_stored() {
    let service = service(KeyLimits::default());
    let absurd = Tokens { input: u64::MAX, output: u64::MAX, cached: u64::MAX, reasoning: u64::MAX };
    let cut = 1_000_000_000;
    assert_eq!((absurd.total(), Tokens { input: 2, output: 3, ..absurd }.total()), (u64::MAX, 5));
    let held = reserve(&service, estimate(1)).unwrap();
    let usage = CallUsage { tokens: absurd, cost: Some(Money(u64::MAX)) };
    settle(&service, held, usage);
    service
        .settle_at_estimate(reserve(&service, Estimate { tokens: 0, cost: Some(Money(u64::MAX)) }).unwrap());
    block_on(service.flush()).unwrap();
    let total = report(&service).total;
    assert_eq!(total.tokens, Tokens { input: cut, output: cut, cached: cut, reasoning: cut });
    assert_eq!(total.cost, Money(2_000_000_000_000_000), "a million dollars for each call");
}

#[test]
fn a_reservation_expires_after_the_longest_call_and_a_free_call_has_none() {
    let settled_after = |service: UsageService| {
        reserve(&service, estimate(1)).unwrap();
        reserve(&service, Estimate { tokens: 1, cost: Some(Money(0)) }).unwrap();
        // Each call moves the clock by a minute.
        (0..).find(|_| block_on(service.settle_expired(false)).unwrap() == 1).unwrap()
    };
    let clock = || Arc::new(FixedClock::new(1_767_268_800_000_000, 60));
    let service = UsageService::new(store(KeyLimits::default()), clock());
    let usual = settled_after(service.clone());
    let short = settled_after(
        UsageService::new(store(KeyLimits::default()), clock())
            .with_max_call_duration(std::time::Duration::from_secs(600)),
    );
    assert_eq!(usual - short, 50, "an hour, and ten minutes");
    block_on(service.flush()).unwrap();
    assert_eq!(report(&service).total.requests, 1);
}

#[test]
fn calls_that_find_no_room_in_memory_are_counted_until_they_are_told() {
    let service = service(KeyLimits::default());
    for account in 0..20_002_u32 {
        let free = Estimate { tokens: 1, cost: Some(Money(0)) };
        let held = block_on(service.reserve(&scope("w1"), None, &account.to_string(), free)).unwrap();
        service.settle_at_estimate(held);
    }
    assert_eq!((service.take_dropped(), service.take_dropped()), (2, 0));
    block_on(service.flush()).unwrap();
    assert_eq!(report(&service).total.requests, 20_000);
}
