//! The port of the queue.

use std::fmt;

use async_trait::async_trait;
use shared_core::{StoreError, Timestamp};

use crate::{ClaimedJob, JobKey};

/// What a worker asks for.
#[derive(Clone, Debug)]
pub struct Claim<'a> {
    /// The queue.
    pub queue: &'static str,
    /// The worker: a name that no other process, and no earlier one, has.
    pub worker: &'a str,
    /// The present.
    pub now: Timestamp,
    /// When the lease runs out unless it is renewed.
    pub until: Timestamp,
    /// Jobs at the most.
    pub count: u32,
    /// Jobs of one owner that may be under lease at the same time, over all workers.
    pub per_owner: u32,
    /// Jobs of one workspace that may be under lease at the same time, over all workers.
    pub per_workspace: u32,
}

/// Stores jobs. Putting them in and ending them is part of their owner's own transactions, so that a job
/// and what it is about cannot come apart; the adapters do both with the same tables. Implementations
/// must pass `job_queue_contract!`.
///
/// A job can be claimed when its time has come and nobody holds a lease on it that has not run out. A
/// claim raises its token; one that follows on a lease that ran out counts an interruption. Workspaces take turns, as [`crate::share()`] says.
#[async_trait]
pub trait JobQueue: fmt::Debug + Send + Sync + 'static {
    /// Gives jobs to a worker; none when none is ready. Jobs of one owner in the order of their times,
    /// then of their places.
    async fn claim(&self, claim: &Claim<'_>) -> Result<Vec<ClaimedJob>, StoreError>;
    /// Prolongs every lease of the worker, also one that ran out and that nobody took; answers the jobs
    /// that it still holds, with their tokens.
    async fn renew(
        &self,
        queue: &'static str,
        worker: &str,
        until: Timestamp,
    ) -> Result<Vec<(JobKey, i64)>, StoreError>;
    /// Gives a job back, to be claimed from `ready` on. `failed`: whether that was a failed attempt.
    /// `Stale` when the token is not the job's.
    async fn requeue(
        &self,
        job: &JobKey,
        token: i64,
        ready: Timestamp,
        failed: bool,
    ) -> Result<(), StoreError>;
    /// Lets all jobs of an owner that nobody holds wait until `ready`, where their time comes before it.
    async fn defer(&self, queue: &'static str, owner: &str, ready: Timestamp) -> Result<(), StoreError>;
    /// Removes a job whose owner is gone. `Stale` when the token is not the job's.
    async fn discard(&self, job: &JobKey, token: i64) -> Result<(), StoreError>;
    /// Gives back whatever the worker holds, to be claimed at once. How many jobs there were.
    async fn release_worker(
        &self,
        queue: &'static str,
        worker: &str,
        now: Timestamp,
    ) -> Result<u64, StoreError>;
    /// Lets the leases of all workers but this one run out now: for a process that knows that it is alone,
    /// so that what others hold was left by a crash. How many jobs there were.
    async fn expire_other_leases(
        &self,
        queue: &'static str,
        worker: &str,
        now: Timestamp,
    ) -> Result<u64, StoreError>;
}
