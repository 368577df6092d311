//! Texts of a document that tell its form.

use std::ops::Range;

use document::{Document, DocumentPart};
use serde::{Deserialize, Serialize};

/// Characters of a quote at most. Chosen by hand.
pub(super) const MAX_QUOTE: usize = 200;

/// A text of the document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Quote {
    /// The text, at most 200 characters.
    #[serde(rename = "quote")]
    pub text: String,
    /// Page number, from 1; `None` for formats without pages.
    pub page: Option<u32>,
    /// First character.
    pub start: usize,
    /// After the last character.
    pub end: usize,
}

impl Quote {
    /// Quotes `text`, whose first character has the offset `start`, without white space around it.
    pub(super) fn of(document: &Document, text: &str, start: usize) -> Self {
        let start = start + text.chars().take_while(|c| c.is_whitespace()).count();
        let text: String = text.trim().chars().take(MAX_QUOTE).collect();
        let end = start + text.chars().count();
        Self { text, page: document.page_at(start), start, end }
    }

    /// The quote with the offsets of the whole document, of which `ranges` were compared; none for all of it.
    #[must_use]
    pub fn in_whole(self, ranges: &[Range<usize>]) -> Self {
        if ranges.is_empty() || self.start >= self.end {
            return self;
        }
        let start = DocumentPart::offset_in_whole(ranges, self.start);
        let end = DocumentPart::offset_in_whole(ranges, self.end - 1) + 1;
        Self { start, end, ..self }
    }
}
