//! The use cases: terms are searched in parallel and answered in order.

use std::sync::Arc;
use std::time::Duration;

use async_lock::Semaphore;
use futures_util::future::{Either, join_all, select};
use futures_util::stream::{self, StreamExt as _};
use shared_core::{Clock, Scope, Timer};

use super::cache::{Cache, Failure, Outcome, cache};
use super::chain::{Chain, Provider};
use super::error::SearchError;
use super::failures::Failures;
use super::merge::{is_aggregated, merged};
use super::options::{Filters, Terms};
use super::plain::plain_page;
use super::ports::{NewsProvider, PageText, SearchLog, SearchProvider};
use super::prompt::prompt_context;
use super::query::{Kind, Query};
use super::source::{Source, TEXT, TermResult, sources};
use crate::ItemError;

/// Maximum terms of one call that are searched at the same time. A quarter of `search.concurrency` (32).
/// Chosen by hand; no measurement is recorded.
const AT_ONCE: usize = 8;

/// Limits of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchSettings {
    /// Timeout of a whole call. Terms not answered by then have an error, and missing page texts stay empty.
    pub call: Duration,
    /// Timeout of one provider, before the next is tried.
    pub provider: Duration,
    /// TTL of cached answers in seconds; 0 disables the cache.
    pub cache_seconds: u32,
    /// Maximum pages of each term whose text is read.
    pub full_texts: usize,
    /// Maximum tokens of a term's `prompt_context`.
    pub prompt_tokens: usize,
    /// Maximum queries to providers at the same time, over all calls.
    pub at_once: usize,
}

impl Default for SearchSettings {
    fn default() -> Self {
        Self {
            // Two providers that time out leave some seconds for pages. Chosen by hand; no measurement is
            // recorded.
            call: Duration::from_secs(20),
            provider: Duration::from_secs(8),
            cache_seconds: 300,
            full_texts: 5,
            prompt_tokens: 4_000,
            at_once: 32,
        }
    }
}

/// The ports of the service.
#[derive(Debug)]
pub struct SearchPorts {
    /// Web search providers, in order of preference.
    pub web: Vec<Arc<dyn SearchProvider>>,
    /// News providers, in order of preference.
    pub news: Vec<Arc<dyn NewsProvider>>,
    /// Reads the text of pages.
    pub pages: Arc<dyn PageText>,
    /// Logs provider failures.
    pub log: Arc<dyn SearchLog>,
    /// Wall clock.
    pub clock: Arc<dyn Clock>,
    /// Timer for timeouts and pauses.
    pub timer: Arc<dyn Timer>,
}

/// Searches of the web and of news. Clones share the cache.
#[derive(Clone, Debug)]
pub struct SearchService(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    web: Chain,
    news: Chain,
    /// The news providers that have headlines.
    headlines: Chain,
    pages: Arc<dyn PageText>,
    log: Arc<dyn SearchLog>,
    clock: Arc<dyn Clock>,
    timer: Arc<dyn Timer>,
    cache: Cache,
    places: Semaphore,
    settings: SearchSettings,
}

impl SearchService {
    /// Builds the service on its ports.
    #[must_use]
    pub fn new(ports: SearchPorts, settings: SearchSettings) -> Self {
        let SearchPorts { web, news, pages, log, clock, timer } = ports;
        let chain = |providers| Chain::new(providers, Arc::clone(&timer), settings.provider);
        let headlines = news.iter().filter(|provider| provider.has_headlines()).cloned();
        Self(Arc::new(Inner {
            headlines: chain(headlines.map(Provider::News).collect()),
            web: chain(web.into_iter().map(Provider::Web).collect()),
            news: chain(news.into_iter().map(Provider::News).collect()),
            pages,
            log,
            cache: cache(Arc::clone(&clock), settings.cache_seconds),
            clock,
            timer,
            places: Semaphore::new(settings.at_once.max(1)),
            settings,
        }))
    }

    /// Whether there is a provider of web search.
    #[must_use]
    pub fn has_web(&self) -> bool {
        !self.0.web.is_empty()
    }

