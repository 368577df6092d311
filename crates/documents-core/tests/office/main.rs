//! Documents of office programs and books, made here.
#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests assert, too")]

mod corpus;
mod docx;
mod epub;
mod hostile;
mod odf;
mod packages;
mod pptx;
mod rtf;
mod zip;

use document::{BlockKind, Cell, Document, ParseError};
use documents_core::{Limits, parse};

fn try_read(bytes: &[u8]) -> Result<Document, ParseError> {
    let document = parse(bytes, "x.bin", &Limits::default())?;
    ranges_hold(&document);
    Ok(document)
}

fn read(bytes: &[u8]) -> Document {
    try_read(bytes).unwrap()
}

fn slice(document: &Document, start: usize, end: usize) -> String {
    document.text.chars().skip(start).take(end - start).collect()
}

/// Blocks by kind and text.
fn blocks(document: &Document) -> Vec<(String, String)> {
    let name = |kind: &BlockKind| match kind {
        BlockKind::Heading { level } => format!("h{level}"),
        BlockKind::ListItem { depth, ordered } => format!("{}{depth}", if *ordered { "ol" } else { "ul" }),
        BlockKind::Paragraph => "p".to_owned(),
        BlockKind::Table { .. } => "table".to_owned(),
        BlockKind::Code => "code".to_owned(),
        BlockKind::Quote => "quote".to_owned(),
        BlockKind::Figure => "figure".to_owned(),
        BlockKind::Footnote => "note".to_owned(),
    };
    document.blocks.iter().map(|block| (name(&block.kind), slice(document, block.start, block.end))).collect()
}

/// Asserts kinds and texts of all blocks.
fn expect(document: &Document, expected: &[(&str, &str)]) {
    let found = blocks(document);
    let found: Vec<(&str, &str)> = found.iter().map(|(kind, text)| (kind.as_str(), text.as_str())).collect();
    assert_eq!(found, expected, "{}", document.text);
}

/// The cells of the first table: row, column, rows and columns covered, text.
fn grid(document: &Document) -> Vec<(u32, u32, u32, u32, String)> {
    let cells = document.blocks.iter().find_map(|block| match &block.kind {
        BlockKind::Table { cells } => Some(cells),
        _ => None,
    });
    let text = |cell: &Cell| slice(document, cell.start, cell.end);
    let place = |cell: &Cell| (cell.row, cell.column, cell.row_span, cell.column_span, text(cell));
    cells.unwrap().iter().map(place).collect()
}

/// The texts and addresses of all links.
fn links(document: &Document) -> Vec<(String, String)> {
    document.links.iter().map(|link| (slice(document, link.start, link.end), link.url.clone())).collect()
}

fn ranges_hold(document: &Document) {
    let length = document.text.chars().count();
    for block in &document.blocks {
        assert!(block.start < block.end && block.end <= length, "{block:?} of {length}");
        if let BlockKind::Table { cells } = &block.kind {
            for cell in cells {
                assert!(block.start <= cell.start && cell.end <= block.end, "{cell:?}");
            }
        }
    }
    assert!(document.blocks.windows(2).all(|pair| pair[0].end <= pair[1].start));
    assert!(document.links.iter().all(|link| link.start < link.end && link.end <= length));
    assert!(document.pages.windows(2).all(|pair| pair[0].end <= pair[1].start));
}
