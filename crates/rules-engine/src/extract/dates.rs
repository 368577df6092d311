//! Printed dates, validated by the calendar.

use chrono::{Datelike as _, NaiveDate};
use forms_core::labels::Line;
use language::date::{DateForm, DateMention, DateOrder, date_order, period_start, scan};

/// Years of the dates of documents. Other years are numbers of other kinds. Chosen by hand; no measurement is
/// recorded.
const YEARS: std::ops::RangeInclusive<i32> = 1900..=2100;
/// Lines that are read for the order of day and month. Bounds the time.
const MAX_LINES: usize = 2_000;

/// A date in a line, by bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct DateSpan {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) date: NaiveDate,
}

/// The valid dates of a line, in order; also the first day of a period whose month and year are only in its last.
pub(crate) fn dates(line: &str, day_first: Option<bool>) -> Vec<DateSpan> {
    let mut found: Vec<DateSpan> = Vec::new();
    if !line.bytes().any(|byte| byte.is_ascii_digit()) {
        return found;
    }
    let order = if day_first == Some(false) { DateOrder::MonthFirst } else { DateOrder::DayFirst };
    scan(line, 0..line.len(), |mention| {
        let date = mention.date(order).filter(|date| YEARS.contains(&date.year()));
        let Some(date) = date.filter(|_| stands_alone(line, &mention)) else { return };
        let begun = period_start(line, &mention, order);
        let begun = begun.filter(|(range, _)| found.last().is_none_or(|last| last.end <= range.start));
        found.extend(begun.map(|(range, date)| DateSpan { start: range.start, end: range.end, date }));
        found.push(DateSpan { start: mention.range.start, end: mention.range.end, date });
    });
    found
}

/// Whether a date is no part of a longer number or word. Eight digits are a date only before a time of day.
fn stands_alone(line: &str, mention: &DateMention) -> bool {
    let rest = line.get(mention.range.end..).unwrap_or_default();
    match mention.form {
        DateForm::Named => {
            let before = line.get(..mention.range.start).and_then(|before| before.chars().next_back());
            !before.is_some_and(char::is_alphanumeric) && !rest.starts_with(|c: char| c.is_ascii_digit())
        }
        DateForm::Compact => mention.stands_alone(line) && is_time(rest),
        DateForm::YearFirst | DateForm::Numeric => mention.stands_alone(line),
    }
}

/// Whether a text begins with hours and minutes.
fn is_time(text: &str) -> bool {
    let text = text.trim_start();
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let minutes = text.get(digits..).and_then(|rest| rest.trim_start().strip_prefix(':'));
    (1..=2).contains(&digits)
        && minutes.is_some_and(|rest| rest.trim_start().starts_with(|c: char| c.is_ascii_digit()))
}

/// The order of day and month, by the unambiguous dates of a document; `None` if they do not decide it.
pub(crate) fn day_first(lines: &[Line]) -> Option<bool> {
    let order = date_order(lines.iter().take(MAX_LINES).map(|line| line.text.as_str()))?;
    Some(order == DateOrder::DayFirst)
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
