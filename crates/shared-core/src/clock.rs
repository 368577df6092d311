//! Time as a port. Core crates never read the system clock themselves.

use std::fmt;

use chrono::{DateTime, TimeDelta, Utc};
use parking_lot::Mutex;
use serde::{Deserialize, Serialize};

/// An instant in UTC with microsecond precision, which every supported database can store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Timestamp(DateTime<Utc>);

impl Timestamp {
    /// Builds from microseconds since 1970-01-01T00:00:00Z; `None` outside the calendar's range.
    #[must_use]
    pub fn from_micros(micros: i64) -> Option<Self> {
        DateTime::from_timestamp_micros(micros).map(Self)
    }

    /// Microseconds since 1970-01-01T00:00:00Z.
    #[must_use]
    pub fn micros(self) -> i64 {
        self.0.timestamp_micros()
    }

    /// `YYYY-MM-DD hh:mm:ss`, UTC: the format of timestamps inside records.
    #[must_use]
    pub fn record_text(self) -> String {
        self.0.format("%Y-%m-%d %H:%M:%S").to_string()
    }

    /// RFC 3339 with milliseconds, UTC: the format of every other timestamp.
    #[must_use]
    pub fn rfc3339(self) -> String {
        self.0.to_rfc3339_opts(chrono::SecondsFormat::Millis, true)
    }

    /// The calendar day in UTC.
    #[must_use]
    pub fn date(self) -> chrono::NaiveDate {
        self.0.date_naive()
    }

    /// Seconds from `earlier` to `self`; negative when `earlier` is later.
    #[must_use]
    pub fn seconds_since(self, earlier: Self) -> f64 {
        (self.micros() - earlier.micros()) as f64 / 1e6
    }

    /// The instant that a text of RFC 3339 names; `None` for another text.
    #[must_use]
    pub fn of_rfc3339(text: &str) -> Option<Self> {
        let parsed = chrono::DateTime::parse_from_rfc3339(text).ok()?;
        Self::from_micros(parsed.timestamp_micros())
    }

    /// `self` plus `seconds`; unchanged when the sum is outside the calendar's range.
    #[must_use]
    pub fn plus_seconds(self, seconds: i64) -> Self {
        TimeDelta::try_seconds(seconds).and_then(|delta| self.0.checked_add_signed(delta)).map_or(self, Self)
    }
}

/// Returns the current time with microsecond precision.
pub trait Clock: fmt::Debug + Send + Sync + 'static {
    /// The current instant.
    fn now(&self) -> Timestamp;
}

/// The system clock; for the composition root and the command line only.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    #[expect(clippy::disallowed_methods, reason = "the one place that reads the clock")]
    fn now(&self) -> Timestamp {
        let now = Utc::now();
        Timestamp::from_micros(now.timestamp_micros()).unwrap_or(Timestamp(now))
    }
}

/// A clock for tests and embedders: starts at a given instant and advances by a fixed step at each call.
#[derive(Debug)]
pub struct FixedClock {
    next: Mutex<Timestamp>,
    step: i64,
}

impl FixedClock {
    /// Starts at `micros` since 1970 and advances by `step` seconds at each call (0 stands still).
    #[must_use]
    pub fn new(micros: i64, step: i64) -> Self {
        let start = Timestamp::from_micros(micros).unwrap_or(Timestamp(DateTime::UNIX_EPOCH));
        Self { next: Mutex::new(start), step }
    }
}

impl Default for FixedClock {
    fn default() -> Self {
        // 2026-01-01T00:00:00Z
        Self::new(1_767_225_600_000_000, 1)
    }
}

impl Clock for FixedClock {
    fn now(&self) -> Timestamp {
        let mut next = self.next.lock();
        let now = *next;
        *next = now.plus_seconds(self.step);
        now
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_instant_is_written_in_the_formats_of_the_interface() {
        let instant = Timestamp::from_micros(1_767_323_045_678_901).unwrap();
        assert_eq!(instant.rfc3339(), "2026-01-02T03:04:05.678Z");
        assert_eq!(instant.record_text(), "2026-01-02 03:04:05");
        assert_eq!(instant.date().to_string(), "2026-01-02");
    }

    #[test]
    fn seconds_between_instants_have_a_sign_and_a_fraction() {
        let at = |micros| Timestamp::from_micros(micros).unwrap();
        assert_eq!(at(12_500_000).seconds_since(at(2_000_000)), 10.5);
        assert_eq!(at(2_000_000).seconds_since(at(12_500_000)), -10.5);
    }
}
