//! A cache of answers per workspace, with single flight for concurrent fetches. A stale answer is kept for a
//! while if the site can revalidate it: entries have two ends, which `TtlCache` of shared-core does not know.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::BoxFuture;
use parking_lot::{Mutex, MutexGuard};
use shared_core::{Flight, SingleFlight, WorkspaceId};
use tokio::time::Instant;
use utilities_core::web::{FetchError, FetchPurpose, FetchResponse};

use super::freshness::{ResponseFreshness, Validators};

/// Maximum number of cached answers. Bounds the memory.
const ENTRIES: usize = 512;
// For the groups of a run that name one page. The last is of decision 20. Chosen by hand; no measurement is
// recorded.
/// TTL of a retryable failure.
const PASSING: Duration = Duration::from_secs(1);
/// TTL of a permanent failure.
const LASTING: Duration = Duration::from_secs(30);
/// How long a stale answer is kept for revalidation.
const REVALIDATABLE: Duration = Duration::from_secs(3_600);

/// The result of a fetch.
pub(super) type Outcome = Result<Arc<FetchResponse>, FetchError>;

/// An answer and its freshness.
#[derive(Clone, Debug)]
pub(super) struct CachedResponse {
    pub(super) fetched: Arc<FetchResponse>,
    pub(super) freshness: ResponseFreshness,
    pub(super) validators: Validators,
}

/// Cache key: workspace, URL and purpose.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Key {
    pub(super) workspace: WorkspaceId,
    pub(super) url: String,
    pub(super) wants: FetchPurpose,
}

/// Cached responses and fetches in flight. Clones share them.
#[derive(Clone)]
pub(super) struct Cache(Arc<Mutex<State>>);

struct State {
    entries: HashMap<Key, Entry>,
    flights: SingleFlight<Key, Outcome>,
    bytes: u64,
    most: u64,
    /// Use counter, for the eviction of the least recently used entry.
    uses: u64,
}

struct Entry {
    stored: Result<CachedResponse, FetchError>,
    /// Until when the entry is fresh, and until when it is kept.
    fresh: Instant,
    kept: Instant,
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
        let state =
            State { entries: HashMap::new(), flights: SingleFlight::default(), bytes: 0, most, uses: 0 };
        Self(Arc::new(Mutex::new(state)))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock()
    }

    /// The cached answer, or a fetch to wait for: the one in flight, else the one that `start` begins.
    /// `start` receives a stale answer if the site can revalidate it.
    pub(super) fn get(
        &self,
        key: &Key,
        start: impl FnOnce(Option<CachedResponse>) -> BoxFuture<'static, Outcome>,
    ) -> Result<Outcome, Flight<Outcome>> {
        let mut state = self.state();
        if let Some(outcome) = state.fresh(key) {
            return Ok(outcome);
        }
        let stale = state.revalidatable(key);
        Err(state.flights.join(key, || start(stale)))
    }

    /// A fresh answer of the same URL for another purpose, if it has at most `most` bytes.
    pub(super) fn fresh_within(&self, key: &Key, most: u64) -> Option<Outcome> {
        let outcome = self.state().fresh(key)?;
        outcome.as_ref().is_ok_and(|fetched| fetched.bytes <= most).then_some(outcome)
    }

    /// Stores the result of a fetch for as long as it is fresh.
    pub(super) fn store(&self, key: &Key, stored: &Result<CachedResponse, FetchError>) {
        let mut state = self.state();
        let (fresh, kept) = match stored {
            Ok(stored) if !stored.freshness.allowed => (Duration::ZERO, Duration::ZERO),
            Ok(stored) if stored.validators.exist() => {
                (stored.freshness.fresh, stored.freshness.fresh + REVALIDATABLE)
            }
            Ok(stored) => (stored.freshness.fresh, stored.freshness.fresh),
            Err(error) if error.is_permanent() => (LASTING, LASTING),
            Err(_) => (PASSING, PASSING),
        };
        state.remove(key);
        if matches!(stored, Err(FetchError::StorageFailed { .. })) {
            // Entries for later reuse must not take memory that is needed now.
            state.entries.clear();
            state.bytes = 0;
        }
        // One large answer must not evict all others. Chosen by hand; no measurement is recorded.
        if !kept.is_zero() && size(stored) <= state.most / 4 {
            let (now, used) = (Instant::now(), state.uses);
            state.keep(
                key.clone(),
                Entry { stored: stored.clone(), fresh: now + fresh, kept: now + kept, used },
            );
        }
    }
}

impl State {
    fn fresh(&mut self, key: &Key) -> Option<Outcome> {
        let now = Instant::now();
        let entry = self.touch(key)?;
        if entry.fresh > now {
            return Some(entry.stored.clone().map(|stored| stored.fetched));
        }
        if entry.kept <= now {
            self.remove(key);
        }
        None
    }

    /// A stale answer that the site can revalidate.
    fn revalidatable(&mut self, key: &Key) -> Option<CachedResponse> {
        let entry = self.touch(key)?;
        entry.stored.as_ref().ok().filter(|stored| stored.validators.exist()).cloned()
    }

    fn touch(&mut self, key: &Key) -> Option<&Entry> {
        self.uses += 1;
        let entry = self.entries.get_mut(key)?;
        entry.used = self.uses;
        Some(entry)
    }

    fn keep(&mut self, key: Key, entry: Entry) {
        let (size, now) = (size(&entry.stored), Instant::now());
        let over: Vec<Key> =
            self.entries.iter().filter(|(_, entry)| entry.kept <= now).map(|(key, _)| key.clone()).collect();
        over.iter().for_each(|key| self.remove(key));
        while self.entries.len() >= ENTRIES || self.bytes + size > self.most {
            let oldest = self.entries.iter().min_by_key(|(_, entry)| entry.used).map(|(key, _)| key.clone());
            let Some(oldest) = oldest else { return };
            self.remove(&oldest);
        }
        self.bytes += size;
        self.entries.insert(key, entry);
    }

    fn remove(&mut self, key: &Key) {
        if let Some(gone) = self.entries.remove(key) {
            self.bytes = self.bytes.saturating_sub(size(&gone.stored));
        }
    }
}

/// Size of a result in bytes, with its overhead.
fn size(stored: &Result<CachedResponse, FetchError>) -> u64 {
    // Keys, headers and the entry itself, about.
    stored.as_ref().map_or(0, |stored| stored.fetched.bytes) + 2_048
}
