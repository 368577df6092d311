//! Sums and other numbers, in the conventions of several countries.

use std::sync::LazyLock;

use regex::Regex;
use serde_json::{Number, Value};

use super::super::dates::DateSpan;
use super::super::schema::Output;
use super::{Typed, pattern};

pattern!(
    MONEY,
    r"(?:[-(]\s?)?(?:(?:RM|USD|EUR|GBP|MYR|SGD|CHF|INR|CAD|AUD|Rs\.?)\s?|[$€£¥₹]\s?)?-?(?:\d{1,3}(?:[ \u{a0}\u{202f}]\d{3})+,\d{2}|\d{1,3}(?:[,.'’]\d{3})+(?:[.,]\d{1,2})?|\d+[.,]\d{2}|\d+|\.\d{2})\b"
);
pattern!(NUMBER, r"-?\d+(?:[,.' ]\d{3})*(?:[.,]\d+)?");
pattern!(PERCENT, r"-?\d+(?:[.,]\d+)?\s?%");

/// Sums of a line.
pub(super) fn money(line: &str, dates: &[DateSpan], output: Output) -> Vec<Typed> {
    outside_dates(dates, numeric(&MONEY, line, output, is_money))
}

/// Numbers of a line.
pub(super) fn number(line: &str, dates: &[DateSpan], output: Output) -> Vec<Typed> {
    outside_dates(dates, numeric(&NUMBER, line, output, |_, _, _| true))
}

/// Percentages of a line.
pub(super) fn percent(line: &str, output: Output) -> Vec<Typed> {
    numeric(&PERCENT, line, output, |_, _, _| true)
}

/// What is part of a date is no number.
fn outside_dates(dates: &[DateSpan], mut values: Vec<Typed>) -> Vec<Typed> {
    values.retain(|value| !dates.iter().any(|date| value.start < date.end && date.start < value.end));
    values
}

fn numeric(
    pattern: &Regex,
    line: &str,
    output: Output,
    keep: impl Fn(&str, usize, &str) -> bool,
) -> Vec<Typed> {
    let mut values = Vec::new();
    for found in pattern.find_iter(line) {
        let printed = found.as_str().trim();
        // Part of a longer word or number is no number.
        let before = line.get(..found.start()).and_then(|text| text.chars().next_back());
        let after = line.get(found.end()..).unwrap_or_default();
        let joined = before.is_some_and(|c| c.is_alphanumeric() || matches!(c, '.' | ',' | '/'));
        if joined || !keep(printed, found.start(), after) {
            continue;
        }
        if let Some(number) = parse_number(printed) {
            let value = match output {
                Output::Number => Number::from_f64(number).map_or(Value::Null, Value::Number),
                Output::Integer if number.fract() == 0.0 && number.abs() < 9e15 => Value::from(number as i64),
                Output::Integer => continue,
                _ => Value::from(printed),
            };
            let start = found.start() + (found.as_str().len() - found.as_str().trim_start().len());
            values.push(Typed { start, end: start + printed.len(), value, number: Some(number) });
        }
    }
    values
}

/// Money has cents or a currency; a bare whole number beside a label may be money too.
pub(super) fn is_money(printed: &str, _: usize, after: &str) -> bool {
    let next = after.chars().next();
    let part = next.is_some_and(|c| c.is_alphanumeric() || matches!(c, '/' | '%' | ':'))
        || after.trim_start().starts_with('%')
        || (next.is_some_and(|c| matches!(c, '-' | '.' | ','))
            && after.chars().nth(1).is_some_and(|c| c.is_ascii_digit()));
    !part && printed.bytes().filter(u8::is_ascii_digit).count() <= 12
}

/// Whether a printed amount shows that it is money.
pub(crate) fn shows_money(printed: &str) -> bool {
    let digits = printed.trim_end_matches(|c: char| !c.is_ascii_digit());
    let cents = digits.len() > 3
        && digits.as_bytes().get(digits.len() - 3).is_some_and(|b| matches!(b, b'.' | b','))
        && digits.get(digits.len() - 2..).is_some_and(|tail| tail.bytes().all(|b| b.is_ascii_digit()));
    cents || printed.contains(['$', '€', '£', '¥', '₹']) || printed.bytes().any(|b| b.is_ascii_alphabetic())
}

/// A printed number in either convention: the last separator with other than three digits behind it
/// is the decimal one.
pub(crate) fn parse_number(printed: &str) -> Option<f64> {
    let negative = printed.starts_with(['-', '(']) || printed.contains("-");
    let digits: String = printed.chars().filter(|c| c.is_ascii_digit() || matches!(c, '.' | ',')).collect();
    let digits = digits.trim_matches(['.', ',']);
    let decimal = digits.rfind(['.', ',']).filter(|&at| {
        let tail = digits.len() - at - 1;
        let separators: Vec<char> = digits.chars().filter(|c| matches!(c, '.' | ',')).collect();
        let mixed = separators.iter().any(|c| Some(c) != separators.last());
        let repeated = separators.len() > 1 && !mixed;
        (tail != 3 || mixed) && !repeated
    });
    let mut text = String::with_capacity(digits.len());
    for (index, c) in digits.char_indices() {
        if c.is_ascii_digit() {
            text.push(c);
        } else if Some(index) == decimal {
            text.push('.');
        }
    }
    let number: f64 = text.parse().ok()?;
    Some(if negative { -number } else { number })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_in_both_conventions() {
        for (printed, number) in [
            ("1,234.50", 1234.5),
            ("1.234,50 €", 1234.5),
            ("RM 9.90", 9.9),
            ("12,5", 12.5),
            ("1,234", 1234.0),
            ("1.234.567", 1_234_567.0),
            ("-3.00", -3.0),
            ("(3.00)", -3.0),
            ("1'234.50", 1234.5),
        ] {
            assert_eq!(parse_number(printed), Some(number), "{printed}");
        }
    }
}
