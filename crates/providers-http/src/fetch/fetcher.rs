//! The guarded fetcher: first the policy, then the cache and fetches in flight, then the network.

use std::sync::Arc;

use async_trait::async_trait;
use futures_util::FutureExt as _;
use shared_core::{Clock, Scope};
use utilities_core::web::{FetchError, FetchPurpose, FetchRequest, FetchResponse, WebFetcher};

use super::cache::{CachedResponse, Key};
use super::redirect::fetch_following_redirects;
use super::resolve::Resolver;
use super::settings::FetchSettings;
use super::state::{FetcherError, FetcherState};

/// Fetches from the web. Clones share everything.
#[derive(Clone, Debug)]
pub struct GuardedFetcher(pub(super) Arc<FetcherState>);

impl GuardedFetcher {
    /// A fetcher that resolves hosts with `resolver`. `clock` is needed for dates in `Retry-After`.
    ///
    /// # Errors
    /// [`FetcherError`].
    pub fn new(
        settings: FetchSettings,
        resolver: Arc<dyn Resolver>,
        clock: Arc<dyn Clock>,
    ) -> Result<Self, FetcherError> {
        Ok(Self(Arc::new(FetcherState::new(settings, resolver, clock)?)))
    }
}

#[async_trait]
impl WebFetcher for GuardedFetcher {
    async fn fetch(&self, scope: &Scope, request: &FetchRequest) -> Result<Arc<FetchResponse>, FetchError> {
        let target = self.0.policy.target(&request.url)?;
        let workspace = scope.workspace.clone();
        let key = Key { workspace, url: target.url().to_string(), wants: request.purpose };
        // A page that was fetched as a document, or the other way round, need not be fetched again.
        let other = match request.purpose {
            FetchPurpose::Page => Some(FetchPurpose::Document),
            FetchPurpose::Document => Some(FetchPurpose::Page),
            FetchPurpose::Image | FetchPurpose::Feed => None,
        };
        let other = other.map(|wants| Key { wants, ..key.clone() });
        let most = self.0.settings.limit(request.purpose);
        if let Some(outcome) = other.and_then(|other| self.0.cache.fresh_within(&other, most)) {
            return outcome;
        }
        let start = |stale: Option<CachedResponse>| {
            let (state, key) = (Arc::clone(&self.0), key.clone());
            async move {
                let stored = fetch_following_redirects(&state, target, key.wants, stale).await;
                state.cache.store(&key, &stored);
                stored.map(|stored| stored.fetched)
            }
            .boxed()
        };
        match self.0.cache.get(&key, start) {
            Ok(outcome) => outcome,
            Err(flight) => flight.await,
        }
    }
}
