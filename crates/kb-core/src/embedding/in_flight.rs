//! Texts whose embedding is in flight, so that no text is paid twice. `SingleFlight` of shared-core shares one result for one
//! key; here one call has hundreds of keys, and a caller claims those that nobody else has.

use std::collections::HashSet;
use std::sync::Arc;

use event_listener::Event;
use parking_lot::{Mutex, MutexGuard};
use shared_core::WorkspaceId;

use crate::ContentHash;

/// Identifies a text of a workspace for a model.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct FlightKey {
    pub(super) workspace: WorkspaceId,
    /// As `model@provider`.
    pub(super) model: Arc<str>,
    pub(super) hash: ContentHash,
}

/// The texts in flight in this process. Clones share them.
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

/// A claimed text; dropping it ends the flight.
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
    /// Claims a text; `None` when another task has it in flight. The holder first checks whether the vector
    /// exists by now, and waits for no other text while it holds the claim.
    pub(super) fn claim(&self, flight: FlightKey) -> Option<FlightGuard> {
        let new = self.0.lock_in_flight().insert(flight.clone());
        new.then(|| FlightGuard { flights: self.clone(), flight })
    }

    /// Waits until one of the texts is no longer in flight; returns at once when there is none.
    pub(super) async fn wait(&self, flights: &[FlightKey]) {
        loop {
            // Listen before checking, so that no notification is missed in between.
            let landed = self.0.landed.listen();
            if !flights.iter().all(|flight| self.0.lock_in_flight().contains(flight)) || flights.is_empty() {
                return;
            }
            landed.await;
        }
    }
}
