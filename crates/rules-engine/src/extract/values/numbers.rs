//! Amounts and other numbers of a line, by the parser of [`language::number`].

use forms_core::labels::Line;
use language::number::{NumberMention, pick_by_separator, scan};
use serde_json::{Number, Value};

use super::super::dates::DateSpan;
use super::super::kind::Output;
use super::TypedValue;

/// Maximum digits of an amount; longer numbers are codes. Chosen by hand; no measurement is recorded.
const MAX_DIGITS: usize = 12;
/// Years in running text: four digits, within a few centuries of now. Chosen by hand; no measurement is
/// recorded.
const YEARS: std::ops::Range<f64> = 1800.0..2200.0;

pub(super) fn money(
    own: &Line,
    output: Output,
    decimal: Option<char>,
    dates: &[DateSpan],
) -> Vec<TypedValue> {
    let line = own.text.as_str();
    find_numeric(own, output, decimal, dates, |mention, number| {
        let rest = line.get(mention.printed.end..).unwrap_or_default();
        let next = rest.chars().next();
        let goes_on = next.is_some_and(|c| (c.is_alphanumeric() && !mention.money) || matches!(c, '/' | ':'))
            || next.is_some_and(|c| matches!(c, '-' | '.' | ','))
                && rest.chars().nth(1).is_some_and(|c| c.is_ascii_digit());
        let digits = line.get(mention.range.clone()).unwrap_or_default().bytes().filter(u8::is_ascii_digit);
        !mention.percent
            && !mention.part
            && !goes_on
            && digits.count() <= MAX_DIGITS
            && !is_year(own, mention, number)
    })
}

pub(super) fn number(
    own: &Line,
    output: Output,
    decimal: Option<char>,
    dates: &[DateSpan],
) -> Vec<TypedValue> {
    let line = own.text.as_str();
    find_numeric(own, output, decimal, dates, |mention, number| {
        // Of `3-4` and `4/5` only the first number counts.
        let before = line.get(..mention.range.start).unwrap_or_default();
        let rest = line.get(mention.range.end..).unwrap_or_default();
        let version =
            rest.strip_prefix(['.', ',']).is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
        let first = !before.ends_with(['/', '-', '–', ':', '.', ',']) && !version;
        (!mention.part || first) && !is_year(own, mention, number)
    })
}

pub(super) fn percent(
    own: &Line,
    output: Output,
    decimal: Option<char>,
    dates: &[DateSpan],
) -> Vec<TypedValue> {
    find_numeric(own, output, decimal, dates, |mention, _| mention.percent && !mention.part)
}

/// Whether a number is a year in running text: nothing marks it as an amount, and words follow it.
fn is_year(own: &Line, mention: &NumberMention, number: f64) -> bool {
    let bare = !mention.money && mention.range.len() == 4 && number.fract() == 0.0;
    let segment = own.segments.get(own.segment_at(mention.range.start));
    let rest = segment.map_or("", |segment| own.slice(mention.range.end, segment.end));
    bare && YEARS.contains(&number)
        && rest.split_whitespace().filter(|word| word.chars().any(char::is_alphabetic)).count() > 1
}

fn find_numeric(
    own: &Line,
    output: Output,
    decimal: Option<char>,
    dates: &[DateSpan],
    keep: impl Fn(&NumberMention, f64) -> bool,
) -> Vec<TypedValue> {
    let line = own.text.as_str();
    let mut values: Vec<TypedValue> = Vec::new();
    scan(line, 0..line.len(), |mention| {
        let within = |start: usize, end: usize| mention.range.start < end && start < mention.range.end;
        let known = values.last().is_some_and(|last| mention.range.start < last.end);
        // Parts of a date are not numbers.
        if mention.is_unscaled || known || dates.iter().any(|date| within(date.start, date.end)) {
            return;
        }
        let several = !mention.is_set_apart && joined_by_spaces_alone(line, &mention);
        let Some(number) =
            mention.value(|readings| pick_by_separator(readings, decimal)).filter(|_| !several)
        else {
            return;
        };
        let whole = NumberMention { part: mention.part && !mention.is_set_apart, ..mention };
        if !keep(&whole, number) {
            return;
        }
        let printed = if output == Output::Verbatim { line.get(whole.printed.clone()) } else { None };
        let value = match output {
            Output::Number | Output::Integer => match number_value(output, number) {
                Some(value) => value,
                None => return,
            },
            _ => Value::from(printed.unwrap_or_default()),
        };
        values.push(TypedValue {
            start: whole.printed.start,
            end: whole.printed.end,
            value,
            number: Some(number),
        });
    });
    values
}

/// The JSON of a number of a numeric field; `None` for any other output, and where an integer cannot be it.
pub(crate) fn number_value(output: Output, number: f64) -> Option<Value> {
    match output {
        Output::Number => Some(Number::from_f64(number).map_or(Value::Null, Value::Number)),
        // Integers up to 2⁵³ (9.007e15) are exact in an `f64`.
        Output::Integer if number.fract() == 0.0 && number.abs() < 9e15 => Some(Value::from(number as i64)),
        _ => None,
    }
}

/// Whether only spaces join the groups of a number without a decimal comma: `57 633.57` may be two numbers. `31 000`
/// is one, since no number begins with a zero before other digits.
fn joined_by_spaces_alone(line: &str, mention: &NumberMention) -> bool {
    let printed = line.get(mention.range.clone()).unwrap_or_default();
    let grouped = |c: char| c.is_ascii_digit() || c == ' ';
    let digits = printed.trim_start_matches(|c: char| !c.is_ascii_digit());
    let plain = digits.split(|c| !grouped(c)).next().unwrap_or_default().trim_end();
    let zero = plain.split(' ').skip(1).any(|group| group.len() > 1 && group.starts_with('0'));
    plain.contains(' ')
        && !zero
        && !mention.money
        && !mention.readings.iter().any(|reading| reading.decimal == Some(','))
}

/// Whether a printed amount is visibly money.
pub(crate) fn shows_money(printed: &str) -> bool {
    let digits = printed.trim_end_matches(|c: char| !c.is_ascii_digit());
    let cents = digits.len() > 3
        && digits.as_bytes().get(digits.len() - 3).is_some_and(|b| matches!(b, b'.' | b','))
        && digits.get(digits.len() - 2..).is_some_and(|tail| tail.bytes().all(|b| b.is_ascii_digit()));
    cents || printed.contains(['$', '€', '£', '¥', '₹']) || printed.bytes().any(|b| b.is_ascii_alphabetic())
}
