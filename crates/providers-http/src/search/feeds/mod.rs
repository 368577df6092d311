//! News search over the search feeds of news sites. The guarded fetcher fetches them.

mod field;
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
use utilities_core::search::{LanguageTag, Markup, NewsProvider, ProviderHits, Query, RawHit};
use utilities_core::web::{FetchError, FetchPurpose, FetchRequest, WebFetcher};

pub use template::{BING_NEWS, FeedTemplate, FeedTemplateError, GOOGLE_NEWS};

/// Maximum size of a feed in bytes. Bounds memory and time.
const MOST_BYTES: u64 = 4 << 20;

/// News search over several feeds.
#[derive(Clone, Debug)]
pub struct FeedNews {
    fetcher: Arc<dyn WebFetcher>,
    templates: Vec<FeedTemplate>,
    /// Default language of queries.
    language: LanguageTag,
}

impl FeedNews {
    /// News search over the feeds of these templates; `language` is the default of queries.
    #[must_use]
    pub fn new(fetcher: Arc<dyn WebFetcher>, templates: Vec<FeedTemplate>, language: LanguageTag) -> Self {
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

    /// Reads all feeds concurrently. Failed feeds are ignored if others have entries; no entries and a
    /// failure are a failure.
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

/// Interleaves the entries of all feeds: first all first ones, then all second ones. Each feed has its best
/// first.
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
    // A back-off that one of several feeds requests must not apply to the others.
    let mut told = ProviderError::new(fault, format!("{site}: {error}"));
    told.retry_after = error.retry_after().map(Duration::from_secs);
    told.with_source(error)
}
