//! The queue where several claim at once, where many wait, and as the databases plan it.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "tests assert"
)]

mod common;

use std::collections::{HashMap, HashSet};

use diesel::connection::SimpleConnection as _;
use diesel::sql_types::Text;
use diesel::{QueryableByName, RunQueryDsl as _};
use jobs_core::{Claim, ClaimedJob, Job, JobKey, JobQueue as _, Priority};
use shared_core::{StoreError, Timestamp, WorkspaceId};
use store_diesel::{AnyConnection, Database, DatabaseSettings, DieselJobs};

use common::{Kind, Throwaway, block_on, fresh};

const QUEUE: &str = "work";

fn at(seconds: i64) -> Timestamp {
    Timestamp::from_micros(seconds * 1_000_000).unwrap()
}

fn job(workspace: &str, owner: &str, position: u32) -> Job {
    let key = JobKey { queue: QUEUE, owner: owner.into(), position };
    Job { key, workspace: WorkspaceId(workspace.into()), priority: Priority::Normal }
}

fn claim(worker: &str, now: i64, count: u32) -> Claim<'_> {
    let (now, until) = (at(now), at(now + 30));
    Claim { queue: QUEUE, worker, now, until, count, per_owner: 1_000, per_workspace: 1_000, owners: None }
}

fn on_both(test: impl Fn(&Throwaway)) {
    for kind in [Kind::Sqlite, Kind::Postgres] {
        if let Some(throwaway) = fresh(kind) {
            test(&throwaway);
        }
    }
}

/// Claims until nothing is left, each time a few, as a server of its own.
fn claim_all(url: &str, worker: &str, limits: (u32, u32)) -> Vec<ClaimedJob> {
    let database = Database::open(url, DatabaseSettings { readers: 1, writers: 2 }).unwrap();
    let jobs = DieselJobs::new(database.clone());
    let (per_owner, per_workspace) = limits;
    let claimed = block_on(async {
        let mut all = Vec::new();
        loop {
            let claim = Claim { per_owner, per_workspace, ..claim(worker, 1, 7) };
            let some = jobs.claim(&claim).await.unwrap();
            if some.is_empty() {
                return all;
            }
            all.extend(some);
        }
    });
    database.close();
    claimed
}

/// What each of four servers gets that claim at the same time.
fn claimed_by_four(url: &str, limits: (u32, u32)) -> Vec<Vec<ClaimedJob>> {
    std::thread::scope(|scope| {
        let servers: Vec<_> = ["a", "b", "c", "d"]
            .map(|worker| scope.spawn(move || claim_all(url, worker, limits)))
            .into_iter()
            .collect();
        servers.into_iter().map(|server| server.join().unwrap()).collect()
    })
}

#[test]
fn four_servers_that_claim_at_once_get_each_job_exactly_once() {
    on_both(|throwaway| {
        let jobs = DieselJobs::new(throwaway.database.clone());
        let all = (0..400).map(|n| job(&format!("w{}", n % 3), &(n % 7).to_string(), n)).collect();
        block_on(jobs.put(all, at(0))).unwrap();
        let claimed = claimed_by_four(&throwaway.url, (1_000, 1_000)).concat();
        let keys: HashSet<JobKey> = claimed.iter().map(|one| one.job.key.clone()).collect();
        assert_eq!((claimed.len(), keys.len()), (400, 400));
        assert!(claimed.iter().all(|one| one.token == 1 && one.interrupted == 0));
    });
}

#[test]
fn four_servers_that_claim_at_once_keep_to_the_limits_of_one_server_each() {
    on_both(|throwaway| {
        let jobs = DieselJobs::new(throwaway.database.clone());
        let all = (0..400).map(|n| job("w", &(n % 4).to_string(), n)).collect();
        block_on(jobs.put(all, at(0))).unwrap();
        for claimed in claimed_by_four(&throwaway.url, (10, 33)) {
            let mut owners = HashMap::<&str, u32>::new();
            for one in &claimed {
                *owners.entry(&one.job.key.owner).or_default() += 1;
            }
            assert_eq!(claimed.len(), 33);
            assert!(owners.values().all(|count| (8..=10).contains(count)), "{owners:?}");
        }
    });
}

