//! The freshness of cached answers (RFC 9111, section 4.2) within an own bound, and their revalidation
//! (section 4.3).

use std::time::Duration;

use reqwest::RequestBuilder;
use reqwest::header::{
    CACHE_CONTROL, DATE, ETAG, EXPIRES, HeaderMap, HeaderName, HeaderValue, IF_MODIFIED_SINCE, IF_NONE_MATCH,
    LAST_MODIFIED, PRAGMA,
};

/// Maximum size of a validator in bytes; a longer one is ignored. Bounds the memory. Chosen by hand; no
/// measurement is recorded.
const MAX_MARK: usize = 512;

/// Freshness of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ResponseFreshness {
    /// Freshness lifetime.
    pub(super) fresh: Duration,
    /// Whether caching is allowed.
    pub(super) allowed: bool,
}

impl ResponseFreshness {
    const STALE: Self = Self { fresh: Duration::ZERO, allowed: true };

    /// The freshness from the headers, at most `most`, which is also the default.
    pub(super) fn of(headers: &HeaderMap, most: Duration) -> Self {
        let texts =
            headers.get_all(CACHE_CONTROL).iter().map(|value| String::from_utf8_lossy(value.as_bytes()));
        let control = texts.collect::<Vec<_>>().join(",").to_ascii_lowercase();
        let mut directives = control.split(',').map(str::trim);
        if directives.clone().any(|directive| directive == "no-store") {
            return Self { fresh: Duration::ZERO, allowed: false };
        }
        if directives.clone().any(|directive| directive == "no-cache") {
            return Self::STALE;
        }
        let age = directives.rfind(|directive| directive.starts_with("max-age="));
        let fresh = match age.and_then(|age| age.strip_prefix("max-age=")) {
            // An invalid age makes the answer stale.
            Some(age) => age.trim_matches('"').parse().map_or(Duration::ZERO, Duration::from_secs),
            None => until_expired(headers, control.is_empty(), most),
        };
        Self { fresh: fresh.min(most), allowed: true }
    }

    /// The freshness after a successful revalidation: from the new headers, else unchanged.
    pub(super) fn renewed(self, headers: &HeaderMap, most: Duration) -> Self {
        let says = [CACHE_CONTROL, EXPIRES, PRAGMA].iter().any(|name| headers.contains_key(name));
        if says { Self::of(headers, most) } else { self }
    }
}

/// The lifetime from `Expires` and `Pragma`.
fn until_expired(headers: &HeaderMap, uncontrolled: bool, most: Duration) -> Duration {
    let text = |name| headers.get(name).and_then(|value| value.to_str().ok());
    if uncontrolled && text(PRAGMA).is_some_and(|pragma| pragma.contains("no-cache")) {
        return Duration::ZERO;
    }
    let Some(expires) = text(EXPIRES) else { return most };
    let times = httpdate::parse_http_date(expires)
        .ok()
        .zip(text(DATE).and_then(|date| httpdate::parse_http_date(date).ok()));
    // An invalid date is in the past.
    times.and_then(|(expires, date)| expires.duration_since(date).ok()).unwrap_or_default()
}

/// Validators of an answer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Validators {
    tag: Option<HeaderValue>,
    modified: Option<HeaderValue>,
}

impl Validators {
    /// The validators in the headers.
    pub(super) fn of(headers: &HeaderMap) -> Self {
        let mark =
            |name: HeaderName| headers.get(name).filter(|mark| (1..=MAX_MARK).contains(&mark.len())).cloned();
        Self { tag: mark(ETAG), modified: mark(LAST_MODIFIED) }
    }

    /// Whether there is a validator.
    pub(super) fn exist(&self) -> bool {
        self.tag.is_some() || self.modified.is_some()
    }

    /// The validators, updated with those of the confirming answer.
    pub(super) fn renewed(self, headers: &HeaderMap) -> Self {
        let new = Self::of(headers);
        Self { tag: new.tag.or(self.tag), modified: new.modified.or(self.modified) }
    }

    /// Makes the request conditional on these validators.
    pub(super) fn make_conditional(&self, request: RequestBuilder) -> RequestBuilder {
        let request = match &self.tag {
            Some(tag) => request.header(IF_NONE_MATCH, tag),
            None => request,
        };
        match &self.modified {
            Some(modified) => request.header(IF_MODIFIED_SINCE, modified),
            None => request,
        }
    }
}

#[cfg(test)]
mod tests {
    use reqwest::header::{HeaderName, HeaderValue};

    use super::*;

    fn seconds(headers: &[(&'static str, &'static str)]) -> u64 {
        let headers = headers
            .iter()
            .map(|(name, value)| (HeaderName::from_static(name), HeaderValue::from_static(value)));
        ResponseFreshness::of(&headers.collect(), Duration::from_secs(300)).fresh.as_secs()
    }

    #[test]
    fn the_site_says_how_long_but_not_for_ever() {
        assert_eq!(seconds(&[]), 300);
        assert_eq!(seconds(&[("cache-control", "public, Max-Age=60")]), 60);
        assert_eq!(seconds(&[("cache-control", "max-age=31536000, immutable")]), 300);
        for stale in ["no-store", "private, no-cache", "max-age=0", "max-age=soon"] {
            assert_eq!(seconds(&[("cache-control", stale)]), 0, "{stale}");
        }
        let date = ("date", "Thu, 01 Jan 2026 00:00:00 GMT");
        assert_eq!(seconds(&[date, ("expires", "Thu, 01 Jan 2026 00:01:00 GMT")]), 60);
        assert_eq!(seconds(&[date, ("expires", "Wed, 31 Dec 2025 00:00:00 GMT")]), 0);
        assert_eq!(seconds(&[date, ("expires", "0")]), 0);
        assert_eq!(seconds(&[("pragma", "no-cache")]), 0);
    }

    #[test]
    fn what_is_not_to_be_stored_is_not_kept_for_asking_again_and_what_must_be_asked_is() {
        let keeping = |text: &'static str| {
            let headers = [(CACHE_CONTROL, HeaderValue::from_static(text))];
            ResponseFreshness::of(&headers.into_iter().collect(), Duration::from_secs(300))
        };
        assert!(!keeping("no-cache, No-Store").allowed);
        assert_eq!(keeping("no-cache, max-age=60"), ResponseFreshness::STALE);
        let month = keeping("max-age=60");
        assert_eq!(month.renewed(&HeaderMap::new(), Duration::from_secs(300)), month);
        let headers = [(CACHE_CONTROL, HeaderValue::from_static("max-age=20"))].into_iter().collect();
        assert_eq!(month.renewed(&headers, Duration::from_secs(300)).fresh.as_secs(), 20);
    }

    #[test]
    fn marks_that_are_too_long_are_not_kept() {
        let marks = |tag: &str| {
            let headers: HeaderMap = [(ETAG, HeaderValue::from_str(tag).unwrap())].into_iter().collect();
            Validators::of(&headers)
        };
        assert!(marks("W/\"1\"").exist() && !marks(&"x".repeat(MAX_MARK + 1)).exist() && !marks("").exist());
    }
}
