//! A TTL cache with single flight: concurrent callers with the same key compute once.

use std::collections::{HashMap, VecDeque};
use std::fmt;
use std::hash::Hash;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use shared_core::{Clock, Timestamp};

/// The weight of a value or key: bytes of memory.
pub(crate) trait Weighted {
    fn weight(&self) -> usize;
}

/// Capacity of a cache.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Capacity {
    /// Maximum entries.
    pub(crate) entries: usize,
    /// Maximum bytes.
    pub(crate) bytes: usize,
    /// TTL in seconds; 0 caches nothing.
    pub(crate) seconds: u32,
}

/// A cache whose keys include the workspace.
pub(crate) struct TtlCache<K, V, E> {
    slots: Mutex<Slots<K, V, E>>,
    clock: Arc<dyn Clock>,
    capacity: Capacity,
}

struct Slots<K, V, E> {
    by_key: HashMap<K, Arc<Slot<V, E>>>,
    /// Cached entries with their weights, oldest first.
    order: VecDeque<(K, usize)>,
    bytes: usize,
}

struct Slot<V, E> {
    /// Number of outcomes so far. A waiter that sees it grow takes the last outcome, even a failure.
    done: AtomicU64,
    /// The lock is held while the work runs.
    last: async_lock::Mutex<Option<(Timestamp, Result<V, E>)>>,
}

impl<K, V, E> fmt::Debug for TtlCache<K, V, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let slots = self.slots();
        f.debug_struct("KeptFor").field("kept", &slots.order.len()).field("bytes", &slots.bytes).finish()
    }
}

impl<K, V, E> TtlCache<K, V, E> {
    pub(crate) fn new(clock: Arc<dyn Clock>, capacity: Capacity) -> Self {
        let slots = Slots { by_key: HashMap::new(), order: VecDeque::new(), bytes: 0 };
        Self { slots: Mutex::new(slots), clock, capacity }
    }

    fn slots(&self) -> MutexGuard<'_, Slots<K, V, E>> {
        self.slots.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<K: Clone + Eq + Hash + Weighted, V: Clone + Weighted, E: Clone> TtlCache<K, V, E> {
    /// The cached outcome, or that of `work`. A failure is returned to all waiters and is not cached.
    pub(crate) async fn get_or_compute(
        &self,
        key: K,
        work: impl Future<Output = Result<V, E>>,
    ) -> Result<V, E> {
        let held = SlotGuard { cache: self, slot: self.slot(&key), key };
        let before = held.slot.done.load(Ordering::Acquire);
        let mut last = held.slot.last.lock().await;
        if let Some((at, outcome)) = last.as_ref() {
            let seconds = f64::from(self.capacity.seconds);
            let fresh = || outcome.is_ok() && self.clock.now().seconds_since(*at) < seconds;
            if held.slot.done.load(Ordering::Acquire) > before || fresh() {
                return outcome.clone();
            }
        }
        let outcome = work.await;
        *last = Some((self.clock.now(), outcome.clone()));
        held.slot.done.fetch_add(1, Ordering::Release);
        self.update_entry(&held, &outcome);
        outcome
    }

    fn slot(&self, key: &K) -> Arc<Slot<V, E>> {
        let new = || Arc::new(Slot { done: AtomicU64::new(0), last: async_lock::Mutex::new(None) });
        Arc::clone(self.slots().by_key.entry(key.clone()).or_insert_with(new))
    }

    /// Accounts for the outcome of a slot, and evicts the oldest entries above the capacity.
    fn update_entry(&self, held: &SlotGuard<'_, K, V, E>, outcome: &Result<V, E>) {
        let mut slots = self.slots();
        slots.forget(&held.key);
        let Some(value) = outcome.as_ref().ok().filter(|_| self.capacity.seconds > 0) else { return };
        let weight = value.weight() + held.key.weight();
        slots.by_key.insert(held.key.clone(), Arc::clone(&held.slot));
        slots.bytes += weight;
        slots.order.push_back((held.key.clone(), weight));
        while slots.order.len() > self.capacity.entries || slots.bytes > self.capacity.bytes {
            let Some((oldest, weight)) = slots.order.pop_front() else { break };
            slots.bytes -= weight;
            slots.by_key.remove(&oldest);
        }
    }
}

impl<K: Eq, V, E> Slots<K, V, E> {
    /// Removes the entry's weight.
    fn forget(&mut self, key: &K) {
        let place = self.order.iter().position(|(known, _)| known == key);
        if let Some((_, weight)) = place.and_then(|place| self.order.remove(place)) {
            self.bytes -= weight;
        }
    }
}

/// A slot in use. The last user of a slot without a cached entry removes it, also when the work was
/// cancelled.
struct SlotGuard<'a, K: Eq + Hash, V, E> {
    cache: &'a TtlCache<K, V, E>,
    slot: Arc<Slot<V, E>>,
    key: K,
}

