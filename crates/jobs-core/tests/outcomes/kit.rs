//! A dispatcher whose handler ends jobs as a test says, over a queue that records what it is asked.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use futures_channel::oneshot;
use futures_executor::{LocalPool, block_on};
use futures_util::future::BoxFuture;
use futures_util::task::LocalSpawnExt as _;
use jobs_core::{
    Claim, ClaimedJob, Dispatcher, DispatcherHandle, DispatcherSettings, Job, JobHandler, JobKey, JobOutcome,
    JobQueue, LeaseCell, LocalExecutor, MemoryJobs, Priority,
};
use parking_lot::Mutex;
use shared_core::{Clock, FixedClock, Spawn, StoreError, Timer, Timestamp, WorkspaceId};

const POLL: Duration = Duration::from_secs(1);

/// Ends waits shorter than a poll interval at once and others never: what a test sees happens by a wake-up.
#[derive(Debug)]
struct ShortTimer;

#[async_trait]
impl Timer for ShortTimer {
    fn elapsed(&self) -> Duration {
        Duration::ZERO
    }

    async fn sleep(&self, duration: Duration) {
        if duration >= POLL {
            std::future::pending().await
        }
    }
}

/// The outcomes of jobs, and the failures of the queue that were reported.
#[derive(Debug, Default)]
pub(crate) struct Script {
    pub(crate) outcomes: Mutex<HashMap<JobKey, JobOutcome>>,
    /// What jobs wait for before they end.
    pub(crate) gates: Mutex<HashMap<JobKey, oneshot::Receiver<()>>>,
    pub(crate) reported: Mutex<Vec<String>>,
}

#[async_trait]
impl JobHandler for Script {
    /// Ends a job without an outcome never.
    async fn work(&self, job: ClaimedJob, _: LeaseCell) -> JobOutcome {
        let gate = self.gates.lock().remove(&job.job.key);
        if let Some(gate) = gate {
            gate.await.ok();
        }
        let outcome = self.outcomes.lock().get(&job.job.key).copied();
        match outcome {
            Some(outcome) => outcome,
            None => std::future::pending().await,
        }
    }

    fn report_store_error(&self, error: &StoreError) {
        self.reported.lock().push(error.to_string());
    }
}

/// Jobs in memory, the requests made of them, and failures to answer with first.
#[derive(Debug, Default)]
pub(crate) struct RecordedQueue {
    pub(crate) jobs: MemoryJobs,
    pub(crate) requests: Mutex<Vec<&'static str>>,
    pub(crate) failures: Mutex<Vec<StoreError>>,
}

impl RecordedQueue {
    fn record(&self, request: &'static str) -> Result<(), StoreError> {
        self.requests.lock().push(request);
        // Claims find the jobs that a failure is about.
        let failure = if request == "claim" { None } else { self.failures.lock().pop() };
        failure.map_or(Ok(()), Err)
    }
}

#[async_trait]
impl JobQueue for RecordedQueue {
    async fn claim(&self, claim: &Claim<'_>) -> Result<Vec<ClaimedJob>, StoreError> {
        self.record("claim")?;
        self.jobs.claim(claim).await
    }

    async fn renew(
        &self,
        queue: &'static str,
        worker: &str,
        until: Timestamp,
    ) -> Result<Vec<(JobKey, i64)>, StoreError> {
        self.jobs.renew(queue, worker, until).await
    }

    async fn requeue(
        &self,
        job: &JobKey,
        token: i64,
        ready: Timestamp,
        failed: bool,
    ) -> Result<(), StoreError> {
        self.record("requeue")?;
        self.jobs.requeue(job, token, ready, failed).await
    }

    async fn defer(&self, queue: &'static str, owner: &str, ready: Timestamp) -> Result<(), StoreError> {
        self.record("defer")?;
        self.jobs.defer(queue, owner, ready).await
    }

    async fn discard(&self, job: &JobKey, token: i64) -> Result<(), StoreError> {
        self.record("discard")?;
        self.jobs.discard(job, token).await
    }

    async fn release_worker(
        &self,
        queue: &'static str,
        worker: &str,
        now: Timestamp,
    ) -> Result<u64, StoreError> {
        self.jobs.release_worker(queue, worker, now).await
    }

    async fn expire_other_leases(
        &self,
        queue: &'static str,
        worker: &str,
        now: Timestamp,
    ) -> Result<u64, StoreError> {
        self.jobs.expire_other_leases(queue, worker, now).await
    }

