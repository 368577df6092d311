//! What the rest of a process says to its dispatcher.

use std::sync::Arc;

use event_listener::{Event, EventListener};

use crate::running_jobs::RunningJobs;

/// The link between services that put jobs in and the dispatcher of the same process that works on them.
/// Clones share it. Without a dispatcher it does nothing: jobs wait, or another process takes them.
#[derive(Clone, Debug, Default)]
pub struct DispatcherHandle(Arc<Inner>);

#[derive(Debug, Default)]
struct Inner {
    wake: Event,
    running: RunningJobs,
}

impl DispatcherHandle {
    /// There may be jobs to claim.
    pub fn wake(&self) {
        self.0.wake.notify(usize::MAX);
    }

    /// Breaks off what this process does for an owner. Its jobs must be ended in the store before.
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
