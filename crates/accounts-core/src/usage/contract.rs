//! The conformance suite of the port, for its implementations. A fresh store must have, in each of the two
//! scopes' workspaces, the key [`key`] with the limits [`limits`].

use std::sync::Arc;

use futures_util::future::join_all;
use shared_core::{Scope, Timestamp};

use super::{
    CallOpening, CallUsage, Day, Estimate, Group, Grouping, Limit, LimitReached, MAX_ROWS, OpenedCall,
    OpeningOutcome, Report, ReportQuery, ReportRow, ReservedWindows, Tokens, Totals, UsageBatch, UsageEntry,
    UsageKey, UsageRepository, WindowSettlement,
};
use crate::{KeyLimits, Money, WindowKind};

/// Noon of 2026-01-01.
const NOON: i64 = 1_767_268_800;

fn at(seconds: i64) -> Timestamp {
    Timestamp::from_micros((NOON + seconds) * 1_000_000).unwrap_or_else(|| unreachable!("a valid instant"))
}

/// The key of the scope's workspace.
#[must_use]
pub fn key(scope: &Scope) -> String {
    format!("key-of-{}", scope.workspace)
}

/// The limits of that key.
#[must_use]
pub fn limits() -> KeyLimits {
    KeyLimits {
        requests_per_minute: Some(10),
        requests_per_day: Some(1_000_000_000_000_000),
        tokens_per_minute: Some(1_000),
        tokens_per_day: None,
        cost_per_minute: Some(Money(1)),
        cost_per_day: Some(Money(1_000_000_000_000_000_000)),
    }
}

fn estimate(tokens: u64, cost: u64) -> Estimate {
    Estimate { tokens, cost: Some(Money(cost)) }
}

fn spend(input: u64, output: u64, cost: Option<u64>) -> CallUsage {
    let tokens = Tokens { input, output, cached: input / 2, reasoning: output / 2 };
    CallUsage { tokens, cost: cost.map(Money) }
}

fn account(scope: &Scope, key: Option<&str>, model: &str, day: i32) -> UsageKey {
    UsageKey {
        workspace: scope.workspace.clone(),
        key: key.map(str::to_owned),
        model: model.into(),
        day: Day(day),
    }
}

fn entry(account: UsageKey, spend: &CallUsage) -> UsageEntry {
    UsageEntry::unreserved(account, spend)
}

/// A call by the scope's key, in the first minute unless set otherwise.
fn opening(scope: &Scope, limits: KeyLimits, estimate: Estimate) -> CallOpening {
    let account = account(scope, Some(&key(scope)), "m@p", 3);
    CallOpening { account, estimate, limits, now: at(0), until: at(10) }
}

async fn open_all(store: &dyn UsageRepository, openings: Vec<CallOpening>) -> Vec<OpeningOutcome> {
    let batch = UsageBatch { openings, entries: Vec::new() };
    store.commit(Arc::new(batch)).await.expect("opens")
}

async fn open(store: &dyn UsageRepository, opening: CallOpening) -> OpeningOutcome {
    open_all(store, vec![opening]).await.pop().expect("one outcome")
}

/// The call, which there is room for.
async fn opened(store: &dyn UsageRepository, opening: CallOpening) -> OpenedCall {
    match open(store, opening).await {
        OpeningOutcome::Opened(call) => call,
        refused => unreachable!("there is room: {refused:?}"),
    }
}

async fn record(store: &dyn UsageRepository, entries: &[UsageEntry]) {
    let batch = UsageBatch { openings: Vec::new(), entries: entries.to_vec() };
    assert_eq!(store.commit(Arc::new(batch)).await.expect("records"), []);
}

fn query(by: Grouping) -> ReportQuery {
    ReportQuery { from: Day(0), to: Day(100), by, model: None, key: None }
}

fn only(requests: u64) -> KeyLimits {
    KeyLimits { requests_per_minute: Some(u32::try_from(requests).expect("small")), ..KeyLimits::default() }
}

/// A key's limits read back as they were stored, for its own workspace only.
pub async fn tells_the_limits_of_a_key(store: &dyn UsageRepository, own: &Scope, other: &Scope) {
    assert_eq!(store.limits(own, &key(own)).await.expect("answers"), Some(limits()));
    assert_eq!(store.limits(other, &key(own)).await.expect("answers"), None);
    assert_eq!(store.limits(own, "key-of-nobody").await.expect("answers"), None);
}

