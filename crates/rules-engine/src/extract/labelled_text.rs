//! Text after or below a label.

use forms_core::labels::{Line, Segment, sectioned_fit, words};
use language::label::{is_concept, is_filler};
use serde_json::Value;

use super::ExtractedValue;
use super::schema::Leaf;
use super::text::Text;

/// Minimum fit of a label. A label with two qualifiers too many (0.3) stays below it. Set on the open halves
/// of `cargo xtask bench extraction`; not measured alone.
pub(crate) const MIN_FIT: f32 = 0.34;

/// Maximum characters of a text value. Longer values are paragraphs. Chosen by hand; no measurement is
/// recorded.
pub(super) const MAX_TEXT: usize = 400;
/// Maximum words of a label. Chosen by hand; no measurement is recorded.
const MAX_LABEL: usize = 8;
/// Maximum words of a label with unknown words. Longer ones begin with a value. Chosen by hand; no
/// measurement is recorded.
const MAX_WHOLE: usize = 4;
/// Maximum labels of a segment. Bounds the time.
const MAX_PAIRS: usize = 12;
/// Minimum fit of a label without a colon: beside its value, and above it. Without a colon the words alone
/// are the evidence. Set on the open halves of `cargo xtask bench extraction`; not measured alone.
const BARE_FIT: (f32, f32) = (0.6, 0.9);
/// Minimum fit of a label for a text without letters. It may be of any other field. Chosen by hand; no
/// measurement is recorded.
const NUMERIC_FIT: f32 = 0.8;
/// Fits that differ by less are equal, and the first one wins: a guard against rounding.
const TIE: f32 = 0.001;
/// The confidence of a labelled text: this, and this much for the whole fit of its label. Other rules compare
/// with 0.8 to 0.9 of it; the trees of `trust` calibrate it. Chosen by hand.
const LEAST_SURE: f32 = 0.45;
const PER_FIT: f32 = 0.5;
/// Factors of the fit of a label without a colon beside other columns, and alone on its line; and of a value
/// below its label. Chosen by hand; no measurement is recorded.
const IN_COLUMNS: f32 = 0.95;
const ON_ITS_LINE: f32 = 0.8;
const BELOW: f32 = 0.9;

/// Characters around a value that are not part of it.
const MARKS: &[char] = &[':', '：', ' ', '\t', '*', '_', '`', '|', '.', '…', '?', '\u{a0}'];

/// The span of a value, and how well its label fits.
#[derive(Clone, Copy, Debug)]
pub(super) struct ValueSpan {
    pub(super) line: usize,
    pub(super) start: usize,
    pub(super) end: usize,
    fit: f32,
}

/// The text beside or below the best label.
pub(crate) fn find_labelled(text: &Text, leaf: &Leaf) -> Option<ExtractedValue> {
    let named = leaf.concepts.has("name") || leaf.concepts.has("person") || leaf.concepts.has("city");
    // Names have letters.
    find_labelled_where(text, leaf, |_, value| {
        !named || value.chars().filter(|c| c.is_alphabetic()).count() >= 2
    })
}

/// As [`find_labelled`], among labels and values that `keep` accepts.
pub(crate) fn find_labelled_where(
    text: &Text,
    leaf: &Leaf,
    keep: impl Fn(&str, &str) -> bool,
) -> Option<ExtractedValue> {
    let mut best: Option<ValueSpan> = None;
    for (index, line) in text.lines.iter().enumerate() {
        for segment in 0..line.segments.len() {
            let fit = |label: &str| sectioned_fit(text, &leaf.concepts, index, &text.words(label));
            let bare = !leaf.concepts.words.is_empty();
            let Some((label, place)) = pair_beside(text, index, segment, bare, fit) else { continue };
            let value = text.lines.get(place.line).map_or("", |line| line.slice(place.start, place.end));
            let lettered = value.chars().any(char::is_alphabetic) || place.fit >= NUMERIC_FIT;
            let usable = !value.is_empty() && lettered && value.chars().nth(MAX_TEXT).is_none();
            if usable && best.is_none_or(|other| place.fit > other.fit + TIE) && keep(label, value) {
                best = Some(place);
            }
        }
    }
    let place = best.filter(|place| place.fit >= MIN_FIT)?;
    let line = text.lines.get(place.line)?;
    Some(ExtractedValue {
        value: Value::from(line.slice(place.start, place.end)),
        start: line.offset(place.start),
        end: line.offset(place.end),
        confidence: LEAST_SURE + PER_FIT * place.fit,
    })
}

