//! Documents of one request with the same content.

use std::collections::HashMap;

use document::{Document, PageRanges};
use language::fold::fold_letters;
use sha2::{Digest as _, Sha256};

/// Letters and digits of a text at least by which documents are compared; shorter texts are compared by their bytes.
/// Chosen by hand.
const MIN_LETTERS: usize = 40;

/// Hash of a document's content: of the letters and digits of its text, so that the same text in another file is the
/// same content; of its bytes and pages where it has next to no text.
#[must_use]
pub fn content_hash(document: &Document, sha256: &str, pages: Option<&PageRanges>) -> [u8; 32] {
    let letters = fold_letters(&document.text);
    if letters.chars().nth(MIN_LETTERS - 1).is_some() {
        return Sha256::digest(letters).into();
    }
    let pages = pages.map(PageRanges::to_string).unwrap_or_default();
    Sha256::digest(format!("{sha256}#{pages}")).into()
}

/// Finds documents that came before.
#[derive(Debug, Default)]
pub struct Duplicates(HashMap<[u8; 32], usize>);

impl Duplicates {
    /// The index of the first document with this content, if it is not this one.
    pub fn add(&mut self, index: usize, hash: [u8; 32]) -> Option<usize> {
        let first = *self.0.entry(hash).or_insert(index);
        (first != index).then_some(first)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_text_is_the_same_document_and_short_texts_go_by_their_bytes() {
        let of = |text: &str, sha: &str| {
            content_hash(&Document { text: text.into(), ..Document::default() }, sha, None)
        };
        let long = "Invoice A-17 of Harbour Ltd for two hundred crates of cod";
        assert_eq!(of(long, "1"), of(&long.to_uppercase().replace(' ', "\n"), "2"));
        assert_ne!(of(long, "1"), of(&long.replace("17", "18"), "1"));
        assert_ne!(of("Total: 4", "1"), of("Total: 4", "2"));
        let one = PageRanges::of(1, 1);
        let empty = Document::default();
        assert_ne!(content_hash(&empty, "1", one.as_ref()), content_hash(&empty, "1", None));
    }

    #[test]
    fn the_first_of_equal_documents_is_told() {
        let mut seen = Duplicates::default();
        let found: Vec<_> =
            [1, 2, 1, 1].into_iter().enumerate().map(|(at, hash)| seen.add(at, [hash; 32])).collect();
        assert_eq!(found, [None, None, Some(0), Some(0)]);
    }
}
