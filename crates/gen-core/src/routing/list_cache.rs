//! A TTL cache of the providers' lists of models, with single flight and a bounded wait.

use std::sync::Arc;
use std::time::Duration;

use futures_util::future::{BoxFuture, FutureExt as _, Shared};
use parking_lot::Mutex;

use super::optional_timer::OptionalTimer;
use crate::{ListedModel, ModelList, ProviderError};

// A request must not wait for a list. Chosen by hand; no measurement is recorded.
/// TTL of a list.
const FRESH: Duration = Duration::from_secs(600);
/// Time without a fetch after a failure.
const FAILURE_BACKOFF: Duration = Duration::from_secs(30);
/// Maximum wait of one request for a list.
const WAIT: Duration = Duration::from_secs(3);
/// Maximum models of one list; the rest is dropped. Bounds the memory.
const MAX_MODELS: usize = 10_000;

pub(super) type Models = Arc<Vec<ListedModel>>;
/// A fetch in flight. It makes progress while somebody polls it; the next request joins it.
type SharedFetch = Shared<BoxFuture<'static, Result<Models, Arc<ProviderError>>>>;

/// The cached list of one backend.
#[derive(Debug, Default)]
pub(crate) struct ListCache(Mutex<CacheState>);

#[derive(Debug, Default)]
struct CacheState {
    models: Option<Models>,
    /// Nothing is fetched before this time.
    not_before: Option<Duration>,
    in_flight: Option<SharedFetch>,
}

impl ListCache {
    /// The cached list, without a fetch.
    pub(crate) fn cached(&self) -> Option<Models> {
        self.with_state(|kept| kept.models.clone())
    }

    /// The list. Fetches it when it is older than its TTL; the old list is returned when that fails or takes
    /// too long. `report` is called for a failed fetch, by the first of its callers.
    pub(super) async fn get(
        &self,
        pace: &OptionalTimer,
        list: &Arc<dyn ModelList>,
        limit: Duration,
        report: impl FnOnce(&ProviderError),
    ) -> Option<Models> {
        if let Some(flight) = self.join_or_start(pace, list, limit)
            && let Some(result) = pace.run_within(WAIT, flight).await
            && self.store_result(&result, pace)
            && let Err(error) = &result
        {
            report(error);
        }
        self.cached()
    }

    fn with_state<T>(&self, act: impl FnOnce(&mut CacheState) -> T) -> T {
        act(&mut self.0.lock())
    }

    /// Joins the fetch in flight or starts one. `None` while the cached list, or the last failure, is recent.
    fn join_or_start(
        &self,
        pace: &OptionalTimer,
        list: &Arc<dyn ModelList>,
        limit: Duration,
    ) -> Option<SharedFetch> {
        self.with_state(|kept| {
            if kept.in_flight.is_none() {
                let new = pace.has_timer() && kept.not_before.is_some_and(|again| pace.now() < again);
                if new {
                    return None;
                }
                kept.in_flight = Some(start_fetch(pace.clone(), Arc::clone(list), limit));
            }
            kept.in_flight.clone()
        })
    }

    /// Stores the result of a fetch. Returns whether this caller is the first to store it.
    fn store_result(&self, result: &Result<Models, Arc<ProviderError>>, pace: &OptionalTimer) -> bool {
        self.with_state(|kept| {
            // Several callers wait for the fetch; the first that returns clears it.
            if kept.in_flight.take_if(|flight| flight.peek().is_some()).is_none() {
                return false;
            }
            let rest = if result.is_ok() { FRESH } else { FAILURE_BACKOFF };
            kept.not_before = Some(pace.now().saturating_add(rest));
            if let Ok(models) = result {
                kept.models = Some(Arc::clone(models));
            }
            true
        })
    }
}

fn start_fetch(pace: OptionalTimer, list: Arc<dyn ModelList>, limit: Duration) -> SharedFetch {
    let fetch = async move {
        let models =
            pace.run_within(limit, list.list()).await.unwrap_or_else(|| Err(ProviderError::timeout()));
        let mut models = models.map_err(Arc::new)?;
        models.truncate(MAX_MODELS);
        Ok(Arc::new(models))
    };
    fetch.boxed().shared()
}
