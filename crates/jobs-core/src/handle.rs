//! The link from the services of a process to its dispatcher.

use std::sync::Arc;

use event_listener::{Event, EventListener};

use crate::origins::Origins;
use crate::running_jobs::RunningJobs;

/// The link between services that enqueue jobs and the dispatcher of the same process. Clones share it.
/// Without a dispatcher it does nothing: jobs wait, or another process claims them.
#[derive(Clone, Debug, Default)]
pub struct DispatcherHandle(Arc<Inner>);

#[derive(Debug, Default)]
struct Inner {
    wake: Event,
    running: RunningJobs,
    origins: Origins,
}

impl DispatcherHandle {
    /// Wakes the dispatcher: there may be jobs to claim.
    pub fn wake(&self) {
        self.0.wake.notify(usize::MAX);
    }

    /// Records that the caller enqueued a job of the owner, or all of its jobs: they are processed within its
    /// `tracing` span. Call it before [`DispatcherHandle::wake`].
    pub fn record_origin(&self, owner: &str, position: Option<u32>) {
        self.0.origins.record(owner, position);
    }

    /// Cancels the jobs in flight of an owner. End its jobs in the store first.
    pub fn abort_jobs(&self, queue: &'static str, owner: &str) {
        self.0.running.abort_where(|key| key.queue == queue && key.owner == owner);
    }

    pub(crate) fn listen(&self) -> EventListener {
        self.0.wake.listen()
    }

    pub(crate) fn origins(&self) -> &Origins {
        &self.0.origins
    }

    pub(crate) fn running(&self) -> &RunningJobs {
        &self.0.running
    }
}
