//! The port of the queue.

use std::fmt;

use async_trait::async_trait;
use shared_core::{StoreError, Timestamp};

use crate::{ClaimedJob, JobKey};

/// The request of a worker for jobs.
#[derive(Clone, Debug)]
pub struct Claim<'a> {
    /// The queue.
    pub queue: &'static str,
    /// The worker: a name that no other process has, nor an earlier run of this one.
    pub worker: &'a str,
    /// The current time.
    pub now: Timestamp,
    /// When the lease expires unless it is renewed.
    pub until: Timestamp,
    /// Jobs at most.
    pub count: u32,
    /// Jobs of one owner that the worker holds at most.
    pub per_owner: u32,
    /// Jobs of one workspace that the worker holds at most.
    pub per_workspace: u32,
    /// Only jobs of these owners; `None` for all.
    pub owners: Option<&'a [String]>,
}

/// Stores jobs. Enqueuing and ending them is part of their owner's own transactions, so a job and its record
/// cannot diverge. The adapters do both on the same tables. Implementations must pass `job_queue_contract!`.
///
/// A job can be claimed when it is due and no unexpired lease exists on it. A claim raises its fencing token.
/// A claim after an expired lease of another worker counts an interruption. Workspaces take turns, as
/// [`crate::allocate_fairly`] defines.
#[async_trait]
pub trait JobQueue: fmt::Debug + Send + Sync + 'static {
    /// Leases jobs to a worker; empty when none is due. Jobs of one owner come in the order of their due
    /// times, then of their positions.
    async fn claim(&self, claim: &Claim<'_>) -> Result<Vec<ClaimedJob>, StoreError>;
    /// Renews every lease of the worker, also an expired one that nobody has claimed. Returns the jobs that
    /// it still holds, with their tokens.
    async fn renew(
        &self,
        queue: &'static str,
        worker: &str,
        until: Timestamp,
    ) -> Result<Vec<(JobKey, i64)>, StoreError>;
    /// Requeues a job, due at `ready`. `failed`: whether to count a failed attempt. `Stale` when the token is
    /// not current.
    async fn requeue(
        &self,
        job: &JobKey,
        token: i64,
        ready: Timestamp,
        failed: bool,
    ) -> Result<(), StoreError>;
    /// Defers the unclaimed jobs of an owner that are due before `ready` to that time.
    async fn defer(&self, queue: &'static str, owner: &str, ready: Timestamp) -> Result<(), StoreError>;
    /// Removes a job whose owner no longer exists. `Stale` when the token is not current.
    async fn discard(&self, job: &JobKey, token: i64) -> Result<(), StoreError>;
    /// Releases all jobs of the worker, due at once. Returns how many there were.
    async fn release_worker(
        &self,
        queue: &'static str,
        worker: &str,
        now: Timestamp,
    ) -> Result<u64, StoreError>;
    /// Expires the leases of all other workers now: for a process that knows that it is alone, so that these
    /// leases are left over from a crash. Returns how many there were.
    async fn expire_other_leases(
        &self,
        queue: &'static str,
        worker: &str,
        now: Timestamp,
    ) -> Result<u64, StoreError>;
    /// Makes jobs due `now` that are due, or leased, until later than `latest`, which no delay can reach: a clock
    /// that was ahead wrote those times. Returns how many there were.
    async fn advance_due_times(
        &self,
        queue: &'static str,
        latest: Timestamp,
        now: Timestamp,
    ) -> Result<u64, StoreError>;
}