/// The values beside or below the labels of a line that `fit` rates highest.
pub(super) fn pairs_where(text: &Text, line: usize, fit: impl Fn(&str) -> f32) -> Vec<ValueSpan> {
    let segments = text.lines.get(line).map_or(0, |line| line.segments.len());
    let pairs = (0..segments).filter_map(|segment| pair_beside(text, line, segment, true, &fit));
    pairs.map(|(_, place)| place).collect()
}

/// The label in a segment that fits best, and the span of its value. `bare` admits a label without a colon.
fn pair_beside(
    text: &Text,
    index: usize,
    segment: usize,
    bare: bool,
    fit_of: impl Fn(&str) -> f32,
) -> Option<(&str, ValueSpan)> {
    let line = text.lines.get(index)?;
    let part = line.segments.get(segment)?;
    let mut from = part.start;
    let mut best: Option<(&str, ValueSpan)> = None;
    // "Label: value", perhaps several on the line.
    for _ in 0..MAX_PAIRS {
        let Some(separator) = separator(line.slice(from, part.end)) else { break };
        let label = last_label(line.slice(from, from + separator.0));
        let after_label = from + separator.1;
        if label.split_whitespace().count() <= MAX_LABEL {
            let cut = fit_of(label);
            // Unknown words before the known ones may be part of the label too, as in "Dress code".
            let whole = line.slice(from, from + separator.0).trim_matches(MARKS);
            let longer = whole.len() > label.len() && whole.split_whitespace().count() <= MAX_WHOLE;
            let fit = if longer { cut.max(fit_of(whole)) } else { cut };
            if fit >= MIN_FIT && best.is_none_or(|(_, place)| fit > place.fit) {
                let place = trim_value(line, index, after_label, part.end, fit);
                let place = place.or_else(|| value_after(text, index, segment, fit))?;
                best = Some((label, place));
            }
        }
        from = after_label;
    }
    if best.is_some() || from > part.start {
        return best;
    }
    let content = line.slice(part.start, part.end);
    // Longer lines are sentences. Chosen by hand; no measurement is recorded.
    let label_like = content.split_whitespace().count() <= 5 && !content.chars().any(|c| c.is_ascii_digit());
    if !label_like || !bare {
        return None;
    }
    let fit = fit_of(content);
    let standing = if line.segments.len() > 1 { IN_COLUMNS } else { ON_ITS_LINE };
    let place = value_after(text, index, segment, fit * standing).filter(|_| fit >= BARE_FIT.0)?;
    (place.line == index || line.segments.len() > 1 || fit >= BARE_FIT.1).then_some((content, place))
}

/// The first colon, question mark or row of leader dots: the end of the label and the start of the rest.
fn separator(text: &str) -> Option<(usize, usize)> {
    text.char_indices().find_map(|(at, c)| {
        let rest = text.get(at + c.len_utf8()..)?;
        let parts = match c {
            ':' => !(rest.starts_with("//") || is_clock(text, at)),
            '：' | '?' | '…' => true,
            '.' => rest.starts_with(".."),
            _ => false,
        };
        parts.then_some((at, at + c.len_utf8()))
    })
}

/// Whether digits are on both sides, as in 10:30.
fn is_clock(text: &str, at: usize) -> bool {
    let digit = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_digit);
    let bytes = text.as_bytes();
    digit(bytes.get(at + 1)) && at.checked_sub(1).is_some_and(|before| digit(bytes.get(before)))
}

