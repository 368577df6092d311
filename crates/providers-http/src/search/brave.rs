//! Brave's Search API: `GET {base}/web/search` and `GET {base}/news/search`.

use gen_core::{Fault, ProviderError};
use secrecy::SecretString;
use serde::Deserialize;
use utilities_core::search::{Freshness, LanguageTag, Markup, ProviderHits, Query, RawHit};

use super::hits::{Pages, searches_both, valid_entries};
use crate::lenient::{Flag, Scalar};
use crate::transport::{Auth, Endpoint, EndpointError};

/// Maximum number of words of a query, as documented by the API.
const MOST_WORDS: usize = 50;
/// Maximum number of hits per page of web search. As documented by the API.
const WEB_PAGE: usize = 20;
/// Maximum number of hits per page of news search. As documented by the API.
const NEWS_PAGE: usize = 50;
/// Maximum number of pages. As documented by the API (`offset` is at most 9).
const MOST_PAGES: usize = 10;

/// Values of `search_lang`, except those with names of their own.
const LANGUAGES: [&str; 45] = [
    "ar", "eu", "bn", "bg", "ca", "hr", "cs", "da", "nl", "en", "et", "fi", "fr", "gl", "de", "el", "gu",
    "he", "hi", "hu", "is", "it", "kn", "ko", "lv", "lt", "ms", "ml", "mr", "nb", "pl", "pa", "ro", "ru",
    "sr", "sk", "sl", "es", "sv", "ta", "te", "th", "tr", "uk", "vi",
];

/// Values of `country`.
const COUNTRIES: [&str; 37] = [
    "AR", "AU", "AT", "BE", "BR", "CA", "CL", "DK", "FI", "FR", "DE", "GR", "HK", "IN", "ID", "IT", "JP",
    "KR", "MY", "MX", "NL", "NZ", "NO", "CN", "PL", "PT", "PH", "RU", "SA", "ZA", "ES", "SE", "CH", "TW",
    "TR", "GB", "US",
];

/// Web and news search with Brave's Search API.
#[derive(Clone, Debug)]
pub struct Brave {
    endpoint: Endpoint,
}

#[derive(Deserialize)]
struct WebAnswer {
    /// Required: every answer has it.
    query: QueryInfo,
    #[serde(default)]
    web: Option<Results>,
}

#[derive(Deserialize)]
struct Results {
    #[serde(deserialize_with = "valid_entries")]
    results: Vec<Hit>,
}

#[derive(Deserialize)]
struct NewsAnswer {
    #[serde(deserialize_with = "valid_entries")]
    results: Vec<Hit>,
}

#[derive(Deserialize)]
struct QueryInfo {
    #[serde(default)]
    more_results_available: Flag,
}

#[derive(Deserialize)]
struct Hit {
    url: String,
    #[serde(default)]
    title: Scalar,
    #[serde(default)]
    description: Scalar,
    #[serde(default)]
    page_age: Scalar,
    #[serde(default)]
    age: Scalar,
    #[serde(default)]
    language: Scalar,
    #[serde(default)]
    family_friendly: Scalar,
    #[serde(default)]
    source: Publisher,
    #[serde(default)]
    profile: Publisher,
}

/// A publisher. Some answers have a list or a string here.
#[derive(Default)]
struct Publisher(Option<String>);

impl<'de> Deserialize<'de> for Publisher {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = serde_json::Value::deserialize(deserializer)?;
        let name = value["name"].as_str().or_else(|| value.as_str()).map(str::to_owned);
        Ok(Self(name.filter(|name| !name.trim().is_empty())))
    }
}

impl Brave {
    /// Base URL of the API.
    pub const BASE_URL: &str = "https://api.search.brave.com/res/v1";

    /// Brave at `endpoint`, which has no key yet.
    ///
    /// # Errors
    /// [`EndpointError::Key`].
    pub fn new(endpoint: Endpoint, key: SecretString) -> Result<Self, EndpointError> {
        Ok(Self { endpoint: endpoint.with_key(key, Auth::Header("x-subscription-token"))? })
    }

