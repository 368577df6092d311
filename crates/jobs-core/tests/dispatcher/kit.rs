//! A process with a dispatcher over memory, on a thread pool of one, with a clock and a timer that tests move.

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
    ClaimedJob, Dispatcher, DispatcherHandle, DispatcherSettings, Job, JobHandler, JobKey, JobOutcome,
    LeaseCell, MemoryJobs, Priority,
};
use parking_lot::Mutex;
use shared_core::{Clock, Spawn, StoreError, Timer, Timestamp, WorkspaceId};

/// A clock and timer that a test advances.
#[derive(Debug, Default)]
pub(crate) struct Time {
    seconds: AtomicI64,
    moved: Event,
}

impl Time {
    pub(crate) fn pass(&self, seconds: i64) {
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

pub(crate) struct Threads(Mutex<Vec<BoxFuture<'static, ()>>>, Event);

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
pub(crate) struct Hands {
    queue: Arc<MemoryJobs>,
    open: Mutex<HashSet<u32>>,
    opened: Event,
    pub(crate) begun: Mutex<Vec<(u32, u32, u32)>>,
    pub(crate) now: AtomicU32,
    pub(crate) most: AtomicU32,
    pub(crate) refused: AtomicU32,
    /// Whether a job was given up as the cause of interruptions.
    pub(crate) is_cause: AtomicBool,
    fail_first: bool,
}

impl Hands {
    pub(crate) fn open(&self, places: impl IntoIterator<Item = u32>) {
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
        self.is_cause.fetch_or(job.is_interruption_cause(), Ordering::SeqCst);
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
pub(crate) struct Process {
    pool: LocalPool,
    spawner: LocalSpawner,
    threads: Arc<Threads>,
    pub(crate) jobs: DispatcherHandle,
    pub(crate) hands: Arc<Hands>,
    pub(crate) drain: Arc<Signal>,
    pub(crate) stop: Arc<Signal>,
}

/// A signal that a test gives.
#[derive(Debug, Default)]
pub(crate) struct Signal(AtomicBool, Event);

impl Signal {
    pub(crate) fn give(&self) {
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
    pub(crate) fn start(
        queue: &Arc<MemoryJobs>,
        time: &Arc<Time>,
        worker: &str,
        alone: bool,
        fail_first: bool,
    ) -> Self {
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
                max_delay: Duration::from_secs(3_600),
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
    pub(crate) fn turn(&mut self) {
        loop {
            self.pool.run_until_stalled();
            let new: Vec<_> = self.threads.0.lock().drain(..).collect();
            if new.is_empty() {
                return;
            }
            new.into_iter().for_each(|work| self.spawner.spawn_local(work).unwrap());
        }
    }

    pub(crate) fn begun(&self) -> Vec<u32> {
        self.hands.begun.lock().iter().map(|(place, _, _)| *place).collect()
    }
}

pub(crate) fn queue_of(count: u32, time: &Time) -> Arc<MemoryJobs> {
    let queue = Arc::new(MemoryJobs::default());
    let key = |position| JobKey { queue: "q", owner: "o".into(), position };
    let workspace = WorkspaceId("w".into());
    queue.put(
        (0..count).map(|n| Job { key: key(n), workspace: workspace.clone(), priority: Priority::Normal }),
        Clock::now(time),
    );
    queue
}
