//! Measures the cost of a claim by the number of waiting jobs, owners and workspaces.
//!
//! `cargo run --release -p store-diesel --example claim_cost [database URL, empty]`
#![allow(clippy::print_stdout, reason = "an example speaks")]
#![allow(clippy::disallowed_methods, reason = "it measures time")]

use std::time::{Duration, Instant};

use jobs_core::{Claim, Job, JobKey, JobQueue as _, Priority};
use shared_core::{StoreError, Timestamp, WorkspaceId};
use store_diesel::{Database, DatabaseSettings, DieselJobs};

const ROUNDS: u32 = 100;

fn at(seconds: i64) -> Result<Timestamp, StoreError> {
    Timestamp::from_micros(seconds * 1_000_000).ok_or_else(|| StoreError::Failed("no time".into()))
}

/// The mean time of a claim of `count` jobs, which are released immediately, and of a claim that finds
/// nothing.
async fn measure(
    jobs: &DieselJobs,
    queue: &'static str,
    count: u32,
) -> Result<(Duration, Duration), StoreError> {
    let limits = Claim {
        queue,
        worker: "a",
        now: at(1)?,
        until: at(31)?,
        count,
        per_owner: 64,
        per_workspace: 64,
        owners: None,
    };
    let mut busy = Duration::ZERO;
    for _ in 0..ROUNDS {
        let began = Instant::now();
        let claimed = jobs.claim(&limits).await?;
        busy += began.elapsed();
        for one in claimed {
            jobs.requeue(&one.job.key, one.token, at(1)?, false).await?;
        }
    }
    let early = Claim { now: at(0)?, ..limits };
    let began = Instant::now();
    for _ in 0..ROUNDS {
        jobs.claim(&early).await?;
    }
    Ok((busy / ROUNDS, began.elapsed() / ROUNDS))
}

async fn compare(url: &str) -> Result<(), Box<dyn std::error::Error>> {
    let database = Database::open(url, DatabaseSettings::default())?;
    let jobs = DieselJobs::new(database.clone());
    println!("jobs, owners, workspaces: claim of 1, claim of 16, nothing ready");
    let sizes: [(&'static str, u32, u32, u32); 4] =
        [("a", 100, 10, 2), ("b", 100_000, 10, 2), ("c", 100_000, 10_000, 2), ("d", 100_000, 1_000, 1_000)];
    for (queue, count, owners, workspaces) in sizes {
        let job = |n: u32| {
            let key = JobKey { queue, owner: (n % owners).to_string(), position: n };
            Job { key, workspace: WorkspaceId(format!("w{}", n % workspaces)), priority: Priority::Normal }
        };
        jobs.put((0..count).map(job).collect(), at(1)?).await?;
        let (one, idle) = measure(&jobs, queue, 1).await?;
        let (many, _) = measure(&jobs, queue, 16).await?;
        println!("{count}, {owners}, {workspaces}: {one:?}, {many:?}, {idle:?}");
    }
    database.close();
    Ok(())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = tempfile::tempdir()?;
    let file = format!("sqlite://{}", folder.path().join("jobs.db").display());
    let url = std::env::args().nth(1).unwrap_or(file);
    tokio::runtime::Builder::new_current_thread().build()?.block_on(compare(&url))
}
