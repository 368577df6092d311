//! Jobs and leases.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use shared_core::WorkspaceId;

/// Names a job. What the job is about is told by the tables of its owner.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct JobKey {
    /// The queue, such as `delta`.
    pub queue: &'static str,
    /// What it belongs to, unique in its queue over all workspaces, such as a run's number.
    pub owner: String,
    /// Its place among the jobs of its owner.
    pub position: u32,
}

/// A job as it is put in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Job {
    /// Its name.
    pub key: JobKey,
    /// The workspace that it is done for.
    pub workspace: WorkspaceId,
}

/// A job that was given to a worker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClaimedJob {
    /// The job.
    pub job: Job,
    /// Grows with each claim of the job. Who shows an older one has lost the job.
    pub token: i64,
    /// Attempts before this one that failed. Waiting for room is none.
    pub attempts: u32,
    /// Times that a worker lost it in the middle, such as by a crash.
    pub interrupted: u32,
}

/// The token that a worker holds at present. It changes when the worker claims a job again that it still
/// works on, after its lease ran out while the store could not be reached. Clones share it.
#[derive(Clone, Debug)]
pub struct LeaseCell {
    key: JobKey,
    token: Arc<AtomicI64>,
}

impl LeaseCell {
    /// The lease of a claim.
    #[must_use]
    pub fn new(claimed: &ClaimedJob) -> Self {
        Self { key: claimed.job.key.clone(), token: Arc::new(AtomicI64::new(claimed.token)) }
    }

    /// The job.
    #[must_use]
    pub fn key(&self) -> &JobKey {
        &self.key
    }

    /// The fencing token to show with whatever is stored for the job.
    #[must_use]
    pub fn token(&self) -> i64 {
        self.token.load(Ordering::Acquire)
    }

    pub(crate) fn replace_token(&self, token: i64) {
        self.token.store(token, Ordering::Release);
    }
}
