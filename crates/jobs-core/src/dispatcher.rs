//! Claims jobs while there are free permits, passes them to their handler, and renews their leases.

use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use futures_util::future::{self, abortable, select};
use shared_core::{Clock, Spawn, StoreError, Timer};
use tracing::{Instrument as _, Span, error_span};

use crate::isolation::RunPermit;
use crate::{Claim, ClaimedJob, DispatcherHandle, Job, JobKey, JobQueue, LeaseCell};

/// Attempts to requeue a job. After that its lease expires, which has the same effect.
const GIVE_BACK_ATTEMPTS: u32 = 3;

/// How long to collect released permits before the next claim.
const COALESCE_DELAY: Duration = Duration::from_millis(3);

/// Processes jobs.
#[async_trait]
pub trait JobHandler: fmt::Debug + Send + Sync + 'static {
    /// Processes a job and stores its end together with its result, under the fencing token that `lease` then
    /// holds. The future is dropped when the lease is lost or the job is cancelled.
    async fn work(&self, job: ClaimedJob, lease: LeaseCell) -> JobOutcome;

    /// Reports a failure of the queue; the dispatcher tries again.
    fn report_store_error(&self, error: &StoreError);
}

/// The outcome of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JobOutcome {
    /// Its end is stored, or another worker has claimed it.
    Ended,
    /// Process it again later.
    Retry {
        /// The back-off until the job is due again.
        after: Duration,
        /// Whether this counts as a failed attempt.
        failed: bool,
    },
    /// No capacity for this job, nor for any other of its owner. Not a failed attempt.
    Saturated {
        /// The delay until the owner's jobs are due again.
        after: Duration,
    },
    /// The record that the job belongs to no longer exists.
    OwnerGone,
}

/// Limits and intervals of a dispatcher.
#[derive(Clone, Debug)]
pub struct DispatcherSettings {
    /// The queue.
    pub queue: &'static str,
    /// A name that no other process has, nor an earlier run of this one.
    pub worker: String,
    /// Jobs in flight in this process at most.
    pub concurrency: u32,
    /// Jobs in flight of one owner at most in this process.
    pub per_owner: u32,
    /// Jobs in flight of one workspace at most in this process.
    pub per_workspace: u32,
    /// The duration of a lease in seconds. It is renewed every third of that.
    pub lease: u32,
    /// How often the queue is polled without a wake-up: for jobs of other processes, and for jobs that become
    /// due.
    pub poll: Duration,
    /// How long jobs in flight may take to end once a drain begins.
    pub drain: Duration,
    /// The longest time for which a job waits or is leased. At the start of the dispatcher, jobs that are due later
    /// become due.
    pub max_delay: Duration,
    /// Whether no other process uses the queue. Leases found at the start are then left over from a crash.
    pub is_exclusive: bool,
}

/// The worker of one queue in one process.
#[derive(Clone, Debug)]
pub struct Dispatcher {
    /// The source of jobs.
    pub queue: Arc<dyn JobQueue>,
    /// Processes them.
    pub handler: Arc<dyn JobHandler>,
    /// The link to the services of this process.
    pub jobs: DispatcherHandle,
    /// Time of day.
    pub clock: Arc<dyn Clock>,
    /// Waits between polls and renewals.
    pub timer: Arc<dyn Timer>,
    /// Spawns the jobs.
    pub spawner: Arc<dyn Spawn>,
    /// Limits and intervals.
    pub settings: DispatcherSettings,
}

impl Dispatcher {
    /// Runs until `drain` completes. From then on only jobs that a request waits for are claimed
    /// ([`DispatcherHandle::wait_for_owner`]), until `stop` completes, after which no request waits. Ends with
    /// the last job in flight, or when the time of a drain is over: what is still in flight is then cancelled and
    /// released.
    pub async fn run(self, drain: impl Future<Output = ()> + Send, stop: impl Future<Output = ()> + Send) {
        let work = future::join(self.claim_loop(), self.renew_loop());
        select(pin!(work), pin!(self.end(drain, stop))).await;
        self.jobs.isolation().withdraw(self.settings.queue);
        self.jobs.running().abort_where(|_| true);
        let DispatcherSettings { queue, worker, .. } = &self.settings;
        if let Err(error) = self.queue.release_worker(queue, worker, self.clock.now()).await {
            self.handler.report_store_error(&error);
        }
    }

