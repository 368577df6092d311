//! The label of a position in the text: to its left, above it, or at the head of its column.

use super::concepts::{Concepts, Word, fit, words};
use super::lines::{Line, TextLines};

/// Bytes to the left that may have a label. Bounds the time; six long words fit.
const REACH: usize = 240;
/// Maximum words of a label to the left. Chosen by hand; no measurement is recorded.
const LABEL_WORDS: usize = 6;

/// How well the best label of a position fits a field, 0 to 1; `weight` is the factor of a label above.
#[must_use]
pub fn label_fit(
    text: &TextLines,
    field: &Concepts,
    line: usize,
    start: usize,
    end: usize,
    weight: f32,
) -> f32 {
    let Some(own) = text.lines.get(line) else { return 0.0 };
    let left =
        left_label(own, start).map_or(0.0, |label| sectioned_fit(text, field, line, &text.words(label)));
    let above = above_label(text, line, start).map_or(0.0, |label| {
        let label = text.words(label);
        let fit = sectioned_fit(text, field, line, &label);
        // "INVOICE" alone on the line above a number is a title.
        let lone = !own.table
            && line
                .checked_sub(1)
                .and_then(|at| text.lines.get(at))
                .is_some_and(|above| above.segments.len() == 1);
        let title = lone && field.has("number") && !label.iter().any(|word| word == "number");
        // A column of a list has several values.
        let listed = own.table && in_list(text, line);
        // Half: only a very good label is then above `field_value::MIN_FIT`. Chosen by hand; no measurement
        // is recorded.
        if title || listed { 0.5 * fit } else { fit }
    });
    let right = defined_term(own, end).map_or(0.0, |label| fit(field, &words(label)));
    left.max(weight * above).max(right)
}

/// Whether a row has rows of the same width before or after it, without the header.
fn in_list(text: &TextLines, line: usize) -> bool {
    let width = text.lines.get(line).map_or(0, |own| own.segments.len());
    let row = |at: Option<usize>| {
        at.and_then(|at| text.lines.get(at)).is_some_and(|other| other.table && other.segments.len() == width)
    };
    let headed = line.checked_sub(1).is_some_and(|above| row(above.checked_sub(1)));
    // Two columns are labels and values. Chosen by hand; no measurement is recorded.
    width > 2 && (headed && row(line.checked_sub(1)) || row(Some(line + 1)))
}

/// How well a label fits below its heading, which may name the party that the label concerns.
#[must_use]
pub fn sectioned_fit(text: &TextLines, field: &Concepts, line: usize, label: &[Word]) -> f32 {
    let plain = fit(field, label);
    if plain > 0.0 || label.is_empty() || !field.is_qualified() {
        return plain;
    }
    let Some(heading) = text.heading(line) else { return 0.0 };
    let heading = text.words(heading);
    let mut with: Vec<Word> = label.to_vec();
    with.extend(
        field
            .qualifiers()
            .filter(|asked| heading.iter().any(|word| word == asked))
            .map(|asked| asked.to_owned().into()),
    );
    if with.len() == label.len() {
        return 0.0;
    }
    // The heading alone is not a label: the label must match a word of the field too.
    // A tenth less than a label with the qualifier itself. Chosen by hand; no measurement is recorded.
    if field.words.iter().any(|word| label.contains(word)) { 0.9 * fit(field, &with) } else { 0.0 }
}

/// The term that a contract defines for what is before it: `5 May 2020 (the "Effective Date")`.
fn defined_term(line: &Line, end: usize) -> Option<&str> {
    let rest = line.slice(end, line.text.len()).trim_start().strip_prefix('(')?;
    let inside = rest.get(..rest.find(')')?)?;
    let open = inside.find(['"', '“', '„', '‘', '\''])?;
    let term = inside.get(open..)?.trim_matches(['"', '“', '”', '„', '‘', '’', '\'']);
    // Characters, as in the pattern of `prose`. Chosen by hand; no measurement is recorded.
    (term.chars().count() <= 40).then_some(term)
}