#[test]
fn with_more_workspaces_and_owners_than_places_all_get_their_turns() {
    on_both(|throwaway| {
        let jobs = DieselJobs::new(throwaway.database.clone());
        let names = |n: u32| (format!("w{}", n % 6), format!("{}", n % 30));
        let all = (0..3_000).map(|n| job(&names(n).0, &names(n).1, n)).collect();
        block_on(jobs.put(all, at(0))).unwrap();
        let mut owners = HashMap::<String, u32>::new();
        for _ in 0..60 {
            let claimed = block_on(jobs.claim(&claim("a", 1, 1))).unwrap();
            let [one] = claimed.as_slice() else { panic!("one place, {} jobs", claimed.len()) };
            *owners.entry(one.job.key.owner.clone()).or_default() += 1;
            block_on(jobs.discard(&one.job.key, one.token)).unwrap();
        }
        assert_eq!(owners.len(), 30, "each of the owners");
        assert!(owners.values().all(|count| *count == 2), "equally often: {owners:?}");
    });
}

#[test]
fn looking_for_jobs_where_none_can_be_claimed_waits_for_no_writer() {
    // SQLite has one writer: while another connection holds its lock, a claim that wrote would wait.
    let Some(throwaway) = fresh(Kind::Sqlite) else { return };
    let jobs = DieselJobs::new(throwaway.database.clone());
    block_on(async {
        jobs.put(vec![job("w", "1", 0), job("w", "1", 1), job("w", "2", 0)], at(5)).await.unwrap();
        assert_eq!(jobs.claim(&claim("a", 5, 1)).await.unwrap().len(), 1);
    });
    let mut other = <diesel::SqliteConnection as diesel::Connection>::establish(
        throwaway.url.strip_prefix("sqlite://").unwrap(),
    )
    .unwrap();
    other.batch_execute("BEGIN IMMEDIATE").unwrap();
    block_on(async {
        assert!(jobs.claim(&claim("b", 4, 8)).await.unwrap().is_empty(), "none is ready");
        let full = Claim { per_workspace: 1, ..claim("a", 6, 8) };
        assert!(jobs.claim(&full).await.unwrap().is_empty(), "the workspace has its share");
        let other_queue = Claim { queue: "another", ..claim("b", 6, 8) };
        assert!(jobs.claim(&other_queue).await.unwrap().is_empty());
    });
    other.batch_execute("ROLLBACK").unwrap();
}

#[test]
fn a_job_is_put_in_once() {
    on_both(|throwaway| {
        let jobs = DieselJobs::new(throwaway.database.clone());
        block_on(async {
            jobs.put(vec![job("w", "1", 0)], at(0)).await.unwrap();
            let again = jobs.put(vec![job("w", "1", 1), job("w", "1", 0)], at(0)).await;
            assert!(matches!(again, Err(StoreError::Taken("job"))));
            assert_eq!(jobs.claim(&claim("a", 1, 8)).await.unwrap().len(), 1);
        });
    });
}

#[derive(Debug, QueryableByName)]
struct Step {
    #[diesel(sql_type = Text)]
    detail: String,
}

#[test]
fn what_is_held_and_what_is_ready_is_found_through_indexes() {
    let Some(throwaway) = fresh(Kind::Sqlite) else { return };
    // As the adapter asks.
    let asked = [
        "SELECT workspace, owner FROM jobs WHERE queue = 'q' AND worker > '' AND ready > 5 ORDER BY worker",
        "SELECT position, token, attempts, interrupted, worker FROM jobs WHERE queue = 'q' AND workspace = 'w' \
         AND priority = 1 AND owner = '1' AND ready <= 5 ORDER BY ready, position LIMIT 3",
        "UPDATE jobs SET ready = 5 WHERE queue = 'q' AND worker = 'a'",
        "UPDATE jobs SET ready = 5 WHERE queue = 'q' AND owner = '1' AND workspace = 'w' AND priority = 1 \
         AND ready < 5          AND worker IS NULL",
    ];
    let plans = block_on(throwaway.database.read(move |connection| {
        let AnyConnection::Sqlite(inner) = connection else { panic!("SQLite") };
        let plan = |query: &str| diesel::sql_query(format!("EXPLAIN QUERY PLAN {query}")).load::<Step>(inner);
        let plans = asked.map(plan);
        plans.into_iter().map(|plan| plan.map_err(Into::into)).collect::<Result<Vec<_>, _>>()
    }))
    .unwrap();
    for (plan, index) in plans.iter().zip(["worker", "turn", "worker", "turn"]) {
        let wanted = format!("INDEX jobs_by_{index}");
        assert!(plan.len() == 1 && plan[0].detail.contains(&wanted), "{plan:?} without {wanted}");
    }
}