    async fn advance_due_times(
        &self,
        queue: &'static str,
        latest: Timestamp,
        now: Timestamp,
    ) -> Result<u64, StoreError> {
        self.jobs.advance_due_times(queue, latest, now).await
    }
}

/// Runs the work of the dispatcher's process.
#[derive(Debug)]
struct Spawner(Arc<LocalExecutor>);

impl Spawn for Spawner {
    fn spawn(&self, work: BoxFuture<'static, ()>) {
        self.0.spawn(work);
    }
}

pub(crate) fn key(owner: &str, position: u32) -> JobKey {
    JobKey { queue: "q", owner: owner.into(), position }
}

fn clock() -> FixedClock {
    FixedClock::new(0, 0)
}

/// Two jobs each of two owners.
fn queue() -> Arc<RecordedQueue> {
    let queue = RecordedQueue::default();
    let keys = ["o", "p"].into_iter().flat_map(|owner| [key(owner, 0), key(owner, 1)]);
    queue.jobs.put(
        keys.map(|key| Job { key, workspace: WorkspaceId("w".into()), priority: Priority::Normal }),
        clock().now(),
    );
    Arc::new(queue)
}

/// A process with two permits, at most one for an owner.
pub(crate) struct Process {
    pub(crate) queue: Arc<RecordedQueue>,
    pub(crate) script: Arc<Script>,
    pub(crate) handle: DispatcherHandle,
    pool: LocalPool,
}

impl Process {
    pub(crate) fn new() -> Self {
        let (queue, script, handle) = (queue(), Arc::default(), DispatcherHandle::default());
        Self { queue, script, handle, pool: LocalPool::new() }
    }

    pub(crate) fn end_jobs(&self, ends: impl IntoIterator<Item = (JobKey, JobOutcome)>) {
        self.script.outcomes.lock().extend(ends);
    }

    /// Removes the jobs of an owner, as when a run is cancelled, and starts one of them over.
    pub(crate) fn restart(&self, key: JobKey) {
        let now = clock().now();
        self.queue.jobs.remove(key.queue, &key.owner, true, now);
        self.queue.jobs.restart(
            Job { key, workspace: WorkspaceId("w".into()), priority: Priority::Normal },
            now,
            5,
        );
    }

    /// Runs until nothing happens any more; `drains` from the start.
    pub(crate) fn start(&mut self, drains: bool) {
        let executor = Arc::<LocalExecutor>::default();
        let dispatcher = self.dispatcher(&executor);
        let drain = async move {
            if !drains {
                std::future::pending().await
            }
        };
        let spawner = self.pool.spawner();
        spawner.spawn_local(dispatcher.run(drain, std::future::pending())).unwrap();
        spawner.spawn_local(async move { executor.run().await }).unwrap();
        self.turn();
    }

    pub(crate) fn turn(&mut self) {
        self.pool.run_until_stalled();
    }

    /// What another worker can claim `seconds` later: owner, position and failed attempts.
    pub(crate) fn left_after(&self, seconds: i64) -> Vec<(String, u32, u32)> {
        let now = clock().now().plus_seconds(seconds);
        let claim = Claim {
            queue: "q",
            worker: "b",
            now,
            until: now.plus_seconds(1),
            count: 9,
            per_owner: 9,
            per_workspace: 9,
            owners: None,
        };
        let claimed = block_on(self.queue.jobs.claim(&claim)).unwrap();
        let mut left: Vec<(String, u32, u32)> =
            claimed.into_iter().map(|job| (job.job.key.owner, job.job.key.position, job.attempts)).collect();
        left.sort();
        left
    }

    fn dispatcher(&self, executor: &Arc<LocalExecutor>) -> Dispatcher {
        Dispatcher {
            queue: Arc::<RecordedQueue>::clone(&self.queue),
            handler: Arc::<Script>::clone(&self.script),
            jobs: self.handle.clone(),
            clock: Arc::new(clock()),
            timer: Arc::new(ShortTimer),
            spawner: Arc::new(Spawner(Arc::clone(executor))),
            settings: DispatcherSettings {
                queue: "q",
                worker: "a".into(),
                concurrency: 2,
                per_owner: 1,
                per_workspace: 2,
                lease: 30,
                poll: POLL,
                drain: Duration::from_secs(20),
                max_delay: Duration::from_secs(3_600),
                is_exclusive: false,
            },
        }
    }
}