/// The words before a position: in its segment, else the segment before.
#[must_use]
pub fn left_label(line: &Line, byte: usize) -> Option<&str> {
    let index = line.segment_at(byte);
    let segment = line.segments.get(index)?;
    let within = last_clause(tail(line.slice(segment.start, byte)));
    if has_letters(within) && !is_unit(within) {
        return Some(last_words(within));
    }
    let before = index.checked_sub(1)?;
    let label = line.segment(before);
    has_letters(label).then(|| last_words(label))
}

/// What is above a position: the head of the table's column, or the line above if it is only a label.
#[must_use]
pub fn above_label(text: &TextLines, line: usize, byte: usize) -> Option<&str> {
    let own = text.lines.get(line)?;
    let column = own.segment_at(byte);
    if own.table {
        let head = text.lines.get(own.head).filter(|_| own.head < line)?;
        return Some(head.segment(column)).filter(|label| has_letters(label));
    }
    // A value with its own label on the line does not belong to the line above.
    if left_label(own, byte).is_some_and(|label| label.trim_end().ends_with(':')) {
        return None;
    }
    let above = text.lines.get(line.checked_sub(1)?)?;
    if above.table {
        return None;
    }
    let label = if own.segments.len() == above.segments.len() {
        above.segment(column)
    } else {
        at_same_place(above, own, byte)?
    };
    let short = label.split_whitespace().count() <= LABEL_WORDS;
    // A line with a value of its own is not a label.
    let alone = !label.chars().any(|c| c.is_ascii_digit())
        && label.split_once(':').is_none_or(|(_, value)| value.trim().is_empty());
    (short && alone && has_letters(label)).then_some(label)
}

/// The segment above that covers the same columns of characters.
fn at_same_place<'a>(above: &'a Line, own: &Line, byte: usize) -> Option<&'a str> {
    let segment = own.segments.get(own.segment_at(byte))?;
    let overlap = |other: &super::lines::Segment| {
        segment.end.min(other.end).saturating_sub(segment.start.max(other.start))
    };
    let best = above.segments.iter().max_by_key(|other| overlap(other)).filter(|other| overlap(other) > 0)?;
    Some(above.slice(best.start, best.end))
}

/// The end of a text, long enough for any label.
fn tail(text: &str) -> &str {
    let from = text.len().saturating_sub(REACH);
    let from = (from..text.len()).find(|&at| text.is_char_boundary(at)).unwrap_or(text.len());
    text.get(from..).unwrap_or_default()
}

/// What follows the last value before a position: a word with a digit is a value, unless it is a percentage.
fn last_clause(text: &str) -> &str {
    let cut = text.rfind([';', '|']).map_or(0, |at| at + 1);
    let clause = text.get(cut..).unwrap_or_default();
    let (mut end, mut kept) = (0, clause);
    for word in clause.split_inclusive(char::is_whitespace) {
        let first = end == 0;
        end += word.len();
        let value = word.chars().any(|c| c.is_ascii_digit()) && !word.contains('%');
        let rest = clause.get(end..).unwrap_or_default();
        if value && !first && has_letters(rest) {
            kept = rest;
        }
    }
    kept
}

/// Whether a text is a currency or unit, which labels nothing.
fn is_unit(text: &str) -> bool {
    // Bytes of the longest sign of a currency or unit, as `m³/h`. Chosen by hand; no measurement is recorded.
    text.len() <= 5 && words(text).is_empty()
}

fn last_words(text: &str) -> &str {
    let count = text.split_whitespace().count();
    if count <= LABEL_WORDS {
        return text;
    }
    let mut rest = text.trim_start();
    for _ in 0..count - LABEL_WORDS {
        rest = rest.split_once(char::is_whitespace).map_or(rest, |(_, after)| after.trim_start());
    }
    rest
}

fn has_letters(text: &str) -> bool {
    text.chars().filter(|c| c.is_alphabetic()).count() >= 2 || text.trim() == "#"
}
