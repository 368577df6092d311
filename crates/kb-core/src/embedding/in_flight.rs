//! What is being embedded at the moment, so that nobody pays for the same text beside.

use parking_lot::{Mutex, MutexGuard};
use std::collections::HashSet;
use std::sync::Arc;

use event_listener::Event;
use shared_core::WorkspaceId;

use crate::ContentHash;

/// A text of a workspace for a model.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct FlightKey {
    pub(super) workspace: WorkspaceId,
    /// As `model@provider`.
    pub(super) model: Arc<str>,
    pub(super) hash: ContentHash,
}

/// The texts that are under way in this process. Clones share them.
#[derive(Clone, Debug, Default)]
pub(super) struct TextsInFlight(Arc<Inner>);

#[derive(Debug, Default)]
struct Inner {
    flying: Mutex<HashSet<FlightKey>>,
    landed: Event,
}

impl Inner {
    fn lock_in_flight(&self) -> MutexGuard<'_, HashSet<FlightKey>> {
        self.flying.lock()
    }
}

/// One's own flight; over when it is dropped.
#[derive(Debug)]
pub(super) struct FlightGuard {
    flights: TextsInFlight,
    flight: FlightKey,
}

impl Drop for FlightGuard {
    fn drop(&mut self) {
        self.flights.0.lock_in_flight().remove(&self.flight);
        self.flights.0.landed.notify(usize::MAX);
    }
}

impl TextsInFlight {
    /// The turn for a text; `None` while another has it. Whoever gets it looks first whether the vector is
    /// there by now, and waits for no other while holding it.
    pub(super) fn claim(&self, flight: FlightKey) -> Option<FlightGuard> {
        let new = self.0.lock_in_flight().insert(flight.clone());
        new.then(|| FlightGuard { flights: self.clone(), flight })
    }

    /// Waits until one of the texts is no longer under way; not at all when there is none.
    pub(super) async fn wait(&self, flights: &[FlightKey]) {
        loop {
            // Listen before looking, so that no landing is missed in between.
            let landed = self.0.landed.listen();
            if !flights.iter().all(|flight| self.0.lock_in_flight().contains(flight)) || flights.is_empty() {
                return;
            }
            landed.await;
        }
    }
}
