//! Lists of scalars: one item per line below a label or heading, or separated by commas beside it.

use forms_core::labels::{Line, fit, words};
use serde_json::Value;

use super::super::ExtractedValue;
use super::super::kind::FieldKind;
use super::super::schema::Leaf;
use super::super::text::Text;
use super::Row;

/// Maximum items of a list. Bounds the memory.
const MAX_ITEMS: usize = 10_000;
/// Maximum words of a heading above a list. Chosen by hand; no measurement is recorded.
const MAX_HEADING: usize = 4;
/// Markers of list items.
const BULLETS: &[char] = &['-', '*', '•', '–', '▪', '·', '◦'];

pub(super) fn rows(text: &Text, leaf: &Leaf) -> Vec<Row> {
    for (index, line) in text.lines.iter().enumerate() {
        let colon = line.text.find(':');
        let label = line.slice(0, colon.unwrap_or(line.text.len())).trim_matches(['#', '*', '_', ' ']);
        // As for other labels without a colon (`labelled_text::BARE_FIT`). Chosen by hand; no measurement is
        // recorded.
        if label.split_whitespace().count() > MAX_HEADING || fit(&leaf.concepts, &words(label)) < 0.6 {
            continue;
        }
        let rest = colon.map_or("", |colon| line.slice(colon + 1, line.text.len()));
        let found = match colon {
            Some(colon) if !rest.trim().is_empty() => inline_items(line, colon + 1),
            _ => text.lines.iter().skip(index + 1).map_while(parse_bullet).take(MAX_ITEMS).collect(),
        };
        if !found.is_empty() {
            return found;
        }
    }
    find_all_values(text, leaf)
}

/// A line after a list marker or number.
fn parse_bullet(line: &Line) -> Option<Row> {
    let text = line.text.trim_start();
    let content = text.strip_prefix(BULLETS).or_else(|| {
        let digits = text.bytes().take_while(u8::is_ascii_digit).count();
        // Up to 999 numbered items; four digits are a year.
        text.get(digits..).filter(|_| (1..=3).contains(&digits))?.strip_prefix(['.', ')'])
    })?;
    let start = line.text.len() - content.trim_start().len();
    let end = start + content.trim().len();
    (end > start).then(|| item(line, start, end))
}

fn item(line: &Line, start: usize, end: usize) -> Row {
    Row::Scalar(ExtractedValue {
        value: Value::from(line.slice(start, end)),
        start: line.offset(start),
        end: line.offset(end),
        // Found below its heading. Chosen by hand; no measurement is recorded.
        confidence: 0.7,
    })
}

fn inline_items(line: &Line, from: usize) -> Vec<Row> {
    let mut rows = Vec::new();
    let mut at = from;
    for part in line.slice(from, line.text.len()).split([',', ';']) {
        let start = at + (part.len() - part.trim_start().len());
        let content = part.trim().trim_end_matches('.');
        if !content.is_empty() {
            rows.push(item(line, start, start + content.len()));
        }
        at += part.len() + 1;
    }
    rows
}

/// All e-mail addresses, URLs or IBANs of a document without duplicates, if the field asks for no particular
/// one.
fn find_all_values(text: &Text, leaf: &Leaf) -> Vec<Row> {
    if !matches!(leaf.kind, FieldKind::Email | FieldKind::Url | FieldKind::Iban)
        || leaf.concepts.is_qualified()
    {
        return Vec::new();
    }
    let mut seen = std::collections::HashSet::new();
    let mut rows = Vec::new();
    for line in &text.lines {
        for value in text.find_values(leaf.kind, line, leaf.output) {
            if rows.len() < MAX_ITEMS && seen.insert(value.value.to_string()) {
                rows.push(item(line, value.start, value.end));
            }
        }
    }
    rows
}
