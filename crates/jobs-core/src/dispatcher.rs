//! Claims jobs while there are free places, hands them to their handler, and keeps their leases alive.

use std::collections::HashMap;
use std::fmt;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use futures_util::future::{self, abortable, select};
use shared_core::{Clock, Spawn, StoreError, Timer};

use crate::{Claim, ClaimedJob, DispatcherHandle, JobKey, JobQueue, LeaseCell};

/// Times that giving a job back is tried. After that its lease runs out, which comes to the same.
const GIVE_BACK_ATTEMPTS: u32 = 3;

/// How long freed places are gathered while others are taken.
const COALESCE_DELAY: Duration = Duration::from_millis(3);

/// Works on jobs.
#[async_trait]
pub trait JobHandler: fmt::Debug + Send + Sync + 'static {
    /// Works on a job, and stores its end together with its result, showing the token that `lease` has
    /// then. The future is dropped when the lease is lost or the job is called off.
    async fn work(&self, job: ClaimedJob, lease: LeaseCell) -> JobOutcome;

    /// The queue could not be asked; it is tried again.
    fn report_store_error(&self, error: &StoreError);
}

/// What became of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JobOutcome {
    /// It is stored as ended, or another worker has it.
    Ended,
    /// It is to be done later.
    Retry {
        /// From then on.
        after: Duration,
        /// Whether this was a failed attempt.
        failed: bool,
    },
    /// There is no room for it, nor for any other job of its owner. That is no failed attempt.
    Saturated {
        /// Until then.
        after: Duration,
    },
    /// What it was about is no longer there.
    OwnerGone,
}

/// Bounds and times.
#[derive(Clone, Debug)]
pub struct DispatcherSettings {
    /// The queue.
    pub queue: &'static str,
    /// A name that no other process, and no earlier one, has.
    pub worker: String,
    /// Jobs that this process works on at the same time.
    pub concurrency: u32,
    /// Jobs of one owner at the same time, over all processes.
    pub per_owner: u32,
    /// Jobs of one workspace at the same time, over all processes.
    pub per_workspace: u32,
    /// How long a lease holds without being renewed, in seconds. It is renewed three times as often.
    pub lease: u32,
    /// How often the queue is looked at when nothing is heard: jobs of other processes, and those whose
    /// time has come.
    pub poll: Duration,
    /// Whether no other process uses the queue, so that leases found at the start are those of a crash.
    pub is_exclusive: bool,
}

/// The worker of one queue in one process.
#[derive(Clone, Debug)]
pub struct Dispatcher {
    /// Where jobs come from.
    pub queue: Arc<dyn JobQueue>,
    /// Who works on them.
    pub handler: Arc<dyn JobHandler>,
    /// The link to the rest of the process.
    pub jobs: DispatcherHandle,
    /// Time of day.
    pub clock: Arc<dyn Clock>,
    /// Waiting.
    pub timer: Arc<dyn Timer>,
    /// Threads.
    pub spawner: Arc<dyn Spawn>,
    /// Bounds and times.
    pub settings: DispatcherSettings,
}

impl Dispatcher {
    /// Works until `stop` is done; then breaks off what is being worked on and gives it back.
    pub async fn run(self, stop: impl Future<Output = ()> + Send) {
        let work = future::join(self.claim_loop(), self.renew_loop());
        select(pin!(work), pin!(stop)).await;
        self.jobs.running().abort_where(|_| true);
        let DispatcherSettings { queue, worker, .. } = &self.settings;
        if let Err(error) = self.queue.release_worker(queue, worker, self.clock.now()).await {
            self.handler.report_store_error(&error);
        }
    }

