//! Providers' lists of models: kept for a while, fetched once for all who ask, and never waited for
//! long.

use parking_lot::Mutex;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::{BoxFuture, FutureExt as _, Shared};

use crate::routing::{Gateway, OptionalTimer, Route};
use crate::{Incident, ListedModel, ModelList, ProviderError};

/// How long a list is taken for new.
const FRESH: Duration = Duration::from_secs(600);
/// How long nothing is asked after a failure.
const FAILURE_BACKOFF: Duration = Duration::from_secs(30);
/// How long one request waits for a list.
const WAIT: Duration = Duration::from_secs(3);
/// Models of one list; more are left out.
const MAX_MODELS: usize = 10_000;

type Models = Arc<Vec<ListedModel>>;
/// A fetch under way. It goes on as long as somebody waits for it, and stays for the next who asks.
type SharedFetch = Shared<BoxFuture<'static, Result<Models, Arc<ProviderError>>>>;

/// The list of one backend.
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
    /// The list as it is known, without asking.
    pub(crate) fn cached(&self) -> Option<Models> {
        self.with_state(|kept| kept.models.clone())
    }

    fn with_state<T>(&self, act: impl FnOnce(&mut CacheState) -> T) -> T {
        act(&mut self.0.lock())
    }

    /// The fetch under way, or a new one; `None` when the list is new enough.
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

    /// Keeps what a fetch brought; whether this is the first to tell.
    fn store_result(&self, result: &Result<Models, Arc<ProviderError>>, pace: &OptionalTimer) -> bool {
        self.with_state(|kept| {
            // Of those who waited for it, the first clears it away.
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

/// The list of a backend: fetched when it is old, the old one when that fails or takes too long, and
/// `None` when there is none.
pub(crate) async fn fetch(gateway: &Gateway, route: &Route) -> Option<Models> {
    let list = route.backend.list.as_ref()?;
    let pace = &gateway.pace;
    if let Some(flight) = route.list.join_or_start(pace, list, route.backend.timeouts.list)
        && let Some(result) = pace.run_within(WAIT, flight).await
        && route.list.store_result(&result, pace)
        && let Err(error) = &result
    {
        gateway.observer.note(&Incident::ListFailed { upstream: &route.upstream, error });
    }
    route.list.cached()
}
