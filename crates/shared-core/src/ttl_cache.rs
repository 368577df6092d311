//! A cache in memory with expiry, bounded by entries and bytes.

use std::collections::{BTreeMap, HashMap};
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
    /// The keys by their last use.
    order: BTreeMap<u64, K>,
    bytes: usize,
    /// Counts uses, to tell which entry was used last.
    uses: u64,
}

struct Entry<V> {
    value: V,
    bytes: usize,
    stored: Timestamp,
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
        let state = State { entries: HashMap::new(), order: BTreeMap::new(), bytes: 0, uses: 0 };
        Self { state: Mutex::new(state), clock, capacity }
    }

    /// The value of `key`, unless its time is over.
    pub fn get(&self, key: &K) -> Option<V> {
        let now = self.clock.now();
        let mut state = self.state.lock();
        let entry = state.entries.get(key)?;
        // A clock that was put back must not extend the time.
        if !(entry.stored..entry.expires).contains(&now) {
            state.remove(key);
            return None;
        }
        state.touch(key)
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
        state.make_room(bytes, self.capacity);
        let expires = now.plus_seconds(i64::from(seconds));
        state.add(key, Entry { value, bytes, stored: now, expires, used: 0 });
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

impl<K: Clone + Eq + Hash, V: Clone> State<K, V> {
    fn add(&mut self, key: K, mut entry: Entry<V>) {
        self.uses += 1;
        entry.used = self.uses;
        self.bytes += entry.bytes;
        self.order.insert(self.uses, key.clone());
        self.entries.insert(key, entry);
    }

    fn remove(&mut self, key: &K) {
        if let Some(gone) = self.entries.remove(key) {
            self.bytes -= gone.bytes;
            self.order.remove(&gone.used);
        }
    }

    /// The value of an entry, which is now the last one used.
    fn touch(&mut self, key: &K) -> Option<V> {
        self.uses += 1;
        let entry = self.entries.get_mut(key)?;
        let key = self.order.remove(&entry.used)?;
        entry.used = self.uses;
        self.order.insert(self.uses, key);
        Some(entry.value.clone())
    }

    /// Removes the least recently used until an entry of `bytes` fits.
    fn make_room(&mut self, bytes: usize, capacity: Capacity) {
        while self.entries.len() >= capacity.entries || self.bytes + bytes > capacity.bytes {
            let Some(oldest) = self.order.first_entry() else { break };
            let oldest = oldest.get().clone();
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
        assert!(!still.is_empty());
        let moving = cache(40);
        moving.insert("a", 1, 1, 60);
        assert_eq!((moving.get(&"a"), moving.get(&"a")), (Some(1), None));
        assert!(moving.is_empty());
        let put_back = cache(-40);
        put_back.insert("a", 1, 1, 60);
        assert_eq!(put_back.get(&"a"), None, "a clock that was put back extends no time");
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
        cache.insert("e", 6, 100, 60);
        assert_eq!((cache.get(&"e"), cache.len()), (Some(6), 1), "as large as the cache");
    }
}
