//! The tables of a document as comma-separated values (RFC 4180) and as JSON.

use std::io::{self, Write};

use document::{Block, BlockKind, Cell, Document, Rect};
use serde::Serialize;

use super::json_lines::write_line;
use crate::csv::CsvWriter;

/// Writes each table as CSV, with a blank line between two tables.
pub(super) fn write_csv(out: &mut impl Write, csv: CsvWriter, document: &Document) -> io::Result<()> {
    let text = Text::of(document);
    for (index, (_, cells)) in tables(document).enumerate() {
        if index > 0 {
            out.write_all(b"\r\n")?;
        }
        for row in rows(cells, &text) {
            out.write_all(csv.texts(&row).as_bytes())?;
        }
    }
    Ok(())
}

/// Writes each table as a line of JSON.
pub(super) fn write_lines(out: &mut impl Write, file: &str, document: &Document) -> io::Result<()> {
    let text = Text::of(document);
    for (index, (block, cells)) in tables(document).enumerate() {
        let rows = rows(cells, &text);
        let (page, rect) = (block.page, block.rect);
        write_line(out, &TableLine { file, table: index + 1, page, rect, rows, cells })?;
    }
    Ok(())
}

#[derive(Serialize)]
struct TableLine<'d> {
    file: &'d str,
    /// Number of the table, from 1.
    table: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    page: Option<u32>,
    #[serde(rename = "box", skip_serializing_if = "Option::is_none")]
    rect: Option<Rect>,
    /// Texts of the cells. Positions covered by a span are empty.
    rows: Vec<Vec<String>>,
    cells: &'d [Cell],
}

fn tables(document: &Document) -> impl Iterator<Item = (&Block, &[Cell])> {
    document.blocks.iter().filter_map(|block| match &block.kind {
        BlockKind::Table { cells } if !cells.is_empty() => Some((block, cells.as_slice())),
        _ => None,
    })
}

/// The texts of the cells at their positions; all rows have the same length.
fn rows(cells: &[Cell], text: &Text<'_>) -> Vec<Vec<String>> {
    let most = |edge: fn(&Cell) -> u32| cells.iter().map(edge).max().unwrap_or_default() as usize;
    let height = most(|cell| cell.row.saturating_add(1));
    let width = most(|cell| cell.column.saturating_add(1));
    let mut rows = vec![vec![String::new(); width]; height];
    for cell in cells {
        let place = rows.get_mut(cell.row as usize).and_then(|row| row.get_mut(cell.column as usize));
        if let Some(place) = place {
            // Markdown escapes vertical bars.
            *place = text.slice(cell.start, cell.end).replace("\\|", "|");
        }
    }
    rows
}

/// A text with access by character offsets.
struct Text<'d> {
    text: &'d str,
    /// The byte offset of each character.
    bytes: Vec<usize>,
}

impl<'d> Text<'d> {
    fn of(document: &'d Document) -> Self {
        let text = document.text.as_str();
        Self { text, bytes: text.char_indices().map(|(offset, _)| offset).collect() }
    }

    fn slice(&self, start: usize, end: usize) -> &'d str {
        let byte = |index: usize| self.bytes.get(index).copied().unwrap_or(self.text.len());
        self.text.get(byte(start)..byte(end)).unwrap_or_default()
    }
}
