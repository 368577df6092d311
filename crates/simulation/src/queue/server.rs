//! The dispatcher of a simulated process.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use jobs_core::{
    ClaimedJob, Dispatcher, DispatcherHandle, DispatcherSettings, JobHandler, JobOutcome, JobQueue, LeaseCell,
};
use shared_core::{Clock, StoreError};

use super::LeaseLedger;
use crate::ports::{ProcessSpawn, Signal, WorldTimer};
use crate::world::{ProcessId, World};

/// Jobs in flight in a process at most.
const CONCURRENCY: u32 = 4;
/// Jobs of an owner, and of a workspace, in flight at most.
const LIMITS: (u32, u32) = (3, 5);
/// Seconds of a lease.
const LEASE: u32 = 30;
/// How long a drain may take.
const DRAIN: Duration = Duration::from_secs(10);

/// A handler whose runs the ledger knows.
#[derive(Debug)]
pub struct TrackedHandler {
    /// The handler of the product.
    pub handler: Arc<dyn JobHandler>,
    /// The model of the queue.
    pub ledger: Arc<LeaseLedger>,
    /// Where violations are reported.
    pub world: World,
    /// Where the jobs run.
    pub process: ProcessId,
}

#[async_trait]
impl JobHandler for TrackedHandler {
    async fn work(&self, job: ClaimedJob, lease: LeaseCell) -> JobOutcome {
        let _run = self.ledger.run(self.process, &job.job.key);
        if self.ledger.runs_of(self.process) > CONCURRENCY as usize {
            self.world.violate("a process has more jobs in flight than it may");
        }
        self.handler.work(job, lease).await
    }

    fn report_store_error(&self, error: &StoreError) {
        self.handler.report_store_error(error);
    }
}

/// The parts of a dispatcher that differ.
#[derive(Debug)]
pub struct JobServer {
    /// Time, randomness and tasks.
    pub world: World,
    /// Where the dispatcher runs.
    pub process: ProcessId,
    /// The name of the queue.
    pub name: &'static str,
    /// The queue as the process sees it.
    pub queue: Arc<dyn JobQueue>,
    /// Works on the jobs.
    pub handler: Arc<dyn JobHandler>,
    /// The model of the queue.
    pub ledger: Arc<LeaseLedger>,
    /// The link to the services of the process.
    pub jobs: DispatcherHandle,
    /// The clock of the process.
    pub clock: Arc<dyn Clock>,
    /// Whether it is the only process.
    pub is_exclusive: bool,
}

impl JobServer {
    /// Starts the dispatcher; the signal ends it.
    pub fn start(self) -> Arc<Signal> {
        let Self { world, process, name, queue, handler, ledger, jobs, clock, is_exclusive } = self;
        let (drain, stop) = (Arc::<Signal>::default(), Duration::from_millis(world.random().below(5_000)));
        let tracked = TrackedHandler { handler, ledger, world: world.clone(), process };
        let dispatcher = Dispatcher {
            queue,
            handler: Arc::new(tracked),
            jobs,
            clock,
            timer: Arc::new(WorldTimer(world.clone())),
            spawner: Arc::new(ProcessSpawn(world.clone(), process)),
            settings: DispatcherSettings {
                queue: name,
                worker: format!("worker-{}", process.0),
                concurrency: CONCURRENCY,
                per_owner: LIMITS.0,
                per_workspace: LIMITS.1,
                lease: LEASE,
                poll: Duration::from_secs(1 + world.random().below(3)),
                drain: DRAIN,
                max_delay: Duration::from_secs(3_600),
                is_exclusive,
            },
        };
        let (begun, ended, own) = (Arc::clone(&drain), Arc::clone(&drain), world.clone());
        let stopped = async move {
            ended.wait().await;
            own.sleep(stop).await;
        };
        let begun = async move { begun.wait().await };
        world.spawn(process, Box::pin(dispatcher.run(begun, stopped)));
        drain
    }
}