/// Of many calls, in concurrent commits and in the same one, exactly as many are opened as the limit allows.
pub async fn gives_exactly_the_room_there_is(store: &dyn UsageRepository, own: &Scope, _other: &Scope) {
    let ten = CallOpening { now: at(1), ..opening(own, only(10), estimate(5, 0)) };
    let batches = (0..16).map(|_| open_all(store, vec![ten.clone(); 4]));
    let outcomes: Vec<OpeningOutcome> = join_all(batches).await.into_iter().flatten().collect();
    let (minute, day) = (NOON / 60, NOON / 86_400);
    let windows = |outcome: &OpeningOutcome| match outcome {
        OpeningOutcome::Opened(call) => call.windows,
        OpeningOutcome::Refused(_) | OpeningOutcome::UnknownKey => None,
    };
    let room = Some(ReservedWindows { minute, day });
    assert_eq!(outcomes.iter().filter(|outcome| windows(outcome) == room).count(), 10);
    let limit = Limit::Requests(WindowKind::Minute);
    let full = |retry_after| OpeningOutcome::Refused(LimitReached { limit, allowed: 10, retry_after });
    assert_eq!(outcomes.iter().filter(|outcome| **outcome == full(59)).count(), 54);
    assert_eq!(open(store, CallOpening { now: at(59), ..ten.clone() }).await, full(1));
    let next = open(store, CallOpening { now: at(60), ..ten }).await;
    assert_eq!(windows(&next), Some(ReservedWindows { minute: minute + 1, day }));
    assert_eq!(store.settle_expired(None).await.expect("books"), 11, "a refused call is not stored");
}

/// A key of another workspace opens no call and uses none of the owner's limit. The other calls of the batch are opened.
pub async fn keeps_room_for_keys_of_the_workspace_only(
    store: &dyn UsageRepository,
    own: &Scope,
    other: &Scope,
) {
    let mine = opening(own, only(1), estimate(1, 1));
    let with = |scope: &Scope, key: &str| {
        let account = account(scope, Some(key), "m@p", 3);
        CallOpening { account, ..mine.clone() }
    };
    let (foreign, nobody) = (with(other, &key(own)), with(own, "key-of-nobody"));
    let outcomes = open_all(store, vec![foreign.clone(), mine.clone(), nobody]).await;
    assert_eq!((outcomes[0], outcomes[2]), (OpeningOutcome::UnknownKey, OpeningOutcome::UnknownKey));
    assert!(matches!(outcomes[1], OpeningOutcome::Opened(_)), "{outcomes:?}");
    // The windows exist now, but the other workspace still cannot reserve in them.
    assert_eq!(open(store, foreign).await, OpeningOutcome::UnknownKey);
    assert_eq!(store.settle_expired(None).await.expect("books"), 1);
}

/// Settling returns what was reserved and not used, once; an unsettled reservation counts to the window's end.
pub async fn settles_into_the_windows_and_the_books(store: &dyn UsageRepository, own: &Scope, other: &Scope) {
    let hundred = KeyLimits { tokens_per_minute: Some(100), ..KeyLimits::default() };
    let wants = |tokens: u64| opening(own, hundred, estimate(tokens, 7));
    let call = opened(store, wants(90)).await;
    assert!(matches!(open(store, wants(11)).await, OpeningOutcome::Refused(_)));
    let usage = spend(20, 10, None);
    let windows = call.windows.expect("the key has limits");
    let windows = Some(WindowSettlement { windows, estimate: estimate(90, 7), usage });
    // Another workspace cannot release the reservation, whatever it settles.
    let foreign = account(other, Some(&key(own)), "m@p", 3);
    record(store, &[UsageEntry::reserved(foreign, &usage, call.id, windows)]).await;
    assert!(matches!(open(store, wants(11)).await, OpeningOutcome::Refused(_)));
    let settled = UsageEntry::reserved(wants(0).account, &usage, call.id, windows);
    // The room that is given back serves the calls of the same commit. Stored again, it is not given back again.
    for (count, tokens) in [(1, 70), (2, 1)] {
        let batch = UsageBatch { openings: vec![wants(tokens), wants(1)], entries: vec![settled.clone()] };
        let outcomes = store.commit(Arc::new(batch)).await.expect("commits");
        let opened = outcomes.iter().filter(|outcome| matches!(outcome, OpeningOutcome::Opened(_)));
        assert_eq!(opened.count(), 2 - count, "{outcomes:?}");
    }
    let report = store.report(own, &query(Grouping::Key)).await.expect("reports");
    let totals = Totals::of(&usage);
    let row = ReportRow { group: Group::Key(Some(key(own))), totals };
    assert_eq!(report, Report { rows: vec![row], total: totals });
    assert_eq!(store.report(other, &query(Grouping::Key)).await.expect("reports"), Report::default());
}

