//! Days in UTC.

use std::fmt;
use std::str::FromStr;

use chrono::{Datelike as _, NaiveDate};
use shared_core::Timestamp;

use crate::WindowKind;

/// A day in UTC, as the number of days since 1970-01-01.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Day(pub i32);

/// Text that is not a day.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("must be a date such as 2026-03-14")]
pub struct DayError;

impl Day {
    /// The day of an instant.
    #[must_use]
    pub fn of(at: Timestamp) -> Self {
        // The range of timestamps is far smaller than that of days.
        Self(i32::try_from(at.micros().div_euclid(WindowKind::Day.micros())).unwrap_or_default())
    }

    /// `days` later; earlier when negative.
    #[must_use]
    pub fn plus(self, days: i32) -> Self {
        Self(self.0.saturating_add(days))
    }
}

impl FromStr for Day {
    type Err = DayError;

    fn from_str(text: &str) -> Result<Self, DayError> {
        let bytes = text.as_bytes();
        let shaped = bytes.len() == 10
            && bytes.iter().enumerate().all(|(place, byte)| match place {
                4 | 7 => *byte == b'-',
                _ => byte.is_ascii_digit(),
            });
        if !shaped {
            return Err(DayError);
        }
        let date = NaiveDate::parse_from_str(text, "%Y-%m-%d").ok().ok_or(DayError)?;
        Ok(Self(date.num_days_from_ce() - EPOCH_FROM_CE))
    }
}

/// Days from 0000-12-31 to 1970-01-01, as chrono counts from the Common Era.
const EPOCH_FROM_CE: i32 = 719_163;

impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let date = NaiveDate::from_num_days_from_ce_opt(self.0.saturating_add(EPOCH_FROM_CE));
        write!(f, "{}", date.unwrap_or_default().format("%Y-%m-%d"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_read_and_written_as_dates() {
        for (text, number) in
            [("1970-01-01", 0), ("1969-12-31", -1), ("2026-03-14", 20_526), ("2000-02-29", 11_016)]
        {
            let day: Day = text.parse().unwrap();
            assert_eq!((day, day.to_string().as_str()), (Day(number), text));
        }
        for bad in [
            "",
            "2026-3-14",
            "2026-02-29",
            "14-03-2026",
            "2026-03-14 ",
            "+026-03-14",
            "2026/03/14",
            "２026-03-1",
        ] {
            assert_eq!(bad.parse::<Day>(), Err(DayError), "{bad}");
        }
        let late = Timestamp::from_micros(86_399_999_999).unwrap();
        assert_eq!((Day::of(late), Day::of(late.plus_seconds(1))), (Day(0), Day(1)));
        assert_eq!(Day::of(Timestamp::from_micros(-1).unwrap()), Day(-1));
    }
}
