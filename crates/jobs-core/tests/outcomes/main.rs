//! What a dispatcher does with the outcomes of jobs and the failures of its queue, and when it asks for jobs.
#![allow(clippy::unwrap_used, reason = "tests assert")]

mod kit;

use std::time::Duration;

use futures_channel::oneshot;
use futures_util::FutureExt as _;
use jobs_core::JobOutcome;
use shared_core::StoreError;

use kit::{Process, key};

const RETRY: JobOutcome = JobOutcome::Retry { after: Duration::from_millis(1_500), failed: true };

#[test]
fn a_failed_job_is_due_again_after_its_back_off_in_whole_seconds() {
    let mut process = Process::new();
    process.end_jobs([(key("o", 0), RETRY)]);
    process.start(false);
    assert!(process.left_after(1).iter().all(|(owner, position, _)| (owner.as_str(), *position) != ("o", 0)));
    assert!(process.left_after(2).contains(&("o".into(), 0, 1)));
}

#[test]
fn an_owner_without_capacity_waits_with_all_of_its_jobs_and_no_attempt_is_counted() {
    let mut process = Process::new();
    process.end_jobs([(key("o", 0), JobOutcome::Saturated { after: Duration::from_secs(5) })]);
    process.start(false);
    assert_eq!(process.left_after(4), [("p".to_owned(), 1, 0)], "the other owner goes on");
    assert_eq!(process.left_after(5)[..2], [("o".to_owned(), 0, 0), ("o".to_owned(), 1, 0)]);
}

#[test]
fn a_job_whose_owner_is_gone_is_removed() {
    let mut process = Process::new();
    process.end_jobs([(key("o", 0), JobOutcome::OwnerGone)]);
    process.start(false);
    assert!(
        !process.left_after(1_000).iter().any(|(owner, position, _)| (owner.as_str(), *position) == ("o", 0))
    );
    assert!(process.script.reported.lock().is_empty());
}

#[test]
fn a_job_that_was_restarted_and_claimed_again_meanwhile_is_given_back_not_removed() {
    let mut process = Process::new();
    process.end_jobs([(key("o", 0), JobOutcome::OwnerGone), (key("p", 0), JobOutcome::Ended)]);
    let (open, gate) = oneshot::channel();
    process.script.gates.lock().insert(key("o", 0), gate);
    process.start(false);
    process.restart(key("o", 0));
    process.handle.wake();
    process.turn();
    assert!(!process.left_after(0).contains(&("o".into(), 0, 0)), "the process has it again");
    process.queue.requests.lock().clear();
    open.send(()).unwrap();
    process.turn();
    assert_eq!(process.queue.requests.lock().first(), Some(&"requeue"), "and then it is looked at anew");
}

#[test]
fn a_job_that_cannot_be_given_back_is_left_to_its_lease_after_three_reports() {
    let mut process = Process::new();
    process.end_jobs([(key("o", 0), RETRY)]);
    process.queue.failures.lock().extend([StoreError::Full, StoreError::Full, StoreError::Full]);
    process.start(false);
    assert_eq!(*process.script.reported.lock(), ["the storage is full"; 3]);
    assert!(process.left_after(30).contains(&("o".into(), 0, 0)), "its lease has run out");
}

#[test]
fn failures_to_defer_or_remove_are_reported_and_a_job_that_another_worker_has_is_none() {
    for (outcome, failure, reported) in [
        (JobOutcome::OwnerGone, StoreError::Full, 1),
        (JobOutcome::OwnerGone, StoreError::Stale, 0),
        (RETRY, StoreError::Stale, 0),
    ] {
        let mut process = Process::new();
        process.end_jobs([(key("o", 0), outcome)]);
        process.queue.failures.lock().push(failure);
        process.start(false);
        assert_eq!(process.script.reported.lock().len(), reported, "{outcome:?}");
    }
    let mut process = Process::new();
    process.end_jobs([(key("o", 0), JobOutcome::Saturated { after: Duration::from_secs(5) })]);
    // The last one is answered first: to the request to give the job back.
    process.queue.failures.lock().extend([StoreError::Full, StoreError::Stale]);
    process.start(false);
    assert_eq!(*process.script.reported.lock(), ["the storage is full"]);
}

#[test]
fn a_process_without_a_free_permit_or_in_a_drain_does_not_ask_the_store_for_jobs() {
    let mut full = Process::new();
    full.start(false);
    full.handle.wake();
    full.turn();
    assert_eq!(*full.queue.requests.lock(), ["claim"]);
    let mut draining = Process::new();
    draining.end_jobs(["o", "p"].map(|owner| (key(owner, 0), JobOutcome::Ended)));
    draining.start(true);
    draining.queue.requests.lock().clear();
    draining.handle.wake();
    draining.turn();
    assert!(draining.queue.requests.lock().is_empty());
}

#[test]
fn work_that_watches_for_a_drain_learns_of_it_unless_a_request_waits_for_its_owner() {
    let mut process = Process::new();
    let handle = process.handle.clone();
    assert!(handle.drained("o").now_or_never().is_none(), "no drain has begun");
    let (first, second) = (handle.wait_for_owner("o"), handle.wait_for_owner("o"));
    process.start(true);
    assert!(handle.drained("p").now_or_never().is_some());
    drop(first);
    assert!(!handle.is_draining("o"), "the other request still waits");
    let mut drained = std::pin::pin!(handle.drained("o"));
    assert!(drained.as_mut().now_or_never().is_none());
    drop(second);
    assert!(drained.now_or_never().is_some());
}
