//! How long an answer may be used again (RFC 9111, section 4.2), within a bound of our own.

use std::time::Duration;

use reqwest::header::{CACHE_CONTROL, DATE, EXPIRES, HeaderMap, PRAGMA};

/// The time for which an answer may be used again: what the site says, `most` at the most and where it does not say.
pub(super) fn freshness(headers: &HeaderMap, most: Duration) -> Duration {
    let texts = headers.get_all(CACHE_CONTROL).iter().map(|value| String::from_utf8_lossy(value.as_bytes()));
    let control = texts.collect::<Vec<_>>().join(",").to_ascii_lowercase();
    let mut age = None;
    for directive in control.split(',').map(str::trim) {
        if matches!(directive, "no-store" | "no-cache") {
            return Duration::ZERO;
        }
        if let Some(seconds) = directive.strip_prefix("max-age=") {
            // What is no number is stale.
            age = Some(seconds.trim_matches('"').parse().map_or(Duration::ZERO, Duration::from_secs));
        }
    }
    if let Some(age) = age {
        return age.min(most);
    }
    let text = |name| headers.get(name).and_then(|value| value.to_str().ok());
    if control.is_empty() && text(PRAGMA).is_some_and(|pragma| pragma.contains("no-cache")) {
        return Duration::ZERO;
    }
    let Some(expires) = text(EXPIRES) else { return most };
    let times = httpdate::parse_http_date(expires)
        .ok()
        .zip(text(DATE).and_then(|date| httpdate::parse_http_date(date).ok()));
    // A date that is none is in the past.
    times.and_then(|(expires, date)| expires.duration_since(date).ok()).unwrap_or_default().min(most)
}

#[cfg(test)]
mod tests {
    use reqwest::header::{HeaderName, HeaderValue};

    use super::*;

    fn seconds(headers: &[(&'static str, &'static str)]) -> u64 {
        let headers = headers
            .iter()
            .map(|(name, value)| (HeaderName::from_static(name), HeaderValue::from_static(value)));
        freshness(&headers.collect(), Duration::from_secs(300)).as_secs()
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
}
