//! Dates of less precision than a day, and dates with a time.

use chrono::{DateTime, NaiveDateTime};
use language::date::{DateOrder, DatePrecision, scan_date_times, scan_partial};

use super::super::text::PrintConventions;

/// The date of a text in a precision; `None` where it states no such date, or several.
pub(super) fn read_reduced(
    text: &str,
    precision: DatePrecision,
    printing: &PrintConventions<'_>,
) -> Option<String> {
    if let Some(day) = printing.date(text) {
        return Some(precision.of_day(day));
    }
    let order = if printing.convention.day_first { DateOrder::DayFirst } else { DateOrder::MonthFirst };
    let mut found: Vec<Option<String>> = Vec::new();
    scan_partial(text, order, |date| {
        let value = date.value(precision);
        if !found.contains(&value) {
            found.push(value);
        }
    });
    match found.as_slice() {
        [only] => only.clone(),
        _ => None,
    }
}

/// The date and time of a text as RFC 3339 writes it, with the offset only where the text has one.
pub(super) fn read_date_time(text: &str, printing: &PrintConventions<'_>) -> Option<String> {
    if is_date_time(text) {
        return Some(text.to_owned());
    }
    let mut found: Vec<String> = Vec::new();
    scan_date_times(text, |mention| {
        let local = match (mention.day_first, mention.month_first) {
            (Some(day), Some(month)) if printing.is_day_first(day.date(), month.date()) => Some(day),
            (Some(_), Some(month)) => Some(month),
            (day, month) => day.or(month),
        };
        let offset = mention.offset.unwrap_or_default();
        found.extend(local.map(|local| format!("{}{offset}", local.format(LOCAL))));
    });
    match found.as_slice() {
        [only] => Some(only.clone()),
        _ => None,
    }
}

/// Date and time without an offset.
const LOCAL: &str = "%Y-%m-%dT%H:%M:%S";

/// Whether a text is a date with a time as RFC 3339 writes it, with or without the offset.
pub(super) fn is_date_time(text: &str) -> bool {
    DateTime::parse_from_rfc3339(text).is_ok()
        || text.contains('T') && NaiveDateTime::parse_from_str(text, LOCAL).is_ok()
}
