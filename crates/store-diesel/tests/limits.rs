//! Limits of keys under concurrency, on several servers of one PostgreSQL too.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "tests assert"
)]

mod common;

use accounts_core::usage::{
    CallUsage, Estimate, Grouping, Tokens, UsageError, UsageReservation, UsageService,
};
use accounts_core::{AccountRepository as _, ApiKey, KeyKind, KeyLimits, KeyScope, Money};
use futures_util::future::{join, join_all};
use shared_core::{FixedClock, Scope, Timestamp};
use std::sync::Arc;
use store_diesel::{Database, DatabaseSettings, DieselAccounts, DieselUsage};

use common::{Kind, Throwaway, block_on, fresh, two_workspaces};

/// A service of each of `servers` on one database, whose clocks stand still, and the key's scope.
async fn services(throwaway: &Throwaway, servers: usize, limits: KeyLimits) -> (Vec<UsageService>, Scope) {
    let (own, _) = two_workspaces(&throwaway.database).await;
    let key = ApiKey {
        id: "k".into(),
        name: "key".into(),
        prefix: "fw_k".into(),
        hash: String::new(),
        kind: KeyKind::Issued,
        scope: KeyScope::Write,
        bases: None,
        filter: None,
        publication: None,
        public_text: None,
        successor: None,
        created: Timestamp::from_micros(1).unwrap(),
        expires: None,
        revoked: None,
        limits,
        last_used: None,
        workspace: own.workspace.clone(),
        user: own.user.clone(),
    };
    DieselAccounts::new(throwaway.database.clone()).insert_key(&key).await.unwrap();
    let service = |_| {
        let database = Database::open(&throwaway.url, DatabaseSettings { readers: 2, writers: 8 }).unwrap();
        let clock = Arc::new(FixedClock::new(1_767_268_800_000_000, 0));
        let service = UsageService::new(Arc::new(DieselUsage::new(database)), clock);
        tokio::spawn(commit(service.clone()));
        service
    };
    ((0..servers).map(service).collect(), own)
}

/// Commits what waits, as a server does.
async fn commit(service: UsageService) {
    loop {
        service.pending().await;
        service.commit().await.unwrap();
    }
}

async fn ask(
    services: &[UsageService],
    scope: &Scope,
    times: usize,
    estimate: Estimate,
) -> Vec<UsageReservation> {
    let asked = (0..times).map(|n| services[n % services.len()].reserve(scope, Some("k"), "m@p", estimate));
    let outcomes = join_all(asked).await;
    let granted = outcomes.into_iter().filter_map(|outcome| match outcome {
        Ok(held) => Some(held),
        Err(UsageError::LimitReached(_)) => None,
        Err(other) => panic!("{other:?}"),
    });
    granted.collect()
}

fn exactly_ten(kind: Kind, servers: usize) {
    let Some(throwaway) = fresh(kind) else { return };
    let budgets = KeyLimits {
        requests_per_day: Some(1_000),
        tokens_per_minute: Some(109),
        cost_per_day: Some(Money(1_000)),
        ..KeyLimits::default()
    };
    block_on(async {
        let (services, scope) = services(&throwaway, servers, budgets).await;
        let estimate = Estimate { tokens: 10, cost: Some(Money(10)) };
        let granted = ask(&services, &scope, 64, estimate).await;
        assert_eq!(granted.len(), 10, "{kind:?} with {servers} servers");
        // What they did not use is room for as many again, whoever settles.
        let spend = CallUsage { tokens: Tokens { input: 5, ..Tokens::default() }, cost: Some(Money(1)) };
        let last = services.last().unwrap();
        for settled in join_all(granted.into_iter().map(|held| last.settle(held, spend))).await {
            settled.unwrap();
        }
        assert_eq!(ask(&services, &scope, 64, estimate).await.len(), 5);
        let query = services[0].query(None, None, Grouping::Key).unwrap();
        let total = services[0].report(&scope, &query).await.unwrap().total;
        assert_eq!((total.requests, total.tokens.input, total.cost), (10, 50, Money(10)));
    });
}

#[test]
fn of_sixty_four_callers_on_a_budget_for_ten_calls_exactly_ten_get_leave() {
    exactly_ten(Kind::Sqlite, 1);
    exactly_ten(Kind::Postgres, 1);
}

#[test]
fn three_servers_on_one_database_share_a_budget() {
    exactly_ten(Kind::Sqlite, 3);
    exactly_ten(Kind::Postgres, 3);
}

#[test]
fn what_several_servers_store_at_the_same_time_adds_up() {
    for kind in [Kind::Sqlite, Kind::Postgres] {
        let Some(throwaway) = fresh(kind) else { continue };
        block_on(async {
            let (services, scope) = services(&throwaway, 3, KeyLimits::default()).await;
            let estimate = Estimate { tokens: 1, cost: None };
            for round in 0..20 {
                let calls = (0..24).map(async |call| {
                    let (service, model) = (&services[call % 3], (call + round) % 8);
                    let model = format!("m{model}@p");
                    let held = service.reserve(&scope, Some("k"), &model, estimate).await.unwrap();
                    service.settle(held, CallUsage::default()).await.unwrap();
                });
                join_all(calls).await;
            }
            let query = services[0].query(None, None, Grouping::Model).unwrap();
            let report = services[0].report(&scope, &query).await.unwrap();
            assert_eq!((report.rows.len(), report.total.requests, report.total.unpriced), (8, 480, 480));
        });
    }
}

#[test]
fn what_cannot_be_stored_is_kept_until_it_can() {
    let Some(throwaway) = fresh(Kind::Sqlite) else { return };
    block_on(async {
        let (services, scope) = services(&throwaway, 1, KeyLimits::default()).await;
        let closed = Database::open(&throwaway.url, DatabaseSettings::default()).unwrap();
        closed.close();
        let broken = UsageService::new(Arc::new(DieselUsage::new(closed)), Arc::new(FixedClock::default()));
        let priced = Estimate { tokens: 1, cost: None };
        let (refused, failed) = join(broken.reserve(&scope, None, "m@p", priced), broken.flush()).await;
        assert!(refused.is_err() && failed.is_err(), "no call is made unnoted");
        let free = Estimate { tokens: 1, cost: Some(Money(0)) };
        let held = broken.reserve(&scope, None, "m@p", free).await.unwrap();
        let (settled, failed) = join(broken.settle(held, CallUsage::default()), broken.flush()).await;
        assert!(settled.is_err() && failed.is_err());
        assert!(broken.flush().await.is_err(), "it is still there");
        assert_eq!(broken.take_dropped(), 0);
        drop(services);
    });
}
