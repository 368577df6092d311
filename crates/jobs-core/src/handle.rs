//! The link from the services of a process to its dispatcher.

use std::sync::Arc;

use event_listener::{Event, EventListener};
use tracing::Span;

use crate::drain::{Drain, OwnerWait};
use crate::isolation::Isolation;
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
    drain: Arc<Drain>,
    isolation: Isolation,
}

impl DispatcherHandle {
    /// A handle whose dispatcher shares the isolation of jobs with others of its process. The default handle
    /// shares it with none.
    #[must_use]
    pub fn new(isolation: Isolation) -> Self {
        Self(Arc::new(Inner { isolation, ..Inner::default() }))
    }

    /// Wakes the dispatcher: there may be jobs to claim.
    pub fn wake(&self) {
        self.0.wake.notify(usize::MAX);
    }

    /// Records that the caller enqueued a job of the owner, or all of its jobs: they are processed within its
    /// `tracing` span. Call it before [`DispatcherHandle::wake`].
    pub fn record_origin(&self, owner: &str, position: Option<u32>) {
        self.0.origins.record(owner, position, Span::current());
    }

    /// Cancels the jobs in flight of an owner. End its jobs in the store first.
    pub fn abort_jobs(&self, queue: &'static str, owner: &str) {
        self.0.running.abort_where(|key| key.queue == queue && key.owner == owner);
    }

    /// Has the jobs of an owner processed during a drain too, as long as the result exists: for a request that
    /// waits for them.
    #[must_use]
    pub fn wait_for_owner(&self, owner: &str) -> OwnerWait {
        let wait = OwnerWait::begin(Arc::clone(&self.0.drain), owner);
        // During a drain, its jobs can be claimed from now on.
        self.wake();
        wait
    }

    /// Whether a job of the owner is to be given back before its next step, because the process is about to
    /// end.
    #[must_use]
    pub fn is_draining(&self, owner: &str) -> bool {
        self.0.drain.covers(owner)
    }

    /// Waits until [`DispatcherHandle::is_draining`] holds for the owner.
    pub async fn drained(&self, owner: &str) {
        self.0.drain.reaches(owner).await;
    }

    /// Waits until no job is in flight.
    pub(crate) async fn idle(&self) {
        loop {
            // Listen before looking, so that no end in between is missed.
            let changed = self.listen();
            if self.running().len() == 0 {
                return;
            }
            changed.await;
        }
    }

    pub(crate) fn drain(&self) -> &Drain {
        &self.0.drain
    }

    pub(crate) fn listen(&self) -> EventListener {
        self.0.wake.listen()
    }

    pub(crate) fn isolation(&self) -> &Isolation {
        &self.0.isolation
    }

    pub(crate) fn origins(&self) -> &Origins {
        &self.0.origins
    }

    pub(crate) fn running(&self) -> &RunningJobs {
        &self.0.running
    }
}
