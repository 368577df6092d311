//! Printed dates, validated by the calendar.

use std::sync::LazyLock;

use chrono::{Datelike as _, NaiveDate};
use regex::{Captures, Regex};

use super::labels::fold;
use super::lines::Line;
use super::values::pattern;

/// Names of the months in several languages, folded; a printed month is one of them or a prefix.
const MONTHS: [&[&str]; 12] = [
    &["january", "januar", "janvier", "enero", "gennaio", "janeiro", "januari", "styczen"],
    &["february", "februar", "fevrier", "febrero", "febbraio", "fevereiro", "februari"],
    &["march", "marz", "maerz", "mrz", "mars", "marzo", "marco", "maart"],
    &["april", "avril", "abril", "aprile"],
    &["may", "mai", "mayo", "maggio", "maio", "mei"],
    &["june", "juni", "juin", "junio", "giugno", "junho"],
    &["july", "juli", "juillet", "julio", "luglio", "julho"],
    &["august", "aout", "agosto", "augustus"],
    &["september", "septembre", "septiembre", "settembre", "setembro"],
    &["october", "oktober", "octobre", "octubre", "ottobre", "outubro"],
    &["november", "novembre", "noviembre", "novembro"],
    &["december", "dezember", "decembre", "diciembre", "dicembre", "dezembro"],
];

pattern!(YEAR_FIRST, r"\d{4}[-/.年]\d{1,2}[-/.月]\d{1,2}日?");
pattern!(YEAR_LAST, r"\d{1,2}(?:-\d{1,2}-|/\d{1,2}/|\.\d{1,2}\.)(?:\d{4}|\d{2})");
pattern!(SPACED, r"\d{1,2}(?: - \d{1,2} - | / \d{1,2} / |\. ?\d{1,2}\. )(?:\d{4}|\d{2})");
pattern!(CJK_SPACED, r"\d{4} ?年 ?\d{1,2} ?月 ?\d{1,2} ?日");
pattern!(
    DAY_MONTH,
    r"(?i)(\d{1,2})(?:st|nd|rd|th|er|\.|º)?(?: ?of | ?day of | de |[-/ .]{0,2})(\p{L}{3,10})\.?(?: de | del |[-/ ,.']{0,2})(\d{4}|\d{2})"
);
pattern!(MONTH_DAY, r"(?i)(\p{L}{3,10})\.?[ -]?(\d{1,2})(?:st|nd|rd|th)?[ ,-]{1,3}(\d{4})");
pattern!(
    BEGINNING,
    r"(?i)(?:^|[^\d.,/-])((\d{1,2})(?:er|st|nd|rd|th|\.|º)?) ?(?:au|bis|to|al|t/m|tot|[-–−]) ?$"
);
pattern!(COMPACT, r"\d{8}");
pattern!(TIME, r"^\s*\d{1,2}\s?:\s?\d{2}");

/// A date in a line, by bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct DateSpan {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) date: NaiveDate,
}

/// The valid dates of a line, in order.
pub(crate) fn dates(line: &str, day_first: Option<bool>) -> Vec<DateSpan> {
    let mut found: Vec<DateSpan> = Vec::new();
    if !line.bytes().any(|byte| byte.is_ascii_digit()) {
        return found;
    }
    let day_first = day_first.unwrap_or(true);
    for pattern in [&YEAR_FIRST, &YEAR_LAST, &CJK_SPACED, &SPACED] {
        let spans = pattern.find_iter(line).filter(|m| stands_alone(line, m.start(), m.end()));
        add(
            &mut found,
            spans.filter_map(|m| span(m.start(), m.end(), parse_numeric(m.as_str(), day_first)?)),
        );
    }
    add(&mut found, DAY_MONTH.captures_iter(line).filter_map(|c| parse_named_month(line, &c, 1, 2)));
    add(&mut found, MONTH_DAY.captures_iter(line).filter_map(|c| parse_named_month(line, &c, 2, 1)));
    let compact = COMPACT.find_iter(line).filter(|m| {
        stands_alone(line, m.start(), m.end()) && line.get(m.end()..).is_some_and(|rest| TIME.is_match(rest))
    });
    add(&mut found, compact.filter_map(|m| span(m.start(), m.end(), eight_digits(m.as_str())?)));
    let begun: Vec<DateSpan> = found.iter().filter_map(|span| find_period_start(line, span)).collect();
    add(&mut found, begun.into_iter());
    found.sort_by_key(|span| span.start);
    found
}

/// The first day of a period whose month and year are only in its last day: `1er au 31 juillet 2015`.
fn find_period_start(line: &str, last: &DateSpan) -> Option<DateSpan> {
    let before = line.get(..last.start)?;
    let from = before.char_indices().rev().nth(MAX_BEGINNING).map_or(0, |(at, _)| at);
    let found = BEGINNING.captures(before.get(from..)?)?;
    let day = found.get(1)?;
    // A dash before a date in digits may be anything.
    let named = line.get(last.start..last.end)?.chars().any(char::is_alphabetic);
    if !named && !found.get(0)?.as_str().chars().any(char::is_alphabetic) {
        return None;
    }
    let date = last.date.with_day(found.get(2)?.as_str().parse().ok()?)?;
    let whole = found.get(1)?.start() + from;
    (date <= last.date).then_some(DateSpan { start: whole, end: from + day.end(), date })
}

/// Maximum characters before a date that may begin a period.
const MAX_BEGINNING: usize = 14;

