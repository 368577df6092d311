//! Normalises texts by what the documents print: placeholders become absent, and punctuation and spaces that
//! the model changed are restored.

use language::absence::means_no_value;
use serde_json::Value;

use super::super::coerce;
use super::super::node::{Leaf, Node};
use super::walk;
use crate::{Field, FieldType, Support};

/// Cleans every text of the record. The nodes must have evidence.
pub(super) fn clean_texts(fields: &[Field], nodes: &mut [Node]) {
    walk::visit_leaves(fields, nodes, None, &mut |seen, node| {
        let Node::Leaf(leaf) = node else { return };
        if !matches!(seen.field.kind, FieldType::String) || !seen.field.options.is_empty() {
            return;
        }
        let Value::String(value) = &leaf.value else { return };
        let support = leaf.evidence.as_ref().map_or(Support::Unsupported, |evidence| evidence.support);
        if means_no_value(value) && !matches!(support, Support::Exact | Support::Normalised) {
            *node = Node::Absent;
            return;
        }
        if support == Support::Normalised
            && let Some(text) = as_printed(leaf, value)
            && coerce::satisfies_rules(seen.field, &Value::String(text.clone()))
        {
            leaf.value = Value::String(text);
        }
    });
}

/// The value as printed, if it differs only in punctuation and spaces; `None` when there is nothing to
/// change.
fn as_printed(leaf: &Leaf, value: &str) -> Option<String> {
    let quote = leaf.evidence.as_ref()?.quote.as_deref()?;
    // A number in place of a text has lost its leading zeros and separators.
    let text = if leaf.was_number { quote.to_owned() } else { with_plain_signs(value, quote)? };
    (text != value && !text.contains('\n')).then_some(text)
}

/// `value` with the plain punctuation of `quote` in place of typographic variants, and with one space where
/// `quote` has one. `None` when they differ in anything else.
fn with_plain_signs(value: &str, quote: &str) -> Option<String> {
    let mut out = String::with_capacity(value.len());
    let (mut own, mut printed) = (TextPieces(value), TextPieces(quote));
    loop {
        match (own.next(), printed.next()) {
            (None, None) => return Some(out),
            (Some(TextPiece::Space(a)), Some(TextPiece::Space(b))) => {
                out.push_str(if b == " " && !a.contains('\n') { b } else { a });
            }
            (Some(TextPiece::Sign(a)), Some(TextPiece::Sign(b))) if a == b => out.push(a),
            (Some(TextPiece::Sign(a)), Some(TextPiece::Sign(b))) if plain(a) == plain(b) => {
                out.push(if b.is_ascii() { b } else { a });
            }
            _ => return None,
        }
    }
}

/// A run of whitespace, or one other character.
enum TextPiece<'t> {
    Space(&'t str),
    Sign(char),
}

struct TextPieces<'t>(&'t str);

impl<'t> Iterator for TextPieces<'t> {
    type Item = TextPiece<'t>;

    fn next(&mut self) -> Option<TextPiece<'t>> {
        let first = self.0.chars().next()?;
        let length = match first.is_whitespace() {
            true => self.0.find(|c: char| !c.is_whitespace()).unwrap_or(self.0.len()),
            false => first.len_utf8(),
        };
        let (piece, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(if first.is_whitespace() { TextPiece::Space(piece) } else { TextPiece::Sign(first) })
    }
}

/// The plain equivalent of a typographic sign.
fn plain(c: char) -> char {
    match c {
        '‘' | '’' | '‚' | '‛' | '′' | '`' | '´' => '\'',
        '“' | '”' | '„' | '‟' | '″' | '«' | '»' => '"',
        '‐' | '‑' | '‒' | '–' | '—' | '―' | '−' => '-',
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::with_plain_signs;

    #[test]
    fn made_up_signs_and_spaces_give_way_to_the_printed_ones() {
        for (value, quote, text) in [
            ("O’Neil  & Sons", "O'Neil & Sons", Some("O'Neil & Sons")),
            ("A–1", "A-1", Some("A-1")),
            ("A-1", "A–1", Some("A-1")),
            ("A\u{a0}B", "A B", Some("A B")),
            ("A B", "A\nB", Some("A B")),
            ("A\nB", "A B", Some("A\nB")),
            ("Acme", "ACME", None),
            ("A.B", "A B", None),
        ] {
            assert_eq!(with_plain_signs(value, quote).as_deref(), text, "{value} / {quote}");
        }
    }
}
