//! The dispatcher over memory: what it claims, and when.
#![allow(clippy::unwrap_used, reason = "tests assert")]

mod draining;
mod kit;
mod leases;

use std::sync::Arc;
use std::sync::atomic::Ordering;

use jobs_core::{Claim, JobQueue as _};
use shared_core::Clock;

use kit::{Process, Time, queue_of};

#[test]
fn places_are_filled_in_order_and_filled_again_when_one_is_free() {
    let time = Arc::new(Time::default());
    let queue = queue_of(6, &time);
    let mut process = Process::start(&queue, &time, "a", true, false);
    assert_eq!(process.begun(), [0, 1, 2], "the owner's limit");
    process.hands.open([1]);
    process.turn();
    // Released permits are coalesced into one claim.
    time.pass(1);
    process.turn();
    assert_eq!(process.begun(), [0, 1, 2, 3]);
    process.hands.open(0..6);
    process.turn();
    time.pass(1);
    process.turn();
    assert_eq!(process.begun(), [0, 1, 2, 3, 4, 5]);
    assert_eq!(
        (process.hands.most.load(Ordering::SeqCst), process.hands.refused.load(Ordering::SeqCst)),
        (3, 0)
    );
}

#[test]
fn a_failed_attempt_is_made_again_later_and_counted() {
    let time = Arc::new(Time::default());
    let queue = queue_of(1, &time);
    let mut process = Process::start(&queue, &time, "a", true, true);
    process.hands.open([0]);
    process.turn();
    for _ in 0..3 {
        time.pass(1);
        process.turn();
    }
    assert_eq!(process.begun(), [0]);
    time.pass(2);
    process.turn();
    assert_eq!(*process.hands.begun.lock(), [(0, 0, 0), (0, 1, 0)]);
}

#[test]
fn an_owners_work_is_broken_off_at_once() {
    let time = Arc::new(Time::default());
    let queue = queue_of(3, &time);
    let mut process = Process::start(&queue, &time, "a", true, false);
    let removed = queue.remove("q", "o", true, Clock::now(&*time));
    process.jobs.abort_jobs("q", "o");
    process.turn();
    assert_eq!((removed.len(), process.hands.now.load(Ordering::SeqCst)), (3, 0));
    let claim = Claim {
        queue: "q",
        worker: "b",
        now: Clock::now(&*time),
        until: Clock::now(&*time),
        count: 9,
        per_owner: 9,
        per_workspace: 9,
        owners: None,
    };
    assert!(futures_executor::block_on(queue.claim(&claim)).unwrap().is_empty());
}

#[test]
fn what_a_clock_that_was_ahead_put_off_begins_with_the_next_process() {
    let ahead = Time::default();
    ahead.pass(86_400);
    let queue = queue_of(2, &ahead);
    let process = Process::start(&queue, &Arc::new(Time::default()), "a", false, false);
    assert_eq!(process.begun(), [0, 1]);
}
