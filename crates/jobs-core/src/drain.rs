//! The drain of a dispatcher before its process ends: which jobs go on, and which are given back.

use std::collections::HashMap;
use std::sync::Arc;

use event_listener::Event;
use parking_lot::Mutex;

/// Whether the dispatcher drains, and the owners whose jobs go on nevertheless.
#[derive(Debug, Default)]
pub(crate) struct Drain {
    state: Mutex<State>,
    changed: Event,
}

#[derive(Debug, Default)]
struct State {
    is_begun: bool,
    /// The number of requests that wait for the jobs of an owner.
    awaited: HashMap<String, usize>,
}

/// A request that waits for the jobs of an owner, until it is dropped.
#[derive(Debug)]
pub struct OwnerWait {
    drain: Arc<Drain>,
    owner: String,
}

impl OwnerWait {
    pub(crate) fn begin(drain: Arc<Drain>, owner: &str) -> Self {
        drain.add_wait(owner);
        Self { drain, owner: owner.to_owned() }
    }
}

impl Drop for OwnerWait {
    fn drop(&mut self) {
        self.drain.remove_wait(&self.owner);
    }
}

impl Drain {
    pub(crate) fn begin(&self) {
        self.state.lock().is_begun = true;
        self.changed.notify(usize::MAX);
    }

    fn add_wait(&self, owner: &str) {
        *self.state.lock().awaited.entry(owner.to_owned()).or_default() += 1;
    }

    fn remove_wait(&self, owner: &str) {
        let mut state = self.state.lock();
        if let Some(count) = state.awaited.get_mut(owner) {
            *count -= 1;
            if *count == 0 {
                state.awaited.remove(owner);
            }
        }
        drop(state);
        self.changed.notify(usize::MAX);
    }

    /// Whether jobs of the owner are given back.
    pub(crate) fn covers(&self, owner: &str) -> bool {
        let state = self.state.lock();
        state.is_begun && !state.awaited.contains_key(owner)
    }

    /// Waits until jobs of the owner are given back.
    pub(crate) async fn reaches(&self, owner: &str) {
        loop {
            // Listen before looking, so that no change in between is missed.
            let changed = self.changed.listen();
            if self.covers(owner) {
                return;
            }
            changed.await;
        }
    }

    /// The owners whose jobs may be claimed; `None` before the drain, which means all.
    pub(crate) fn claimable_owners(&self) -> Option<Vec<String>> {
        let state = self.state.lock();
        state.is_begun.then(|| state.awaited.keys().cloned().collect())
    }
}
