//! Progress events of the work on a base.

use std::collections::HashMap;
use std::time::Duration;

use futures_util::future::select;
use futures_util::stream::{self, Stream, StreamExt as _};
use shared_core::{PageRequest, Scope, StoreError, Timestamp};

use super::KnowledgeService;
use crate::{Base, Item, ItemError, ItemFilter, ItemStatus, KnowledgeError, Progress};

/// Polling interval of the store: other servers may do the work. Chosen by hand; no measurement recorded.
const POLL: Duration = Duration::from_millis(500);
/// Changes within this time are reported together. Chosen by hand; no measurement recorded.
const GATHER: Duration = Duration::from_millis(100);
/// Maximum items reported at once, the last changed ones; the base's counts cover the others. Protects
/// memory.
const ITEMS: u32 = 100;
/// How far back each poll looks, in seconds: changes become visible some time after their timestamp, and the
/// clocks of several servers differ. Chosen by hand; no measurement recorded.
const OVERLAP: i64 = 5;

/// An event of a base.
#[derive(Clone, Debug, PartialEq)]
pub enum BaseEvent {
    /// Items are queued or being processed.
    Progress(Base),
    /// An item whose status, error or progress changed.
    Item(Item),
    /// No work is left.
    End(Base),
}

/// The reported values of an item.
type ItemSnapshot = (ItemStatus, Option<ItemError>, Progress);

/// What was last reported.
#[derive(Debug)]
struct LastReport {
    base: Base,
    /// Time of the poll.
    looked: Timestamp,
    /// The items that had changed shortly before, by number; at most as many as are reported at once.
    items: HashMap<i64, ItemSnapshot>,
}

/// State of an event stream.
enum StreamState {
    Begin(Box<Base>),
    Following(Box<LastReport>),
    Over,
}

impl KnowledgeService {
    /// Reports the base and the items in processing, and both again whenever they change, until no work is
    /// left.
    pub fn events(
        &self,
        scope: &Scope,
        base: Base,
    ) -> impl Stream<Item = Result<BaseEvent, KnowledgeError>> + Send + use<> {
        let (service, scope) = (self.clone(), scope.clone());
        let steps = stream::unfold(StreamState::Begin(Box::new(base)), move |state| {
            let (service, scope) = (service.clone(), scope.clone());
            async move {
                let told = match state {
                    StreamState::Begin(base) => service.first(&scope, *base).await,
                    StreamState::Following(told) => service.next(&scope, *told).await,
                    StreamState::Over => return None,
                };
                Some(match told {
                    Ok((events, state)) => (events.into_iter().map(Ok).collect(), state),
                    Err(error) => (vec![Err(error)], StreamState::Over),
                })
            }
        });
        steps.flat_map(stream::iter)
    }

    /// The base, and the items in processing.
    async fn first(
        &self,
        scope: &Scope,
        base: Base,
    ) -> Result<(Vec<BaseEvent>, StreamState), KnowledgeError> {
        if open(&base) == 0 {
            return Ok((vec![BaseEvent::End(base)], StreamState::Over));
        }
        let looked = self.ports.clock.now();
        let recent = self.changed(scope, &base, looked).await?;
        // Changes after the base was read are still to be reported.
        let items = recent.iter().filter(|item| item.updated <= base.updated).map(named).collect();
        let filter = ItemFilter {
            base: Some(base.id.clone()),
            status: Some(ItemStatus::Processing),
            ..ItemFilter::default()
        };
        let working = self.ports.items.list(scope, &filter, &PageRequest::first(ITEMS)).await?.items;
        let mut events = vec![BaseEvent::Progress(base.clone())];
        events.extend(working.into_iter().rev().map(BaseEvent::Item));
        Ok((events, StreamState::Following(Box::new(LastReport { base, looked, items }))))
    }

    /// The changes since the last report.
    async fn next(
        &self,
        scope: &Scope,
        mut told: LastReport,
    ) -> Result<(Vec<BaseEvent>, StreamState), KnowledgeError> {
        loop {
            let timer = self.ports.timer.as_ref();
            select(self.applied.listen(), timer.sleep(POLL)).await;
            timer.sleep(GATHER).await;
            let looked = self.ports.clock.now();
            let base = self.get(scope, &told.base.id).await?;
            // Every change of an item changes its base.
            if base == told.base {
                continue;
            }
            let recent = self.changed(scope, &base, told.looked).await?;
            let items: HashMap<i64, ItemSnapshot> = recent.iter().map(named).collect();
            let news = recent
                .into_iter()
                .rev()
                .filter(|item| told.items.get(&item.number) != items.get(&item.number));
            let mut events: Vec<BaseEvent> = news.map(BaseEvent::Item).collect();
            if open(&base) == 0 {
                events.push(BaseEvent::End(base));
                return Ok((events, StreamState::Over));
            }
            if base.counts != told.base.counts {
                events.push(BaseEvent::Progress(base.clone()));
            }
            told = LastReport { base, looked, items };
            if !events.is_empty() {
                return Ok((events, StreamState::Following(Box::new(told))));
            }
        }
    }

    /// Items that changed at most shortly before a moment, latest first.
    async fn changed(&self, scope: &Scope, base: &Base, moment: Timestamp) -> Result<Vec<Item>, StoreError> {
        self.ports.items.changed(scope, &base.id, moment.plus_seconds(-OVERLAP), ITEMS).await
    }
}

fn named(item: &Item) -> (i64, ItemSnapshot) {
    (item.number, (item.status, item.error.clone(), item.progress))
}

fn open(base: &Base) -> u64 {
    base.counts.queued + base.counts.processing
}
