//! Verification of a model's citation: it counts only if the cited place shows the value.

use std::ops::Range;

use chrono::{Datelike as _, NaiveDate};
use language::fold::FoldedText;
use language::{date, number};
use serde_json::Value;

use super::super::coerce::scalar::parse_boolean;
use super::super::node::Leaf;
use super::matching::{self, PrintedValue};
use super::value_query::{SearchKey, ValueQuery};
use super::{SearchText, ValuePlace, fuzzy, reduced_dates};
use crate::{Field, Support};

/// Bytes of a citation that are checked. Bounds the time.
const MAX_CITATION: usize = 100_000;
/// Bytes between the start of a period and its end date. Two dates with their months in words. Chosen by
/// hand; no measurement is recorded.
const PERIOD: usize = 40;

/// The place that the model cites for a leaf, if it supports the leaf's value.
pub(super) fn cited_place(field: &Field, leaf: &Leaf, texts: &[SearchText<'_>]) -> Option<ValuePlace> {
    let hint = leaf.hint?;
    let cited = |text: &SearchText<'_>| {
        let fits = text.index == hint.document;
        fits.then(|| Some((text.byte(hint.start)?, text.byte(hint.end)?))).flatten()
    };
    let (document, (start, end)) =
        texts.iter().enumerate().find_map(|(number, text)| Some((number, cited(text)?)))?;
    let text = texts.get(document)?;
    let range = trim_range(text.text, start..end)?;
    let (support, range) = check_support(field, leaf, text.text, range)?;
    Some(ValuePlace { document, range, support })
}

/// The range without surrounding whitespace; `None` when it is empty or too long.
fn trim_range(text: &str, range: Range<usize>) -> Option<Range<usize>> {
    let slice = text.get(range.clone()).filter(|slice| slice.len() <= MAX_CITATION)?;
    let start = range.start + (slice.len() - slice.trim_start().len());
    let end = start + slice.trim().len();
    (start < end).then_some(start..end)
}

fn check_support(
    field: &Field,
    leaf: &Leaf,
    text: &str,
    range: Range<usize>,
) -> Option<(Support, Range<usize>)> {
    let slice = text.get(range.clone())?;
    if let Value::Bool(flag) = leaf.value {
        let read = parse_boolean(&Value::Null, slice) == Some(flag);
        return Some((if read { Support::Normalised } else { Support::Fuzzy }, range));
    }
    let query = ValueQuery::new(leaf)?;
    if slice == query.text {
        return Some((Support::Exact, range));
    }
    let mut best: Option<(Support, Range<usize>)> = None;
    for (key, stands_for) in &query.keys {
        for printed in find_printed(key, text, range.clone()) {
            let Some(found) = matching::grade_support(&query, key, stands_for, text, &printed) else {
                continue;
            };
            if best.as_ref().is_none_or(|(support, _)| support_rank(found.0) < support_rank(*support)) {
                best = Some(found);
            }
        }
    }
    best.or_else(|| {
        let words = leaf.value.as_str()?;
        if begins_period(words, text, &range) {
            return Some((Support::Normalised, range));
        }
        let alike = !field.options.is_empty() || fuzzy::is_similar(words, slice);
        alike.then_some((Support::Fuzzy, range))
    })
}

/// Whether a place has the day, or day and month, of the ISO date `value`, and a later date follows that
/// states the rest, as in "1 to 31 July 2015".
fn begins_period(value: &str, text: &str, range: &Range<usize>) -> bool {
    let Ok(date) = NaiveDate::parse_from_str(value, "%Y-%m-%d") else { return false };
    let slice = text.get(range.clone()).unwrap_or_default();
    let mut numbers =
        slice.split(|c: char| !c.is_ascii_digit()).filter_map(|digits| digits.parse::<u32>().ok());
    if numbers.next() != Some(date.day()) {
        return false;
    }
    let says_month = numbers.next() == Some(date.month());
    let limit = text.ceil_char_boundary(range.end.saturating_add(PERIOD).min(text.len()));
    let mut found = false;
    date::scan(text, range.start..limit, |mention| {
        let ends = |end: NaiveDate| {
            end > date && end.year() == date.year() && (says_month || end.month() == date.month())
        };
        found |= mention.day_first.is_some_and(ends) || mention.month_first.is_some_and(ends);
    });
    found
}

/// Occurrences of `key` within `range`.
fn find_printed(key: &SearchKey, text: &str, range: Range<usize>) -> Vec<PrintedValue> {
    let mut found = Vec::new();
    match key {
        SearchKey::Words(words) => {
            let index = FoldedText::new(text, range);
            // Bounds the time of short values in a long citation.
            let hits = index.folded.match_indices(words.as_str()).take(20);
            found.extend(
                hits.filter_map(|(at, hit)| index.words(text, at, at + hit.len())).map(PrintedValue::from),
            );
        }
        SearchKey::Signs(signs) => {
            let at = text
                .get(range.clone())
                .and_then(|slice| slice.find(signs.as_str()))
                .map(|at| range.start + at);
            found.extend(at.map(|at| PrintedValue::from(at..at + signs.len())));
        }
        SearchKey::Number(_) | SearchKey::Percent(_) => number::scan(text, range, |mention| {
            matching::number_keys(&mention, |known, printed| {
                if known == *key {
                    found.push(printed);
                }
            });
        }),
        SearchKey::ReducedDate(wanted) => reduced_dates::scan(text, range, |value, place| {
            if value == *wanted {
                found.push(place.into());
            }
        }),
        SearchKey::Date(date) => date::scan(text, range, |mention| {
            if [mention.day_first, mention.month_first].contains(&Some(*date)) {
                found.push(mention.range.into());
            }
        }),
    }
    found
}

/// The rank of a support grade; lower is better.
pub(super) fn support_rank(support: Support) -> u8 {
    match support {
        Support::Exact => 0,
        Support::Normalised => 1,
        Support::Fuzzy => 2,
        Support::Pictured | Support::Unsupported | Support::Computed => 3,
    }
}
