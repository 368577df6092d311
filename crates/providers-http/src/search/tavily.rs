//! Tavily: `POST {base}/search`. It has no language parameter and returns at most 20 hits.

use gen_core::ProviderError;
use secrecy::SecretString;
use serde::{Deserialize, Serialize};
use utilities_core::search::{Markup, ProviderHits, Query, RawHit};

use super::hits::{searches_both, valid_entries};
use crate::lenient::Scalar;
use crate::transport::{Auth, Endpoint, EndpointError};

/// Maximum number of hits of an answer. As documented by the API (`max_results`).
const MOST_HITS: usize = 20;

/// Web and news search with Tavily's API.
#[derive(Clone, Debug)]
pub struct Tavily {
    endpoint: Endpoint,
}

#[derive(Serialize)]
struct Body<'a> {
    query: &'a str,
    topic: &'static str,
    search_depth: &'static str,
    max_results: usize,
    include_raw_content: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    time_range: Option<&'static str>,
}

#[derive(Deserialize)]
struct Answer {
    #[serde(deserialize_with = "valid_entries")]
    results: Vec<Hit>,
}

#[derive(Deserialize)]
struct Hit {
    url: String,
    #[serde(default)]
    title: Scalar,
    #[serde(default)]
    content: Scalar,
    #[serde(default)]
    raw_content: Scalar,
    #[serde(default)]
    published_date: Scalar,
}

impl Tavily {
    /// Base URL of the API.
    pub const BASE_URL: &str = "https://api.tavily.com";

    /// Tavily at `endpoint`, which has no key yet.
    ///
    /// # Errors
    /// [`EndpointError::Key`].
    pub fn new(endpoint: Endpoint, key: SecretString) -> Result<Self, EndpointError> {
        Ok(Self { endpoint: endpoint.with_key(key, Auth::Bearer)? })
    }

    async fn find(&self, topic: &'static str, query: &Query) -> Result<ProviderHits, ProviderError> {
        let body = Body {
            query: &query.term,
            topic,
            search_depth: "basic",
            max_results: query.limit.min(MOST_HITS),
            include_raw_content: query.with_text,
            time_range: query.freshness.map(|freshness| freshness.name()),
        };
        let answer: Answer = self.endpoint.call(&["search"]).post_json(&body).await?;
        let hits = answer.results.into_iter().map(raw).collect();
        Ok(ProviderHits { hits, markup: Markup::Plain })
    }
}

fn raw(hit: Hit) -> RawHit {
    RawHit {
        url: hit.url,
        title: hit.title.words().unwrap_or_default(),
        description: hit.content.words().unwrap_or_default(),
        date: hit.published_date.words(),
        text: hit.raw_content.words(),
        ..RawHit::default()
    }
}

searches_both!(Tavily, "tavily", web: "general", news: "news");
