//! An LRU cache of the vectors of queries.

use std::sync::Arc;

use shared_core::{Capacity, Clock, TtlCache};

use super::in_flight::{FlightKey, TextsInFlight};

/// What is cached: some thousand queries. An entry with its key has more than 256 bytes.
const CAPACITY: Capacity = Capacity { entries: 32_768, bytes: 8 << 20 };
/// A vector never changes; an hour bounds how long an idle server keeps it.
const TTL_SECONDS: u32 = 3_600;

/// The cache and the queries in flight. Clones share them.
#[derive(Clone, Debug)]
pub(super) struct QueryCache {
    pub(super) flights: TextsInFlight,
    recent: Arc<TtlCache<FlightKey, Arc<[f32]>>>,
}

impl QueryCache {
    pub(super) fn new(clock: Arc<dyn Clock>) -> Self {
        Self { flights: TextsInFlight::default(), recent: Arc::new(TtlCache::new(clock, CAPACITY)) }
    }

    pub(super) fn find(&self, flight: &FlightKey) -> Option<Arc<[f32]>> {
        self.recent.get(flight)
    }

    pub(super) fn insert(&self, flight: FlightKey, vector: &Arc<[f32]>) {
        self.recent.insert(flight, Arc::clone(vector), size(vector), TTL_SECONDS);
    }
}

/// Bytes of a vector, and approximately of its entry.
fn size(vector: &[f32]) -> usize {
    size_of_val(vector) + 2 * size_of::<FlightKey>() + 128
}