    /// Completes when the jobs of this process have ended, or have had their time.
    async fn end(&self, drain: impl Future<Output = ()> + Send, stop: impl Future<Output = ()> + Send) {
        drain.await;
        self.jobs.drain().begin();
        let idle = async {
            stop.await;
            self.jobs.idle().await;
        };
        select(pin!(idle), self.timer.sleep(self.settings.drain)).await;
    }

    async fn claim_loop(&self) {
        while let Err(error) = self.recover().await {
            self.handler.report_store_error(&error);
            self.timer.sleep(self.settings.poll).await;
        }
        loop {
            // Listen before looking, so that no wake-up is missed in between.
            let wake = select(self.jobs.listen(), self.jobs.isolation().listen());
            if let Err(error) = self.claim().await {
                self.handler.report_store_error(&error);
                self.timer.sleep(self.settings.poll).await;
                continue;
            }
            select(wake, self.timer.sleep(self.settings.poll)).await;
            if self.jobs.running().len() > 0 {
                // Jobs that end together are followed by one claim instead of one each.
                self.timer.sleep(COALESCE_DELAY).await;
            }
        }
    }

    /// Frees what an earlier process left behind: its leases, and due times that its clock wrote when it was wrong.
    async fn recover(&self) -> Result<(), StoreError> {
        let DispatcherSettings { queue, worker, max_delay, is_exclusive, .. } = &self.settings;
        let now = self.clock.now();
        if *is_exclusive {
            self.queue.expire_other_leases(queue, worker, now).await?;
        }
        let latest = now.plus_seconds(whole_seconds(*max_delay));
        self.queue.advance_due_times(queue, latest, now).await.map(drop)
    }

    /// Claims as many jobs as there are free permits.
    async fn claim(&self) -> Result<(), StoreError> {
        let settings = &self.settings;
        let running = u32::try_from(self.jobs.running().len()).unwrap_or(u32::MAX);
        let count = settings.concurrency.saturating_sub(running);
        let owners = self.jobs.drain().claimable_owners();
        if owners.as_ref().is_some_and(Vec::is_empty) {
            self.jobs.isolation().withdraw(settings.queue);
            return Ok(());
        }
        if count == 0 || !self.jobs.isolation().admits(settings.queue) {
            return Ok(());
        }
        let now = self.clock.now();
        let claim = Claim {
            queue: settings.queue,
            worker: &settings.worker,
            now,
            until: now.plus_seconds(i64::from(settings.lease)),
            count,
            per_owner: settings.per_owner,
            per_workspace: settings.per_workspace,
            owners: owners.as_deref(),
        };
        let mut claimed = self.queue.claim(&claim).await?;
        claimed.retain(|job| !self.jobs.running().replace_lease(job));
        // One that runs alone is taken first: what is claimed with it is given back.
        claimed.sort_by_key(|job| !job.is_isolated());
        if claimed.first().is_none_or(|job| !job.is_isolated()) {
            self.jobs.isolation().withdraw(settings.queue);
        }
        let mut back = Vec::new();
        for job in claimed {
            // The drain may have begun during the claim.
            let is_draining = self.jobs.is_draining(&job.job.key.owner);
            match self.permit(&job).filter(|_| !is_draining) {
                Some(permit) => self.start_job(job, permit),
                None => back.push(job),
            }
        }
        for job in back {
            self.requeue_job(&LeaseCell::new(&job), Duration::ZERO, false).await;
        }
        Ok(())
    }

    fn permit(&self, job: &ClaimedJob) -> Option<RunPermit> {
        let isolation = self.jobs.isolation();
        match job.is_isolated() {
            true => isolation.enter_alone(self.settings.queue),
            false => isolation.enter(),
        }
    }

    fn start_job(&self, claimed: ClaimedJob, permit: RunPermit) {
        let lease = LeaseCell::new(&claimed);
        let handler = Arc::clone(&self.handler);
        let span = self.span(&claimed.job);
        let (key, token, own) = (claimed.job.key.clone(), claimed.token, lease.clone());
        let (work, abort) = abortable(async move { handler.work(claimed, own).await });
        let serial = self.jobs.running().begin(&lease, abort);
        // Dropped with the future, also when that is cancelled or panics.
        let place = RunningGuard { jobs: self.jobs.clone(), key, serial, _permit: permit };
        let this = self.clone();
        let work = async move {
            let place = place;
            match work.await {
                Ok(JobOutcome::Retry { after, failed }) => this.requeue_job(&lease, after, failed).await,
                Ok(JobOutcome::Saturated { after }) => {
                    this.requeue_job(&lease, after, false).await;
                    this.defer(&lease, after).await;
                }
                Ok(JobOutcome::OwnerGone) if lease.token() == token => this.discard(&lease, token).await,
                // It was claimed anew meanwhile: what the handler had read before may have been restarted since.
                Ok(JobOutcome::OwnerGone) => this.requeue_job(&lease, Duration::ZERO, false).await,
                Ok(JobOutcome::Ended) | Err(future::Aborted) => {}
            }
            drop(place);
        };
        self.spawner.spawn(Box::pin(work.instrument(span)));
    }

