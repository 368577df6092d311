//! Settings of web and news search.

use providers_http::{BING_NEWS, Brave, FeedTemplate, GOOGLE_NEWS, Tavily};
use serde::{Deserialize, Serialize};
use utilities_core::search::LanguageTag;

use super::Secret;
use super::models::check_url;

/// Web and news search.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SearchSettings {
    /// Providers of web search in order of precedence, comma-separated.
    pub web_order: String,
    /// Providers of news search in order of precedence, comma-separated.
    pub news_order: String,
    /// A SearXNG server of the operator.
    pub searxng: SearxngSettings,
    /// Brave's Search API.
    pub brave: SearchVendorSettings,
    /// Tavily's search API.
    pub tavily: SearchVendorSettings,
    /// URL templates of search feeds.
    pub feeds: Vec<String>,
    /// Default language of feeds.
    pub feed_language: String,
    /// Time limit of a call in seconds.
    pub call_seconds: u64,
    /// Time limit of a provider in seconds.
    pub provider_seconds: u64,
    /// TTL of cached answers in seconds.
    pub cache_seconds: u32,
    /// Number of pages per term whose full text is fetched.
    pub full_texts: usize,
    /// Maximum number of tokens of a `prompt_context`.
    pub prompt_tokens: usize,
    /// Maximum number of concurrent provider requests.
    pub concurrency: usize,
}

/// A SearXNG server.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SearxngSettings {
    /// Base URL; not configured when empty.
    pub base_url: String,
}

/// Access to a vendor's search API.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SearchVendorSettings {
    /// Base URL of its API.
    pub base_url: String,
    /// The API key; the vendor is not configured without one.
    pub key: Secret,
}

/// A search provider.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SearchVendor {
    /// A SearXNG server of the operator.
    Searxng,
    /// Brave's Search API.
    Brave,
    /// Tavily's search API.
    Tavily,
    /// Feeds; news only.
    Feeds,
}

impl SearchVendor {
    const ALL: [Self; 4] = [Self::Searxng, Self::Brave, Self::Tavily, Self::Feeds];

    /// Its name in the settings.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Searxng => "searxng",
            Self::Brave => "brave",
            Self::Tavily => "tavily",
            Self::Feeds => "feeds",
        }
    }

    fn of(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|vendor| vendor.name() == name)
    }
}

impl Default for SearchSettings {
    fn default() -> Self {
        let vendor =
            |base_url: &str| SearchVendorSettings { base_url: base_url.to_owned(), ..Default::default() };
        Self {
            web_order: "searxng,brave,tavily".to_owned(),
            news_order: "searxng,brave,tavily,feeds".to_owned(),
            searxng: SearxngSettings::default(),
            brave: vendor(Brave::BASE_URL),
            tavily: vendor(Tavily::BASE_URL),
            feeds: vec![GOOGLE_NEWS.to_owned(), BING_NEWS.to_owned()],
            feed_language: "en-US".to_owned(),
            call_seconds: 20,
            provider_seconds: 8,
            cache_seconds: 300,
            full_texts: 5,
            prompt_tokens: 4_000,
            concurrency: 32,
        }
    }
}

impl SearchSettings {
    /// The configured providers of web search, in order of precedence.
    #[must_use]
    pub fn web(&self) -> Vec<SearchVendor> {
        self.configured(&self.web_order)
    }

    /// The configured providers of news search, in order of precedence.
    #[must_use]
    pub fn news(&self) -> Vec<SearchVendor> {
        self.configured(&self.news_order)
    }

    fn configured(&self, order: &str) -> Vec<SearchVendor> {
        let is_set = |vendor: &SearchVendor| match vendor {
            SearchVendor::Searxng => !self.searxng.base_url.is_empty(),
            SearchVendor::Brave => !self.brave.key.is_empty(),
            SearchVendor::Tavily => !self.tavily.key.is_empty(),
            SearchVendor::Feeds => !self.feeds.is_empty(),
        };
        names(order).filter_map(SearchVendor::of).filter(is_set).collect()
    }
}

fn names(order: &str) -> impl Iterator<Item = &str> {
    order.split(',').map(str::trim).filter(|name| !name.is_empty())
}

/// Validates the settings.
pub(super) fn check(settings: &SearchSettings) -> Result<(), String> {
    check_order("search.web_order", &settings.web_order, &["searxng", "brave", "tavily"])?;
    check_order("search.news_order", &settings.news_order, &["searxng", "brave", "tavily", "feeds"])?;
    if !settings.searxng.base_url.is_empty() {
        check_url("search.searxng.base_url", &settings.searxng.base_url)?;
    }
    check_url("search.brave.base_url", &settings.brave.base_url)?;
    check_url("search.tavily.base_url", &settings.tavily.base_url)?;
    for (place, feed) in settings.feeds.iter().enumerate() {
        FeedTemplate::parse(feed).map_err(|error| format!("'search.feeds[{place}]': {error}"))?;
    }
    match LanguageTag::parse(&settings.feed_language) {
        Some(_) => Ok(()),
        None => Err("'search.feed_language' must be a language tag such as en-US".to_owned()),
    }
}

fn check_order(key: &str, order: &str, known: &[&str]) -> Result<(), String> {
    let found: Vec<&str> = names(order).collect();
    let repeated =
        found.iter().enumerate().any(|(place, name)| found.iter().take(place).any(|other| other == name));
    if repeated || found.iter().any(|name| !known.contains(name)) {
        return Err(format!("'{key}' must be some of {}, each once, separated by commas", known.join(", ")));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_those_that_are_configured_are_asked_in_the_order_of_the_settings() {
        let mut settings = SearchSettings::default();
        assert_eq!((settings.web(), settings.news()), (vec![], vec![SearchVendor::Feeds]));
        settings.tavily.key = "k".to_owned().into();
        settings.searxng.base_url = "http://127.0.0.1:8888".to_owned();
        assert_eq!(settings.web(), [SearchVendor::Searxng, SearchVendor::Tavily]);
        settings.web_order = " tavily , searxng,".to_owned();
        assert_eq!(settings.web(), [SearchVendor::Tavily, SearchVendor::Searxng]);
        settings.news_order = String::new();
        assert_eq!(settings.news(), []);
        assert_eq!(check(&settings), Ok(()));
    }

    #[test]
    fn what_is_wrong_is_named_with_its_key() {
        let with = |change: fn(&mut SearchSettings)| {
            let mut settings = SearchSettings::default();
            change(&mut settings);
            check(&settings).unwrap_err()
        };
        for (told, key) in [
            (with(|s| s.web_order = "feeds".to_owned()), "search.web_order"),
            (with(|s| s.web_order = "brave,brave".to_owned()), "search.web_order"),
            (with(|s| s.news_order = "google".to_owned()), "search.news_order"),
            (with(|s| s.searxng.base_url = "localhost:8888".to_owned()), "search.searxng.base_url"),
            (with(|s| s.brave.base_url = String::new()), "search.brave.base_url"),
            (with(|s| s.tavily.base_url = "http://a:b@h".to_owned()), "search.tavily.base_url"),
            (with(|s| s.feeds.push("https://h/feed".to_owned())), "search.feeds[2]"),
            (with(|s| s.feed_language = "english".to_owned()), "search.feed_language"),
        ] {
            assert!(told.starts_with(&format!("'{key}'")), "{told}");
        }
    }
}
