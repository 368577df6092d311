//! URL templates of search feeds.

use std::fmt::Write as _;

use reqwest::Url;
use utilities_core::search::{Freshness, LanguageTag, Query};

/// The search feed of Google News.
pub const GOOGLE_NEWS: &str = "https://news.google.com/rss/search?q={query}{when}&hl={language}-{region}&gl={region}&ceid={region}:{language}";
/// Google News' feed of headlines, which its search feed does not have.
const GOOGLE_HEADLINES: &str =
    "https://news.google.com/rss?hl={language}-{region}&gl={region}&ceid={region}:{language}";
/// The search feed of Bing News.
pub const BING_NEWS: &str = "https://www.bing.com/news/search?q={query}&format=rss&mkt={language}-{region}";

/// Maximum number of characters of a template. Bounds the URL. Chosen by hand; no measurement is recorded.
const LONGEST: usize = 2_048;

/// Why a template cannot be used. `Display` is one sentence for the operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FeedTemplateError {
    /// It is not a valid URL.
    #[error("a feed must be an http or https address without user and password")]
    Address,
    /// It lacks the placeholder of the term.
    #[error("a feed's address must have {{query}} after its host")]
    NoQuery,
    /// It has an unknown placeholder.
    #[error(
        "a feed's address may have the places {{query}}, {{when}}, {{days}}, {{limit}}, {{language}} and {{region}} only"
    )]
    UnknownPlace,
}

/// A URL with placeholders: `{query}`, `{language}`, `{region}`, `{limit}`, `{days}` (maximum age of the
/// news; 0 when unlimited) and `{when}` (Google's operator for the same; empty when unlimited).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FeedTemplate {
    parts: Vec<Part>,
    /// The URL of the headlines, if it differs from that of an empty search.
    headlines: Option<Vec<Part>>,
    site: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    Text(String),
    Query,
    Language,
    Region,
    Limit,
    Days,
    When,
}

impl FeedTemplate {
    /// Parses a template.
    ///
    /// # Errors
    /// [`FeedTemplateError`].
    pub fn parse(text: &str) -> Result<Self, FeedTemplateError> {
        let text = text.trim();
        // The host must not depend on the query.
        let probe = Url::parse(text).ok().filter(|url| {
            text.len() <= LONGEST
                && matches!(url.scheme(), "http" | "https")
                && url.username().is_empty()
                && url.password().is_none()
        });
        let site = probe.as_ref().and_then(Url::host_str).ok_or(FeedTemplateError::Address)?;
        let after_host = text.split_once("://").map_or("", |(_, rest)| rest).split_once(['/', '?']);
        let (host, rest) = after_host.ok_or(FeedTemplateError::NoQuery)?;
        if host.contains(['{', '}']) {
            return Err(FeedTemplateError::Address);
        }
        if !rest.contains("{query}") {
            return Err(FeedTemplateError::NoQuery);
        }
        let headlines = (text == GOOGLE_NEWS).then(|| parts(GOOGLE_HEADLINES)).transpose()?;
        Ok(Self { parts: parts(text)?, headlines, site: site.trim_start_matches("www.").to_owned() })
    }

    /// The host, for messages.
    pub(super) fn site(&self) -> &str {
        &self.site
    }

    /// The URL for a query in a language, or of the headlines for a query without a term.
    pub(super) fn fill(&self, query: &Query, language: &LanguageTag) -> String {
        let mut url = String::new();
        let headlines = self.headlines.as_ref().filter(|_| query.term.is_empty());
        for part in headlines.unwrap_or(&self.parts) {
            match part {
                Part::Text(text) => url.push_str(text),
                Part::Query => encode(&query.term, &mut url),
                Part::Language => encode(&language.code, &mut url),
                Part::Region => encode(&region(language), &mut url),
                Part::Limit => url.push_str(&query.limit.to_string()),
                Part::Days => url.push_str(&query.freshness.map_or(0, Freshness::days).to_string()),
                Part::When => url.push_str(query.freshness.map_or("", when)),
            }
        }
        url
    }
}

/// Splits the template at its placeholders, so that inserted values are not parsed again.
fn parts(text: &str) -> Result<Vec<Part>, FeedTemplateError> {
    let (mut parts, mut rest) = (Vec::new(), text);
    while let Some((before, after)) = rest.split_once('{') {
        let (name, after) = after.split_once('}').ok_or(FeedTemplateError::UnknownPlace)?;
        parts.push(Part::Text(before.to_owned()));
        parts.push(match name {
            "query" => Part::Query,
            "language" => Part::Language,
            "region" => Part::Region,
            "limit" => Part::Limit,
            "days" => Part::Days,
            "when" => Part::When,
            _ => return Err(FeedTemplateError::UnknownPlace),
        });
        rest = after;
    }
    parts.push(Part::Text(rest.to_owned()));
    Ok(parts)
}

fn when(freshness: Freshness) -> &'static str {
    match freshness {
        Freshness::Day => "%20when%3A1d",
        Freshness::Week => "%20when%3A7d",
        Freshness::Month => "%20when%3A31d",
        Freshness::Year => "%20when%3A1y",
    }
}

/// The region: as requested, else the main region of the language.
fn region(language: &LanguageTag) -> String {
    let usual = match language.code.as_str() {
        "en" => "US",
        "ar" => "EG",
        "cs" => "CZ",
        "da" => "DK",
        "el" => "GR",
        "et" => "EE",
        "fa" => "IR",
        "he" => "IL",
        "hi" | "bn" | "ta" | "te" | "mr" | "ml" => "IN",
        "ja" => "JP",
        "ko" => "KR",
        "ms" => "MY",
        "nb" | "no" => "NO",
        "pt" => "BR",
        "sl" => "SI",
        "sr" => "RS",
        "sv" => "SE",
        "uk" => "UA",
        "vi" => "VN",
        "zh" => "CN",
        _ => "",
    };
    match (&language.region, usual) {
        (Some(region), _) => region.clone(),
        (None, "") => language.code.to_ascii_uppercase(),
        (None, usual) => usual.to_owned(),
    }
}

/// Percent-encodes all but the unreserved characters (RFC 3986, section 2.3).
fn encode(text: &str, url: &mut String) {
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            url.push(char::from(byte));
        } else {
            // Writing to a String cannot fail.
            let _ = write!(url, "%{byte:02X}");
        }
    }
}
