//! Leases: renewed, lost, and left by processes that died.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use jobs_core::{Claim, Job, JobKey, JobQueue as _, Priority};
use shared_core::{Clock, WorkspaceId};

use crate::kit::{Process, Time, queue_of};

#[test]
fn leases_are_renewed_as_long_as_the_work_takes() {
    let time = Arc::new(Time::default());
    let queue = queue_of(1, &time);
    let mut first = Process::start(&queue, &time, "a", false, false);
    let mut second = Process::start(&queue, &time, "b", false, false);
    for _ in 0..100 {
        time.pass(5);
        first.turn();
        second.turn();
    }
    assert_eq!((first.begun(), second.begun()), (vec![0], vec![]));
}

#[test]
fn a_claim_whose_answer_was_lost_is_given_back_although_the_process_goes_on() {
    let time = Arc::new(Time::default());
    let queue = queue_of(1, &time);
    let mut first = Process::start(&queue, &time, "a", false, false);
    let key = JobKey { queue: "q", owner: "lost".into(), position: 0 };
    queue.put(
        [Job { key, workspace: WorkspaceId("w".into()), priority: Priority::Normal }],
        Clock::now(&*time),
    );
    let claim = Claim {
        queue: "q",
        worker: "a",
        now: Clock::now(&*time),
        until: Clock::now(&*time).plus_seconds(30),
        count: 1,
        per_owner: 9,
        per_workspace: 9,
        owners: None,
    };
    assert_eq!(futures_executor::block_on(queue.claim(&claim)).unwrap().len(), 1, "and nobody is told");
    for _ in 0..3 {
        time.pass(10);
        first.turn();
        time.pass(1);
        first.turn();
    }
    assert_eq!(*first.hands.begun.lock(), [(0, 0, 0), (0, 0, 0)], "an interruption is not counted");
    assert_eq!(first.hands.now.load(Ordering::SeqCst), 2);
}

#[test]
fn a_worker_that_lost_its_leases_is_broken_off() {
    let time = Arc::new(Time::default());
    let queue = queue_of(2, &time);
    let mut first = Process::start(&queue, &time, "a", false, false);
    // The first process hangs for a minute.
    let mut second = Process::start(&queue, &time, "b", false, false);
    time.pass(60);
    second.turn();
    assert_eq!(*second.hands.begun.lock(), [(0, 0, 1), (1, 0, 1)]);
    first.hands.open([0]);
    first.turn();
    assert_eq!(first.hands.now.load(Ordering::SeqCst), 0, "both were broken off");
    second.hands.open([0, 1]);
    second.turn();
    assert_eq!(second.hands.refused.load(Ordering::SeqCst), 0);
}

#[test]
fn a_crash_lets_the_next_process_go_on_at_once() {
    let time = Arc::new(Time::default());
    let queue = queue_of(2, &time);
    drop(Process::start(&queue, &time, "a", true, false));
    let waiting = Process::start(&queue, &time, "b", false, false);
    assert!(waiting.begun().is_empty(), "who is not alone waits for the lease to run out");
    let next = Process::start(&queue, &time, "c", true, false);
    assert_eq!(*next.hands.begun.lock(), [(0, 0, 1), (1, 0, 1)]);
}

/// Starts the next process after the death of one, and lets everything end but the first job, which kills.
#[test]
fn a_job_that_ends_its_process_is_found_and_the_others_end() {
    let time = Arc::new(Time::default());
    let queue = queue_of(7, &time);
    let mut causes = 0;
    for process in 0..40 {
        let mut process = Process::start(&queue, &time, &format!("p{process}"), true, false);
        let begun = loop {
            process.turn();
            let begun = std::mem::take(&mut *process.hands.begun.lock());
            if begun.iter().any(|(place, ..)| *place == 0) || begun.is_empty() {
                break begun;
            }
            process.hands.open(begun.iter().map(|(place, ..)| *place));
            process.turn();
            time.pass(1);
        };
        let Some((_, _, interrupted)) = begun.iter().find(|(place, ..)| *place == 0) else { break };
        if *interrupted > 3 {
            assert_eq!(begun.len(), 1, "it runs alone");
        }
        causes = causes.max(*interrupted);
        if process.hands.is_cause.load(Ordering::SeqCst) {
            process.hands.open([0]);
            process.turn();
        }
    }
    let next = Process::start(&queue, &time, "last", true, false);
    assert!(next.begun().is_empty(), "every job ended");
    assert_eq!(causes, 9, "three beside others, five alone, and the one that gave up");
}
