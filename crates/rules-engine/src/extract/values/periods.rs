//! Months, quarters and years of a line, and dates with a time.

use language::date::{DateOrder, DatePrecision, scan_date_times, scan_partial};
use serde_json::Value;

use super::super::dates::DateSpan;
use super::super::kind::Output;
use super::TypedValue;

/// The dates of a line in the precision of the output, in order. `dates` are its whole dates.
pub(super) fn find(line: &str, output: Output, dates: &[DateSpan]) -> Vec<TypedValue> {
    match output {
        Output::ReducedDate(precision) => reduced(line, precision, dates),
        _ => date_times(line, dates),
    }
}

fn value(start: usize, end: usize, text: String) -> TypedValue {
    TypedValue { start, end, value: Value::from(text), number: None }
}

fn reduced(line: &str, precision: DatePrecision, dates: &[DateSpan]) -> Vec<TypedValue> {
    let days = dates.iter().map(|span| value(span.start, span.end, precision.of_day(span.date)));
    let mut found: Vec<TypedValue> = days.collect();
    scan_partial(line, DateOrder::DayFirst, |date| {
        found.extend(date.value(precision).map(|text| value(date.range.start, date.range.end, text)));
    });
    found.sort_by_key(|value| value.start);
    found
}

fn date_times(line: &str, dates: &[DateSpan]) -> Vec<TypedValue> {
    let mut found = Vec::new();
    scan_date_times(line, |mention| {
        let day = dates.iter().find(|day| day.start >= mention.range.start && day.end <= mention.range.end);
        let local = [mention.day_first, mention.month_first]
            .into_iter()
            .flatten()
            .find(|at| day.is_some_and(|day| day.date == at.date()));
        let Some(local) = local else { return };
        let offset = mention.offset.unwrap_or_default();
        let text = format!("{}{offset}", local.format("%Y-%m-%dT%H:%M:%S"));
        found.push(value(mention.range.start, mention.range.end, text));
    });
    found
}