    async fn claim_loop(&self) {
        let DispatcherSettings { queue, worker, .. } = &self.settings;
        if self.settings.is_exclusive {
            while let Err(error) = self.queue.expire_other_leases(queue, worker, self.clock.now()).await {
                self.handler.report_store_error(&error);
                self.timer.sleep(self.settings.poll).await;
            }
        }
        loop {
            // Listen before looking, so that no wake-up is missed in between.
            let wake = self.jobs.listen();
            if let Err(error) = self.claim().await {
                self.handler.report_store_error(&error);
                self.timer.sleep(self.settings.poll).await;
                continue;
            }
            select(wake, self.timer.sleep(self.settings.poll)).await;
            if self.jobs.running().len() > 0 {
                // Jobs that end together are followed by one claim, not by one each.
                self.timer.sleep(COALESCE_DELAY).await;
            }
        }
    }

    /// Fills the free places.
    async fn claim(&self) -> Result<(), StoreError> {
        let settings = &self.settings;
        let running = u32::try_from(self.jobs.running().len()).unwrap_or(u32::MAX);
        let count = settings.concurrency.saturating_sub(running);
        if count == 0 {
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
        };
        for job in self.queue.claim(&claim).await? {
            self.start_job(job);
        }
        Ok(())
    }

    fn start_job(&self, claimed: ClaimedJob) {
        let lease = LeaseCell::new(&claimed);
        let handler = Arc::clone(&self.handler);
        let (key, own) = (claimed.job.key.clone(), lease.clone());
        let (work, abort) = abortable(async move { handler.work(claimed, own).await });
        let Some(serial) = self.jobs.running().begin(&lease, abort) else { return };
        // Ends with the future, also when that is dropped or panics.
        let place = RunningGuard { jobs: self.jobs.clone(), key, serial };
        let this = self.clone();
        self.spawner.spawn(Box::pin(async move {
            let place = place;
            match work.await {
                Ok(JobOutcome::Retry { after, failed }) => this.requeue_job(&lease, after, failed).await,
                Ok(JobOutcome::Saturated { after }) => {
                    this.requeue_job(&lease, after, false).await;
                    this.defer(&lease, after).await;
                }
                Ok(JobOutcome::OwnerGone) => this.discard(&lease).await,
                Ok(JobOutcome::Ended) | Err(future::Aborted) => {}
            }
            drop(place);
        }));
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

    /// The others find out for themselves where this fails.
    async fn defer(&self, lease: &LeaseCell, after: Duration) {
        let ready = self.clock.now().plus_seconds(whole_seconds(after));
        if let Err(error) = self.queue.defer(lease.key().queue, &lease.key().owner, ready).await {
            self.handler.report_store_error(&error);
        }
    }

    async fn discard(&self, lease: &LeaseCell) {
        match self.queue.discard(lease.key(), lease.token()).await {
            Ok(()) | Err(StoreError::Stale) => {}
            Err(error) => self.handler.report_store_error(&error),
        }
    }

    async fn renew_loop(&self) {
        let settings = &self.settings;
        let every = Duration::from_secs(u64::from(settings.lease)) / 3;
        loop {
            self.timer.sleep(every).await;
            // Taken before the store is asked: what is claimed meanwhile is not among its answer.
            let running = self.jobs.running().snapshot();
            if running.is_empty() {
                continue;
            }
            let until = self.clock.now().plus_seconds(i64::from(settings.lease));
            match self.queue.renew(settings.queue, &settings.worker, until).await {
                Ok(held) => running.abort_lost(&held.into_iter().collect::<HashMap<_, _>>()),
                // Nobody is broken off: while the store is away, others cannot take the jobs either.
                Err(error) => self.handler.report_store_error(&error),
            }
        }
    }
}

fn whole_seconds(duration: Duration) -> i64 {
    i64::try_from(duration.as_millis().div_ceil(1_000)).unwrap_or(i64::MAX)
}

/// A place that is taken until it is dropped.
#[derive(Debug)]
struct RunningGuard {
    jobs: DispatcherHandle,
    key: JobKey,
    serial: u64,
}

impl Drop for RunningGuard {
    fn drop(&mut self) {
        self.jobs.running().end(&self.key, self.serial);
        self.jobs.wake();
    }
}
