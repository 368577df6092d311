//! The dates of a text in every precision that they have.

use std::ops::Range;

use language::date::{DateOrder, DatePrecision, scan as scan_days, scan_partial};

const REDUCED: [DatePrecision; 3] = [DatePrecision::Year, DatePrecision::Quarter, DatePrecision::Month];

/// Calls `emit` for the year, quarter and month of every date in `range` of `text`, with its place.
pub(super) fn scan(text: &str, range: Range<usize>, mut emit: impl FnMut(String, Range<usize>)) {
    scan_days(text, range.clone(), |mention| {
        let days = [mention.day_first, mention.month_first].into_iter().flatten();
        let values: Vec<String> =
            days.flat_map(|day| REDUCED.map(|precision| precision.of_day(day))).collect();
        values.into_iter().for_each(|value| emit(value, mention.range.clone()));
    });
    let Some(part) = text.get(range.clone()) else { return };
    scan_partial(part, DateOrder::DayFirst, |date| {
        let place = range.start + date.range.start..range.start + date.range.end;
        REDUCED
            .iter()
            .filter_map(|precision| date.value(*precision))
            .for_each(|value| emit(value, place.clone()));
    });
}
