//! Parses dates as providers and feeds write them.

use chrono::{DateTime, NaiveDate, NaiveDateTime};
use language::date::parse_elapsed;
use shared_core::Timestamp;

/// Maximum characters of a date. Bounds the time.
const LONGEST: usize = 64;
/// Earliest accepted date, because the web is not older: 1990-01-01T00:00:00Z, in seconds.
const FIRST: i64 = 631_152_000;
/// Tolerance for clocks and time zones that run ahead, in seconds. Chosen by hand; no measurement is
/// recorded.
const AHEAD: i64 = 2 * 86_400;

/// Formats with a time, in UTC when they name no zone.
const TIMES: [&str; 10] = [
    "%Y-%m-%dT%H:%M:%S%.f",
    "%Y-%m-%d %H:%M:%S%.f",
    "%Y-%m-%dT%H:%M",
    "%Y-%m-%d %H:%M",
    "%Y%m%dT%H%M%S",
    "%Y%m%d%H%M%S",
    "%d %b %Y %H:%M:%S",
    "%d %b %Y %H:%M",
    "%d-%b-%y %H:%M:%S",
    "%b %d %H:%M:%S %Y",
];

/// Formats with a zone that RFC 3339 and RFC 2822 do not cover.
const ZONED: [&str; 3] = ["%Y-%m-%dT%H:%M:%S%.f%#z", "%Y-%m-%d %H:%M:%S%.f %#z", "%Y-%m-%dT%H:%M%#z"];

/// Formats of a day.
const DAYS: [&str; 9] = [
    "%Y-%m-%d",
    "%Y/%m/%d",
    "%Y%m%d",
    "%d.%m.%Y",
    "%d %b %Y",
    "%d %B %Y",
    "%b %d, %Y",
    "%B %d, %Y",
    "%d-%b-%Y",
];

/// Parses an instant: RFC 3339, RFC 2822 (also with a wrong weekday), common formats with and without a zone
/// (then UTC), a day (its beginning), seconds or milliseconds since 1970, or a relative time in any language.
/// `None` for anything else, and for instants before 1990 or more than two days after `now`.
#[must_use]
pub fn parse_date(text: &str, now: Timestamp) -> Option<Timestamp> {
    let text = text.trim();
    if text.is_empty() || text.len() > LONGEST {
        return None;
    }
    let found = absolute(text).or_else(|| relative(text, now))?;
    let seconds = found.micros().div_euclid(1_000_000);
    let latest = now.micros().div_euclid(1_000_000).saturating_add(AHEAD);
    (FIRST..=latest).contains(&seconds).then_some(found)
}

fn absolute(text: &str) -> Option<Timestamp> {
    // Seconds since 1973, and milliseconds since 2001.
    if text.bytes().all(|byte| byte.is_ascii_digit()) && (9..=13).contains(&text.len()) {
        let number: i64 = text.parse().ok()?;
        return Timestamp::from_micros(number.checked_mul(if text.len() == 13 {
            1_000
        } else {
            1_000_000
        })?);
    }
    if let Ok(found) = DateTime::parse_from_rfc3339(text) {
        return Timestamp::from_micros(found.timestamp_micros());
    }
    let text = without_weekday(text);
    if let Ok(found) = DateTime::parse_from_rfc2822(text) {
        return Timestamp::from_micros(found.timestamp_micros());
    }
    let zoned = ZONED.iter().find_map(|form| DateTime::parse_from_str(text, form).ok());
    if let Some(found) = zoned {
        return Timestamp::from_micros(found.timestamp_micros());
    }
    let bare = without_utc(text);
    let time = TIMES.iter().find_map(|form| NaiveDateTime::parse_from_str(bare, form).ok());
    let day = || DAYS.iter().find_map(|form| NaiveDate::parse_from_str(bare, form).ok());
    let time = time.or_else(|| day()?.and_hms_opt(0, 0, 0))?;
    Timestamp::from_micros(time.and_utc().timestamp_micros())
}

