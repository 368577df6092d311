//! Dates as they are printed, checked against the calendar.

use std::sync::LazyLock;

use chrono::NaiveDate;
use regex::{Captures, Regex};

use super::lines::Line;

/// Month names by their first letters, in several languages.
const MONTHS: [&[&str]; 12] = [
    &["jan", "ene", "gen", "jän"],
    &["feb", "fev", "fév"],
    &["mar", "mär", "mrz", "mae"],
    &["apr", "avr", "abr"],
    &["may", "mai", "mag", "mei"],
    &["jun", "juin", "giu"],
    &["jul", "juil", "lug"],
    &["aug", "aou", "aoû", "ago"],
    &["sep", "set"],
    &["oct", "okt", "ott", "out"],
    &["nov"],
    &["dec", "dez", "déc", "dic"],
];

#[expect(clippy::unwrap_used, reason = "a constant pattern, compiled in every test")]
static NUMERIC: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"\b(?:(\d{4})\s?[-/.年]\s?(\d{1,2})\s?[-/.月]\s?(\d{1,2})日?|(\d{1,2})\s?[-/.]\s?(\d{1,2})\s?[-/.]\s?(\d{4}|\d{2}))(?:\D|$)")
        .unwrap()
});
#[expect(clippy::unwrap_used, reason = "a constant pattern, compiled in every test")]
static NAMED: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)\b(?:(\d{1,2})(?:st|nd|rd|th|er|\.|º)?\s?(?:of\s|de\s)?[-/ ]?\s?(\p{L}{3,10})\.?\s?(?:de\s)?[-/ ,']?\s?(\d{4}|\d{2})\b|(\p{L}{3,10})\.?\s?(\d{1,2})(?:st|nd|rd|th)?\s?,?\s?(\d{4})\b)")
        .unwrap()
});

/// A date in a line, by bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct DateSpan {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) date: NaiveDate,
}

/// Every date of a line that the calendar has.
pub(crate) fn dates(line: &str, day_first: Option<bool>) -> Vec<DateSpan> {
    let mut found: Vec<DateSpan> = Vec::new();
    let numeric = NUMERIC.captures_iter(line).filter_map(|c| numeric(&c, day_first.unwrap_or(true)));
    let named = NAMED.captures_iter(line).filter_map(|c| named(&c));
    for span in numeric.chain(named) {
        if !found.iter().any(|other| span.start < other.end && other.start < span.end) {
            found.push(span);
        }
    }
    found.sort_by_key(|span| span.start);
    found
}

fn numeric(captures: &Captures<'_>, day_first: bool) -> Option<DateSpan> {
    let number = |index: usize| captures.get(index).and_then(|m| m.as_str().parse::<u32>().ok());
    let (start, last) = (captures.get(0)?.start(), captures.get(3).or(captures.get(6))?);
    let end =
        if captures.get(0)?.as_str().get(last.end() - start..).is_some_and(|rest| rest.starts_with('日')) {
            last.end() + '日'.len_utf8()
        } else {
            last.end()
        };
    let date = if let Some(year) = number(1) {
        NaiveDate::from_ymd_opt(i32::try_from(year).ok()?, number(2)?, number(3)?)?
    } else {
        let (a, b, year) = (number(4)?, number(5)?, year(captures.get(6)?.as_str())?);
        let (day, month) = if day_first { (a, b) } else { (b, a) };
        NaiveDate::from_ymd_opt(year, month, day)
            .or_else(|| NaiveDate::from_ymd_opt(year, day, month))
            .or_else(|| {
                // Two-digit years may also come first: 18-12-25.
                let first = i32::try_from(a)
                    .ok()
                    .filter(|_| a > 12 && captures.get(6).is_some_and(|m| m.len() == 2))?;
                NaiveDate::from_ymd_opt(2000 + first, b, number(6)?)
            })?
    };
    plausible(date).then_some(DateSpan { start, end, date })
}

fn named(captures: &Captures<'_>) -> Option<DateSpan> {
    let whole = captures.get(0)?;
    let (day, month, text) = match captures.get(2) {
        Some(month) => (captures.get(1)?, month, captures.get(3)?),
        None => (captures.get(5)?, captures.get(4)?, captures.get(6)?),
    };
    let name = month.as_str().to_lowercase();
    let month = MONTHS.iter().position(|names| names.iter().any(|begin| name.starts_with(begin)))?;
    let month = u32::try_from(month + 1).ok()?;
    let date = NaiveDate::from_ymd_opt(year(text.as_str())?, month, day.as_str().parse().ok()?)?;
    plausible(date).then_some(DateSpan { start: whole.start(), end: whole.end(), date })
}

fn year(text: &str) -> Option<i32> {
    let number: i32 = text.parse().ok()?;
    Some(match text.len() {
        2 if number < 70 => 2000 + number,
        2 => 1900 + number,
        _ => number,
    })
}

fn plausible(date: NaiveDate) -> bool {
    use chrono::Datelike as _;
    (1900..=2100).contains(&date.year())
}

/// What unambiguous dates of the document say about the order of day and month.
pub(crate) fn day_first(lines: &[Line]) -> Option<bool> {
    let (mut day, mut month) = (0, 0);
    for line in lines.iter().take(2_000) {
        for captures in NUMERIC.captures_iter(&line.text) {
            let number = |index: usize| captures.get(index).and_then(|m| m.as_str().parse::<u32>().ok());
            match (number(4), number(5)) {
                (Some(13..=31), Some(1..=12)) => day += 1,
                (Some(1..=12), Some(13..=31)) => month += 1,
                _ => {}
            }
        }
    }
    (day != month).then_some(day > month)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_of_many_forms_are_read_and_the_calendar_is_kept() {
        for (text, iso) in [
            ("on 25/12/2018 14:20", "2018-12-25"),
            ("25-12-18", "2018-12-25"),
            ("25 DEC 2018", "2018-12-25"),
            ("Dec 25, 2018", "2018-12-25"),
            ("25DEC2018", "2018-12-25"),
            ("2018-12-25", "2018-12-25"),
            ("2018年12月25日", "2018-12-25"),
            ("3. März 2024", "2024-03-03"),
            ("le 1er août 2023", "2023-08-01"),
            ("5 de enero de 2022", "2022-01-05"),
            ("12/25/2018", "2018-12-25"),
            ("1st of May 2020", "2020-05-01"),
        ] {
            let found = dates(text, None);
            assert_eq!(found.iter().map(|d| d.date.to_string()).collect::<Vec<_>>(), [iso], "{text}");
        }
        for text in ["31/02/2018", "99/99/9999", "12.50", "1.2.3.4.5", "tel 03-12 34 56"] {
            assert_eq!(dates(text, None), [], "{text}");
        }
    }
}
