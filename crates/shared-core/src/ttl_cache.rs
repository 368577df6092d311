//! A cache in memory with expiry, bounded by entries and bytes.

use std::collections::HashMap;
use std::fmt;
use std::hash::Hash;
use std::sync::Arc;

use parking_lot::Mutex;

use crate::{Clock, Timestamp};

/// What a cache may hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Capacity {
    /// Entries.
    pub entries: usize,
    /// Bytes of all entries, by the weights that [`TtlCache::insert`] is given.
    pub bytes: usize,
}

/// Values by key, each until its time to live (TTL) is over. Where room is needed, the least recently used go first (LRU).
pub struct TtlCache<K, V> {
    state: Mutex<State<K, V>>,
    clock: Arc<dyn Clock>,
    capacity: Capacity,
}

struct State<K, V> {
    entries: HashMap<K, Entry<V>>,
    bytes: usize,
    /// Counts uses, to tell which entry was used last.
    uses: u64,
}

struct Entry<V> {
    value: V,
    bytes: usize,
    expires: Timestamp,
    used: u64,
}

impl<K, V> fmt::Debug for TtlCache<K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let state = self.state.lock();
        f.debug_struct("TtlCache")
            .field("entries", &state.entries.len())
            .field("bytes", &state.bytes)
            .finish()
    }
}

impl<K: Clone + Eq + Hash, V: Clone> TtlCache<K, V> {
    /// An empty cache.
    #[must_use]
    pub fn new(clock: Arc<dyn Clock>, capacity: Capacity) -> Self {
        let state = State { entries: HashMap::new(), bytes: 0, uses: 0 };
        Self { state: Mutex::new(state), clock, capacity }
    }

    /// The value of `key`, unless its time is over.
    pub fn get(&self, key: &K) -> Option<V> {
        let now = self.clock.now();
        let mut state = self.state.lock();
        state.uses += 1;
        let used = state.uses;
        let entry = state.entries.get_mut(key)?;
        if entry.expires <= now {
            state.remove(key);
            return None;
        }
        entry.used = used;
        Some(entry.value.clone())
    }

    /// Stores a value that weighs `bytes` for `seconds`, in place of the one before. A value that is larger than the cache,
    /// or has no time to live, is not stored.
    pub fn insert(&self, key: K, value: V, bytes: usize, seconds: u32) {
        let now = self.clock.now();
        let mut state = self.state.lock();
        state.remove(&key);
        if seconds == 0 || bytes > self.capacity.bytes || self.capacity.entries == 0 {
            return;
        }
        state.make_room(now, bytes, self.capacity);
        let (expires, used) = (now.plus_seconds(i64::from(seconds)), state.uses);
        state.bytes += bytes;
        state.entries.insert(key, Entry { value, bytes, expires, used });
    }

    /// Entries, those included whose time is over and whose room nobody needed yet.
    pub fn len(&self) -> usize {
        self.state.lock().entries.len()
    }

    /// Whether there is no entry.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl<K: Clone + Eq + Hash, V> State<K, V> {
    fn remove(&mut self, key: &K) {
        if let Some(gone) = self.entries.remove(key) {
            self.bytes -= gone.bytes;
        }
    }

    /// Removes what has expired, then the least recently used, until an entry of `bytes` fits.
    fn make_room(&mut self, now: Timestamp, bytes: usize, capacity: Capacity) {
        let is_full =
            |state: &Self| state.entries.len() >= capacity.entries || state.bytes + bytes > capacity.bytes;
        if is_full(self) {
            self.entries.retain(|_, entry| entry.expires > now);
            self.bytes = self.entries.values().map(|entry| entry.bytes).sum();
        }
        while is_full(self) {
            let oldest = self.entries.iter().min_by_key(|(_, entry)| entry.used).map(|(key, _)| key.clone());
            let Some(oldest) = oldest else { break };
            self.remove(&oldest);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::FixedClock;

    const CAPACITY: Capacity = Capacity { entries: 3, bytes: 100 };

    fn cache(seconds_a_look: i64) -> TtlCache<&'static str, u32> {
        TtlCache::new(Arc::new(FixedClock::new(0, seconds_a_look)), CAPACITY)
    }

    #[test]
    fn a_value_lives_for_its_time() {
        let still = cache(0);
        still.insert("a", 1, 1, 60);
        assert_eq!(still.get(&"a"), Some(1));
        let moving = cache(40);
        moving.insert("a", 1, 1, 60);
        assert_eq!((moving.get(&"a"), moving.get(&"a")), (Some(1), None));
        assert!(moving.is_empty());
        still.insert("b", 2, 1, 0);
        assert_eq!(still.get(&"b"), None, "no time, no entry");
    }

    #[test]
    fn the_least_recently_used_makes_room() {
        let cache = cache(0);
        for (key, value) in [("a", 1), ("b", 2), ("c", 3)] {
            cache.get(&key);
            cache.insert(key, value, 1, 60);
        }
        assert_eq!(cache.get(&"a"), Some(1));
        cache.insert("d", 4, 1, 60);
        assert_eq!((cache.get(&"a"), cache.get(&"b"), cache.len()), (Some(1), None, 3));
    }

    #[test]
    fn bytes_are_bounded_and_counted_once_for_a_key() {
        let cache = cache(0);
        cache.insert("a", 1, 60, 60);
        cache.insert("a", 2, 60, 60);
        cache.insert("b", 3, 40, 60);
        assert_eq!((cache.get(&"a"), cache.get(&"b")), (Some(2), Some(3)));
        cache.insert("c", 4, 41, 60);
        assert_eq!((cache.get(&"a"), cache.get(&"c")), (None, Some(4)));
        cache.insert("d", 5, 101, 60);
        assert_eq!(cache.get(&"d"), None);
    }
}
