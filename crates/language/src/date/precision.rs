//! Dates that are precise to the month, the quarter or the year.

use std::ops::Range;

use chrono::{Datelike as _, NaiveDate};

use super::month::month;
use super::{DateOrder, scan};
use crate::fold::is_word;

/// Years that a number of four digits may be.
const YEARS: std::ops::RangeInclusive<i32> = 1900..=2100;

/// How precise a date is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum DatePrecision {
    Year,
    Quarter,
    Month,
    #[default]
    Day,
}

/// A date of some precision in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartialDate {
    /// Place in bytes.
    pub range: Range<usize>,
    year: i32,
    /// The month, or the quarter.
    part: u32,
    /// What `part` is.
    precision: DatePrecision,
}

impl DatePrecision {
    /// The precision of a name: `year`, `quarter`, `month` or `day`.
    #[must_use]
    pub fn of_name(name: &str) -> Option<Self> {
        [Self::Year, Self::Quarter, Self::Month, Self::Day].into_iter().find(|one| one.name() == name)
    }

    /// Its name in forms.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Year => "year",
            Self::Quarter => "quarter",
            Self::Month => "month",
            Self::Day => "day",
        }
    }

    /// A value of this precision, for messages and prompts.
    #[must_use]
    pub const fn example(self) -> &'static str {
        match self {
            Self::Year => "2026",
            Self::Quarter => "2026-Q3",
            Self::Month => "2026-07",
            Self::Day => "2026-07-14",
        }
    }

    /// A day as a value of this precision.
    #[must_use]
    pub fn of_day(self, date: NaiveDate) -> String {
        match self {
            Self::Year => format!("{:04}", date.year()),
            Self::Quarter => format!("{:04}-Q{}", date.year(), date.month0() / 3 + 1),
            Self::Month => format!("{:04}-{:02}", date.year(), date.month()),
            Self::Day => date.format("%Y-%m-%d").to_string(),
        }
    }

    /// Whether a text is a value of this precision.
    #[must_use]
    pub fn is_value(self, text: &str) -> bool {
        let mut found = None;
        scan_partial(text, DateOrder::DayFirst, |date| found = Some(date));
        match self {
            Self::Day => NaiveDate::parse_from_str(text, "%Y-%m-%d").is_ok(),
            _ => found.and_then(|date| date.value(self)).is_some_and(|value| value == text),
        }
    }
}

impl PartialDate {
    /// The value of a precision; `None` where the date is less precise.
    #[must_use]
    pub fn value(&self, wanted: DatePrecision) -> Option<String> {
        let quarter = match self.precision {
            DatePrecision::Month => Some((self.part - 1) / 3 + 1),
            DatePrecision::Quarter => Some(self.part),
            _ => None,
        };
        match wanted {
            DatePrecision::Year => Some(format!("{:04}", self.year)),
            DatePrecision::Quarter => Some(format!("{:04}-Q{}", self.year, quarter?)),
            DatePrecision::Month if self.precision == DatePrecision::Month => {
                Some(format!("{:04}-{:02}", self.year, self.part))
            }
            _ => None,
        }
    }
}

/// A run of digits or letters.
struct Token<'t> {
    text: &'t str,
    range: Range<usize>,
}

/// Calls `emit` for every month with a year (`July 2026`, `07/2026`, `2026-07`), quarter with a year (`Q3 2026`,
/// `2026-Q3`, `3Q26`) and year alone that a text states outside its whole dates. `order` reads these.
pub fn scan_partial(text: &str, order: DateOrder, mut emit: impl FnMut(PartialDate)) {
    let mut days: Vec<Range<usize>> = Vec::new();
    scan(text, 0..text.len(), |mention| {
        days.extend(mention.date(order).map(|_| mention.range));
    });
    let tokens: Vec<Token<'_>> =
        tokens(text).filter(|token| !days.iter().any(|day| day.contains(&token.range.start))).collect();
    let mut at = 0;
    while let Some(first) = tokens.get(at) {
        let pair = tokens.get(at + 1).and_then(|second| pair(text, first, second));
        let pair = pair.filter(|date| is_apart(text, &date.range));
        let alone = || {
            year(first.text).map(|year| PartialDate {
                range: first.range.clone(),
                year,
                part: 0,
                precision: DatePrecision::Year,
            })
        };
        at += if pair.is_some() { 2 } else { 1 };
        pair.or_else(|| alone().filter(|date| is_apart(text, &date.range))).into_iter().for_each(&mut emit);
    }
}

fn tokens(text: &str) -> impl Iterator<Item = Token<'_>> {
    let mut rest = 0;
    std::iter::from_fn(move || {
        let tail = text.get(rest..)?;
        let (offset, _) = tail.char_indices().find(|(_, c)| is_word(*c))?;
        let run = tail.get(offset..)?;
        let length = run.find(|c| !is_word(c)).unwrap_or(run.len());
        let start = rest + offset;
        rest = start + length;
        Some(Token { text: run.get(..length)?, range: start..start + length })
    })
}

