//! Isolation: a job whose leases expired several times runs alone in its process, so that a further interruption
//! is its own and not that of a job beside it.

use std::sync::Arc;

use event_listener::{Event, EventListener};
use parking_lot::Mutex;

/// The jobs in flight of a process, over all its dispatchers that share it. Clones share it.
#[derive(Clone, Debug, Default)]
pub struct Isolation(Arc<Inner>);

#[derive(Debug, Default)]
struct Inner {
    state: Mutex<State>,
    changed: Event,
}

#[derive(Debug, Default)]
struct State {
    /// Jobs in flight.
    running: usize,
    /// The queue whose job runs alone, or that waits until no job is in flight.
    holder: Option<&'static str>,
}

/// The permit of a job in flight. Dropping it releases it.
#[derive(Debug)]
pub(crate) struct RunPermit {
    isolation: Isolation,
    is_alone: bool,
}

impl Isolation {
    /// Whether the queue may claim jobs.
    pub(crate) fn admits(&self, queue: &'static str) -> bool {
        let state = self.0.state.lock();
        state.holder.is_none_or(|holder| holder == queue && state.running == 0)
    }

    /// A permit beside other jobs; `None` while a job runs alone or waits for that.
    pub(crate) fn enter(&self) -> Option<RunPermit> {
        let mut state = self.0.state.lock();
        if state.holder.is_some() {
            return None;
        }
        state.running += 1;
        Some(self.permit(false))
    }

    /// A permit for one job alone. `None` while others are in flight; no queue claims jobs then until they have
    /// ended.
    pub(crate) fn enter_alone(&self, queue: &'static str) -> Option<RunPermit> {
        let mut state = self.0.state.lock();
        if state.holder.is_some_and(|holder| holder != queue) {
            return None;
        }
        state.holder = Some(queue);
        if state.running > 0 {
            return None;
        }
        state.running = 1;
        Some(self.permit(true))
    }

    /// Ends the wait of the queue for a job alone.
    pub(crate) fn withdraw(&self, queue: &'static str) {
        let mut state = self.0.state.lock();
        if state.holder == Some(queue) && state.running == 0 {
            state.holder = None;
            drop(state);
            self.0.changed.notify(usize::MAX);
        }
    }

    /// Notified when a permit was released.
    pub(crate) fn listen(&self) -> EventListener {
        self.0.changed.listen()
    }

    fn permit(&self, is_alone: bool) -> RunPermit {
        RunPermit { isolation: self.clone(), is_alone }
    }
}

impl Drop for RunPermit {
    fn drop(&mut self) {
        let Inner { state, changed } = &*self.isolation.0;
        let mut state = state.lock();
        state.running -= 1;
        if self.is_alone {
            state.holder = None;
        }
        // Only a queue that waits for the end of all jobs, or for the end of one alone, needs to know.
        let is_awaited = self.is_alone || (state.running == 0 && state.holder.is_some());
        drop(state);
        if is_awaited {
            changed.notify(usize::MAX);
        }
    }
}