impl<K: Eq + Hash, V, E> Drop for SlotGuard<'_, K, V, E> {
    fn drop(&mut self) {
        let mut slots = self.cache.slots();
        let mine = slots.by_key.get(&self.key).is_some_and(|slot| Arc::ptr_eq(slot, &self.slot));
        // The map's reference and this one.
        let last = Arc::strong_count(&self.slot) == 2;
        if mine && last && !slots.order.iter().any(|(known, _)| *known == self.key) {
            slots.by_key.remove(&self.key);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicUsize;

    use futures_executor::block_on;
    use futures_util::future::join;
    use futures_util::{FutureExt as _, poll};
    use shared_core::FixedClock;

    use super::*;

    type Key = (&'static str, String);
    type Outcome = Result<Text, &'static str>;

    #[derive(Clone, Debug, PartialEq, Eq)]
    struct Text(usize);

    impl Weighted for Text {
        fn weight(&self) -> usize {
            self.0
        }
    }

    impl Weighted for Key {
        fn weight(&self) -> usize {
            1
        }
    }

    const ENTRIES: usize = 20;
    const BYTES: usize = 1_000;

    fn key(workspace: &'static str, term: &str) -> Key {
        (workspace, term.to_owned())
    }

    struct Counted(TtlCache<Key, Text, &'static str>, AtomicUsize);

    impl Counted {
        fn new(step: i64, seconds: u32) -> Self {
            let clock = FixedClock::new(1_772_366_400_000_000, step);
            let room = Capacity { entries: ENTRIES, bytes: BYTES, seconds };
            Self(TtlCache::new(Arc::new(clock), room), AtomicUsize::new(0))
        }

        async fn ask(&self, key: Key, outcome: Outcome) -> Outcome {
            self.0
                .get_or_compute(key, async {
                    self.1.fetch_add(1, Ordering::Relaxed);
                    // Lets other callers queue up.
                    futures_util::pending!();
                    outcome
                })
                .await
        }

        fn asked(&self) -> usize {
            self.1.load(Ordering::Relaxed)
        }
    }

    fn woken<T>(work: impl Future<Output = T>) -> T {
        let mut work = Box::pin(work);
        block_on(async {
            loop {
                if let std::task::Poll::Ready(made) = poll!(&mut work) {
                    return made;
                }
            }
        })
    }

    fn failed() -> Outcome {
        Err("no")
    }

    #[test]
    fn an_answer_is_kept_for_its_time_and_for_its_workspace() {
        let cache = Counted::new(0, 60);
        let found: Outcome = Ok(Text(1));
        for _ in 0..3 {
            assert_eq!(woken(cache.ask(key("a", "cod"), found.clone())), found);
        }
        assert_eq!(cache.asked(), 1);
        assert_eq!(woken(cache.ask(key("b", "cod"), failed())), failed());
        assert_eq!(woken(cache.ask(key("a", "eel"), failed())), failed());
        assert_eq!(cache.asked(), 3);
        let old = Counted::new(100, 60);
        woken(old.ask(key("a", "cod"), found.clone())).unwrap();
        woken(old.ask(key("a", "cod"), found)).unwrap();
        assert_eq!(old.asked(), 2);
    }

    #[test]
    fn nothing_is_kept_for_no_time() {
        let cache = Counted::new(0, 0);
        for _ in 0..2 {
            woken(cache.ask(key("a", "cod"), Ok(Text(1)))).unwrap();
        }
        assert_eq!(cache.asked(), 2);
        assert!(cache.0.slots().by_key.is_empty());
    }

    #[test]
    fn those_who_ask_at_the_same_time_ask_once_also_for_a_failure_which_is_not_kept() {
        let cache = Counted::new(0, 60);
        let both = join(cache.ask(key("a", "cod"), failed()), cache.ask(key("a", "cod"), failed()));
        assert_eq!(woken(both), (failed(), failed()));
        assert_eq!(cache.asked(), 1);
        woken(cache.ask(key("a", "cod"), failed())).unwrap_err();
        assert_eq!(cache.asked(), 2);
        assert!(cache.0.slots().by_key.is_empty());
    }

    #[test]
    fn work_that_is_called_off_is_done_by_the_next_who_waits_and_leaves_nothing() {
        let cache = Counted::new(0, 60);
        let mut first = Box::pin(cache.ask(key("a", "cod"), failed()));
        assert!((&mut first).now_or_never().is_none());
        let second = cache.ask(key("a", "cod"), Ok(Text(0)));
        drop(first);
        assert!(cache.0.slots().by_key.is_empty());
        woken(second).unwrap();
        assert_eq!(cache.asked(), 2);
    }

    #[test]
    fn what_is_kept_is_bounded_by_number_and_size() {
        let cache = Counted::new(0, 60);
        for place in 0..ENTRIES + 10 {
            woken(cache.ask(key("a", &place.to_string()), Ok(Text(0)))).unwrap();
        }
        assert_eq!(cache.0.slots().order.len(), ENTRIES);
        assert_eq!(cache.0.slots().by_key.len(), ENTRIES);
        for place in 0..10 {
            woken(cache.ask(key("b", &place.to_string()), Ok(Text(BYTES / 4)))).unwrap();
        }
        let slots = cache.0.slots();
        assert!(slots.bytes <= BYTES && slots.by_key.len() == slots.order.len(), "{}", slots.bytes);
        assert_eq!(slots.bytes, slots.order.iter().map(|(_, weight)| weight).sum::<usize>());
    }
}