/// Two neighbouring tokens as a month or quarter of a year.
fn pair(text: &str, first: &Token<'_>, second: &Token<'_>) -> Option<PartialDate> {
    let gap = text.get(first.range.end..second.range.start)?;
    if gap.chars().count() > 3
        || !gap.chars().all(|c| c == ' ' || matches!(c, '-' | '/' | '.' | ',' | '\u{a0}'))
    {
        return None;
    }
    let range = first.range.start..second.range.end;
    let date = |year, part, precision| PartialDate { range: range.clone(), year, part, precision };
    let joined = matches!(gap.trim(), "-" | "/" | ".");
    let number = |text: &str| {
        text.parse::<u32>().ok().filter(|month| text.len() <= 2 && (1..=12).contains(month) && joined)
    };
    let month_of = |token: &Token<'_>| month(token.text).or_else(|| number(token.text));
    let of = |part: &Token<'_>, year: i32| {
        let quarter = || quarter(part.text).map(|quarter| date(year, quarter, DatePrecision::Quarter));
        quarter().or_else(|| month_of(part).map(|month| date(year, month, DatePrecision::Month)))
    };
    match (year(first.text), year(second.text)) {
        (Some(_), Some(_)) | (None, None) => None,
        (Some(year), None) => of(second, year),
        (None, Some(year)) => of(first, year),
    }
}

/// A quarter as it is noted: `Q3` or `3Q`.
fn quarter(text: &str) -> Option<u32> {
    let digit = text.strip_prefix(['Q', 'q']).or_else(|| text.strip_suffix(['Q', 'q']))?;
    digit.parse().ok().filter(|quarter| digit.len() == 1 && (1..=4).contains(quarter))
}

fn year(text: &str) -> Option<i32> {
    text.parse().ok().filter(|year| text.len() == 4 && YEARS.contains(year))
}

/// Whether no digit goes on before or behind a place, also beyond a sign.
fn is_apart(text: &str, range: &Range<usize>) -> bool {
    let goes_on = |mut next: Box<dyn Iterator<Item = char> + '_>| match next.next() {
        Some('-' | '/' | '.' | ',' | ':') => next.next().is_some_and(|c| c.is_ascii_digit()),
        Some(c) => matches!(c, '$' | '€' | '£' | '%'),
        None => false,
    };
    let (before, after) = (text.get(..range.start), text.get(range.end..));
    !before.is_some_and(|before| goes_on(Box::new(before.chars().rev())))
        && !after.is_some_and(|after| goes_on(Box::new(after.chars())))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(text: &str, precision: DatePrecision) -> Vec<String> {
        let mut found = Vec::new();
        scan_partial(text, DateOrder::DayFirst, |date| found.extend(date.value(precision)));
        found
    }

    #[test]
    fn months_quarters_and_years_are_read_as_they_are_printed() {
        use DatePrecision::{Month, Quarter, Year};
        for (text, precision, wanted) in [
            ("Period: July 2026", Month, "2026-07"),
            ("07/2026", Month, "2026-07"),
            ("2026-07", Month, "2026-07"),
            ("Juli 2026", Month, "2026-07"),
            ("Q3 2026", Quarter, "2026-Q3"),
            ("2026-Q3", Quarter, "2026-Q3"),
            ("3Q 2026", Quarter, "2026-Q3"),
            ("August 2026", Quarter, "2026-Q3"),
            ("Q1/2026", Year, "2026"),
            ("Model year 2026.", Year, "2026"),
            ("May 2026", Year, "2026"),
        ] {
            assert_eq!(values(text, precision), [wanted], "{text}");
        }
        for (text, precision) in [
            ("2026", Month),
            ("Q3 2026", Month),
            ("2026", Quarter),
            ("room 7 2026", Month),
            ("14.07.2026", Month),
        ] {
            assert_eq!(values(text, precision), [] as [&str; 0], "{text}");
        }
        for text in ["12,2026.50", "No 20261", "2026-0001", "€2026", "1999.95"] {
            assert_eq!(values(text, Year), [] as [&str; 0], "{text}");
        }
    }

    #[test]
    fn a_day_is_reduced_and_a_value_is_known() {
        let day = NaiveDate::from_ymd_opt(2026, 7, 14).unwrap();
        for (name, value) in
            [("year", "2026"), ("quarter", "2026-Q3"), ("month", "2026-07"), ("day", "2026-07-14")]
        {
            let precision = DatePrecision::of_name(name).unwrap();
            assert_eq!(precision.of_day(day), value);
            assert!(precision.is_value(value) && precision.example() == value);
            assert!(!precision.is_value("2026-13") && !precision.is_value("July 2026"));
        }
        assert!(!DatePrecision::Month.is_value("2026"));
    }
}
