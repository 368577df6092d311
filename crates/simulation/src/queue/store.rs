//! The queue of a process: the shared jobs in memory, behind the faults of its connection and the planted bugs.

use std::collections::BTreeMap;
use std::sync::Arc;

use async_trait::async_trait;
use jobs_core::{Claim, ClaimedJob, JobKey, JobQueue, MemoryJobs};
use parking_lot::Mutex;
use shared_core::{StoreError, Timestamp};

use super::LeaseLedger;
use crate::bug::PlantedBug;
use crate::faults::Connection;

/// The queue as one process sees it.
#[derive(Debug)]
pub struct ProcessQueue {
    jobs: Arc<MemoryJobs>,
    ledger: Arc<LeaseLedger>,
    connection: Connection,
    bug: Option<PlantedBug>,
    /// The tokens of all jobs that this process ever claimed.
    claimed: Mutex<BTreeMap<JobKey, i64>>,
}

impl ProcessQueue {
    /// The queue of a process.
    #[must_use]
    pub fn new(
        jobs: Arc<MemoryJobs>,
        ledger: Arc<LeaseLedger>,
        connection: Connection,
        bug: Option<PlantedBug>,
    ) -> Self {
        Self { jobs, ledger, connection, bug, claimed: Mutex::default() }
    }

    fn has(&self, bug: PlantedBug) -> bool {
        self.bug == Some(bug)
    }
}

#[async_trait]
impl JobQueue for ProcessQueue {
    async fn claim(&self, claim: &Claim<'_>) -> Result<Vec<ClaimedJob>, StoreError> {
        let begun = self.ledger.begin_call(self.connection.process());
        let call = async {
            let mut asked = claim.clone();
            if self.has(PlantedBug::LeaseOffByOne) {
                asked.now = claim.now.plus_seconds(1);
            }
            if self.has(PlantedBug::ClaimBeyondLimits) {
                (asked.per_owner, asked.per_workspace) = (u32::MAX, u32::MAX);
            }
            let mut jobs = self.jobs.claim(&asked).await?;
            if self.has(PlantedBug::OldToken) {
                jobs.iter_mut().for_each(|job| job.token = (job.token - 1).max(1));
            }
            self.ledger.claim(begun, claim, &jobs);
            self.claimed.lock().extend(jobs.iter().map(|job| (job.job.key.clone(), job.token)));
            Ok(jobs)
        };
        self.connection.write("claim", call).await
    }

    async fn renew(
        &self,
        queue: &'static str,
        worker: &str,
        until: Timestamp,
    ) -> Result<Vec<(JobKey, i64)>, StoreError> {
        let begun = self.ledger.begin_call(self.connection.process());
        let call = async {
            let held = self.jobs.renew(queue, worker, until).await?;
            let lost = self.ledger.renew(begun, worker, until);
            if self.has(PlantedBug::RenewalOfLostLeases) {
                return Ok((self.claimed.lock().clone().into_iter().collect(), lost));
            }
            Ok((held, lost))
        };
        let (held, lost) = self.connection.write("renewal", call).await?;
        self.ledger.confirm_renewal(begun, &lost);
        Ok(held)
    }

    async fn requeue(
        &self,
        job: &JobKey,
        token: i64,
        ready: Timestamp,
        failed: bool,
    ) -> Result<(), StoreError> {
        let call = async {
            let mut result = self.jobs.requeue(job, token, ready, failed).await;
            if self.has(PlantedBug::RequeueWithoutFencing) && result.is_err() {
                for later in token..token + 20 {
                    if result.is_err() {
                        result = self.jobs.requeue(job, later, ready, failed).await;
                    }
                }
            }
            result?;
            self.ledger.requeue(self.connection.process(), job, token);
            Ok(())
        };
        self.connection.write("requeue", call).await
    }

    async fn defer(&self, queue: &'static str, owner: &str, ready: Timestamp) -> Result<(), StoreError> {
        self.connection.write("defer", self.jobs.defer(queue, owner, ready)).await
    }

    async fn discard(&self, job: &JobKey, token: i64) -> Result<(), StoreError> {
        let call = async {
            self.jobs.discard(job, token).await?;
            self.ledger.end(self.connection.process(), job, token);
            Ok(())
        };
        self.connection.write("discard", call).await
    }

    async fn release_worker(
        &self,
        queue: &'static str,
        worker: &str,
        now: Timestamp,
    ) -> Result<u64, StoreError> {
        let call = async {
            if self.has(PlantedBug::ReleaseOfOthers) {
                self.jobs.expire_other_leases(queue, worker, now).await?;
            }
            let count = self.jobs.release_worker(queue, worker, now).await?;
            self.ledger.release(worker);
            Ok(count)
        };
        self.connection.write("release", call).await
    }

    async fn expire_other_leases(
        &self,
        queue: &'static str,
        worker: &str,
        now: Timestamp,
    ) -> Result<u64, StoreError> {
        let call = async {
            let count = self.jobs.expire_other_leases(queue, worker, now).await?;
            self.ledger.expire(worker, now);
            Ok(count)
        };
        self.connection.write("expiry", call).await
    }

    async fn advance_due_times(
        &self,
        queue: &'static str,
        latest: Timestamp,
        now: Timestamp,
    ) -> Result<u64, StoreError> {
        self.connection.write("advance", self.jobs.advance_due_times(queue, latest, now)).await
    }
}
