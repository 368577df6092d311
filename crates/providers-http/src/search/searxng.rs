//! SearXNG: `GET {base}/search?format=json`.
//!
//! Its settings must name `json` under `search.formats`, else it answers 403. When all engines fail, it
//! answers with a success without results that names the engines; this adapter treats that as a failure.

use gen_core::{Fault, ProviderError};
use serde::Deserialize;
use utilities_core::search::{Markup, ProviderHits, Query, RawHit, SafeSearch, plain_text};

use super::hits::{Pages, searches_both, valid_entries};
use crate::lenient::Scalar;
use crate::transport::Endpoint;

/// Maximum number of pages of a search. Bounds the time. Chosen by hand; no measurement is recorded.
const MOST_PAGES: usize = 5;
/// A page with fewer hits is the last one. Engines give ten and more. Chosen by hand; no measurement is
/// recorded.
const FULL_PAGE: usize = 10;
/// Maximum number of engines named in a failure. Bounds the message. Chosen by hand; no measurement is
/// recorded.
const NAMED: usize = 5;

/// A SearXNG server.
#[derive(Clone, Debug)]
pub struct Searxng {
    endpoint: Endpoint,
}

#[derive(Deserialize)]
struct Answer {
    /// Required: an answer without it is not from SearXNG.
    #[serde(deserialize_with = "valid_entries")]
    results: Vec<Hit>,
    #[serde(default, deserialize_with = "valid_entries")]
    unresponsive_engines: Vec<Vec<Scalar>>,
}

#[derive(Deserialize)]
struct Hit {
    url: String,
    #[serde(default)]
    title: Scalar,
    #[serde(default)]
    content: Scalar,
    #[serde(default, rename = "publishedDate")]
    published: Scalar,
    #[serde(default)]
    pubdate: Scalar,
}

impl Searxng {
    /// A server whose paths are below the endpoint's URL.
    #[must_use]
    pub fn new(endpoint: Endpoint) -> Self {
        Self { endpoint }
    }

    async fn find(&self, category: &str, query: &Query) -> Result<ProviderHits, ProviderError> {
        let mut pages = Pages::default();
        for number in 1..=MOST_PAGES {
            let answer = match self.page(category, query, number).await {
                Ok(answer) => answer,
                // Keep the hits of earlier pages.
                Err(_) if number > 1 => break,
                Err(error) => return Err(error),
            };
            if number == 1 && answer.results.is_empty() && !answer.unresponsive_engines.is_empty() {
                return Err(unresponsive(&answer.unresponsive_engines));
            }
            let full = answer.results.len() >= FULL_PAGE;
            let further = pages.add(answer.results.into_iter().map(raw).collect());
            if !further || !full || pages.hits.len() >= query.limit {
                break;
            }
        }
        Ok(ProviderHits { hits: pages.hits, markup: Markup::Plain })
    }

    async fn page(&self, category: &str, query: &Query, number: usize) -> Result<Answer, ProviderError> {
        let (number, language) = (number.to_string(), query.language.as_ref().map(|language| language.tag()));
        let safe = match query.safe_search {
            SafeSearch::Off => "0",
            SafeSearch::Moderate => "1",
            SafeSearch::Strict => "2",
        };
        let mut parameters = vec![
            ("q", query.term.as_str()),
            ("format", "json"),
            ("categories", category),
            ("safesearch", safe),
            ("pageno", &number),
        ];
        parameters.extend(language.as_deref().map(|language| ("language", language)));
        parameters.extend(query.freshness.map(|freshness| ("time_range", freshness.name())));
        let path: &[&str] = if self.endpoint.path_ends_in("search") { &[] } else { &["search"] };
        self.endpoint.call(path).get_json(&parameters).await
    }
}

fn raw(hit: Hit) -> RawHit {
    RawHit {
        url: hit.url,
        title: hit.title.words().unwrap_or_default(),
        description: hit.content.words().unwrap_or_default(),
        date: hit.published.words().or_else(|| hit.pubdate.words()),
        ..RawHit::default()
    }
}

/// An item is an engine with its message: `["duckduckgo", "timeout"]`.
fn unresponsive(engines: &[Vec<Scalar>]) -> ProviderError {
    let named = engines.iter().take(NAMED).filter_map(|engine| {
        let mut words = engine.iter().cloned().filter_map(Scalar::words);
        // Characters: bound the message. Chosen by hand; no measurement is recorded.
        let name = plain_text(&words.next()?, Markup::Html, 40);
        let reason = words.next().map(|reason| format!(" ({})", plain_text(&reason, Markup::Html, 60)));
        Some(name + &reason.unwrap_or_default())
    });
    let named: Vec<String> = named.collect();
    ProviderError::new(Fault::Failed, format!("none of its engines answered: {}", named.join(", ")))
}

searches_both!(Searxng, "searxng", web: "general", news: "news");
