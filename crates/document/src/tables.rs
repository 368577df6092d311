//! The tables of a document with their texts.

use language::fold::fold_word;
use language::layout::LayoutPhrase;
use serde::Serialize;

use crate::model::{Block, BlockKind, Cell, Document, Rect};
use crate::slices::TextSlices;

/// Maximum positions in the rows of all tables of a document; rows beyond it are left out. Protects memory.
const MAX_PLACES: usize = 2_000_000;
/// Maximum characters of a title. Chosen by hand; no measurement recorded.
const MAX_TITLE: usize = 300;
/// Maximum lines of a caption at the end of a paragraph. Chosen by hand; no measurement recorded.
const CAPTION_LINES: usize = 3;

/// A table with the texts of its cells.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TableContent {
    /// The page on which it begins, from 1; `None` for formats without pages.
    pub page: Option<u32>,
    /// Position on the page, if known.
    #[serde(rename = "box", skip_serializing_if = "Option::is_none")]
    pub rect: Option<Rect>,
    /// Its caption, else the heading above it.
    pub title: Option<String>,
    /// Rows of equal length. The text of a cell with spans is at its first position; the others are empty.
    pub rows: Vec<Vec<String>>,
    /// Its non-empty cells, ordered by row and column.
    pub cells: Vec<TableCell>,
}

/// A cell with its text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TableCell {
    /// Row, from 0.
    pub row: u32,
    /// Column, from 0.
    pub column: u32,
    /// Rows spanned, at least 1.
    pub row_span: u32,
    /// Columns spanned, at least 1.
    pub column_span: u32,
    /// The text without Markdown escapes.
    pub text: String,
    /// Whether it is a header cell.
    pub header: bool,
}

/// The tables of a document, in document order.
#[must_use]
pub fn tables(document: &Document) -> Vec<TableContent> {
    let slices = TextSlices::new(&document.text);
    let (mut found, mut room) = (Vec::new(), MAX_PLACES);
    for (place, block) in document.blocks.iter().enumerate() {
        if let BlockKind::Table { cells } = &block.kind {
            let cells = texts(cells, &slices);
            found.push(TableContent {
                page: block.page.or_else(|| document.page_at(block.start)),
                rect: block.rect,
                title: title(&document.blocks, place, &slices),
                rows: rows(&cells, &mut room),
                cells,
            });
        }
    }
    found
}

fn texts(cells: &[Cell], slices: &TextSlices<'_>) -> Vec<TableCell> {
    let text = |cell: &Cell| TableCell {
        row: cell.row,
        column: cell.column,
        row_span: cell.row_span,
        column_span: cell.column_span,
        text: unescaped(slices.get(cell.start, cell.end)),
        header: cell.header,
    };
    cells.iter().map(text).collect()
}

/// A cell's text without Markdown escapes.
pub(crate) fn unescaped(text: &str) -> String {
    text.replace("\\|", "|")
}

fn rows(cells: &[TableCell], room: &mut usize) -> Vec<Vec<String>> {
    let end = |at: u32, span: u32| at.saturating_add(span.max(1)) as usize;
    let height = cells.iter().map(|cell| cell.row as usize + 1).max().unwrap_or(0);
    let width = cells.iter().map(|cell| end(cell.column, cell.column_span)).max().unwrap_or(0);
    let height = height.min(*room / width.max(1));
    *room -= height * width;
    // A row is allocated only where there is one: it may be very wide.
    let mut rows: Vec<_> = (0..height).map(|_| vec![String::new(); width]).collect();
    for cell in cells {
        let place = rows.get_mut(cell.row as usize).and_then(|row| row.get_mut(cell.column as usize));
        if let Some(place) = place {
            place.clone_from(&cell.text);
        }
    }
    rows
}

/// The caption next to a table, else the nearest heading above it.
fn title(blocks: &[Block], place: usize, slices: &TextSlices<'_>) -> Option<String> {
    let text =
        |block: &Block| slices.get(block.start, block.end).split_whitespace().collect::<Vec<_>>().join(" ");
    let beside = [place.checked_sub(1), place.checked_add(1)];
    let beside = beside.into_iter().flatten().filter_map(|place| blocks.get(place));
    let plain = beside.filter(|block| matches!(block.kind, BlockKind::Paragraph | BlockKind::Heading { .. }));
    let caption = plain.map(text).find(|text| is_caption(text));
    let before = place.checked_sub(1).and_then(|place| blocks.get(place));
    let before = before.filter(|block| block.kind == BlockKind::Paragraph);
    let caption = caption.or_else(|| before.and_then(|block| last_lines(slices.get(block.start, block.end))));
    let above =
        || blocks.iter().take(place).rev().find(|block| matches!(block.kind, BlockKind::Heading { .. }));
    let title = caption.or_else(|| above().map(text)).filter(|title| !title.is_empty())?;
    Some(title.chars().take(MAX_TITLE).collect())
}

/// The caption at the end of a paragraph whose lines are as near to the table as to each other.
fn last_lines(text: &str) -> Option<String> {
    let lines: Vec<&str> = text.rsplit('\n').take(CAPTION_LINES).collect();
    let first = lines.iter().position(|line| is_caption(line.trim()))?;
    let caption: Vec<&str> = lines.iter().take(first + 1).rev().map(|line| line.trim()).collect();
    Some(caption.join(" "))
}

/// Whether a text is a table caption: the word for table and a number.
fn is_caption(text: &str) -> bool {
    let mut words = text.split_whitespace();
    let word = fold_word(words.next().unwrap_or_default());
    let number = words.next().unwrap_or_default();
    let numbered = number.chars().next().is_some_and(|c| c.is_ascii_digit() || "IVX".contains(c));
    LayoutPhrase::Caption.has(&word) && numbered && text.chars().nth(MAX_TITLE).is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_that_would_be_too_many_are_left_out() {
        let far = Cell {
            row: u32::MAX,
            column: u32::MAX,
            row_span: 1,
            column_span: 9,
            header: false,
            start: 0,
            end: 1,
        };
        let block =
            Block { kind: BlockKind::Table { cells: vec![far] }, start: 0, end: 1, page: None, rect: None };
        let document = Document { text: "x".into(), blocks: vec![block], ..Document::default() };
        let found = tables(&document);
        assert_eq!((found[0].rows.len(), found[0].cells.len()), (0, 1));
    }
}