    /// The span of a job, within the one in which it was enqueued if that is known.
    fn span(&self, job: &Job) -> Span {
        let JobKey { queue, owner, position } = &job.key;
        let origin = self.jobs.origins().find(&job.key).and_then(|span| span.id());
        error_span!(parent: origin, "job", queue, owner, position, workspace = &*job.workspace.0)
    }

    async fn requeue_job(&self, lease: &LeaseCell, after: Duration, failed: bool) {
        for _ in 0..GIVE_BACK_ATTEMPTS {
            let ready = self.clock.now().plus_seconds(whole_seconds(after));
            match self.queue.requeue(lease.key(), lease.token(), ready, failed).await {
                Ok(()) | Err(StoreError::Stale) => return,
                Err(error) => self.handler.report_store_error(&error),
            }
        }
    }

    /// On failure the owner's other jobs find the limit themselves.
    async fn defer(&self, lease: &LeaseCell, after: Duration) {
        let ready = self.clock.now().plus_seconds(whole_seconds(after));
        if let Err(error) = self.queue.defer(lease.key().queue, &lease.key().owner, ready).await {
            self.handler.report_store_error(&error);
        }
    }

    async fn discard(&self, lease: &LeaseCell, token: i64) {
        match self.queue.discard(lease.key(), token).await {
            Ok(()) | Err(StoreError::Stale) => {}
            Err(error) => self.handler.report_store_error(&error),
        }
    }

    async fn renew_loop(&self) {
        let settings = &self.settings;
        let every = Duration::from_secs(u64::from(settings.lease)) / 3;
        let mut idle = BTreeMap::new();
        loop {
            self.timer.sleep(every).await;
            // Before the store is asked: jobs that are claimed meanwhile are not in its answer.
            let running = self.jobs.running().snapshot();
            if running.is_empty() {
                continue;
            }
            let until = self.clock.now().plus_seconds(i64::from(settings.lease));
            match self.queue.renew(settings.queue, &settings.worker, until).await {
                Ok(held) => {
                    let held = held.into_iter().collect();
                    running.abort_lost(&held);
                    idle = self.release_idle(held, &idle).await;
                }
                // No job is cancelled: while the store is unreachable, other workers cannot claim the jobs
                // either.
                Err(error) => self.handler.report_store_error(&error),
            }
        }
    }
}

impl Dispatcher {
    /// Gives back jobs that are held and not in flight, if that was so at the last renewal already: the answer to their
    /// claim was lost, and each renewal would keep them from everybody. A claim in between may still be under way, so
    /// once is not enough. Returns the jobs of this kind.
    async fn release_idle(
        &self,
        held: HashMap<JobKey, i64>,
        earlier: &BTreeMap<JobKey, i64>,
    ) -> BTreeMap<JobKey, i64> {
        let running = self.jobs.running();
        let idle: BTreeMap<_, _> = held.into_iter().filter(|(key, _)| !running.contains(key)).collect();
        for (key, token) in idle.iter().filter(|(key, token)| earlier.get(key) == Some(token)) {
            match self.queue.requeue(key, *token, self.clock.now(), false).await {
                Ok(()) | Err(StoreError::Stale) => {}
                Err(error) => self.handler.report_store_error(&error),
            }
        }
        idle
    }
}

fn whole_seconds(duration: Duration) -> i64 {
    i64::try_from(duration.as_millis().div_ceil(1_000)).unwrap_or(i64::MAX)
}

/// A permit, released on drop.
#[derive(Debug)]
struct RunningGuard {
    jobs: DispatcherHandle,
    key: JobKey,
    serial: u64,
    _permit: RunPermit,
}

impl Drop for RunningGuard {
    fn drop(&mut self) {
        self.jobs.running().end(&self.key, self.serial);
        self.jobs.wake();
    }
}
