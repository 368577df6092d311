//! The lines of documents, and the comparison of lines that were recognised twice.

use std::ops::Range;

use language::fold::{fold_letters, fold_word};
use language::vocabulary::is_page_word;

use super::super::segment::Source;
use super::ocr_slips;

/// Bytes of a line that may be a label or a date; longer ones are running text. Chosen by hand; no
/// measurement is recorded.
pub(super) const MAX_LABEL: usize = 100;

pub(super) struct SourceLine<'a> {
    pub(super) document: usize,
    /// Its byte range without surrounding whitespace.
    pub(super) range: Range<usize>,
    pub(super) text: &'a str,
    pub(super) has_digit: bool,
    /// Equal for lines that may be the same line with OCR errors.
    pub(super) key: u64,
}

impl SourceLine<'_> {
    /// Whether both are the same line, apart from OCR errors.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        self.key == other.key && (self.text == other.text || ocr_slips::is_same_line(self.text, other.text))
    }

    /// Whether it is a page number and nothing else.
    pub(super) fn is_page_number(&self) -> bool {
        self.text.len() <= MAX_LABEL
            && self.has_digit
            && (tokens(self.text).any(|token| is_page_word(&fold_word(&token)))
                || !self.text.chars().any(char::is_alphabetic))
            // Up to 9,999 pages.
            && numbers(self.text).all(|number| number.len() <= 4)
    }
}

/// The non-blank lines of a document.
pub(super) fn lines<'a>(document: usize, source: &Source<'a>) -> Vec<SourceLine<'a>> {
    let mut start = 0;
    let mut found = Vec::new();
    for line in source.text().split_inclusive('\n') {
        let text = line.trim();
        let at = start + (line.len() - line.trim_start().len());
        start += line.len();
        if !text.is_empty() {
            let has_digit = text.chars().any(char::is_numeric);
            found.push(SourceLine {
                document,
                range: at..at + text.len(),
                text,
                has_digit,
                key: ocr_slips::confusable_key(text),
            });
        }
    }
    found
}

/// Folded words and numbers.
pub(super) fn tokens(text: &str) -> impl Iterator<Item = String> {
    text.split_whitespace().map(fold_letters).filter(|token| !token.is_empty())
}

/// Tokens with digits.
pub(super) fn numbers(text: &str) -> impl Iterator<Item = String> {
    tokens(text).filter(|token| token.chars().any(char::is_numeric))
}
