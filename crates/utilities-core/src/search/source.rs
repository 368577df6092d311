//! The hits of the answer, built from untrusted provider hits.

use language::detect::detect_reliably;
use shared_core::Timestamp;
use url::Url;

use super::address::{bare_host, clean_url};
use super::dates::parse_date;
use super::plain::{Markup, plain_page, plain_text};
use super::ports::{ProviderHits, RawHit};
use super::query::{Kind, LanguageTag, Query};
use crate::ItemError;

// They bound memory and the response; pages and feeds are hostile. Chosen by hand; no measurement is
// recorded.
/// Maximum characters of a title.
const TITLE: usize = 300;
/// Maximum characters of a description.
const DESCRIPTION: usize = 2_000;
/// Maximum characters of a publisher's name.
const PUBLISHER: usize = 200;
/// Maximum characters of a page's text.
pub(super) const TEXT: usize = 50_000;

/// A hit. Its texts are plain, without markup and control characters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// Title; the URL when the provider returns none.
    pub title: String,
    /// Description: an excerpt of the page; empty when the provider returns none.
    pub description: String,
    /// URL, http or https, without tracking parameters.
    pub url: String,
    /// Publication time, if known.
    pub published: Option<Timestamp>,
    /// Name of the publisher; the host when the provider returns none.
    pub publisher: String,
    /// Language tag; empty when unknown.
    pub language: String,
    /// Whether it is suitable for all ages. True unless the provider says otherwise.
    pub family_friendly: bool,
    /// The page's own text; empty when it was not requested or is not available.
    pub full_text: String,
}

/// The result of a term.
#[derive(Debug)]
pub struct TermResult {
    /// The term of the request.
    pub term: String,
    /// The hits, best first.
    pub sources: Vec<Source>,
    /// The hits as text for a prompt.
    pub prompt_context: String,
    /// Why the search failed. A term without hits has no error.
    pub error: Option<ItemError>,
}

/// The valid hits with their URLs, in the provider's order. At most four times the limit are examined.
pub(super) fn sources(found: ProviderHits, kind: Kind, query: &Query, now: Timestamp) -> Vec<(Url, Source)> {
    let markup = found.markup;
    // Bounds the time; the rest is for invalid and repeated hits. Chosen by hand; no measurement is recorded.
    let hits = found.hits.into_iter().take(query.limit.saturating_mul(4));
    hits.filter_map(|hit| source(hit, markup, kind, query, now)).collect()
}

fn source(hit: RawHit, markup: Markup, kind: Kind, query: &Query, now: Timestamp) -> Option<(Url, Source)> {
    let url = clean_url(&hit.url)?;
    let published = hit.date.as_deref().and_then(|date| parse_date(date, now));
    if kind == Kind::News && too_old(published, query, now) {
        return None;
    }
    let named = hit.publisher.as_deref().map(|name| plain_text(name, markup, PUBLISHER));
    let named = named.filter(|name| !name.is_empty());
    let mut title = plain_text(&hit.title, markup, TITLE);
    if let (Kind::News, Some(name)) = (kind, &named) {
        title = without_publisher(&title, name).to_owned();
    }
    let mut description = plain_text(&hit.description, markup, DESCRIPTION);
    if repeats_title(&description, &title, named.as_deref()) {
        description.clear();
    }
    let language = language(hit.language.as_deref(), query, &title, &description);
    let publisher = named.or_else(|| bare_host(&url)).unwrap_or_default();
    let source = Source {
        title: if title.is_empty() { url.to_string() } else { title },
        description,
        url: url.to_string(),
        published,
        publisher,
        language,
        family_friendly: hit.family_friendly.unwrap_or(true),
        full_text: hit
            .text
            .filter(|_| query.with_text)
            .map(|text| plain_page(&text, TEXT))
            .unwrap_or_default(),
    };
    Some((url, source))
}

/// Whether a hit is older than requested: not every provider applies the filter.
fn too_old(published: Option<Timestamp>, query: &Query, now: Timestamp) -> bool {
    let Some((published, freshness)) = published.zip(query.freshness) else { return false };
    // One hour of tolerance, since some providers round times.
    now.seconds_since(published) > f64::from(freshness.days() * 86_400 + 3_600)
}

/// The title without a trailing ` - Publisher`, which news feeds append.
fn without_publisher<'a>(title: &'a str, publisher: &str) -> &'a str {
    let head = title.strip_suffix(publisher).map(str::trim_end);
    let head = head.and_then(|head| head.strip_suffix(['-', '–', '—', '|'])).map(str::trim_end);
    head.filter(|head| !head.is_empty()).unwrap_or(title)
}

/// Whether a description only repeats the title and the publisher.
fn repeats_title(description: &str, title: &str, publisher: Option<&str>) -> bool {
    let rest = description.strip_prefix(title).map(str::trim);
    rest.is_some_and(|rest| {
        let rest = rest.trim_start_matches(['-', '–', '—', '|']).trim();
        !title.is_empty() && (rest.is_empty() || publisher == Some(rest))
    })
}

fn language(told: Option<&str>, query: &Query, title: &str, description: &str) -> String {
    let told = told.map(str::trim).and_then(LanguageTag::parse).map(|language| language.tag());
    let detected = || detect_reliably(&format!("{title}. {description}"))?.code().map(str::to_owned);
    told.or_else(detected)
        .or_else(|| query.language.as_ref().map(|language| language.code.clone()))
        .unwrap_or_default()
}
