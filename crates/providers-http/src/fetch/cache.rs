//! Answers that are used again within a workspace, and fetches that several wait for.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures_util::FutureExt as _;
use futures_util::future::{BoxFuture, Shared, WeakShared};
use shared_core::WorkspaceId;
use tokio::time::Instant;
use utilities_core::web::{FetchError, Fetched, Wants};

/// Answers that are kept.
const ENTRIES: usize = 512;
/// How long a failure that may pass is told again without asking.
const PASSING: Duration = Duration::from_secs(1);
/// How long one that lasts is.
const LASTING: Duration = Duration::from_secs(30);

/// What came of a fetch.
pub(super) type Outcome = Result<Arc<Fetched>, FetchError>;
type Flight = BoxFuture<'static, Outcome>;

/// Whose answer, of what, for what.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Key {
    pub(super) workspace: WorkspaceId,
    pub(super) url: String,
    pub(super) wants: Wants,
}

/// Answers and flights. Clones share them.
#[derive(Clone)]
pub(super) struct Cache(Arc<Mutex<State>>);

struct State {
    entries: HashMap<Key, Entry>,
    flights: HashMap<Key, WeakShared<Flight>>,
    bytes: u64,
    most: u64,
    /// Counts the uses, to tell which entry was used last.
    uses: u64,
}

struct Entry {
    outcome: Outcome,
    until: Instant,
    used: u64,
}

impl fmt::Debug for Cache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let state = self.state();
        f.debug_struct("Cache").field("entries", &state.entries.len()).field("bytes", &state.bytes).finish()
    }
}

impl Cache {
    pub(super) fn new(most: u64) -> Self {
        let state = State { entries: HashMap::new(), flights: HashMap::new(), bytes: 0, most, uses: 0 };
        Self(Arc::new(Mutex::new(state)))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The answer that is kept, or the flight that fetches it: one that is on its way, else the one that `start` begins.
    pub(super) fn get(&self, key: &Key, start: impl FnOnce() -> Flight) -> Result<Outcome, Shared<Flight>> {
        let mut state = self.state();
        if let Some(outcome) = state.fresh(key) {
            return Ok(outcome);
        }
        if let Some(flight) = state.flights.get(key).and_then(WeakShared::upgrade) {
            return Err(flight);
        }
        let flight = start().shared();
        state.flights.retain(|_, flight| flight.upgrade().is_some());
        if let Some(weak) = flight.downgrade() {
            state.flights.insert(key.clone(), weak);
        }
        Err(flight)
    }

    /// The answer that is kept for something else, if it has no more bytes than `most`.
    pub(super) fn kept(&self, key: &Key, most: u64) -> Option<Outcome> {
        let outcome = self.state().fresh(key)?;
        outcome.as_ref().is_ok_and(|fetched| fetched.bytes <= most).then_some(outcome)
    }

    /// Ends a flight, and keeps what came of it for as long as it is fresh.
    pub(super) fn landed(&self, key: &Key, outcome: &Outcome, fresh: Duration) {
        let mut state = self.state();
        state.flights.remove(key);
        let fresh = match outcome {
            Ok(_) => fresh,
            Err(error) if error.lasts() => LASTING,
            Err(_) => PASSING,
        };
        if !fresh.is_zero() && size(outcome) <= state.most / 4 {
            state.keep(key.clone(), outcome.clone(), Instant::now() + fresh);
        }
    }
}

impl State {
    fn fresh(&mut self, key: &Key) -> Option<Outcome> {
        self.uses += 1;
        let uses = self.uses;
        let entry = self.entries.get_mut(key)?;
        if entry.until > Instant::now() {
            entry.used = uses;
            return Some(entry.outcome.clone());
        }
        self.remove(&key.clone());
        None
    }

    fn keep(&mut self, key: Key, outcome: Outcome, until: Instant) {
        self.remove(&key);
        let size = size(&outcome);
        while self.entries.len() >= ENTRIES || self.bytes + size > self.most {
            let oldest = self.entries.iter().min_by_key(|(_, entry)| entry.used).map(|(key, _)| key.clone());
            let Some(oldest) = oldest else { return };
            self.remove(&oldest);
        }
        self.bytes += size;
        self.entries.insert(key, Entry { outcome, until, used: self.uses });
    }

    fn remove(&mut self, key: &Key) {
        if let Some(gone) = self.entries.remove(key) {
            self.bytes = self.bytes.saturating_sub(size(&gone.outcome));
        }
    }
}

/// What an outcome counts, with what holds it.
fn size(outcome: &Outcome) -> u64 {
    outcome.as_ref().map_or(0, |fetched| fetched.bytes) + 1_024
}
