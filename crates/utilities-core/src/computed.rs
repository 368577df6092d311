//! Results that are cached for some minutes within a workspace, and computed once for all who ask at the same time.

use std::fmt;
use std::hash::Hash;
use std::sync::Arc;

use futures_util::FutureExt as _;
use shared_core::{Capacity, Clock, SingleFlight, TtlCache};

/// What a key or a value takes of the memory, in bytes.
pub(crate) trait Weighted {
    fn weight(&self) -> usize;
}

/// Results by key, which names the workspace.
pub(crate) struct ComputedCache<K, V, E>
where
    V: Clone,
    E: Clone,
{
    cache: Arc<TtlCache<K, V>>,
    flights: SingleFlight<K, Result<V, E>>,
    /// For how long a result is cached; 0 caches nothing.
    seconds: u32,
}

impl<K: Clone + Eq + Hash, V: Clone, E: Clone> fmt::Debug for ComputedCache<K, V, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ComputedCache").field("cache", &self.cache).field("flights", &self.flights).finish()
    }
}

impl<K, V, E> ComputedCache<K, V, E>
where
    K: Clone + Eq + Hash + Weighted + Send + Sync + 'static,
    V: Clone + Weighted + Send + Sync + 'static,
    E: Clone + Send + Sync + 'static,
{
    pub(crate) fn new(clock: Arc<dyn Clock>, capacity: Capacity, seconds: u32) -> Self {
        let cache = Arc::new(TtlCache::new(clock, capacity));
        Self { cache, flights: SingleFlight::default(), seconds }
    }

    /// The cached result, else that of `work`. A failure is given to all who waited for it, and is not cached.
    pub(crate) async fn get_or_compute(
        &self,
        key: K,
        work: impl Future<Output = Result<V, E>> + Send + 'static,
    ) -> Result<V, E> {
        let (cache, seconds, own) = (Arc::clone(&self.cache), self.seconds, key.clone());
        let compute = async move {
            // Another flight may have ended just before this one began.
            if let Some(value) = cache.get(&own) {
                return Ok(value);
            }
            let result = work.await;
            if let Ok(value) = &result {
                let bytes = own.weight() + value.weight();
                cache.insert(own, value.clone(), bytes, seconds);
            }
            result
        };
        if let Some(value) = self.cache.get(&key) {
            return Ok(value);
        }
        self.flights.join(&key, || compute.boxed()).await
    }
}

#[cfg(test)]
mod tests {
    use std::future::poll_fn;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::task::Poll;

    use futures_executor::block_on;
    use futures_util::future::join;
    use shared_core::FixedClock;

    use super::*;

    type Key = (&'static str, &'static str);
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

    struct Counted(ComputedCache<Key, Text, &'static str>, Arc<AtomicUsize>);

    impl Counted {
        fn new(seconds: u32) -> Self {
            let capacity = Capacity { entries: 2, bytes: 100 };
            let clock = Arc::new(FixedClock::new(1_772_366_400_000_000, 0));
            Self(ComputedCache::new(clock, capacity, seconds), Arc::default())
        }

        async fn ask(&self, key: Key, outcome: Outcome) -> Outcome {
            let count = Arc::clone(&self.1);
            let work = async move {
                count.fetch_add(1, Ordering::Relaxed);
                // Others come to wait.
                let mut waits = true;
                poll_fn(move |context| {
                    context.waker().wake_by_ref();
                    if std::mem::take(&mut waits) { Poll::Pending } else { Poll::Ready(()) }
                })
                .await;
                outcome
            };
            self.0.get_or_compute(key, work).await
        }

        fn computed(&self) -> usize {
            self.1.load(Ordering::Relaxed)
        }
    }

    #[test]
    fn a_result_is_cached_for_its_key_and_a_failure_is_not() {
        let cache = Counted::new(60);
        for _ in 0..3 {
            assert_eq!(block_on(cache.ask(("a", "cod"), Ok(Text(1)))), Ok(Text(1)));
        }
        assert_eq!(cache.computed(), 1);
        for _ in 0..2 {
            assert_eq!(block_on(cache.ask(("b", "cod"), Err("no"))), Err("no"));
        }
        assert_eq!(cache.computed(), 3);
    }

    #[test]
    fn those_who_ask_at_the_same_time_share_the_work_and_its_failure() {
        let cache = Counted::new(60);
        let both = join(cache.ask(("a", "cod"), Err("no")), cache.ask(("a", "cod"), Ok(Text(1))));
        assert_eq!(block_on(both), (Err("no"), Err("no")));
        assert_eq!(cache.computed(), 1);
        assert_eq!(block_on(cache.ask(("a", "cod"), Ok(Text(1)))), Ok(Text(1)), "a failure is not cached");
    }

    #[test]
    fn nothing_is_cached_for_no_time() {
        let cache = Counted::new(0);
        for _ in 0..2 {
            block_on(cache.ask(("a", "cod"), Ok(Text(1)))).unwrap();
        }
        assert_eq!(cache.computed(), 2);
    }

    #[test]
    fn the_cache_is_bounded_by_number_and_size() {
        let cache = Counted::new(60);
        for term in ["cod", "eel", "hake"] {
            block_on(cache.ask(("a", term), Ok(Text(1)))).unwrap();
        }
        block_on(cache.ask(("a", "cod"), Ok(Text(1)))).unwrap();
        assert_eq!(cache.computed(), 4, "two entries at the most");
        block_on(cache.ask(("a", "whale"), Ok(Text(100)))).unwrap();
        block_on(cache.ask(("a", "whale"), Ok(Text(100)))).unwrap();
        assert_eq!(cache.computed(), 6, "larger than the cache with its key");
    }
}
