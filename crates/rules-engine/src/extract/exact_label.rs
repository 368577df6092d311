//! The value beside a label that is the field's own name or description, word for word.
//!
//! Where such a label stands once, no other label says better where the value is: `Jurisdiction: London` is the
//! jurisdiction, however well "Governing law" fits it by meaning.

use language::fold::fold_phrase;
use serde_json::Value;

use super::kind::{FieldKind, Output};
use super::labelled_text::{MAX_TEXT, ValueSpan, pairs_where};
use super::schema::Leaf;
use super::text::Text;
use super::values::number_value;
use super::{ExtractedValue, total};

/// The confidence of a value with such a label: that of a whole fit in `labelled_text`.
const CONFIDENCE: f32 = 0.95;

/// The only place with a label of exactly the field's words. `None` where there is none, or several with
/// different values.
pub(super) fn find_place(text: &Text, leaf: &Leaf) -> Option<ValueSpan> {
    // A receipt prints "Total" before the rounding and before the tax: the rules of totals weigh all of them.
    if leaf.kind == FieldKind::Total && leaf.labels.iter().any(|label| total::names_total(label)) {
        return None;
    }
    let fit = |label: &str| if leaf.labels.contains(&fold_phrase(label)) { 1.0 } else { 0.0 };
    // Few lines have the words at all; the labels of the others need not be found.
    let has_words = |(_, phrase): &(usize, &String)| leaf.labels.iter().any(|label| phrase.contains(label));
    let lines = text.phrases().iter().enumerate().filter(has_words).map(|(line, _)| line);
    let mut found: Option<ValueSpan> = None;
    for place in lines.flat_map(|line| pairs_where(text, line, fit)) {
        match found {
            Some(other) if printed(text, other) != printed(text, place) => return None,
            _ => found = Some(place),
        }
    }
    found
}

/// The value at the place of the label: what the rules of the kind found there, else what stands there.
pub(super) fn choose(
    text: &Text,
    leaf: &Leaf,
    place: ValueSpan,
    by_kind: Option<ExtractedValue>,
) -> Option<ExtractedValue> {
    let line = text.lines.get(place.line)?;
    let (start, end) = (line.offset(place.start), line.offset(place.end));
    if let Some(number) = only_number(text, leaf, place) {
        let same = by_kind.as_ref().is_some_and(|found| found.value.as_f64() == number.value.as_f64());
        return if same { by_kind } else { Some(number) };
    }
    let within = by_kind.as_ref().is_some_and(|found| (start..end).contains(&found.start));
    if within {
        return by_kind;
    }
    stated(text, leaf, place).or(by_kind)
}

/// The number of a numeric field where nothing but one number stands: `31 500` is one beside its own label, and may be
/// two anywhere else.
fn only_number(text: &Text, leaf: &Leaf, place: ValueSpan) -> Option<ExtractedValue> {
    let value = printed(text, place);
    if !value.chars().all(|c| c.is_ascii_digit() || matches!(c, ' ' | '\u{a0}' | '\u{202f}')) {
        return None;
    }
    let value = number_value(leaf.output, text.number(value)?)?;
    let line = text.lines.get(place.line)?;
    let (start, end) = (line.offset(place.start), line.offset(place.end));
    Some(ExtractedValue { value, start, end, confidence: CONFIDENCE })
}

/// The value of the field's kind at a place; `None` unless there is exactly one.
fn stated(text: &Text, leaf: &Leaf, place: ValueSpan) -> Option<ExtractedValue> {
    let line = text.lines.get(place.line)?;
    let whole = || {
        let value = printed(text, place);
        let is_value = value.chars().any(char::is_alphanumeric) && value.chars().nth(MAX_TEXT).is_none();
        is_value.then(|| (place.start, place.end, Value::from(value)))
    };
    let (start, end, value) = match leaf.kind {
        FieldKind::Text | FieldKind::Organisation | FieldKind::Address => whole()?,
        FieldKind::Enum | FieldKind::Boolean | FieldKind::Currency => return None,
        kind => {
            let kind = if kind == FieldKind::Total { FieldKind::Money } else { kind };
            let values = text.values(kind, place.line, leaf.output);
            let mut inside =
                values.iter().filter(|value| value.start >= place.start && value.end <= place.end);
            match (inside.next(), inside.next()) {
                (Some(only), None) => (only.start, only.end, only.value.clone()),
                (None, _) if kind == FieldKind::Identifier => whole()?,
                // "Received by" is a date by its first word alone; a name is what stands there.
                (None, _) if leaf.output == Output::Verbatim && is_wording(kind, printed(text, place)) => {
                    whole()?
                }
                _ => return None,
            }
        }
    };
    Some(ExtractedValue { value, start: line.offset(start), end: line.offset(end), confidence: CONFIDENCE })
}

/// Whether a text without digits stands where the field's name let a date or a number be expected.
fn is_wording(kind: FieldKind, value: &str) -> bool {
    matches!(kind, FieldKind::Date | FieldKind::Time | FieldKind::Number | FieldKind::Money)
        && !value.chars().any(char::is_numeric)
}

fn printed(text: &Text, place: ValueSpan) -> &str {
    text.lines.get(place.line).map_or("", |line| line.slice(place.start, place.end))
}
