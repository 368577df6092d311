//! Tables: cells in their columns, with declared repetitions up to a limit.

use super::super::flow::{FlowBlock, FlowCell, flattened};
use super::text::Reader;
use crate::xml::Node;

/// Maximum columns of a table in a text. Protects memory.
const COLUMNS: usize = 256;
/// Approximate bytes of a cell without its text.
const CELL: usize = 100;
/// Maximum repetitions of a row with content. Protects memory.
const REPEATS: usize = 100;

/// Parses a table. The reader and this call each other, since cells contain blocks and blocks tables.
pub(super) fn read(table: Node<'_>, reader: &mut Reader<'_>) -> FlowBlock {
    let mut rows = Vec::new();
    add_rows(table, false, reader, &mut rows);
    FlowBlock::Table(rows)
}

fn add_rows(parent: Node<'_>, header: bool, reader: &mut Reader<'_>, rows: &mut Vec<Vec<FlowCell>>) {
    for node in parent.children() {
        match node.name() {
            "table:table-header-rows" => add_rows(node, true, reader, rows),
            "table:table-rows" | "table:table-row-group" => add_rows(node, header, reader, rows),
            "table:table-row" => {
                let row = row(node, header, reader);
                let repeats = repeats(node, "table:number-rows-repeated");
                let empty = row.iter().all(|cell| cell.content.is_empty());
                // Empty rows are dropped, however often they are repeated.
                let size = row.iter().map(|cell| size(&cell.content) + CELL).sum();
                let count = if empty { 1 } else { reader.copies(repeats.min(REPEATS), size) };
                reader.cut |= repeats > count && !empty;
                rows.extend(std::iter::repeat_n(row, count));
            }
            _ => {}
        }
    }
}

fn row(node: Node<'_>, header: bool, reader: &mut Reader<'_>) -> Vec<FlowCell> {
    let mut row: Vec<FlowCell> = Vec::new();
    for cell in node.children() {
        let filled = match cell.name() {
            "table:table-cell" => FlowCell {
                content: reader.blocks(cell),
                row_span: span(cell, "table:number-rows-spanned"),
                column_span: span(cell, "table:number-columns-spanned"),
                header,
            },
            "table:covered-table-cell" => FlowCell::covered(),
            _ => continue,
        };
        let room = COLUMNS.saturating_sub(row.len());
        let asked = repeats(cell, "table:number-columns-repeated").min(room);
        let repeats = reader.copies(asked, size(&filled.content) + CELL);
        reader.cut |= repeats < asked;
        row.extend(std::iter::repeat_n(filled, repeats));
    }
    // Empty cells repeated to the edge of a sheet.
    let used = row.iter().rposition(|cell| !cell.content.is_empty()).map_or(0, |last| last + 1);
    if row.len() > used + 16 {
        row.truncate(used);
    }
    row
}

/// Approximate bytes of blocks.
fn size(blocks: &[FlowBlock]) -> usize {
    blocks.len() * CELL + flattened(blocks).len()
}

impl Reader<'_> {
    /// Number of copies of `size` bytes that fit into the limit; at least one.
    fn copies(&mut self, asked: usize, size: usize) -> usize {
        let most = self.room / size.max(1) + 1;
        let count = asked.min(most);
        self.room = self.room.saturating_sub(count.saturating_sub(1) * size);
        count
    }
}

fn repeats(node: Node<'_>, name: &str) -> usize {
    node.attribute(name).and_then(|count| count.parse().ok()).unwrap_or(1)
}

fn span(node: Node<'_>, name: &str) -> u32 {
    node.attribute(name).and_then(|count| count.parse().ok()).unwrap_or(1_u32).clamp(1, 1_000)
}
