//! The spans in which jobs were enqueued.

use std::collections::{HashMap, VecDeque};

use parking_lot::Mutex;
use tracing::Span;

use crate::JobKey;

/// Maximum number of spans that are kept. Further ones replace the oldest.
const CAPACITY: usize = 1_024;

/// An owner, and one of its jobs or all.
type OriginKey = (String, Option<u32>);

/// The spans in which jobs of one queue were enqueued by this process, the latest ones.
#[derive(Debug, Default)]
pub(crate) struct Origins(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    spans: HashMap<OriginKey, Span>,
    /// The keys, oldest first.
    order: VecDeque<OriginKey>,
}

impl Origins {
    /// Keeps the span for a job of the owner, or for all of its jobs.
    pub(crate) fn record(&self, owner: &str, position: Option<u32>, span: Span) {
        if span.is_none() {
            return;
        }
        let key = (owner.to_owned(), position);
        let mut state = self.0.lock();
        if state.spans.insert(key.clone(), span).is_none() {
            state.order.push_back(key);
        }
        if state.order.len() > CAPACITY
            && let Some(oldest) = state.order.pop_front()
        {
            state.spans.remove(&oldest);
        }
    }

    /// The span in which the job was enqueued, if it is known.
    pub(crate) fn find(&self, key: &JobKey) -> Option<Span> {
        let state = self.0.lock();
        let find = |position| state.spans.get(&(key.owner.clone(), position)).cloned();
        find(Some(key.position)).or_else(|| find(None))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};

    use tracing::span::{Attributes, Id, Record};
    use tracing::{Event, Metadata, Subscriber, info_span};

    use super::*;

    /// Numbers spans.
    #[derive(Default)]
    struct NumberingSubscriber(AtomicU64);

    impl Subscriber for NumberingSubscriber {
        fn enabled(&self, _: &Metadata<'_>) -> bool {
            true
        }

        fn new_span(&self, _: &Attributes<'_>) -> Id {
            Id::from_u64(self.0.fetch_add(1, Ordering::Relaxed) + 1)
        }

        fn record(&self, _: &Id, _: &Record<'_>) {}

        fn record_follows_from(&self, _: &Id, _: &Id) {}

        fn event(&self, _: &Event<'_>) {}

        fn enter(&self, _: &Id) {}

        fn exit(&self, _: &Id) {}
    }

    fn key(owner: &str, position: u32) -> JobKey {
        JobKey { queue: "q", owner: owner.into(), position }
    }

    // One test: a process has one subscriber.
    #[test]
    fn the_span_of_a_job_comes_before_that_of_all_and_the_latest_thousand_are_kept() {
        tracing::dispatcher::set_global_default(NumberingSubscriber::default().into()).unwrap();
        let (origins, all, one) = (Origins::default(), info_span!("all"), info_span!("one"));
        let find = |owner, position| origins.find(&key(owner, position)).and_then(|span| span.id());
        origins.record("o", None, all.clone());
        origins.record("o", Some(1), one.clone());
        origins.record("o", Some(2), Span::none());
        assert_eq!([find("o", 0), find("o", 1), find("o", 2)], [all.id(), one.id(), all.id()]);
        assert_eq!(find("p", 1), None);
        // Recorded again, it takes no further room.
        origins.record("o", Some(1), all.clone());
        for position in 0..1_022 {
            origins.record("many", Some(position), one.clone());
        }
        assert_eq!((find("o", 0), find("o", 1)), (all.id(), all.id()));
        origins.record("many", Some(1_022), one.clone());
        assert_eq!((find("o", 0), find("o", 1)), (None, all.id()), "the oldest has gone");
    }
}
