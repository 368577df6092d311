//! Converts cells to the values of their fields.

use forms_core::labels::{Line, Segment};
use serde_json::{Number, Value};

use super::super::ExtractedValue;
use super::super::kind::{FieldKind, Output};
use super::super::options::match_option;
use super::super::schema::Leaf;
use super::super::text::Text;
use super::super::values::yes_or_no;

/// Maximum letters of a unit or currency beside a number. Chosen by hand; no measurement is recorded.
const MAX_UNIT: usize = 5;

/// A field of the rows, by its name.
pub(super) type Field<'a> = (&'a str, &'a Leaf);

/// Whether a cell is a number, possibly with a unit or currency.
pub(crate) fn is_number(printed: &str) -> bool {
    let letters = printed.chars().filter(|c| c.is_alphabetic()).count();
    let begins = printed.trim_start_matches(|c: char| !c.is_alphanumeric() && c != '.');
    let digit_first = begins.starts_with(|c: char| c.is_ascii_digit() || c == '.');
    let digits = printed.bytes().filter(u8::is_ascii_digit).count();
    let currency = begins.split_whitespace().count() <= 2 && printed.ends_with(|c: char| c.is_ascii_digit());
    // Before the digits only a currency of up to three letters (ISO 4217).
    digits > 0 && letters <= MAX_UNIT && (digit_first || currency && letters <= 3) && !printed.contains('/')
}

/// Whether a part of a row is a mark, currency or unit of its neighbour.
pub(super) fn is_mark(printed: &str) -> bool {
    // A code of ISO 4217 at most.
    printed.chars().count() <= 3 && !printed.chars().any(|c| c.is_ascii_digit())
}

pub(super) fn cell(text: &Text, line: &Line, segment: Segment, leaf: &Leaf) -> Option<ExtractedValue> {
    if segment.end <= segment.start {
        return None;
    }
    let printed = line.slice(segment.start, segment.end);
    let place = |start: usize, end: usize, value: Value| ExtractedValue {
        value,
        start: line.offset(start),
        end: line.offset(end),
        // Found by the head of its column. Chosen by hand; no measurement is recorded.
        confidence: 0.85,
    };
    let whole = |value: Value| place(segment.start, segment.end, value);
    match leaf.output {
        Output::Number | Output::Integer => {
            let number = text.number(printed).filter(|_| is_number(printed))?;
            let value = match leaf.output {
                // Integers up to 2⁵³ (9.007e15) are exact in an `f64`.
                Output::Integer if number.fract() == 0.0 && number.abs() < 9e15 => Value::from(number as i64),
                Output::Integer => return None,
                _ => Number::from_f64(number).map(Value::Number)?,
            };
            Some(whole(value))
        }
        Output::IsoDate | Output::ReducedDate(_) | Output::DateTime => {
            let typed = text.find_values(FieldKind::Date, line, leaf.output);
            let date =
                typed.into_iter().find(|date| date.start >= segment.start && date.end <= segment.end)?;
            Some(place(date.start, date.end, date.value))
        }
        Output::Boolean => yes_or_no(printed).map(|(yes, _)| whole(Value::from(yes))),
        Output::Verbatim if !leaf.options.is_empty() => {
            match_option(&leaf.options, printed).map(|option| whole(Value::from(option)))
        }
        Output::Verbatim => Some(whole(Value::from(printed))),
    }
}