/// The text without its weekday, which is wrong in some feeds.
fn without_weekday(text: &str) -> &str {
    const DAYS: [&str; 7] = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
    let Some((first, rest)) = text.split_once([',', ' ']) else { return text };
    let named = first.get(..3).is_some_and(|day| DAYS.contains(&day.to_ascii_lowercase().as_str()));
    if named && first.bytes().all(|byte| byte.is_ascii_alphabetic()) { rest.trim_start() } else { text }
}

fn without_utc(text: &str) -> &str {
    ["UTC", "GMT", "Z"].iter().find_map(|zone| text.strip_suffix(zone)).unwrap_or(text).trim_end()
}

/// Parses relative times such as `3 hours ago`, `gestern`.
fn relative(text: &str, now: Timestamp) -> Option<Timestamp> {
    Some(now.plus_seconds(-parse_elapsed(text)?))
}

#[cfg(test)]
mod tests {
    use shared_core::{Clock as _, FixedClock};

    use super::*;

    fn read(text: &str) -> Option<String> {
        // 2026-03-01T12:00:00Z
        let now = FixedClock::new(1_772_366_400_000_000, 0).now();
        parse_date(text, now).map(Timestamp::record_text)
    }

    #[test]
    fn every_usual_form_of_a_date_is_read() {
        for (text, expected) in [
            ("2026-02-03T04:05:06Z", "2026-02-03 04:05:06"),
            ("2026-02-03T04:05:06.789+02:00", "2026-02-03 02:05:06"),
            ("2026-02-03T04:05:06+0200", "2026-02-03 02:05:06"),
            ("2026-02-03T04:05:06", "2026-02-03 04:05:06"),
            ("2026-02-03 04:05:06", "2026-02-03 04:05:06"),
            ("2026-02-03 04:05:06 UTC", "2026-02-03 04:05:06"),
            ("2026-02-03T04:05Z", "2026-02-03 04:05:00"),
            ("20260203T040506Z", "2026-02-03 04:05:06"),
            ("Tue, 03 Feb 2026 04:05:06 GMT", "2026-02-03 04:05:06"),
            ("Tue, 3 Feb 2026 04:05:06 -0500", "2026-02-03 09:05:06"),
            ("Tue, 3 Feb 2026 04:05:06 EST", "2026-02-03 09:05:06"),
            // It was a Tuesday.
            ("Fri, 03 Feb 2026 04:05:06 +0000", "2026-02-03 04:05:06"),
            ("Tuesday, 03-Feb-26 04:05:06 GMT", "2026-02-03 04:05:06"),
            ("Tue Feb  3 04:05:06 2026", "2026-02-03 04:05:06"),
            ("2026-02-03", "2026-02-03 00:00:00"),
            ("03.02.2026", "2026-02-03 00:00:00"),
            ("February 3, 2026", "2026-02-03 00:00:00"),
            ("Feb 3, 2026", "2026-02-03 00:00:00"),
            ("3 February 2026", "2026-02-03 00:00:00"),
            ("1770091506", "2026-02-03 04:05:06"),
            ("1770091506000", "2026-02-03 04:05:06"),
            ("3 hours ago", "2026-03-01 09:00:00"),
            ("An hour ago", "2026-03-01 11:00:00"),
            ("2 weeks ago", "2026-02-15 12:00:00"),
            ("yesterday", "2026-02-28 12:00:00"),
            ("vor 2 Tagen", "2026-02-27 12:00:00"),
        ] {
            assert_eq!(read(text).as_deref(), Some(expected), "{text}");
        }
    }

    #[test]
    fn what_is_no_date_of_the_web_is_none() {
        let long = "1".repeat(100);
        for text in [
            "",
            " ",
            "soon",
            "2026-13-45",
            "0001-01-01",
            "1969-12-31T23:59:59Z",
            "2031-01-01",
            "999999999999999",
            "-5 days ago",
            "99999999999 years ago",
            "5 ago",
            "ago",
            "5 fortnights ago",
            "\u{0}",
            "２０２６-02-03",
            "Ärger, 3 Feb 2026",
            long.as_str(),
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
