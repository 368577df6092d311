//! The job worker of items: it claims one item at a time, and stores its result with the end of the job.

use std::panic::AssertUnwindSafe;
use std::time::Duration;

use async_trait::async_trait;
use futures_util::FutureExt as _;
use jobs_core::{ClaimedJob, JobHandler, JobOutcome, LeaseCell};
use shared_core::StoreError;

use super::prepare::{PrepareFailure, prepare};
use super::retry::{IngestFailure, IngestRetry, STORE_PAUSE, error, next, panicked};
use crate::{BaseId, IngestResult, ItemError, KnowledgeService, Task};

/// The handler of the queue [`QUEUE`](crate::QUEUE).
#[derive(Debug)]
pub(super) struct ItemWorker {
    service: KnowledgeService,
    trouble: fn(&StoreError),
}

impl ItemWorker {
    pub(super) fn new(service: KnowledgeService, trouble: fn(&StoreError)) -> Self {
        Self { service, trouble }
    }

    async fn attempt(
        &self,
        task: &Task,
        job: &ClaimedJob,
        lease: &LeaseCell,
    ) -> Result<JobOutcome, StoreError> {
        if job.is_interruption_cause() {
            let times = job.interrupted;
            let message = format!("it was given up after {times} attempts that ended with the process");
            return self.fail(task, lease, &error("interrupted", message)).await;
        }
        let (ingest, clock) = (&self.service.ports.ingest, &self.service.ports.clock);
        ingest.begin(task, lease.token(), clock.now()).await?;
        let prepared = AssertUnwindSafe(prepare(&self.service, task, lease)).catch_unwind().await;
        let finished = match prepared {
            Ok(Ok(finished)) => ingest.finish(task, lease.token(), &finished, clock.now()).await,
            Ok(Err(unprepared)) => return self.set_back(task, job, lease, unprepared).await,
            Err(_panic) => {
                return self.set_back(task, job, lease, IngestFailure::Lasts(panicked()).into()).await;
            }
        };
        self.ended(task, job, lease, finished).await
    }

    /// After the result was stored, or could not be.
    async fn ended(
        &self,
        task: &Task,
        job: &ClaimedJob,
        lease: &LeaseCell,
        stored: Result<(), StoreError>,
    ) -> Result<JobOutcome, StoreError> {
        match stored {
            Ok(()) => {
                self.service.applied.written();
                Ok(JobOutcome::Ended)
            }
            Err(error) => Box::pin(self.set_back(task, job, lease, error.into())).await,
        }
    }

    /// Handles an attempt that failed.
    async fn set_back(
        &self,
        task: &Task,
        job: &ClaimedJob,
        lease: &LeaseCell,
        unprepared: PrepareFailure,
    ) -> Result<JobOutcome, StoreError> {
        let PrepareFailure { failure, without } = unprepared;
        if let IngestFailure::Store(error) = &failure
            && !matches!(error, StoreError::Stale)
        {
            self.report_store_error(error);
        }
        match next(failure, job.attempts, self.service.limits.attempts) {
            IngestRetry::Again { error, after, failed } => {
                self.postpone(task, lease, &error).await?;
                Ok(JobOutcome::Retry { after, failed })
            }
            IngestRetry::Wait { error, after } => {
                self.postpone(task, lease, &error).await?;
                Ok(JobOutcome::Saturated { after })
            }
            IngestRetry::Release => Ok(JobOutcome::Retry { after: Duration::ZERO, failed: false }),
            IngestRetry::Fail(error) => match without.filter(|without| adds(task, without)) {
                Some(without) => {
                    let finished = IngestResult { failure: Some(error), ..without };
                    let (ingest, now) = (&self.service.ports.ingest, self.service.ports.clock.now());
                    let stored = ingest.finish(task, lease.token(), &finished, now).await;
                    self.ended(task, job, lease, stored).await
                }
                None => self.fail(task, lease, &error).await,
            },
            IngestRetry::Lost => Ok(JobOutcome::Ended),
        }
    }

    async fn postpone(&self, task: &Task, lease: &LeaseCell, error: &ItemError) -> Result<(), StoreError> {
        let ports = &self.service.ports;
        ports.ingest.postpone(task, lease.token(), error, ports.clock.now()).await
    }

    async fn fail(
        &self,
        task: &Task,
        lease: &LeaseCell,
        error: &ItemError,
    ) -> Result<JobOutcome, StoreError> {
        let ports = &self.service.ports;
        ports.ingest.fail(task, lease.token(), error, ports.clock.now()).await?;
        Ok(JobOutcome::Ended)
    }
}

/// Whether the partial result makes more findable than before.
fn adds(task: &Task, done: &IngestResult) -> bool {
    done.chunks.is_some() || !task.item.is_findable()
}

#[async_trait]
impl JobHandler for ItemWorker {
    async fn work(&self, job: ClaimedJob, lease: LeaseCell) -> JobOutcome {
        let key = &job.job.key;
        let base = BaseId(key.owner.clone());
        let task = self.service.ports.ingest.task(&job.job.workspace, &base, key.position).await;
        let verdict = match task {
            Ok(Some(task)) => self.attempt(&task, &job, &lease).await,
            Ok(None) => return JobOutcome::OwnerGone,
            Err(error) => Err(error),
        };
        verdict.unwrap_or_else(|error| match error {
            // The item was deleted or replaced, or another worker has it.
            StoreError::Stale => JobOutcome::Ended,
            error => {
                self.report_store_error(&error);
                JobOutcome::Retry { after: STORE_PAUSE, failed: false }
            }
        })
    }

    fn report_store_error(&self, error: &StoreError) {
        (self.trouble)(error);
    }
}