/// A reservation for a call that was not made is not recorded, and its tokens and money are given back.
pub async fn gives_back_the_room_of_unused_reservations(
    store: &dyn UsageRepository,
    own: &Scope,
    _other: &Scope,
) {
    let limits = KeyLimits { cost_per_day: Some(Money(10)), ..KeyLimits::default() };
    let all = opening(own, limits, estimate(1, 10));
    let call = opened(store, all.clone()).await;
    let usage = spend(0, 0, Some(0));
    let windows = call.windows.map(|windows| WindowSettlement { windows, estimate: all.estimate, usage });
    record(store, &[UsageEntry::unused(all.account.clone(), call.id, windows)]).await;
    opened(store, all).await;
    assert_eq!(store.report(own, &query(Grouping::Key)).await.expect("reports"), Report::default());
    assert_eq!(store.settle_expired(None).await.expect("books"), 1, "of the second call");
}

/// Entries add up by account, and reports sum them by model, key or day, of the own workspace only.
pub async fn sums_by_model_key_and_day(store: &dyn UsageRepository, own: &Scope, other: &Scope) {
    let (cheap, dear, unknown) = (spend(10, 4, Some(5)), spend(100, 40, Some(50)), spend(1, 1, None));
    let odd = "odd \u{0}'; \u{1f600}@p";
    let entries = [
        entry(account(own, Some("k1"), "a@p", 1), &cheap),
        entry(account(own, Some("k1"), "a@p", 2), &cheap),
        entry(account(own, Some("k2"), "a@p", 2), &unknown),
        entry(account(own, Some("k2"), odd, 2), &dear),
        entry(account(own, None, "a@p", 101), &dear),
        entry(account(other, Some("k1"), "a@p", 1), &dear),
    ];
    record(store, &entries).await;
    record(store, &entries).await;
    record(store, &[]).await;
    let twice = |parts: &[&CallUsage]| {
        let mut sum = Totals::default();
        parts.iter().chain(parts).for_each(|part| sum += Totals::of(part));
        sum
    };
    let row = |group, totals| ReportRow { group, totals };
    let report = async |query: ReportQuery| store.report(own, &query).await.expect("reports");
    let total = twice(&[&cheap, &cheap, &unknown, &dear]);
    let by_model = report(query(Grouping::Model)).await;
    let a = twice(&[&cheap, &cheap, &unknown]);
    assert_eq!(
        by_model.rows,
        vec![row(Group::Model(odd.into()), twice(&[&dear])), row(Group::Model("a@p".into()), a)]
    );
    assert_eq!((by_model.total, a.whole_cost()), (total, None));
    let by_key = report(query(Grouping::Key)).await;
    assert_eq!(
        by_key.rows,
        vec![
            row(Group::Key(Some("k2".into())), twice(&[&unknown, &dear])),
            row(Group::Key(Some("k1".into())), twice(&[&cheap, &cheap]))
        ]
    );
    let by_day = report(query(Grouping::Day)).await;
    assert_eq!(
        by_day.rows,
        vec![
            row(Group::Day(Day(1)), twice(&[&cheap])),
            row(Group::Day(Day(2)), twice(&[&cheap, &unknown, &dear]))
        ]
    );
    let all = report(ReportQuery { to: Day(101), ..query(Grouping::Key) }).await;
    assert!(all.rows.contains(&row(Group::Key(None), twice(&[&dear]))), "the last day is in it");
    let one = ReportQuery { model: Some("a@p".into()), key: Some("k1".into()), ..query(Grouping::Day) };
    assert_eq!(report(one).await.total, twice(&[&cheap, &cheap]));
    let exact = ReportQuery { model: Some(odd.into()), ..query(Grouping::Model) };
    assert_eq!(report(exact).await.rows.len(), 1);
    let nothing = ReportQuery { from: Day(50), ..query(Grouping::Model) };
    assert_eq!(report(nothing).await, Report::default());
}

