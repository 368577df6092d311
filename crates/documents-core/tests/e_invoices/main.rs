//! Invoices as XML, by themselves and embedded in PDFs.

#![allow(clippy::unwrap_used, reason = "tests")]

mod beside;
mod embedded;
mod signed;
mod syntaxes;

use document::{BlockKind, Document};
use documents_core::{Limits, parse};

pub(crate) fn read(bytes: &[u8], name: &str) -> Document {
    parse(bytes, name, &Limits::default()).unwrap()
}

/// The rows of each table.
pub(crate) fn tables(document: &Document) -> Vec<Vec<Vec<String>>> {
    document::tables(document).into_iter().map(|table| table.rows).collect()
}

/// Asserts that the text has each line.
pub(crate) fn assert_lines(document: &Document, lines: &[&str]) {
    for line in lines {
        assert!(document.text.lines().any(|known| known == *line), "{line}\n\nin\n\n{}", document.text);
    }
}

pub(crate) fn headings(document: &Document) -> Vec<String> {
    let all: Vec<char> = document.text.chars().collect();
    let headings = document.blocks.iter().filter(|block| matches!(block.kind, BlockKind::Heading { .. }));
    headings.map(|block| all[block.start..block.end].iter().collect()).collect()
}
