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

const CALLS: u32 = 1_000_000;
const LIMITED: u32 = 2_000;
const AT_ONCE: u32 = 64;

/// One call of this cost, from reservation to settlement. For a key without limits the settlement is in
/// memory.
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
    let new = NewKey { name: "limited".into(), scope: KeyScope::Write, bases: None, expires: None, limits };
    let limited = accounts.issue_key(&scope, new).await?.key.id;
    let usage = UsageService::new(Arc::new(DieselUsage::new(database.clone())), clock);

    let began = Instant::now();
    for _ in 0..CALLS {
        call(&usage, &scope, &free.id, 0).await?;
    }
    let each = began.elapsed() / CALLS;
    let began = Instant::now();
    usage.flush().await?;
    println!("without limits and cost: {each:?} a call; {CALLS} calls stored in {:?}", began.elapsed());

    let began = Instant::now();
    for _ in 0..LIMITED / 10 {
        call(&usage, &scope, &free.id, 250_000).await?;
        usage.flush().await?;
    }
    println!("without limits, one at a time: {:?} a call", began.elapsed() / (LIMITED / 10));

    let began = Instant::now();
    for _ in 0..LIMITED / 10 {
        call(&usage, &scope, &limited, 250_000).await?;
    }
    println!("with limits, one at a time: {:?} a call", began.elapsed() / (LIMITED / 10));
    let began = Instant::now();
    for _ in 0..LIMITED / AT_ONCE {
        join_all((0..AT_ONCE).map(|_| call(&usage, &scope, &limited, 250_000)))
            .await
            .into_iter()
            .collect::<Result<(), _>>()?;
    }
    println!(
        "with limits, {AT_ONCE} at a time: {:?} a call",
        began.elapsed() / (LIMITED / AT_ONCE * AT_ONCE)
    );
    database.close();
    Ok(())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(measure())
}
