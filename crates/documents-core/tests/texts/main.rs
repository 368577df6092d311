//! Formats of text: HTML, CSV, Markdown and plain text, in any encoding.
#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests assert, too")]

mod csv;
mod encodings;
mod html;
mod plain;

use document::{BlockKind, Cell, Document};
use documents_core::{Limits, parse};

fn read(text: &str, name: &str) -> Document {
    let document = parse(text.as_bytes(), name, &Limits::default()).unwrap();
    ranges_hold(&document);
    document
}

fn slice(document: &Document, start: usize, end: usize) -> String {
    document.text.chars().skip(start).take(end - start).collect()
}

/// Every block and cell lies within the text, in order.
fn ranges_hold(document: &Document) {
    let length = document.text.chars().count();
    for block in &document.blocks {
        assert!(block.start < block.end && block.end <= length, "{block:?} of {length}");
        if let BlockKind::Table { cells } = &block.kind {
            for cell in cells {
                assert!(
                    block.start <= cell.start && cell.start < cell.end && cell.end <= block.end,
                    "{cell:?}"
                );
            }
        }
    }
    assert!(document.blocks.windows(2).all(|pair| pair[0].start <= pair[1].start));
}

/// The cells of the only table.
fn cells(document: &Document) -> Vec<&Cell> {
    let tables: Vec<&Vec<Cell>> = document
        .blocks
        .iter()
        .filter_map(|block| match &block.kind {
            BlockKind::Table { cells } => Some(cells),
            _ => None,
        })
        .collect();
    assert_eq!(tables.len(), 1, "{}", document.text);
    tables[0].iter().collect()
}

/// The texts of the only table's cells with their row and column.
fn grid(document: &Document) -> Vec<(u32, u32, String)> {
    cells(document)
        .into_iter()
        .map(|cell| (cell.row, cell.column, slice(document, cell.start, cell.end)))
        .collect()
}
