//! The conformance suite of the port, for its implementations. A fresh store must have, in each of the two
//! scopes' workspaces, the key [`key`] with the limits [`limits`].

use futures_util::future::join_all;
use shared_core::{Scope, StoreError, Timestamp};

use super::{
    CallUsage, Day, Estimate, Group, Grouping, Limit, LimitReached, MAX_ROWS, Report, ReportQuery, ReportRow,
    ReservationOutcome, ReservedWindows, Tokens, Totals, UsageEntry, UsageKey, UsageRepository,
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
    UsageEntry::of(account, spend, None)
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

/// Of many concurrent reservations, exactly as many succeed as the limit allows.
pub async fn gives_exactly_the_room_there_is(store: &dyn UsageRepository, own: &Scope, _other: &Scope) {
    let (key, ten, asked) = (key(own), only(10), estimate(5, 0));
    let all = join_all((0..64).map(|_| store.reserve(own, &key, &ten, &asked, at(1)))).await;
    let outcomes: Vec<ReservationOutcome> =
        all.into_iter().map(|outcome| outcome.expect("answers")).collect();
    let minute = NOON / 60;
    let room = ReservationOutcome::Granted(ReservedWindows { minute, day: NOON / 86_400 });
    assert_eq!(outcomes.iter().filter(|outcome| **outcome == room).count(), 10);
    let limit = Limit::Requests(WindowKind::Minute);
    let full = ReservationOutcome::Refused(LimitReached { limit, allowed: 10, retry_after: 59 });
    assert_eq!(outcomes.iter().filter(|outcome| **outcome == full).count(), 54);
    assert_eq!(
        store.reserve(own, &key, &ten, &asked, at(59)).await.expect("answers"),
        ReservationOutcome::Refused(LimitReached { limit, allowed: 10, retry_after: 1 })
    );
    let next = store.reserve(own, &key, &ten, &asked, at(60)).await.expect("answers");
    assert_eq!(next, ReservationOutcome::Granted(ReservedWindows { minute: minute + 1, day: NOON / 86_400 }));
}

/// A key of another workspace gets no reservation and uses none of the owner's limit.
pub async fn keeps_room_for_keys_of_the_workspace_only(
    store: &dyn UsageRepository,
    own: &Scope,
    other: &Scope,
) {
    let (one, asked) = (only(1), estimate(1, 1));
    let foreign = store.reserve(other, &key(own), &one, &asked, at(0)).await;
    assert!(matches!(foreign, Err(StoreError::Missing("key"))), "{foreign:?}");
    let nobody = store.reserve(own, "key-of-nobody", &one, &asked, at(0)).await;
    assert!(matches!(nobody, Err(StoreError::Missing("key"))), "{nobody:?}");
    let first = store.reserve(own, &key(own), &one, &asked, at(0)).await.expect("answers");
    assert!(matches!(first, ReservationOutcome::Granted(_)), "{first:?}");
    // The windows exist now, but the other workspace still cannot reserve in them.
    let foreign = store.reserve(other, &key(own), &one, &asked, at(0)).await;
    assert!(matches!(foreign, Err(StoreError::Missing("key"))), "{foreign:?}");
}

/// Settling returns what was reserved and not used; an unsettled reservation counts to the window's end.
pub async fn settles_into_the_windows_and_the_books(store: &dyn UsageRepository, own: &Scope, other: &Scope) {
    let key = key(own);
    let hundred = KeyLimits { tokens_per_minute: Some(100), ..KeyLimits::default() };
    let reserve = async |tokens: u64| {
        store.reserve(own, &key, &hundred, &estimate(tokens, 7), at(0)).await.expect("answers")
    };
    let ReservationOutcome::Granted(room) = reserve(90).await else { unreachable!("there is room") };
    assert!(matches!(reserve(11).await, ReservationOutcome::Refused(_)));
    let model = account(own, Some(&key), "m@p", 3);
    // Another workspace cannot release the reservation, whatever it settles.
    let foreign = account(other, Some(&key), "m@p", 3);
    store
        .settle(&entry(foreign, &spend(1, 0, Some(1))), room, &estimate(90, 7), &spend(1, 0, Some(1)))
        .await
        .expect("books");
    assert!(matches!(reserve(11).await, ReservationOutcome::Refused(_)));
    store
        .settle(&entry(model, &spend(20, 10, None)), room, &estimate(90, 7), &spend(20, 10, None))
        .await
        .expect("settles");
    assert!(matches!(reserve(70).await, ReservationOutcome::Granted(_)));
    assert!(matches!(reserve(1).await, ReservationOutcome::Refused(_)), "nobody settles");
    let report = store.report(own, &query(Grouping::Key)).await.expect("reports");
    let totals = Totals::of(&spend(20, 10, None));
    assert_eq!(
        report,
        Report { rows: vec![ReportRow { group: Group::Key(Some(key.clone())), totals }], total: totals }
    );
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
    store.record(&entries).await.expect("records");
    store.record(&entries).await.expect("records again");
    store.record(&[]).await.expect("records nothing");
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
    store.record(&entries).await.expect("records");
    let report = store.report(own, &query(Grouping::Model)).await.expect("reports");
    assert_eq!((report.rows.len(), report.total.requests), (MAX_ROWS, count as u64));
    assert_eq!(report.total.cost, Money(large * count as u64));
}

/// A reservation is recorded once: with what it used, however often that is stored, or at its estimate after it expires.
pub async fn books_what_was_opened_and_never_closed(store: &dyn UsageRepository, own: &Scope, other: &Scope) {
    let (mine, theirs) = (account(own, Some("k1"), "m@p", 1), account(other, None, "m@p", 1));
    let unpriced = Estimate { tokens: 30, cost: None };
    let closed = store.open_reservation(&mine, &estimate(10, 5), at(10)).await.expect("opens");
    let settled = store.open_reservation(&mine, &estimate(10, 5), at(10)).await.expect("opens");
    store.open_reservation(&mine, &estimate(20, 7), at(10)).await.expect("opens");
    store.open_reservation(&theirs, &unpriced, at(20)).await.expect("opens");
    let used = spend(1, 1, Some(1));
    let one = |id| UsageEntry::of(mine.clone(), &used, Some(id));
    // A server that is not told the outcome stores it again.
    for _ in 0..2 {
        store.record(&[one(closed), one(settled)]).await.expect("records");
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
        $crate::usage_repository_contract!($run: tells_the_limits_of_a_key gives_exactly_the_room_there_is keeps_room_for_keys_of_the_workspace_only settles_into_the_windows_and_the_books sums_by_model_key_and_day bounds_the_rows_and_not_the_sums books_what_was_opened_and_never_closed);
    };
    ($run:ident: $($name:ident)*) => {
        $(#[test] fn $name() {
            $run(stringify!($name), |store, own, other| Box::pin(async move {
                $crate::usage::contract::$name(&*store, &own, &other).await
            }));
        })*
    };
}
