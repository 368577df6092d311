//! News by feeds: the search feeds of news sites, fetched from the public web by the guarded fetcher.

mod json;
mod parse;
mod template;
mod xml;

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use futures_util::future::join_all;
use gen_core::{Fault, ProviderError};
use shared_core::{DomainError as _, ErrorKind, Scope};
use utilities_core::search::{Language, Markup, NewsProvider, ProviderHits, Query, RawHit};
use utilities_core::web::{FetchError, FetchPurpose, FetchRequest, WebFetcher};

pub use template::{BING_NEWS, FeedTemplate, FeedTemplateError, GOOGLE_NEWS};

/// Bytes of a feed at the most.
const MOST_BYTES: u64 = 4 << 20;

/// News of several feeds, as one.
#[derive(Clone, Debug)]
pub struct FeedNews {
    fetcher: Arc<dyn WebFetcher>,
    templates: Vec<FeedTemplate>,
    /// For queries that name no language.
    language: Language,
}

impl FeedNews {
    /// News of the feeds that these templates name; `language` is that of queries without one.
    #[must_use]
    pub fn new(fetcher: Arc<dyn WebFetcher>, templates: Vec<FeedTemplate>, language: Language) -> Self {
        Self { fetcher, templates, language }
    }

    async fn feed(
        &self,
        scope: &Scope,
        template: &FeedTemplate,
        query: &Query,
    ) -> Result<Vec<RawHit>, ProviderError> {
        let url = template.fill(query, query.language.as_ref().unwrap_or(&self.language));
        let request = FetchRequest::new(url, FetchPurpose::Feed);
        let site = template.site();
        let fetched = self.fetcher.fetch(scope, &request).await.map_err(|error| failed(site, error))?;
        let bytes = fetched.read_all(MOST_BYTES).await.map_err(|error| failed(site, error))?;
        parse::feed(&bytes, fetched.content_type.as_deref()).ok_or_else(|| {
            ProviderError::new(Fault::Protocol, format!("{site} answered with something that is no feed"))
        })
    }
}

#[async_trait]
impl NewsProvider for FeedNews {
    fn name(&self) -> &'static str {
        "feeds"
    }

    fn has_headlines(&self) -> bool {
        true
    }

    /// Asks all feeds at the same time. Those that fail are left out where others have something; no news of some and
    /// a failure of others is a failure.
    async fn news(&self, scope: &Scope, query: &Query) -> Result<ProviderHits, ProviderError> {
        let asked = self.templates.iter().map(|template| self.feed(scope, template, query));
        let (mut feeds, mut failure) = (Vec::new(), None);
        for answer in join_all(asked).await {
            match answer {
                Ok(hits) => feeds.push(hits),
                Err(error) => failure = failure.or(Some(error)),
            }
        }
        let hits = interleave(feeds);
        match failure {
            Some(error) if hits.is_empty() => Err(error),
            _ => Ok(ProviderHits { hits, markup: Markup::Html }),
        }
    }
}

/// The first hits of all feeds, then the second, and so on: each has its best first.
fn interleave(feeds: Vec<Vec<RawHit>>) -> Vec<RawHit> {
    let mut feeds: Vec<_> = feeds.into_iter().map(Vec::into_iter).collect();
    let mut hits = Vec::new();
    loop {
        let before = hits.len();
        hits.extend(feeds.iter_mut().filter_map(Iterator::next));
        if hits.len() == before {
            return hits;
        }
    }
}

fn failed(site: &str, error: FetchError) -> ProviderError {
    let fault = match error.kind() {
        ErrorKind::ProviderTimeout => Fault::Timeout,
        ErrorKind::Saturated => Fault::Overloaded,
        _ => match &error {
            FetchError::Status { status: 429, .. } => Fault::RateLimited,
            FetchError::Status { status: 503, .. } => Fault::Overloaded,
            FetchError::Failed { .. } => Fault::Unreachable,
            _ => Fault::Failed,
        },
    };
    // One feed of several that asks for a pause does not silence the others.
    let mut told = ProviderError::new(fault, format!("{site}: {error}"));
    told.retry_after = error.retry_after().map(Duration::from_secs);
    told.with_source(error)
}
