//! What the tests make their files of.

use document::{BlockKind, Document, ParseError};
use documents_core::{Limits, parse};

pub(crate) fn try_read(bytes: &[u8], name: &str) -> Result<Document, ParseError> {
    let document = parse(bytes, name, &Limits::default())?;
    ranges_hold(&document);
    Ok(document)
}

pub(crate) fn read(bytes: &[u8], name: &str) -> Document {
    try_read(bytes, name).unwrap()
}

pub(crate) fn slice(document: &Document, start: usize, end: usize) -> String {
    document.text.chars().skip(start).take(end - start).collect()
}

/// Every block, cell and page lies within the text, and blocks are in order.
pub(crate) fn ranges_hold(document: &Document) {
    let length = document.text.chars().count();
    for block in &document.blocks {
        assert!(block.start < block.end && block.end <= length, "{block:?} of {length}");
        if let BlockKind::Table { cells } = &block.kind {
            assert!(
                cells.iter().all(|cell| {
                    block.start <= cell.start && cell.start < cell.end && cell.end <= block.end
                })
            );
        }
    }
    assert!(document.blocks.windows(2).all(|pair| pair[0].start <= pair[1].start));
    assert!(document.pages.iter().all(|page| page.start <= page.end && page.end <= length));
}

/// The texts of the headings.
pub(crate) fn headings(document: &Document) -> Vec<String> {
    let headings = document.blocks.iter().filter(|block| matches!(block.kind, BlockKind::Heading { .. }));
    headings.map(|block| slice(document, block.start, block.end)).collect()
}

/// The texts of the cells of all tables, with their row, column and spans.
pub(crate) fn cells(document: &Document) -> Vec<(u32, u32, String, (u32, u32))> {
    let tables = document.blocks.iter().filter_map(|block| match &block.kind {
        BlockKind::Table { cells } => Some(cells),
        _ => None,
    });
    tables
        .flatten()
        .map(|cell| {
            let text = slice(document, cell.start, cell.end);
            (cell.row, cell.column, text, (cell.row_span, cell.column_span))
        })
        .collect()
}

/// A ZIP file of deflated files.
pub(crate) fn zip(files: &[(&str, &[u8])]) -> Vec<u8> {
    document_samples::archive(files, true)
}

/// Reads every damaged form of a file: bytes replaced, and the file cut. It must not panic, and the parser's
/// own guard must not hide that it would: a damaged structure is not what the guard reports.
pub(crate) fn survives_damage(bytes: &[u8], name: &str, step: usize) {
    for at in (0..bytes.len()).step_by(step) {
        for value in [0, 0x7f, 0xff] {
            let mut damaged = bytes.to_vec();
            damaged[at] = value;
            no_panic(&damaged, name);
        }
        no_panic(&bytes[..at], name);
    }
}

fn no_panic(bytes: &[u8], name: &str) {
    if let Err(ParseError::Damaged(why)) = try_read(bytes, name) {
        assert!(!why.contains("contradicts itself"), "a reader panicked");
    }
}
