//! Quotes of documents: where they stand, and whether they print a value.

use std::sync::Arc;

use document::Document;
use serde_json::{Map, Value};

use crate::{Field, FormSchema, GroupDocument, Support, engine, pointer_tokens, read_answer};

/// Characters of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QuotePlace {
    /// Offset in the document's text, in Unicode characters.
    pub start: usize,
    /// Offset after the end.
    pub end: usize,
}

/// Where a document prints a quote: literally, else apart from case and the kind and number of spaces. Of several places,
/// the first one that `is_page` takes; its argument is the page, `None` for formats without pages.
#[must_use]
pub fn find_quote(
    document: &Document,
    quote: &str,
    is_page: impl Fn(Option<u32>) -> bool,
) -> Option<QuotePlace> {
    let quote = quote.trim();
    if quote.is_empty() {
        return None;
    }
    let length = quote.chars().count();
    let literal = document.text.match_indices(quote).map(|(byte, _)| {
        let start = document.text.get(..byte).map_or(0, |before| before.chars().count());
        QuotePlace { start, end: start + length }
    });
    let is_meant = |place: &QuotePlace| is_page(document.page_at(place.start));
    literal
        .into_iter()
        .find(is_meant)
        .or_else(|| places_like(&document.text, quote).into_iter().find(is_meant))
}

/// The places of a quote apart from case and spaces.
fn places_like(text: &str, quote: &str) -> Vec<QuotePlace> {
    let (folded, origins) = fold_spaces(text);
    let (wanted, _) = fold_spaces(quote);
    let place = |(byte, found): (usize, &str)| {
        let last = origins.get(byte + found.len() - 1)?;
        Some(QuotePlace { start: *origins.get(byte)?, end: last + 1 })
    };
    folded.match_indices(wanted.trim()).filter_map(place).collect()
}

/// The text in lower case with one space for each run of them, and for each byte the character that it is from.
fn fold_spaces(text: &str) -> (String, Vec<usize>) {
    let mut folded = String::with_capacity(text.len());
    let mut origins = Vec::with_capacity(text.len());
    for (index, character) in text.chars().enumerate() {
        match character.is_whitespace() {
            true if folded.ends_with(' ') => {}
            true => folded.push(' '),
            false => folded.extend(character.to_lowercase()),
        }
        origins.resize(folded.len(), index);
    }
    (folded, origins)
}

/// Whether a quote prints the value of a field, and how.
#[must_use]
pub fn quote_support(field: &Field, value: &Value, quote: &str) -> Support {
    let literal = match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    if is_whole_in(quote, &literal) {
        return Support::Exact;
    }
    let is_read = read_answer(field, &Value::String(quote.to_owned())).ok().flatten().as_ref() == Some(value);
    match is_read || is_printed(field, value, quote) {
        true => Support::Normalised,
        false => Support::Unsupported,
    }
}

/// Whether a text has another one that is no part of a longer word or number: `1` does not stand in `119,00`.
fn is_whole_in(text: &str, wanted: &str) -> bool {
    let joins = |c: char| c.is_alphanumeric();
    // A sign between digits belongs to the number.
    let goes_on = |mut rest: std::str::Chars<'_>, next: fn(&mut std::str::Chars<'_>) -> Option<char>| {
        let first = next(&mut rest);
        let is_sign = first.is_some_and(|c| matches!(c, '.' | ','));
        first.is_some_and(joins) || (is_sign && next(&mut rest).is_some_and(char::is_numeric))
    };
    let is_apart = |(at, _): (usize, &str)| {
        let before = text.get(..at).unwrap_or_default().chars();
        let after = text.get(at + wanted.len()..).unwrap_or_default().chars();
        !goes_on(before, |chars| chars.next_back()) && !goes_on(after, |chars| chars.next())
    };
    !wanted.is_empty() && text.match_indices(wanted).any(is_apart)
}

fn is_printed(field: &Field, value: &Value, quote: &str) -> bool {
    // Alone, the field has no others that decide whether it applies.
    let field = Field { when: Vec::new(), rules: Vec::new(), computed: None, ..field.clone() };
    let record = Map::from_iter([(field.name.clone(), value.clone())]);
    let name = field.name.clone();
    let form = FormSchema { written_order: vec![name.clone()], fields: vec![field], examples: Vec::new() };
    let document = Arc::new(Document { text: quote.to_owned(), ..Document::default() });
    let document = GroupDocument { name: String::new(), description: None, document, host: None };
    let found = engine::find_values(&form, &record, &document);
    found.iter().any(|(pointer, ..)| pointer_tokens(pointer).next().as_ref() == Some(&name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use document::Page;
    use serde_json::json;

    fn two_pages() -> Document {
        let text = "Größe:  119,00 €\nTotal 5\n\u{1F600} TOTAL\u{a0}5";
        let page = |number, start, end| Page { number, start, end, ..Page::default() };
        Document { text: text.into(), pages: vec![page(1, 0, 25), page(2, 25, 33)], ..Document::default() }
    }

    fn place(quote: &str, page: Option<u32>) -> Option<(usize, usize)> {
        let is_page = |found: Option<u32>| page.is_none() || found == page;
        find_quote(&two_pages(), quote, is_page).map(|place| (place.start, place.end))
    }

    #[test]
    fn a_quote_is_found_by_its_characters_apart_from_case_and_spaces() {
        assert_eq!(place("119,00 €", None), Some((8, 16)));
        assert_eq!(place(" größe: 119,00\u{a0}€ ", None), Some((0, 16)));
        assert_eq!(place("Total 5", None), Some((17, 24)));
        assert_eq!(place("Total 5", Some(2)), Some((27, 34)));
        for none in ["", "  ", "120,00 €", "Total  55", "otal 6"] {
            assert_eq!(place(none, None), None, "{none}");
        }
        assert_eq!(place("119,00 €", Some(2)), None);
    }

    #[test]
    fn a_quote_supports_what_it_prints() {
        let schema = json!({"total": {"type": "number", "when": {"kind": "x"}}, "kind": {"type": "string"}, "day": {"type": "date"}});
        let form = FormSchema::parse(schema.as_object().unwrap()).unwrap();
        let of = |path: &str, value: Value, quote: &str| {
            quote_support(form.field_at(path).unwrap(), &value, quote)
        };
        assert_eq!(of("/total", json!(119.0), "Total: 119,00 €"), Support::Normalised);
        assert_eq!(of("/total", json!(119), "Total 119"), Support::Exact);
        assert_eq!(of("/total", json!(119.0), "Total: 120 €"), Support::Unsupported);
        assert_eq!(of("/total", json!(1), "Total: 119,00 €"), Support::Unsupported);
        assert_eq!(of("/total", json!(119), "Total: 2.119,00 €"), Support::Unsupported);
        assert_eq!(of("/day", json!("2024-05-03"), "on 3 May 2024"), Support::Normalised);
        assert_eq!(of("/kind", json!("abc"), "x abc y"), Support::Exact);
    }
}
