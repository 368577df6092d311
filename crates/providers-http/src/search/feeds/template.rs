//! Addresses of search feeds, with places for what is searched.

use std::fmt::Write as _;

use reqwest::Url;
use utilities_core::search::{Freshness, Language, Query};

/// The search feed of Google News.
pub const GOOGLE_NEWS: &str = "https://news.google.com/rss/search?q={query}{when}&hl={language}-{region}&gl={region}&ceid={region}:{language}";
/// The feed of Google News with the headlines, which its search feed does not have.
const GOOGLE_HEADLINES: &str =
    "https://news.google.com/rss?hl={language}-{region}&gl={region}&ceid={region}:{language}";
/// The search feed of Bing News.
pub const BING_NEWS: &str = "https://www.bing.com/news/search?q={query}&format=rss&mkt={language}-{region}";

/// Characters of a template at the most.
const LONGEST: usize = 2_048;

/// A template that cannot be used. `Display` is one sentence for the operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FeedTemplateError {
    /// No address.
    #[error("a feed must be an http or https address without user and password")]
    Address,
    /// Nowhere to put the term.
    #[error("a feed's address must have {{query}} after its host")]
    NoQuery,
    /// A place that nothing is known for.
    #[error(
        "a feed's address may have the places {{query}}, {{when}}, {{days}}, {{limit}}, {{language}} and {{region}} only"
    )]
    UnknownPlace,
}

/// An address with places: `{query}`, `{language}`, `{region}`, `{limit}`, `{days}` (how old news may be; 0 where that is
/// not asked) and `{when}` (Google's operator for the same; nothing where that is not asked).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FeedTemplate {
    parts: Vec<Part>,
    /// The address of the headlines, where it is another than that of a search for nothing.
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
    /// Reads a template.
    ///
    /// # Errors
    /// [`FeedTemplateError`].
    pub fn parse(text: &str) -> Result<Self, FeedTemplateError> {
        let text = text.trim();
        // The host must not depend on what is searched.
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

    /// The address for a query in a language; of the headlines where the query has no term.
    pub(super) fn fill(&self, query: &Query, language: &Language) -> String {
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

/// Takes the template apart at its places, so that what is put in is never looked at again.
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

/// Where the language is spoken: as asked, else where most speak it.
fn region(language: &Language) -> String {
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
