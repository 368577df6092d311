//! Answers of providers, kept for some minutes: within a workspace, and asked for once by all who ask at the same time.

use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use shared_core::{Clock, Timestamp, WorkspaceId};

use super::query::{Kind, Query};
use super::source::Source;

/// Answers that are kept at the most.
const ENTRIES: usize = 1_024;
/// Bytes of them at the most.
const BYTES: usize = 32 << 20;

/// Why a term has no hits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Failure {
    pub(super) code: &'static str,
    pub(super) message: String,
}

pub(super) type Outcome = Result<Arc<[Source]>, Failure>;
type Key = (WorkspaceId, Kind, Query);

#[derive(Debug)]
pub(super) struct Cache {
    slots: Mutex<Slots>,
    clock: Arc<dyn Clock>,
    seconds: f64,
}

#[derive(Debug, Default)]
struct Slots {
    by_key: HashMap<Key, Arc<Slot>>,
    /// What is kept, the oldest first, with what it weighs.
    order: VecDeque<(Key, usize)>,
    bytes: usize,
}

#[derive(Debug, Default)]
struct Slot {
    /// Outcomes there were so far: whoever sees it grow while waiting takes the last, also a failure.
    done: AtomicU64,
    /// The lock is held while the work goes on.
    last: async_lock::Mutex<Option<(Timestamp, Outcome)>>,
}

impl Cache {
    pub(super) fn new(clock: Arc<dyn Clock>, seconds: u32) -> Self {
        Self { slots: Mutex::default(), clock, seconds: f64::from(seconds) }
    }

    /// The outcome that is kept, or that of `work`. Failures are told to those who waited for them, and not kept.
    pub(super) async fn outcome(&self, key: Key, work: impl Future<Output = Outcome>) -> Outcome {
        let held = Held { cache: self, slot: self.slot(&key), key };
        let before = held.slot.done.load(Ordering::Acquire);
        let mut last = held.slot.last.lock().await;
        if let Some((at, outcome)) = last.as_ref() {
            let fresh = || outcome.is_ok() && self.clock.now().seconds_since(*at) < self.seconds;
            if held.slot.done.load(Ordering::Acquire) > before || fresh() {
                return outcome.clone();
            }
        }
        let outcome = work.await;
        *last = Some((self.clock.now(), outcome.clone()));
        held.slot.done.fetch_add(1, Ordering::Release);
        self.weigh(&held, &outcome);
        outcome
    }

    fn slots(&self) -> MutexGuard<'_, Slots> {
        self.slots.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn slot(&self, key: &Key) -> Arc<Slot> {
        Arc::clone(self.slots().by_key.entry(key.clone()).or_default())
    }

    /// Counts what a slot holds now, and lets the oldest go where it is too much.
    fn weigh(&self, held: &Held<'_>, outcome: &Outcome) {
        let mut slots = self.slots();
        slots.forget(&held.key);
        let Ok(sources) = outcome else { return };
        let weight = sources.iter().map(weight).sum::<usize>() + weight_of(&held.key);
        slots.by_key.insert(held.key.clone(), Arc::clone(&held.slot));
        slots.bytes += weight;
        slots.order.push_back((held.key.clone(), weight));
        while slots.order.len() > ENTRIES || slots.bytes > BYTES {
            let Some((oldest, weight)) = slots.order.pop_front() else { break };
            slots.bytes -= weight;
            slots.by_key.remove(&oldest);
        }
    }
}

impl Slots {
    /// Counts it no more.
    fn forget(&mut self, key: &Key) {
        let place = self.order.iter().position(|(known, _)| known == key);
        if let Some((_, weight)) = place.and_then(|place| self.order.remove(place)) {
            self.bytes -= weight;
        }
    }
}

/// A slot in use. One that nothing is kept in goes with the last who uses it, also where the work was called off.
struct Held<'a> {
    cache: &'a Cache,
    slot: Arc<Slot>,
    key: Key,
}

impl Drop for Held<'_> {
    fn drop(&mut self) {
        let mut slots = self.cache.slots();
        let mine = slots.by_key.get(&self.key).is_some_and(|slot| Arc::ptr_eq(slot, &self.slot));
        // The map's and this one.
        let last = Arc::strong_count(&self.slot) == 2;
        if mine && last && !slots.order.iter().any(|(known, _)| *known == self.key) {
            slots.by_key.remove(&self.key);
        }
    }
}

fn weight(source: &Source) -> usize {
    let Source { title, description, url, publisher, language, full_text, .. } = source;
    size_of::<Source>()
        + [title, description, url, publisher, language, full_text]
            .iter()
            .map(|text| text.len())
            .sum::<usize>()
}

fn weight_of((workspace, _, query): &Key) -> usize {
    size_of::<Key>() + workspace.as_str().len() + query.term.len()
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicUsize;

    use futures_executor::block_on;
    use futures_util::future::join;
    use futures_util::{FutureExt as _, poll};
    use shared_core::FixedClock;

    use super::*;
    use crate::search::SafeSearch;

    fn key(workspace: &str, term: &str) -> Key {
        let query = Query {
            term: term.to_owned(),
            limit: 10,
            language: None,
            freshness: None,
            safe_search: SafeSearch::Moderate,
            with_text: false,
        };
        (WorkspaceId(workspace.to_owned()), Kind::Web, query)
    }

    fn hit(text: usize) -> Source {
        Source {
            title: "a".to_owned(),
            description: String::new(),
            url: "https://example.com/".to_owned(),
            published: None,
            publisher: String::new(),
            language: String::new(),
            family_friendly: true,
            full_text: "x".repeat(text),
        }
    }

    struct Counted(Cache, AtomicUsize);

    impl Counted {
        fn new(step: i64, seconds: u32) -> Self {
            let clock = FixedClock::new(1_772_366_400_000_000, step);
            Self(Cache::new(Arc::new(clock), seconds), AtomicUsize::new(0))
        }

        async fn ask(&self, key: Key, outcome: Outcome) -> Outcome {
            self.0
                .outcome(key, async {
                    self.1.fetch_add(1, Ordering::Relaxed);
                    // Others come to wait.
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
        Err(Failure { code: "provider_failed", message: "no".to_owned() })
    }

    #[test]
    fn an_answer_is_kept_for_its_time_and_for_its_workspace() {
        let cache = Counted::new(0, 60);
        let found: Outcome = Ok(Arc::from([hit(1)]));
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
        let second = cache.ask(key("a", "cod"), Ok(Arc::from([])));
        drop(first);
        assert!(cache.0.slots().by_key.is_empty());
        woken(second).unwrap();
        assert_eq!(cache.asked(), 2);
    }

    #[test]
    fn what_is_kept_is_bounded_by_number_and_size() {
        let cache = Counted::new(0, 60);
        for place in 0..ENTRIES + 10 {
            woken(cache.ask(key("a", &place.to_string()), Ok(Arc::from([])))).unwrap();
        }
        assert_eq!(cache.0.slots().order.len(), ENTRIES);
        assert_eq!(cache.0.slots().by_key.len(), ENTRIES);
        for place in 0..10 {
            woken(cache.ask(key("b", &place.to_string()), Ok(Arc::from([hit(BYTES / 4)])))).unwrap();
        }
        let slots = cache.0.slots();
        assert!(slots.bytes <= BYTES && slots.by_key.len() == slots.order.len(), "{}", slots.bytes);
        assert_eq!(slots.bytes, slots.order.iter().map(|(_, weight)| weight).sum::<usize>());
    }
}