/// The largest recordable sums read back. A report has bounded rows; its total covers all groups.
pub async fn bounds_the_rows_and_not_the_sums(store: &dyn UsageRepository, own: &Scope, _other: &Scope) {
    let large = 1_000_000_000_000_000;
    let spend = spend(1_000_000_000, 1_000_000_000, Some(large));
    let count = MAX_ROWS + 5;
    let entries: Vec<UsageEntry> =
        (0..count).map(|n| entry(account(own, None, &format!("m{n}@p"), 1), &spend)).collect();
    record(store, &entries).await;
    let report = store.report(own, &query(Grouping::Model)).await.expect("reports");
    assert_eq!((report.rows.len(), report.total.requests), (MAX_ROWS, count as u64));
    assert_eq!(report.total.cost, Money(large * count as u64));
}

/// A reservation is recorded once: with what it used, however often that is stored, or at its estimate after it expires.
pub async fn books_what_was_opened_and_never_closed(store: &dyn UsageRepository, own: &Scope, other: &Scope) {
    let (mine, theirs) = (account(own, Some("k1"), "m@p", 1), account(other, None, "m@p", 1));
    let unpriced = Estimate { tokens: 30, cost: None };
    let opening = |account: &UsageKey, estimate, until| CallOpening {
        account: account.clone(),
        estimate,
        limits: KeyLimits::default(),
        now: at(0),
        until: at(until),
    };
    let closed = opened(store, opening(&mine, estimate(10, 5), 10)).await;
    assert_eq!(closed.windows, None, "without limits there are no windows");
    let settled = opened(store, opening(&mine, estimate(10, 5), 10)).await;
    opened(store, opening(&mine, estimate(20, 7), 10)).await;
    opened(store, opening(&theirs, unpriced, 20)).await;
    let used = spend(1, 1, Some(1));
    let one = |call: OpenedCall| UsageEntry::reserved(mine.clone(), &used, call.id, None);
    // A server that is not told the outcome stores it again.
    for _ in 0..2 {
        record(store, &[one(closed), one(settled)]).await;
    }
    assert_eq!(store.settle_expired(Some(at(10))).await.expect("books"), 0);
    assert_eq!(store.settle_expired(Some(at(11))).await.expect("books"), 1);
    let total =
        async |scope: &Scope| store.report(scope, &query(Grouping::Model)).await.expect("reports").total;
    let lost = Totals::of(&estimate(20, 7).to_usage());
    let mut sum = lost;
    sum += Totals::of(&used);
    sum += Totals::of(&used);
    assert_eq!((total(own).await, total(other).await), (sum, Totals::default()));
    assert_eq!(store.settle_expired(None).await.expect("books"), 1);
    assert_eq!(store.settle_expired(None).await.expect("books"), 0);
    assert_eq!((total(own).await, total(other).await), (sum, Totals::of(&unpriced.to_usage())));
}

/// Expands to the tests of a [`UsageRepository`]. `$run` takes a name and a closure from a fresh store
/// and two scopes to a future, and runs it.
#[macro_export]
macro_rules! usage_repository_contract {
    ($run:ident) => {
        $crate::usage_repository_contract!($run: tells_the_limits_of_a_key gives_exactly_the_room_there_is keeps_room_for_keys_of_the_workspace_only settles_into_the_windows_and_the_books gives_back_the_room_of_unused_reservations sums_by_model_key_and_day bounds_the_rows_and_not_the_sums books_what_was_opened_and_never_closed);
    };
    ($run:ident: $($name:ident)*) => {
        $(#[test] fn $name() {
            $run(stringify!($name), |store, own, other| Box::pin(async move {
                $crate::usage::contract::$name(&*store, &own, &other).await
            }));
        })*
    };
}
