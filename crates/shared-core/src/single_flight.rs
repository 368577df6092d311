//! Single flight: callers who need the same result at the same time share one piece of work.

use std::collections::HashMap;
use std::fmt;
use std::hash::Hash;

use futures_util::FutureExt as _;
use futures_util::future::{BoxFuture, Shared, WeakShared};
use parking_lot::Mutex;

/// Work in flight. It ends when the last caller who waits for it is dropped.
pub type Flight<V> = Shared<BoxFuture<'static, V>>;

/// Work in flight by key.
pub struct SingleFlight<K, V: Clone>(Mutex<HashMap<K, WeakShared<BoxFuture<'static, V>>>>);

impl<K, V: Clone> Default for SingleFlight<K, V> {
    fn default() -> Self {
        Self(Mutex::new(HashMap::new()))
    }
}

impl<K, V: Clone> fmt::Debug for SingleFlight<K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SingleFlight").field("in_flight", &self.0.lock().len()).finish()
    }
}

impl<K: Clone + Eq + Hash, V: Clone> SingleFlight<K, V> {
    /// The work in flight for `key`, else what `start` gives. A result is shared by those who joined before it was there;
    /// whoever keeps results looks for a stored one within the work, since another may just have ended.
    pub fn join(&self, key: &K, start: impl FnOnce() -> BoxFuture<'static, V>) -> Flight<V> {
        let mut flights = self.0.lock();
        let running = flights.get(key).and_then(WeakShared::upgrade);
        // A flight that has its result is over, though some may still hold it.
        if let Some(flight) = running.filter(|flight| flight.peek().is_none()) {
            return flight;
        }
        flights.retain(|_, flight| flight.upgrade().is_some_and(|flight| flight.peek().is_none()));
        let flight = start().shared();
        if let Some(weak) = flight.downgrade() {
            flights.insert(key.clone(), weak);
        }
        flight
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use futures_executor::block_on;
    use futures_util::future::join;

    use super::*;

    fn work(count: &Arc<AtomicUsize>, result: u32) -> impl FnOnce() -> BoxFuture<'static, u32> {
        let count = Arc::clone(count);
        move || {
            async move {
                count.fetch_add(1, Ordering::Relaxed);
                // Others come to wait.
                let mut pending = true;
                std::future::poll_fn(move |context| {
                    context.waker().wake_by_ref();
                    if std::mem::take(&mut pending) {
                        std::task::Poll::Pending
                    } else {
                        std::task::Poll::Ready(())
                    }
                })
                .await;
                result
            }
            .boxed()
        }
    }

    #[test]
    fn those_who_ask_at_the_same_time_share_the_work_and_those_who_come_later_start_anew() {
        let (flights, count) = (SingleFlight::default(), Arc::default());
        let both = join(flights.join(&"a", work(&count, 1)), flights.join(&"a", work(&count, 2)));
        assert_eq!(block_on(both), (1, 1));
        assert_eq!(block_on(flights.join(&"b", work(&count, 3))), 3);
        assert_eq!(block_on(flights.join(&"a", work(&count, 4))), 4);
        assert_eq!(count.load(Ordering::Relaxed), 3);
    }

    #[test]
    fn work_goes_on_for_those_who_wait_and_ends_with_the_last_of_them() {
        let (flights, count) = (SingleFlight::default(), Arc::default());
        let mut first = flights.join(&"a", work(&count, 1));
        assert!((&mut first).now_or_never().is_none(), "it was begun");
        let second = flights.join(&"a", work(&count, 2));
        drop(first);
        assert_eq!(block_on(second), 1);
        let abandoned = flights.join(&"a", work(&count, 5));
        drop(abandoned);
        assert_eq!(block_on(flights.join(&"a", work(&count, 6))), 6);
        assert_eq!(count.load(Ordering::Relaxed), 2);
    }

    #[test]
    fn flights_that_are_over_are_not_held() {
        let (flights, count) = (SingleFlight::default(), Arc::default());
        for key in 0..10 {
            block_on(flights.join(&key, work(&count, 1)));
        }
        assert_eq!(flights.0.lock().len(), 1);
    }
}
