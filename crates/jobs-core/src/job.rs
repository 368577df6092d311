//! Jobs and leases.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use shared_core::WorkspaceId;

use crate::Priority;

/// Interruptions of a job beside others, after which it runs alone. Jobs of a large batch are interrupted together;
/// a few times show that it is not one deployment. Chosen by hand; no measurement is recorded.
const MAX_SHARED_INTERRUPTIONS: u32 = 3;
/// Further interruptions, of the job alone, after which it is their likely cause. Chosen by hand; no measurement is
/// recorded.
const MAX_ISOLATED_INTERRUPTIONS: u32 = 5;

/// Identifies a job. Its payload is in the tables of its owner.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct JobKey {
    /// The queue, such as `delta`.
    pub queue: &'static str,
    /// The owner, unique in its queue over all workspaces, such as a run's number.
    pub owner: String,
    /// The index of the job among those of its owner.
    pub position: u32,
}

/// A job to be enqueued.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Job {
    /// The identity of the job.
    pub key: JobKey,
    /// The workspace on whose behalf it runs.
    pub workspace: WorkspaceId,
    /// The priority of its owner.
    pub priority: Priority,
}

/// A job claimed by a worker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClaimedJob {
    /// The job.
    pub job: Job,
    /// The fencing token. It grows with each claim; a worker that presents an older one has lost the job.
    pub token: i64,
    /// Earlier attempts that failed. Waiting for capacity does not count.
    pub attempts: u32,
    /// Leases of the job that expired and were taken over from another worker, such as after a crash.
    pub interrupted: u32,
}

impl ClaimedJob {
    /// Whether the job was interrupted so often that it runs alone in its process.
    #[must_use]
    pub fn is_isolated(&self) -> bool {
        self.interrupted > MAX_SHARED_INTERRUPTIONS
    }

    /// Whether the job was also interrupted too often while it ran alone: it is the likely cause, and fails.
    #[must_use]
    pub fn is_interruption_cause(&self) -> bool {
        self.interrupted > MAX_SHARED_INTERRUPTIONS + MAX_ISOLATED_INTERRUPTIONS
    }
}

/// The current fencing token of a worker. It changes when the worker claims a job again that it still
/// processes: its lease expired while the store was unreachable. Clones share it.
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

    /// The fencing token to present with every write for the job.
    #[must_use]
    pub fn token(&self) -> i64 {
        self.token.load(Ordering::Acquire)
    }

    pub(crate) fn replace_token(&self, token: i64) {
        self.token.store(token, Ordering::Release);
    }
}