    /// Whether a news provider has headlines ([`Terms::headlines`]).
    #[must_use]
    pub fn has_headlines(&self) -> bool {
        !self.0.headlines.is_empty()
    }

    /// Searches each term. The results are in the order of the terms. A term whose providers all fail, or
    /// that is not answered in time, has an error of its own and does not affect the others.
    ///
    /// # Errors
    /// [`SearchError::NotConfigured`] when there is no provider of this kind.
    pub async fn search(
        &self,
        scope: &Scope,
        kind: Kind,
        terms: &Terms,
        filters: &Filters,
    ) -> Result<Vec<TermResult>, SearchError> {
        let inner = &self.0;
        if inner.chain(kind).is_empty() {
            return Err(SearchError::NotConfigured(kind));
        }
        let end = inner.timer.elapsed().saturating_add(inner.settings.call);
        let failures = Arc::new(Failures::new(kind, Arc::clone(&inner.log)));
        let one = |term| inner.answer_term(scope, kind, (term, filters), end, &failures);
        Ok(stream::iter(terms.iter()).map(one).buffered(AT_ONCE).collect().await)
    }
}

impl Inner {
    fn chain(&self, kind: Kind) -> &Chain {
        match kind {
            Kind::Web => &self.web,
            Kind::News => &self.news,
        }
    }

    async fn answer_term(
        self: &Arc<Self>,
        scope: &Scope,
        kind: Kind,
        (term, filters): (&str, &Filters),
        end: Duration,
        failures: &Arc<Failures>,
    ) -> TermResult {
        let query = filters.query(term);
        let key = (scope.workspace.clone(), kind, query.clone());
        let (inner, caller, failures) = (Arc::clone(self), scope.clone(), Arc::clone(failures));
        let asked = async move { inner.ask_providers(&caller, kind, &query, &failures).await };
        let asking = self.cache.get_or_compute(key, asked);
        let outcome = self.run_until(end, asking).await.unwrap_or_else(|| Err(timeout_failure()));
        let (mut sources, error) = match outcome {
            Ok(sources) => (sources.to_vec(), None),
            Err(Failure { code, message }) => (Vec::new(), Some(ItemError::new(code, message))),
        };
        if filters.full_text {
            self.read_pages(scope, &mut sources, end).await;
        }
        let prompt_context = prompt_context(kind, &sources, self.settings.prompt_tokens);
        TermResult { term: term.to_owned(), sources, prompt_context, error }
    }

    async fn ask_providers(&self, scope: &Scope, kind: Kind, query: &Query, failures: &Failures) -> Outcome {
        let _place = self.places.acquire().await;
        let chain = if query.term.is_empty() { &self.headlines } else { self.chain(kind) };
        let found = chain.ask(scope, query, failures).await?;
        let hits = sources(found, kind, query, self.clock.now());
        Ok(Arc::from(merged(hits, kind, query.limit)))
    }

    /// Reads the first pages whose text is missing. A text that does not arrive in time stays empty.
    async fn read_pages(&self, scope: &Scope, sources: &mut [Source], end: Duration) {
        // Pages that only redirect have no text of their own.
        let readable = sources.iter_mut().filter(|source| !is_aggregated(&source.url));
        let first = readable.take(self.settings.full_texts);
        join_all(first.filter(|source| source.full_text.is_empty()).map(|source| async move {
            let text = self.run_until(end, self.pages.text(scope, &source.url)).await.flatten();
            source.full_text = text.map(|text| plain_page(&text, TEXT)).unwrap_or_default();
        }))
        .await;
    }

    /// The result of the work; `None` when it is not done before `end`.
    async fn run_until<T>(&self, end: Duration, work: impl Future<Output = T>) -> Option<T> {
        let left = end.saturating_sub(self.timer.elapsed());
        if left.is_zero() {
            return None;
        }
        match select(Box::pin(work), self.timer.sleep(left)).await {
            Either::Left((made, _)) => Some(made),
            Either::Right(_) => None,
        }
    }
}

fn timeout_failure() -> Failure {
    let message = "no provider answered within the time limit of the call";
    Failure { code: "provider_timeout", message: message.to_owned() }
}
