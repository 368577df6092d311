//! Processes the batches of a run: one job of the run makes the next step of each.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use gen_core::ModelId;
use jobs_core::{ClaimedJob, JobHandler, JobOutcome, LeaseCell};
use parking_lot::Mutex;
use shared_core::{Scope, StoreError, Timestamp, new_id};

use super::lifecycle::BatchLifecycle;
use super::repository::{BatchLease, BatchStep, OpenBatch};
use crate::{Run, RunId, RunService};

/// The back-off after a failure of the store. Chosen by hand; no measurement is recorded.
const STORE_RETRY_DELAY: Duration = Duration::from_secs(5);
/// The longest time between two looks at the calls that are gathered. Chosen by hand; no measurement is recorded.
const MAX_GATHER_WAIT: Duration = Duration::from_secs(5);

/// Times in memory at most; then they are cleared. Bounds the memory. Chosen by hand; no measurement is recorded.
const MAX_DUE: usize = 10_000;

/// The handler of the queue [`BATCH_QUEUE`](crate::BATCH_QUEUE).
#[derive(Debug)]
struct BatchWorker {
    service: RunService,
    /// When batches are looked at again, by reference. After a restart, each is looked at once more.
    due: Mutex<HashMap<String, Timestamp>>,
    on_store_error: fn(&StoreError),
}

impl RunService {
    /// The handler of batches, for the dispatcher of [`BATCH_QUEUE`](crate::BATCH_QUEUE). `trouble` is called with
    /// failures of the store, which are retried.
    #[must_use]
    pub fn batch_worker(&self, trouble: fn(&StoreError)) -> Arc<dyn JobHandler> {
        Arc::new(BatchWorker { service: self.clone(), due: Mutex::default(), on_store_error: trouble })
    }
}

impl BatchWorker {
    async fn process_run(&self, job: &ClaimedJob, lease: &LeaseCell) -> Result<JobOutcome, StoreError> {
        let Ok(sid) = job.job.key.owner.parse().map(RunId) else { return Ok(JobOutcome::OwnerGone) };
        let (ports, limits) = (&self.service.ports, &self.service.limits.batches);
        let workspace = job.job.workspace.clone();
        let run = ports.runs.load(&workspace, sid).await?;
        let is_running = run.as_ref().is_some_and(|(_, run)| !run.state.is_over());
        let open = ports.batches.open(&workspace, sid).await?;
        let lease = BatchLease { workspace, sid, token: lease.token() };
        let lifecycle = BatchLifecycle { ports, limits, run: run.as_ref(), lease: &lease };
        let mut next: Option<Duration> = None;
        for batch in open {
            if let Some(wait) = self.step(&lifecycle, &batch, is_running).await? {
                next = Some(next.map_or(wait, |known| known.min(wait)));
            }
        }
        match &run {
            Some((scope, run)) if is_running => {
                let wait = self.gather(scope, run, &lease).await?;
                next = Some(next.map_or(wait, |known| known.min(wait)));
            }
            _ if next.is_none() && ports.batches.end_job(&lease).await? => return Ok(JobOutcome::Ended),
            _ => {}
        }
        let after = next.unwrap_or(MAX_GATHER_WAIT);
        Ok(JobOutcome::Retry { after, failed: false })
    }

    /// Makes the next step of a batch if it is due. Returns the wait until the one after it; `None` when it is closed.
    async fn step(
        &self,
        lifecycle: &BatchLifecycle<'_>,
        batch: &OpenBatch,
        is_running: bool,
    ) -> Result<Option<Duration>, StoreError> {
        let now = self.service.ports.clock.now();
        let due = self.due.lock().get(&batch.reference).copied().unwrap_or(now);
        // What nobody waits for any more is cancelled at once.
        let is_unwanted = !is_running && matches!(batch.step, BatchStep::Sealed | BatchStep::Submitted(_));
        if due > now && !is_unwanted {
            return Ok(Some(Duration::from_secs_f64(due.seconds_since(now).max(0.0))));
        }
        let wait = lifecycle.step(batch).await?;
        let mut all = self.due.lock();
        if all.len() >= MAX_DUE {
            all.clear();
        }
        match wait {
            Some(wait) => {
                let seconds = i64::try_from(wait.as_secs()).unwrap_or(i64::MAX);
                all.insert(batch.reference.clone(), now.plus_seconds(seconds))
            }
            None => all.remove(&batch.reference),
        };
        Ok(wait)
    }

    /// Makes a batch of the calls that were gathered, when it is full or no call comes any more. Returns when to look
    /// again.
    async fn gather(&self, scope: &Scope, run: &Run, lease: &BatchLease) -> Result<Duration, StoreError> {
        let (ports, limits) = (&self.service.ports, &self.service.limits.batches);
        let found = ports.batches.gathered(&scope.workspace, run.sid).await?;
        let quiet = Duration::from_secs(limits.gather_seconds.into());
        let wait = quiet.clamp(Duration::from_secs(1), MAX_GATHER_WAIT);
        let Some(newest) = found.newest else { return Ok(wait) };
        let now = ports.clock.now();
        let is_full = found.requests >= limits.requests || found.bytes >= limits.bytes;
        if !is_full && now.seconds_since(newest) < quiet.as_secs_f64() {
            return Ok(wait);
        }
        let reference = new_id("fw", now, ports.rng.as_ref());
        let Ok(model) = run.plan.model_id.parse::<ModelId>() else { return Ok(wait) };
        let named = (reference.as_str(), model.to_string());
        let most = (limits.requests, limits.bytes);
        ports.batches.seal(lease, (named.0, &named.1), most, now).await?;
        // It is submitted at once.
        Ok(Duration::ZERO)
    }
}

#[async_trait]
impl JobHandler for BatchWorker {
    async fn work(&self, job: ClaimedJob, lease: LeaseCell) -> JobOutcome {
        match self.process_run(&job, &lease).await {
            Ok(outcome) => outcome,
            Err(StoreError::Stale) => JobOutcome::Ended,
            Err(error) => {
                self.report_store_error(&error);
                JobOutcome::Retry { after: STORE_RETRY_DELAY, failed: false }
            }
        }
    }

    fn report_store_error(&self, error: &StoreError) {
        (self.on_store_error)(error);
    }
}
