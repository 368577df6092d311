//! The back-off that a provider requests.

use std::time::{Duration, SystemTime};

use reqwest::header::{DATE, HeaderMap, RETRY_AFTER};
use shared_core::Clock;

/// Maximum back-off; a longer one is shortened to it. Quotas of a day end by then.
const LONGEST: Duration = Duration::from_secs(24 * 60 * 60);

/// The delay in the headers: `retry-after-ms`, else `Retry-After` in seconds or as a date (RFC 9110, section
/// 10.2.3), relative to the answer's own date if it has one.
pub(crate) fn retry_after(headers: &HeaderMap, clock: &dyn Clock) -> Option<Duration> {
    let text = |name| headers.get(name).and_then(|value| value.to_str().ok()).map(str::trim);
    let milliseconds = text("retry-after-ms").and_then(|text| text.parse::<f64>().ok());
    if let Some(wait) = milliseconds.and_then(|milliseconds| seconds(milliseconds / 1000.0)) {
        return Some(wait);
    }
    let asked = text(RETRY_AFTER.as_str())?;
    if let Ok(number) = asked.parse() {
        return seconds(number);
    }
    let date = httpdate::parse_http_date(asked).ok()?;
    let now = text(DATE.as_str()).and_then(|date| httpdate::parse_http_date(date).ok());
    let now = now.or_else(|| {
        let micros = u64::try_from(clock.now().micros()).ok()?;
        SystemTime::UNIX_EPOCH.checked_add(Duration::from_micros(micros))
    })?;
    Some(date.duration_since(now).unwrap_or_default().min(LONGEST))
}

/// A delay of this many seconds; `None` for an invalid number.
pub(super) fn seconds(number: f64) -> Option<Duration> {
    (number >= 0.0).then(|| Duration::try_from_secs_f64(number).map_or(LONGEST, |wait| wait.min(LONGEST)))
}

#[cfg(test)]
mod tests {
    use reqwest::header::HeaderValue;
    use shared_core::FixedClock;

    use super::*;

    fn wait(headers: &[(&'static str, &'static str)]) -> Option<f64> {
        let headers =
            headers.iter().map(|(name, value)| (name.parse().unwrap(), HeaderValue::from_static(value)));
        retry_after(&headers.collect(), &FixedClock::new(1_767_225_600_000_000, 0))
            .map(|wait| wait.as_secs_f64())
    }

    #[test]
    fn a_wait_is_read_in_every_form() {
        assert_eq!(wait(&[("retry-after", "20")]), Some(20.0));
        assert_eq!(wait(&[("retry-after", "0.5")]), Some(0.5));
        assert_eq!(wait(&[("retry-after-ms", "1500"), ("retry-after", "9")]), Some(1.5));
        // The clock of the test is at midnight of 1 January 2026.
        assert_eq!(wait(&[("retry-after", "Thu, 01 Jan 2026 00:00:30 GMT")]), Some(30.0));
        let date = ("date", "Thu, 01 Jan 2026 00:00:20 GMT");
        assert_eq!(wait(&[date, ("retry-after", "Thu, 01 Jan 2026 00:00:30 GMT")]), Some(10.0));
        assert_eq!(wait(&[("retry-after", "Mon, 01 Jan 1990 00:00:30 GMT")]), Some(0.0));
    }

    #[test]
    fn nonsense_is_no_wait_and_an_endless_one_is_a_day() {
        for text in ["", "soon", "-1", "NaN"] {
            assert_eq!(wait(&[("retry-after", text)]), None, "{text}");
        }
        assert_eq!(wait(&[("retry-after", "1e300")]), Some(86_400.0));
        assert_eq!(wait(&[("retry-after", "inf")]), Some(86_400.0));
    }
}
