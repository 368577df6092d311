//! The dispatcher over memory, on a thread pool of one, with a clock and a timer that tests move.
#![allow(clippy::unwrap_used, reason = "tests assert")]

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU32, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use event_listener::Event;
use futures_executor::{LocalPool, LocalSpawner};
use futures_util::future::BoxFuture;
use futures_util::task::LocalSpawnExt as _;
use jobs_core::{
    Claim, ClaimedJob, Dispatcher, DispatcherHandle, DispatcherSettings, Job, JobHandler, JobKey, JobOutcome,
    JobQueue, LeaseCell, MemoryJobs,
};
use parking_lot::Mutex;
use shared_core::{Clock, Spawn, StoreError, Timer, Timestamp, WorkspaceId};

/// A clock and timer that a test advances.
#[derive(Debug, Default)]
struct Time {
    seconds: AtomicI64,
    moved: Event,
}

impl Time {
    fn pass(&self, seconds: i64) {
        self.seconds.fetch_add(seconds, Ordering::SeqCst);
        self.moved.notify(usize::MAX);
    }

    fn now(&self) -> i64 {
        self.seconds.load(Ordering::SeqCst)
    }
}

impl Clock for Time {
    fn now(&self) -> Timestamp {
        Timestamp::from_micros(self.now() * 1_000_000).unwrap()
    }
}

#[async_trait]
impl Timer for Time {
    fn elapsed(&self) -> Duration {
        Duration::from_secs(self.now().unsigned_abs())
    }

    async fn sleep(&self, duration: Duration) {
        let until = self.elapsed() + duration;
        loop {
            let moved = self.moved.listen();
            if self.elapsed() >= until {
                return;
            }
            moved.await;
        }
    }
}

struct Threads(Mutex<Vec<BoxFuture<'static, ()>>>, Event);

impl std::fmt::Debug for Threads {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Threads")
    }
}

impl Spawn for Threads {
    fn spawn(&self, work: BoxFuture<'static, ()>) {
        self.0.lock().push(work);
        self.1.notify(usize::MAX);
    }
}

/// Ends jobs on request and records what it received.
#[derive(Debug, Default)]
struct Hands {
    queue: Arc<MemoryJobs>,
    open: Mutex<HashSet<u32>>,
    opened: Event,
    begun: Mutex<Vec<(u32, u32, u32)>>,
    now: AtomicU32,
    most: AtomicU32,
    refused: AtomicU32,
    fail_first: bool,
}

impl Hands {
    fn open(&self, places: impl IntoIterator<Item = u32>) {
        self.open.lock().extend(places);
        self.opened.notify(usize::MAX);
    }
}

/// Decrements the counter, also when the work is cancelled.
struct Working<'a>(&'a AtomicU32);

impl Drop for Working<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

#[async_trait]
impl JobHandler for Hands {
    async fn work(&self, job: ClaimedJob, lease: LeaseCell) -> JobOutcome {
        let place = job.job.key.position;
        self.begun.lock().push((place, job.attempts, job.interrupted));
        self.most.fetch_max(self.now.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
        let _working = Working(&self.now);
        loop {
            let opened = self.opened.listen();
            if self.open.lock().contains(&place) {
                break;
            }
            opened.await;
        }
        if self.fail_first && job.attempts == 0 {
            return JobOutcome::Retry { after: Duration::from_secs(5), failed: true };
        }
        if !self.queue.end(lease.key(), lease.token()) {
            self.refused.fetch_add(1, Ordering::SeqCst);
        }
        JobOutcome::Ended
    }

    fn report_store_error(&self, _: &StoreError) {}
}

/// One process.
struct Process {
    pool: LocalPool,
    spawner: LocalSpawner,
    threads: Arc<Threads>,
    jobs: DispatcherHandle,
    hands: Arc<Hands>,
    drain: Arc<Signal>,
    stop: Arc<Signal>,
}

/// A signal that a test gives.
#[derive(Debug, Default)]
struct Signal(AtomicBool, Event);

impl Signal {
    fn give(&self) {
        self.0.store(true, Ordering::SeqCst);
        self.1.notify(usize::MAX);
    }

    async fn given(self: Arc<Self>) {
        while !self.0.load(Ordering::SeqCst) {
            self.1.listen().await;
        }
    }
}

impl Process {
    fn start(queue: &Arc<MemoryJobs>, time: &Arc<Time>, worker: &str, alone: bool, fail_first: bool) -> Self {
        let pool = LocalPool::new();
        let threads = Arc::new(Threads(Mutex::default(), Event::new()));
        let hands = Arc::new(Hands { queue: Arc::clone(queue), fail_first, ..Hands::default() });
        let jobs = DispatcherHandle::default();
        let dispatcher = Dispatcher {
            queue: Arc::<MemoryJobs>::clone(queue),
            handler: Arc::<Hands>::clone(&hands),
            jobs: jobs.clone(),
            clock: Arc::<Time>::clone(time),
            timer: Arc::<Time>::clone(time),
            spawner: Arc::<Threads>::clone(&threads),
            settings: DispatcherSettings {
                queue: "q",
                worker: worker.to_owned(),
                concurrency: 4,
                per_owner: 3,
                per_workspace: 4,
                lease: 30,
                poll: Duration::from_secs(1),
                drain: Duration::from_secs(20),
                is_exclusive: alone,
            },
        };
        let spawner = pool.spawner();
        let (drain, stop) = (Arc::<Signal>::default(), Arc::<Signal>::default());
        spawner.spawn_local(dispatcher.run(Arc::clone(&drain).given(), Arc::clone(&stop).given())).unwrap();
        let mut process = Self { pool, spawner, threads, jobs, hands, drain, stop };
        process.turn();
        process
    }

    /// Polls until no task makes progress.
    fn turn(&mut self) {
        loop {
            self.pool.run_until_stalled();
            let new: Vec<_> = self.threads.0.lock().drain(..).collect();
            if new.is_empty() {
                return;
            }
            new.into_iter().for_each(|work| self.spawner.spawn_local(work).unwrap());
        }
    }

    fn begun(&self) -> Vec<u32> {
        self.hands.begun.lock().iter().map(|(place, _, _)| *place).collect()
    }
}

fn queue_of(count: u32, time: &Time) -> Arc<MemoryJobs> {
    let queue = Arc::new(MemoryJobs::default());
    let key = |position| JobKey { queue: "q", owner: "o".into(), position };
    let workspace = WorkspaceId("w".into());
    queue.put((0..count).map(|n| Job { key: key(n), workspace: workspace.clone() }), Clock::now(time));
    queue
}

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
    queue.put([Job { key: other, workspace: WorkspaceId("w".into()) }], Clock::now(&*time));
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
