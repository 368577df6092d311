//! PDF: reading order, words, and what must not take the process down.
#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests assert, too")]

mod annotations;
mod corpus;
mod damage;
mod layout;
mod letters;
mod marked;
mod ocr;
mod raw;
mod structure;
mod tables;
mod tagged;
mod writer;

use document::{Document, ParseError};
use documents_core::{Limits, parse};

fn read(bytes: &[u8]) -> Result<Document, ParseError> {
    parse(bytes, "test.pdf", &Limits::default())
}

/// The text of a document with blank lines left out.
fn lines(bytes: &[u8]) -> Vec<String> {
    let document = read(bytes).unwrap();
    spans_hold(&document);
    document.text.lines().filter(|line| !line.is_empty()).map(str::to_owned).collect()
}

/// Every range lies within the text and within its page, in order; every box lies on the page.
fn spans_hold(document: &Document) {
    let length = document.text.chars().count();
    let mut last = 0;
    for span in &document.spans {
        assert!(last <= span.start && span.start < span.end && span.end <= length, "{span:?} of {length}");
        last = span.end;
        let page = document.pages.iter().find(|page| page.number == span.page).unwrap();
        assert!(page.start <= span.start && span.end <= page.end, "{span:?} within {page:?}");
        assert_eq!(document.page_at(span.start), Some(span.page));
        let text: String = document.text.chars().skip(span.start).take(span.end - span.start).collect();
        assert!(!text.trim().is_empty() && !text.contains('\n'), "{text:?}");
        assert!(span.rect.x0 <= span.rect.x1 && span.rect.y0 <= span.rect.y1, "{span:?}");
    }
    for block in &document.blocks {
        assert!(block.start < block.end && block.end <= length, "{block:?}");
    }
}
