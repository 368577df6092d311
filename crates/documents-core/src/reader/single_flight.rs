//! Single flight for parses, and a negative cache of unreadable contents.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError, Weak};

use shared_core::{Clock, Timestamp};

/// Maximum unreadable contents that are remembered; the oldest are evicted.
const UNREADABLE: usize = 1_024;
/// TTL of an unreadable content in seconds. It is retried then: a limit may have been exceeded under heavy
/// load.
const REMEMBERED: f64 = 600.0;

/// One lock for each content that is being parsed, and the unreadable contents. A document that many requests
/// refer to is parsed once.
#[derive(Debug, Default)]
pub(super) struct SingleFlight {
    running: Mutex<HashMap<String, Weak<async_lock::Mutex<()>>>>,
    unreadable: Mutex<VecDeque<UnreadableContent>>,
}

#[derive(Debug)]
pub(super) struct UnreadableContent {
    pub(super) key: String,
    pub(super) code: &'static str,
    pub(super) message: String,
    pub(super) since: Timestamp,
}

impl SingleFlight {
    pub(super) fn recall_failure(&self, key: &str, clock: &dyn Clock) -> Option<(&'static str, String)> {
        let mut unreadable = self.unreadable.lock().unwrap_or_else(PoisonError::into_inner);
        let place = unreadable.iter().position(|one| one.key == key)?;
        let found = unreadable.get(place)?;
        if clock.now().seconds_since(found.since) < REMEMBERED {
            return Some((found.code, found.message.clone()));
        }
        unreadable.remove(place);
        None
    }

    pub(super) fn remember_failure(&self, new: UnreadableContent) {
        let mut unreadable = self.unreadable.lock().unwrap_or_else(PoisonError::into_inner);
        if unreadable.len() >= UNREADABLE {
            unreadable.pop_front();
        }
        unreadable.push_back(new);
    }

    pub(super) fn lock_for(&self, key: &str) -> Arc<async_lock::Mutex<()>> {
        let mut flights = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(flight) = flights.get(key).and_then(Weak::upgrade) {
            return flight;
        }
        flights.retain(|_, flight| flight.strong_count() > 0);
        let flight = Arc::default();
        flights.insert(key.to_owned(), Arc::downgrade(&flight));
        flight
    }
}
