//! Processes that are asked to stop.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use jobs_core::{Job, JobKey, MemoryJobs, Priority};
use shared_core::{Clock, WorkspaceId};

use crate::kit::{Process, Time, queue_of};

/// The positions that the next process begins with at once.
fn left_for_the_next(queue: &Arc<MemoryJobs>, time: &Arc<Time>) -> Vec<(u32, u32, u32)> {
    Process::start(queue, time, "next", false, false).hands.begun.lock().clone()
}

#[test]
fn a_drain_claims_nothing_and_waits_for_what_is_in_flight() {
    let time = Arc::new(Time::default());
    let queue = queue_of(5, &time);
    let mut process = Process::start(&queue, &time, "a", false, false);
    process.drain.give();
    process.stop.give();
    process.hands.open([0, 1]);
    process.turn();
    time.pass(10);
    process.turn();
    assert_eq!((process.begun(), process.hands.now.load(Ordering::SeqCst)), (vec![0, 1, 2], 1));
    process.hands.open([2]);
    process.turn();
    assert_eq!(process.hands.refused.load(Ordering::SeqCst), 0, "the last one ended in time");
    assert_eq!(left_for_the_next(&queue, &time), [(3, 0, 0), (4, 0, 0)]);
}

#[test]
fn what_takes_longer_than_the_drain_is_free_for_the_next_process_at_once() {
    let time = Arc::new(Time::default());
    let queue = queue_of(3, &time);
    let mut process = Process::start(&queue, &time, "a", false, false);
    process.drain.give();
    process.turn();
    time.pass(19);
    process.turn();
    assert_eq!(process.hands.now.load(Ordering::SeqCst), 3);
    time.pass(1);
    process.turn();
    assert_eq!(process.hands.now.load(Ordering::SeqCst), 0);
    assert_eq!(left_for_the_next(&queue, &time), [(0, 0, 0), (1, 0, 0), (2, 0, 0)]);
}

#[test]
fn a_drain_goes_on_with_an_owner_that_is_waited_for() {
    let time = Arc::new(Time::default());
    let queue = queue_of(4, &time);
    let mut process = Process::start(&queue, &time, "a", false, false);
    let other = JobKey { queue: "q", owner: "p".into(), position: 7 };
    queue.put(
        [Job { key: other, workspace: WorkspaceId("w".into()), priority: Priority::Normal }],
        Clock::now(&*time),
    );
    let wait = process.jobs.wait_for_owner("o");
    process.drain.give();
    process.turn();
    assert_eq!((process.jobs.is_draining("o"), process.jobs.is_draining("p")), (false, true));
    process.hands.open(0..3);
    process.turn();
    time.pass(1);
    process.turn();
    assert_eq!(process.begun(), [0, 1, 2, 3], "and with no other");
    drop(wait);
    assert!(process.jobs.is_draining("o"));
}
