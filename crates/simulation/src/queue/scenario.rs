//! Jobs of several owners, whose handlers take long, fail, and store a result.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use jobs_core::{
    ClaimedJob, DispatcherHandle, Job, JobHandler, JobKey, JobOutcome, LeaseCell, MemoryJobs, Priority,
};
use parking_lot::Mutex;
use shared_core::{Clock, StoreError, WorkspaceId};

use super::{JobServer, LeaseLedger, ProcessQueue};
use crate::bug::PlantedBug;
use crate::faults::{Connection, FaultRates};
use crate::operator::{Server, Servers, operate};
use crate::ports::ProcessClock;
use crate::scenario::Scenario;
use crate::world::{OUTSIDE, World};

/// The name of the queue.
const QUEUE: &str = "simulation";
/// Jobs of an owner at most.
const MAX_JOBS: u64 = 12;
/// Owners, in two workspaces.
const OWNERS: u64 = 10;

/// What all processes share: the store, and the model of it.
#[derive(Debug)]
struct Cluster {
    world: World,
    rates: FaultRates,
    bug: Option<PlantedBug>,
    jobs: Arc<MemoryJobs>,
    ledger: Arc<LeaseLedger>,
    open: Mutex<BTreeSet<JobKey>>,
    is_complete: Mutex<bool>,
}

/// Begins the scenario.
pub(crate) fn begin(world: &World, bug: Option<PlantedBug>) -> Box<dyn Scenario> {
    let cluster = Arc::new(Cluster {
        world: world.clone(),
        rates: FaultRates::draw(world),
        bug,
        jobs: Arc::default(),
        ledger: Arc::new(LeaseLedger::new(world)),
        open: Mutex::default(),
        is_complete: Mutex::new(false),
    });
    operate(world, cluster.rates, Arc::new(QueueServers(Arc::clone(&cluster))));
    let own = Arc::clone(&cluster);
    world.spawn(OUTSIDE, Box::pin(async move { own.produce().await }));
    Box::new(QueueScenario(cluster))
}

impl Cluster {
    /// Enqueues jobs from time to time.
    async fn produce(&self) {
        for owner in 0..OWNERS {
            let workspace = WorkspaceId(format!("workspace-{}", owner % 2));
            let count = 1 + self.world.random().below(MAX_JOBS);
            let key = |position| JobKey { queue: QUEUE, owner: format!("owner-{owner}"), position };
            let keys: Vec<JobKey> = (0..u32::try_from(count).unwrap_or_default()).map(key).collect();
            self.open.lock().extend(keys.iter().cloned());
            let jobs = keys.into_iter().map(|key| Job {
                key,
                workspace: workspace.clone(),
                priority: Priority::Normal,
            });
            self.jobs.put(jobs, self.world.database_time());
            self.world.sleep(self.world.random().millis(0, 40_000)).await;
        }
        *self.is_complete.lock() = true;
    }
}

#[derive(Debug)]
struct QueueServers(Arc<Cluster>);

impl Servers for QueueServers {
    fn start(&self, is_alone: bool) -> Server {
        let cluster = &self.0;
        let (world, bug) = (cluster.world.clone(), cluster.bug);
        let process = world.start_process();
        let connection = Connection::new(&world, process, cluster.rates);
        let queue = ProcessQueue::new(
            Arc::clone(&cluster.jobs),
            Arc::clone(&cluster.ledger),
            connection.clone(),
            bug,
        );
        let clock = ProcessClock::start(&world, process, bug == Some(PlantedBug::ClockSkew));
        let server = JobServer {
            process,
            name: QUEUE,
            queue: Arc::new(queue),
            handler: Arc::new(Worker { cluster: Arc::clone(cluster), connection, clock: clock.clone() }),
            ledger: Arc::clone(&cluster.ledger),
            jobs: DispatcherHandle::default(),
            clock,
            is_exclusive: is_alone,
            world,
        };
        Server { process, stop: server.start() }
    }
}

/// Works on jobs: waits, and stores a result.
#[derive(Debug)]
struct Worker {
    cluster: Arc<Cluster>,
    connection: Connection,
    clock: Arc<dyn Clock>,
}

impl Worker {
    /// Stores a result and ends the job in one transaction.
    async fn store_result(&self, lease: &LeaseCell) -> Result<(), StoreError> {
        let (key, token, jobs) = (lease.key(), lease.token(), &self.cluster.jobs);
        let call = async {
            let has_ended = match self.cluster.bug {
                Some(PlantedBug::ResultWithoutFencing) => {
                    let is_open = jobs.status(key, self.clock.now()).is_some();
                    jobs.remove_all([key]);
                    is_open
                }
                Some(PlantedBug::ResultTwice) => {
                    jobs.end(key, token) || jobs.status(key, self.clock.now()).is_none()
                }
                _ => jobs.end(key, token),
            };
            if !has_ended {
                return Err(StoreError::Stale);
            }
            self.cluster.ledger.end(self.connection.process(), key, token);
            self.cluster.open.lock().remove(key);
            Ok(())
        };
        self.connection.write("result", call).await
    }
}

#[async_trait]
impl JobHandler for Worker {
    async fn work(&self, _: ClaimedJob, lease: LeaseCell) -> JobOutcome {
        let (world, random) = (&self.cluster.world, self.cluster.world.random());
        let longest = if random.happens(100) { 50_000 } else { 8_000 };
        world.sleep(random.millis(0, longest)).await;
        let is_calm = world.is_calm();
        if !is_calm && random.happens(300) {
            return JobOutcome::Retry { after: random.millis(0, 10_000), failed: random.happens(500) };
        }
        if !is_calm && random.happens(50) {
            return JobOutcome::Saturated { after: random.millis(0, 10_000) };
        }
        // A result is offered until the store takes it, as `delta-core` does.
        loop {
            match self.store_result(&lease).await {
                Ok(()) | Err(StoreError::Stale) => return JobOutcome::Ended,
                Err(_) => world.sleep(Duration::from_secs(1)).await,
            }
        }
    }

    fn report_store_error(&self, _: &StoreError) {}
}

struct QueueScenario(Arc<Cluster>);

impl Scenario for QueueScenario {
    fn is_done(&self) -> bool {
        *self.0.is_complete.lock() && self.0.open.lock().is_empty() && self.0.world.is_calm()
    }

    fn check(&self) {
        self.0.ledger.check();
    }

    fn check_end(&self) {
        if self.0.ledger.leased() > 0 {
            self.0.world.violate("jobs are under lease after the last one ended");
        }
    }

    fn describe(&self) -> String {
        format!("open: {:?}", self.0.open.lock())
    }
}