/// The label right before a separator: only the known words if a value is before them on the line.
fn last_label(text: &str) -> &str {
    let text = text.trim_matches(MARKS).trim_start_matches(['-', '•', '#', '>']).trim();
    let cut = label_start(text);
    if cut > 0 && cut < text.len() { text.get(cut..).unwrap_or(text) } else { text }
}

/// The start of the known words at the end of a text; its length if there are none.
fn label_start(text: &str) -> usize {
    let (mut start, mut begin) = (text.len(), text.len() + 1);
    let mut known = false;
    // Known words before a separator; longer labels are rare. Chosen by hand; no measurement is recorded.
    for word in text.rsplit(' ').take(4) {
        begin -= word.len() + 1;
        let found = words(word);
        let concept = !found.is_empty() && found.iter().all(|word| is_concept(word));
        let filler = found.is_empty() && is_filler(&word.to_lowercase());
        if !(concept || filler && known) {
            break;
        }
        known |= concept;
        start = begin;
    }
    if known { start } else { text.len() }
}

/// The value between two bytes without the characters around it and without the next label.
fn trim_value(line: &Line, index: usize, start: usize, end: usize, fit: f32) -> Option<ValueSpan> {
    let rest = line.slice(start, end);
    let value = rest.trim_start_matches(MARKS);
    let start = start + (rest.len() - value.len());
    let mut value = value;
    let mut from = 0;
    for _ in 0..MAX_PAIRS {
        let Some((at, over)) = value.get(from..).and_then(separator) else { break };
        let head = value.get(..from + at).unwrap_or_default();
        let next = label_start(head);
        let colon = value.get(from + at..).is_some_and(|rest| rest.starts_with([':', '：']));
        if colon && next < head.len() {
            value = head.get(..next).unwrap_or_default();
            break;
        }
        from += over;
    }
    let value = value.trim_end().trim_end_matches(['*', '_', '`', '|']).trim_end();
    (!value.is_empty()).then_some(ValueSpan { line: index, start, end: start + value.len(), fit })
}

/// What follows a label that is alone: the next segment, the cell below, or the next line.
fn value_after(text: &Text, index: usize, segment: usize, fit: f32) -> Option<ValueSpan> {
    let line = text.lines.get(index)?;
    let header = (line.table && line.segments.len() > 2) || heads_columns(text, index);
    let is_label = |next: &&Segment| line.slice(next.start, next.end).ends_with([':', '：']);
    let beside =
        line.segments.get(segment + 1).filter(|next| next.end > next.start && !header && !is_label(next));
    if let Some(next) = beside {
        return trim_value(line, index, next.start, next.end, fit);
    }
    let below = text.lines.get(index + 1).filter(|below| !below.gap || line.table)?;
    let column = if line.table || below.segments.len() == line.segments.len() { segment } else { 0 };
    let same = below.segments.get(column)?;
    let value = below.slice(same.start, same.end);
    let found = text.words(value);
    let header = !line.table && found.len() > 1 && found.iter().all(|word| is_concept(word));
    let another_label =
        value.trim_end().ends_with(':') || separator(value).is_some_and(|(_, over)| over < value.len());
    if header || another_label || below.table && !line.table {
        return None;
    }
    trim_value(below, index + 1, same.start, same.end, fit * BELOW)
}

/// Whether a line has nothing but labels, each above a column of the line below.
fn heads_columns(text: &Text, index: usize) -> bool {
    let only_labels = |line: &Line| {
        let is_label = |part: &Segment| {
            let words = text.words(line.slice(part.start, part.end));
            !words.is_empty() && words.iter().all(|word| is_concept(word))
        };
        line.segments.len() > 1 && line.segments.iter().all(is_label)
    };
    let (Some(line), Some(below)) = (text.lines.get(index), text.lines.get(index + 1)) else { return false };
    !below.gap && below.segments.len() == line.segments.len() && only_labels(line) && !only_labels(below)
}
