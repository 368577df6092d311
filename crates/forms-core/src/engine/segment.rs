//! The segments of a prompt: whole documents, or parts of long ones.

use std::ops::Range;

use gen_core::Part;

use super::text::char_index::CharIndex;
use crate::GroupDocument;

/// Separates pieces that are not adjacent.
const GAP: &str = "\n[…]\n";

/// A document of the group with its character index.
#[derive(Debug)]
pub(super) struct Source<'a> {
    pub(super) document: &'a GroupDocument,
    pub(super) characters: CharIndex,
}

impl<'a> Source<'a> {
    pub(super) fn new(document: &'a GroupDocument) -> Self {
        Self { document, characters: CharIndex::new(&document.document.text) }
    }

    pub(super) fn text(&self) -> &'a str {
        &self.document.document.text
    }

    pub(super) fn slice(&self, range: &Range<usize>) -> &'a str {
        self.text().get(range.clone()).unwrap_or_default()
    }
}

/// A part of a document. Values are located in its pieces only: the context around them helps to interpret
/// them, but is no evidence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Segment {
    /// Index of the document in its group.
    pub(super) document: usize,
    /// Byte ranges of the document's text, in order.
    pub(super) pieces: Vec<Range<usize>>,
    /// The context above: headings, and the header of a continued table.
    pub(super) context: String,
    /// The part number from 1 and the number of parts; `None` when the document is not split.
    pub(super) part: Option<(usize, usize)>,
    /// Numbers of the pages that are shown as pictures, ascending.
    pub(super) pictures: Vec<u32>,
}

impl Segment {
    /// The whole document.
    pub(super) fn whole(document: usize, source: &Source<'_>) -> Self {
        let all = std::iter::once(0..source.text().len());
        Self { document, pieces: all.collect(), context: String::new(), part: None, pictures: Vec::new() }
    }

    /// The document part of the prompt.
    pub(super) fn to_prompt_part(&self, source: &Source<'_>) -> Part {
        let mut text = self.preface();
        for (number, piece) in self.pieces.iter().enumerate() {
            if number > 0 {
                text.push_str(GAP);
            }
            text.push_str(source.slice(piece));
        }
        let name = match self.part {
            Some((number, of)) => format!("{} (part {number} of {of})", source.document.name),
            None => source.document.name.clone(),
        };
        Part::Document { name, description: source.document.description.clone(), text: text.into() }
    }

    fn preface(&self) -> String {
        if self.context.is_empty() {
            return String::new();
        }
        format!(
            "[From above, to help understand what follows; take no values from it:]\n{}\n[Here the text begins:]\n",
            self.context
        )
    }

    /// The number of characters shown before each piece.
    pub(super) fn piece_offsets(&self, source: &Source<'_>) -> Vec<usize> {
        let mut at = self.preface().chars().count();
        let mut before = Vec::with_capacity(self.pieces.len());
        for piece in &self.pieces {
            before.push(at);
            let whole = source.text();
            let count = |byte| source.characters.count(whole, byte);
            at += count(piece.end) - count(piece.start) + GAP.chars().count();
        }
        before
    }
}
