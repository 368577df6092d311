//! Jobs in memory, as stores that own jobs use them.
#![allow(clippy::unwrap_used, reason = "tests assert")]

use futures_executor::block_on;
use jobs_core::{Claim, ClaimedJob, Job, JobKey, JobQueue as _, MemoryJobs, Priority};
use shared_core::{StoreError, Timestamp, WorkspaceId};

fn at(seconds: i64) -> Timestamp {
    Timestamp::from_micros(seconds * 1_000_000).unwrap()
}

fn job(queue: &'static str, owner: &str, position: u32) -> Job {
    let key = JobKey { queue, owner: owner.into(), position };
    Job { key, workspace: WorkspaceId("w".into()), priority: Priority::Normal }
}

/// The claim of one job of queue `q` at `now`, with a lease of ten seconds.
fn claim(jobs: &MemoryJobs, now: i64) -> Option<ClaimedJob> {
    let claim = Claim {
        queue: "q",
        worker: "a",
        now: at(now),
        until: at(now + 10),
        count: 1,
        per_owner: 9,
        per_workspace: 9,
        owners: None,
    };
    block_on(jobs.claim(&claim)).unwrap().pop()
}

#[test]
fn a_job_that_starts_over_is_due_with_a_token_that_its_worker_does_not_have() {
    let jobs = MemoryJobs::default();
    jobs.restart(job("q", "o", 0), at(0), 7);
    let first = claim(&jobs, 0).unwrap();
    assert_eq!(first.token, 9, "8 when it was enqueued");
    jobs.restart(first.job.clone(), at(0), 0);
    assert!(!jobs.end(&first.job.key, first.token));
    assert_eq!(claim(&jobs, 0).unwrap().token, 11);
}

#[test]
fn a_job_ends_for_the_worker_with_the_current_token_alone() {
    let jobs = MemoryJobs::default();
    jobs.put([job("q", "o", 0)], at(0));
    let lost = claim(&jobs, 0).unwrap();
    let held = claim(&jobs, 10).unwrap();
    let key = &held.job.key;
    assert_eq!((jobs.has_token(key, lost.token), jobs.has_token(key, held.token)), (false, true));
    assert!(!jobs.end(key, lost.token));
    assert!(matches!(block_on(jobs.discard(key, lost.token)), Err(StoreError::Stale)));
    assert!(jobs.end(key, held.token));
    assert!(!jobs.end(key, held.token), "it has ended");
    assert_eq!(jobs.status(key, at(10)), None);
}

#[test]
fn the_status_of_a_job_tells_its_lease_and_its_failed_attempts() {
    let jobs = MemoryJobs::default();
    jobs.put([job("q", "o", 0)], at(0));
    let held = claim(&jobs, 0).unwrap();
    let key = &held.job.key;
    assert_eq!((jobs.status(key, at(9)), jobs.status(key, at(10))), (Some((true, 0)), Some((false, 0))));
    block_on(jobs.requeue(key, held.token, at(20), true)).unwrap();
    assert_eq!(jobs.status(key, at(9)), Some((false, 1)), "it waits, and nobody holds it");
}

#[test]
fn the_jobs_of_one_owner_are_removed_and_those_under_lease_only_if_asked_for() {
    let jobs = MemoryJobs::default();
    let others = [job("q", "p", 0), job("r", "o", 0)];
    jobs.put([job("q", "o", 0), job("q", "o", 1)].into_iter().chain(others.clone()), at(0));
    assert_eq!(claim(&jobs, 0).unwrap().job, job("q", "o", 0));
    assert_eq!(jobs.remove("q", "o", false, at(0)), [1]);
    assert_eq!(jobs.remove("q", "o", true, at(0)), [0]);
    let is_there = |job: &Job| jobs.status(&job.key, at(0)).is_some();
    assert!(others.iter().all(is_there));
    jobs.remove_all([&others[0].key]);
    assert_eq!(others.each_ref().map(is_there), [false, true]);
}

#[test]
fn what_is_done_to_the_jobs_of_one_queue_leaves_those_of_others() {
    let jobs = MemoryJobs::default();
    jobs.put([job("q", "o", 0), job("q", "p", 0), job("r", "o", 0)], at(0));
    block_on(jobs.defer("q", "o", at(50))).unwrap();
    assert_eq!(claim(&jobs, 0).unwrap().job, job("q", "p", 0));
    assert!(claim(&jobs, 9).is_none());
    let other = Claim {
        queue: "r",
        worker: "a",
        now: at(0),
        until: at(10),
        count: 9,
        per_owner: 9,
        per_workspace: 9,
        owners: None,
    };
    assert_eq!(block_on(jobs.claim(&other)).unwrap().len(), 1, "deferring leaves the other queue");
    // The worker holds a job in each queue, until 10.
    let held = block_on(jobs.renew("q", "a", at(20))).unwrap();
    assert_eq!(held, [(job("q", "p", 0).key, 1)]);
    let is_held = |queue, owner, now| jobs.status(&job(queue, owner, 0).key, at(now)).unwrap().0;
    assert_eq!([is_held("q", "p", 15), is_held("r", "o", 15)], [true, false]);
    assert_eq!(block_on(jobs.expire_other_leases("q", "a", at(5))).unwrap(), 0, "they are its own");
    assert_eq!(block_on(jobs.expire_other_leases("q", "b", at(5))).unwrap(), 1);
    assert_eq!([is_held("q", "p", 5), is_held("r", "o", 5)], [false, true]);
    assert_eq!(block_on(jobs.release_worker("q", "b", at(5))).unwrap(), 0);
    assert_eq!(block_on(jobs.release_worker("q", "a", at(5))).unwrap(), 1);
    assert_eq!([is_held("q", "p", 4), is_held("r", "o", 4)], [false, true]);
    let has_first_token = |queue, owner| jobs.has_token(&job(queue, owner, 0).key, 1);
    assert_eq!([has_first_token("q", "p"), has_first_token("r", "o")], [false, true], "it lost the job");
}