fn add(found: &mut Vec<DateSpan>, spans: impl Iterator<Item = DateSpan>) {
    for span in spans {
        if !found.iter().any(|other| span.start < other.end && other.start < span.end) {
            found.push(span);
        }
    }
}

fn span(start: usize, end: usize, date: NaiveDate) -> Option<DateSpan> {
    (1900..=2100).contains(&date.year()).then_some(DateSpan { start, end, date })
}

/// Whether no digit is next to a range, and no letter right before it.
fn stands_alone(line: &str, start: usize, end: usize) -> bool {
    let mut before = line.get(..start).unwrap_or_default().chars().rev();
    let mut after = line.get(end..).unwrap_or_default().chars();
    let free_before = match before.next() {
        None => true,
        Some('-' | '/' | '.' | ',') => !before.next().is_some_and(|c| c.is_ascii_digit()),
        Some(c) => !c.is_alphanumeric(),
    };
    let free_after = match after.next() {
        None => true,
        Some('-' | '/' | '.' | ',') => !after.next().is_some_and(|c| c.is_ascii_digit()),
        Some(c) => !c.is_ascii_digit(),
    };
    free_before && free_after
}

/// Three numbers with any separators.
fn parse_numeric(printed: &str, day_first: bool) -> Option<NaiveDate> {
    let mut numbers = printed.split(|c: char| !c.is_ascii_digit()).filter(|part| !part.is_empty());
    let (a, b, c) = (numbers.next()?, numbers.next()?, numbers.next()?);
    let number = |text: &str| text.parse::<u32>().ok();
    if a.len() == 4 {
        return NaiveDate::from_ymd_opt(a.parse().ok()?, number(b)?, number(c)?);
    }
    let (first, second, year) = (number(a)?, number(b)?, year(c)?);
    let (day, month) = if day_first { (first, second) } else { (second, first) };
    NaiveDate::from_ymd_opt(year, month, day).or_else(|| NaiveDate::from_ymd_opt(year, day, month)).or_else(
        || {
            // Two-digit years may also come first: 18-12-25.
            let year = i32::try_from(first).ok().filter(|_| c.len() == 2)?;
            NaiveDate::from_ymd_opt(2000 + year, second, number(c)?)
        },
    )
}

fn eight_digits(printed: &str) -> Option<NaiveDate> {
    let part = |from: usize, to: usize| printed.get(from..to).and_then(|text| text.parse::<u32>().ok());
    let plausible = |year: u32| (1990..=2060).contains(&year);
    if let Some(year) = part(0, 4).filter(|&year| plausible(year))
        && let Some(date) = NaiveDate::from_ymd_opt(i32::try_from(year).ok()?, part(4, 6)?, part(6, 8)?)
    {
        return Some(date);
    }
    let year = part(4, 8).filter(|&year| plausible(year))?;
    NaiveDate::from_ymd_opt(i32::try_from(year).ok()?, part(2, 4)?, part(0, 2)?)
}

fn parse_named_month(line: &str, captures: &Captures<'_>, day: usize, month: usize) -> Option<DateSpan> {
    let whole = captures.get(0)?;
    let before = line.get(..whole.start())?.chars().next_back();
    let after = line.get(whole.end()..)?.chars().next();
    let joined = |c: char| c.is_alphanumeric();
    // The name and the number must not continue outside the match.
    if before.is_some_and(joined) || after.is_some_and(|c| c.is_ascii_digit()) {
        return None;
    }
    let name = fold(captures.get(month)?.as_str());
    let month = MONTHS.iter().position(|names| names.iter().any(|full| full.starts_with(&name)))?;
    let month = u32::try_from(month + 1).ok()?;
    let day = captures.get(day)?.as_str().parse().ok()?;
    span(whole.start(), whole.end(), NaiveDate::from_ymd_opt(year(captures.get(3)?.as_str())?, month, day)?)
}

fn year(text: &str) -> Option<i32> {
    let number: i32 = text.parse().ok()?;
    Some(match text.len() {
        2 if number < 70 => 2000 + number,
        2 => 1900 + number,
        _ => number,
    })
}

/// The order of day and month, by the unambiguous dates of a document; `None` if they do not decide it.
pub(crate) fn day_first(lines: &[Line]) -> Option<bool> {
    let (mut day, mut month) = (0, 0);
    for line in lines.iter().take(2_000) {
        for found in YEAR_LAST.find_iter(&line.text) {
            let mut numbers =
                found.as_str().split(['-', '/', '.']).map(|part| part.parse::<u32>().unwrap_or(0));
            match (numbers.next(), numbers.next()) {
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
            ("REG #2- 25/12/2016 13:51", "2016-12-25"),
            ("0036 25032018 13:11:54", "2018-03-25"),
            ("13 / 02 / 2018", "2018-02-13"),
        ] {
            let found = dates(text, None);
            assert_eq!(found.iter().map(|d| d.date.to_string()).collect::<Vec<_>>(), [iso], "{text}");
        }
        for text in [
            "31/02/2018",
            "99/99/9999",
            "12.50",
            "1.2.3.4.5",
            "tel 03-12 34 56",
            "JA01-04 - 2/60",
            "MAR 18 -2.37",
            "MI11/3-21 - 12/480",
            "10 MARKET 2018",
            "25032018",
        ] {
            assert_eq!(dates(text, None), [], "{text}");
        }
    }
}
