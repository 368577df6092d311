//! The link from the services of a process to its dispatcher.

use std::sync::Arc;

use event_listener::{Event, EventListener};

use crate::running_jobs::RunningJobs;

/// The link between services that enqueue jobs and the dispatcher of the same process. Clones share it.
/// Without a dispatcher it does nothing: jobs wait, or another process claims them.
#[derive(Clone, Debug, Default)]
pub struct DispatcherHandle(Arc<Inner>);

#[derive(Debug, Default)]
struct Inner {
    wake: Event,
    running: RunningJobs,
}

impl DispatcherHandle {
    /// Wakes the dispatcher: there may be jobs to claim.
    pub fn wake(&self) {
        self.0.wake.notify(usize::MAX);
    }

    /// Cancels the jobs in flight of an owner. End its jobs in the store first.
    pub fn abort_jobs(&self, queue: &'static str, owner: &str) {
        self.0.running.abort_where(|key| key.queue == queue && key.owner == owner);
    }

    pub(crate) fn listen(&self) -> EventListener {
        self.0.wake.listen()
    }

    pub(crate) fn running(&self) -> &RunningJobs {
        &self.0.running
    }
}
