//! Builds web and news search from the settings.

use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use providers_http::{
    Brave, Endpoint, FeedNews, FeedTemplate, IDLE_CONNECTIONS, Limits, Searxng, Tavily, Transport,
};
use shared_core::Clock;
use utilities_core::search::{
    Kind, LanguageTag, NewsProvider, PageText, ProviderFailure, SearchLog, SearchPorts, SearchProvider,
    SearchService, SearchSettings as ServiceSettings,
};
use utilities_core::web::WebFetcher;

use crate::settings::{SearchSettings, SearchVendor, Secret};
use runtime_tokio::TokioTimer;

/// Maximum size of a provider's answer in bytes.
const ANSWER_BYTES: usize = 16 << 20;

/// The search over the configured providers. `fetcher` reads feeds; without it there are none.
///
/// # Errors
/// One sentence for the operator.
pub(crate) fn service(
    settings: &SearchSettings,
    fetcher: Option<Arc<dyn WebFetcher>>,
    pages: Arc<dyn PageText>,
    clock: Arc<dyn Clock>,
) -> anyhow::Result<SearchService> {
    let vendors = SearchVendors::new(settings, fetcher, clock.clone())?;
    let ports = SearchPorts {
        web: vendors.web()?,
        news: vendors.news()?,
        pages,
        log: Arc::new(SearchFailureLog),
        clock,
        timer: Arc::new(TokioTimer::default()),
    };
    Ok(SearchService::new(ports, bounds(settings)))
}

fn bounds(settings: &SearchSettings) -> ServiceSettings {
    ServiceSettings {
        call: Duration::from_secs(settings.call_seconds),
        provider: Duration::from_secs(settings.provider_seconds),
        cache_seconds: settings.cache_seconds,
        full_texts: settings.full_texts,
        prompt_tokens: settings.prompt_tokens,
        at_once: settings.concurrency,
    }
}

struct SearchVendors<'a> {
    settings: &'a SearchSettings,
    /// `None` when no vendor is configured: loading the system's certificates would cost each start some
    /// milliseconds.
    transport: Option<Transport>,
    fetcher: Option<Arc<dyn WebFetcher>>,
}

impl<'a> SearchVendors<'a> {
    fn new(
        settings: &'a SearchSettings,
        fetcher: Option<Arc<dyn WebFetcher>>,
        clock: Arc<dyn Clock>,
    ) -> anyhow::Result<Self> {
        let called = settings.web().into_iter().chain(settings.news());
        let transport = if called.into_iter().any(|vendor| vendor != SearchVendor::Feeds) {
            Some(Transport::new(Duration::from_secs(settings.provider_seconds), IDLE_CONNECTIONS, clock)?)
        } else {
            None
        };
        Ok(Self { settings, transport, fetcher })
    }

    fn web(&self) -> anyhow::Result<Vec<Arc<dyn SearchProvider>>> {
        let mut providers: Vec<Arc<dyn SearchProvider>> = Vec::new();
        for vendor in self.settings.web() {
            match vendor {
                SearchVendor::Searxng => providers.push(Arc::new(self.searxng()?)),
                SearchVendor::Brave => providers.push(Arc::new(self.brave()?)),
                SearchVendor::Tavily => providers.push(Arc::new(self.tavily()?)),
                SearchVendor::Feeds => {}
            }
        }
        Ok(providers)
    }

    fn news(&self) -> anyhow::Result<Vec<Arc<dyn NewsProvider>>> {
        let mut providers: Vec<Arc<dyn NewsProvider>> = Vec::new();
        for vendor in self.settings.news() {
            match vendor {
                SearchVendor::Searxng => providers.push(Arc::new(self.searxng()?)),
                SearchVendor::Brave => providers.push(Arc::new(self.brave()?)),
                SearchVendor::Tavily => providers.push(Arc::new(self.tavily()?)),
                SearchVendor::Feeds => {
                    if let Some(fetcher) = &self.fetcher {
                        providers.push(Arc::new(self.feeds(Arc::clone(fetcher))?));
                    }
                }
            }
        }
        Ok(providers)
    }

    fn searxng(&self) -> anyhow::Result<Searxng> {
        Ok(Searxng::new(self.endpoint(&self.settings.searxng.base_url)?))
    }

    fn brave(&self) -> anyhow::Result<Brave> {
        let vendor = &self.settings.brave;
        let Secret(key) = &vendor.key;
        Brave::new(self.endpoint(&vendor.base_url)?, key.clone())
            .context("the settings of search.brave are not valid")
    }

    fn tavily(&self) -> anyhow::Result<Tavily> {
        let vendor = &self.settings.tavily;
        let Secret(key) = &vendor.key;
        Tavily::new(self.endpoint(&vendor.base_url)?, key.clone())
            .context("the settings of search.tavily are not valid")
    }

    fn feeds(&self, fetcher: Arc<dyn WebFetcher>) -> anyhow::Result<FeedNews> {
        let templates: Result<Vec<_>, _> =
            self.settings.feeds.iter().map(|feed| FeedTemplate::parse(feed)).collect();
        let language = LanguageTag::parse(&self.settings.feed_language).context("search.feed_language")?;
        Ok(FeedNews::new(fetcher, templates.context("search.feeds")?, language))
    }

    fn endpoint(&self, base_url: &str) -> anyhow::Result<Endpoint> {
        let transport = self.transport.as_ref().context("a provider of search without connections")?;
        let time = Duration::from_secs(self.settings.provider_seconds);
        let limits = Limits { total: time, idle: time, json_bytes: ANSWER_BYTES, ..Limits::default() };
        Ok(Endpoint::new(transport, base_url)?.with_limits(limits))
    }
}

/// Logs failures of providers.
#[derive(Clone, Copy, Debug)]
struct SearchFailureLog;

impl SearchLog for SearchFailureLog {
    fn failed(&self, kind: Kind, failures: &[ProviderFailure]) {
        let told = failures.iter().map(|ProviderFailure { provider, terms, message, cause }| {
            let cause = cause.as_ref().map_or_else(String::new, |cause| format!(" ({cause})"));
            format!("{provider} for {terms} of the terms: {message}{cause}")
        });
        let told = told.collect::<Vec<_>>().join("; ");
        tracing::warn!(?kind, failures = told, "search providers failed in a call");
    }
}
