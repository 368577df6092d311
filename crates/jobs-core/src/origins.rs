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
    /// Keeps the current span for a job of the owner, or for all of its jobs.
    pub(crate) fn record(&self, owner: &str, position: Option<u32>) {
        let span = Span::current();
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
