//! What one reading sees of its documents: whole texts, or parts of long ones.

use std::ops::Range;

use gen_core::Part;

use super::text::char_index::CharIndex;
use crate::GroupDocument;

/// Stands between pieces that do not follow each other.
const GAP: &str = "\n[…]\n";

/// A document of the group, with its characters counted once for all who read it.
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

/// A part of a document. Values are looked for in its pieces alone: what it shows around them helps to
/// understand them, and is no evidence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Segment {
    /// Index of the document in its group.
    pub(super) document: usize,
    /// Bytes of the document's text, in order.
    pub(super) pieces: Vec<Range<usize>>,
    /// What stands above: headings, and the head of the table that goes on.
    pub(super) context: String,
    /// Which part of how many, from 1, where the document is cut.
    pub(super) part: Option<(usize, usize)>,
}

impl Segment {
    /// A whole document.
    pub(super) fn whole(document: usize, source: &Source<'_>) -> Self {
        let all = std::iter::once(0..source.text().len());
        Self { document, pieces: all.collect(), context: String::new(), part: None }
    }

    /// What a model sees.
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

    /// For each piece, how many characters are shown before it.
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