    async fn web_page(&self, parameters: &[(&str, &str)]) -> Result<(Vec<Hit>, bool), ProviderError> {
        let answer: WebAnswer = self.endpoint.call(&["web", "search"]).get_json(parameters).await?;
        Ok((answer.web.map(|web| web.results).unwrap_or_default(), answer.query.more_results_available.0))
    }

    async fn news_page(
        &self,
        parameters: &[(&str, &str)],
        full: usize,
    ) -> Result<(Vec<Hit>, bool), ProviderError> {
        let answer: NewsAnswer = self.endpoint.call(&["news", "search"]).get_json(parameters).await?;
        let further = answer.results.len() >= full;
        Ok((answer.results, further))
    }

    async fn find(&self, news: bool, query: &Query) -> Result<ProviderHits, ProviderError> {
        if query.term.split(' ').count() > MOST_WORDS {
            let message = format!("it takes terms of at most {MOST_WORDS} words");
            return Err(ProviderError::new(Fault::InvalidRequest, message));
        }
        let full = query.limit.min(if news { NEWS_PAGE } else { WEB_PAGE });
        let mut pages = Pages::default();
        for number in 0..MOST_PAGES {
            let (count, offset) = (full.to_string(), number.to_string());
            let parameters = parameters(news, query, &count, &offset);
            let page =
                if news { self.news_page(&parameters, full).await } else { self.web_page(&parameters).await };
            let (hits, further) = match page {
                Ok(page) => page,
                // Keep the hits of earlier pages.
                Err(_) if number > 0 => break,
                Err(error) => return Err(error),
            };
            let added = pages.add(hits.into_iter().map(raw).collect());
            if !added || !further || pages.hits.len() >= query.limit {
                break;
            }
        }
        Ok(ProviderHits { hits: pages.hits, markup: Markup::Html })
    }
}

fn parameters<'a>(
    news: bool,
    query: &'a Query,
    count: &'a str,
    offset: &'a str,
) -> Vec<(&'static str, &'a str)> {
    let mut parameters =
        vec![("q", query.term.as_str()), ("count", count), ("safesearch", query.safe_search.name())];
    if offset != "0" {
        parameters.push(("offset", offset));
    }
    if !news {
        parameters.extend([("text_decorations", "false"), ("result_filter", "web")]);
    }
    parameters.extend(query.freshness.map(|freshness| {
        let name = match freshness {
            Freshness::Day => "pd",
            Freshness::Week => "pw",
            Freshness::Month => "pm",
            Freshness::Year => "py",
        };
        ("freshness", name)
    }));
    if let Some(language) = &query.language {
        parameters.extend(search_lang(language).map(|name| ("search_lang", name)));
        let country = language.region.as_deref().filter(|region| COUNTRIES.contains(region));
        parameters.extend(country.map(|country| ("country", country)));
    }
    parameters
}

/// Brave's name of a language; `None` if it is not supported.
fn search_lang(language: &LanguageTag) -> Option<&str> {
    let (region, script) = (language.region.as_deref(), language.script.as_deref());
    Some(match language.code.as_str() {
        "ja" => "jp",
        "no" => "nb",
        "en" if region == Some("GB") => "en-gb",
        "pt" if region == Some("BR") => "pt-br",
        "pt" => "pt-pt",
        "zh" if script == Some("Hant") || matches!(region, Some("TW" | "HK" | "MO")) => "zh-hant",
        "zh" => "zh-hans",
        code => LANGUAGES.into_iter().find(|known| *known == code)?,
    })
}

fn raw(hit: Hit) -> RawHit {
    RawHit {
        url: hit.url,
        title: hit.title.words().unwrap_or_default(),
        description: hit.description.words().unwrap_or_default(),
        date: hit.page_age.words().or_else(|| hit.age.words()),
        publisher: hit.source.0.or(hit.profile.0),
        language: hit.language.words(),
        family_friendly: hit.family_friendly.flag(),
        text: None,
    }
}

searches_both!(Brave, "brave", web: false, news: true);
