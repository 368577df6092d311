//! Measures the cost of reserving and settling a call, for a key without limits and for one with limits.
//!
//! `cargo run --release -p store-diesel --example usage_cost`
#![allow(clippy::print_stdout, reason = "an example speaks")]
#![allow(clippy::disallowed_methods, reason = "it measures time")]

use std::sync::Arc;
use std::time::Instant;

use accounts_core::usage::{CallUsage, Estimate, Tokens, UsageError, UsageService};
use accounts_core::{AccountsService, KeyLimits, KeyScope, Money, NewKey, NewWorkspace};
use futures_util::future::join_all;
use shared_core::{Scope, SeededRng, StoreError, SystemClock};
use store_diesel::{Database, DatabaseSettings, DieselAccounts, DieselUsage};

const CALLS: u32 = 2_000;
const AT_ONCE: u32 = 64;

/// One call of this cost, from reservation to settlement.
async fn call(usage: &UsageService, scope: &Scope, key: &str, cost: u64) -> Result<(), UsageError> {
    let estimate = Estimate { tokens: 1_500, cost: Some(Money(cost)) };
    let tokens = Tokens { input: 900, output: 150, cached: 0, reasoning: 0 };
    let held = usage.reserve(scope, Some(key), "m@p", estimate).await?;
    usage
        .settle(held, CallUsage { tokens, cost: Some(Money(cost)) })
        .await
        .map(drop)
        .map_err(UsageError::from)
}

async fn measure() -> Result<(), Box<dyn std::error::Error>> {
    let folder = tempfile::tempdir()?;
    let url = format!("sqlite://{}", folder.path().join("usage.db").display());
    let database = Database::open(&url, DatabaseSettings::default())?;
    let clock = Arc::new(SystemClock);
    let accounts = DieselAccounts::new(database.clone());
    let accounts = AccountsService::new(Arc::new(accounts), clock.clone(), Arc::new(SeededRng::new(1)));
    let first =
        NewWorkspace { workspace: "W".into(), user_name: "U".into(), user_email: "u@example.com".into() };
    let free = accounts.bootstrap(first).await?.ok_or(StoreError::Taken("workspace"))?.key;
    let scope = Scope { workspace: free.workspace, user: free.user };
    let limits = KeyLimits { tokens_per_day: Some(1_000_000_000_000), ..KeyLimits::default() };
    let new = NewKey {
        name: "limited".into(),
        scope: KeyScope::Write,
        bases: None,
        filter: None,
        publication: None,
        expires: None,
        limits,
    };
    let limited = accounts.issue_key(&scope, new).await?.key.id;
    let usage = UsageService::new(Arc::new(DieselUsage::new(database.clone())), clock);

    let committing = usage.clone();
    tokio::spawn(async move {
        loop {
            committing.pending().await;
            if let Err(error) = committing.commit().await {
                println!("{error}");
            }
        }
    });
    for (key, name) in [(&free.id, "without limits"), (&limited, "with limits")] {
        for (cost, price) in [(0, "free"), (250_000, "that costs")] {
            let began = Instant::now();
            for _ in 0..CALLS {
                call(&usage, &scope, key, cost).await?;
            }
            println!("{name}, a call {price}, one at a time: {:?}", began.elapsed() / CALLS);
            let began = Instant::now();
            for _ in 0..CALLS / AT_ONCE {
                join_all((0..AT_ONCE).map(|_| call(&usage, &scope, key, cost)))
                    .await
                    .into_iter()
                    .collect::<Result<(), _>>()?;
            }
            let each = began.elapsed() / (CALLS / AT_ONCE * AT_ONCE);
            println!("{name}, a call {price}, {AT_ONCE} at a time: {each:?}");
        }
    }
    database.close();
    Ok(())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(measure())
}
