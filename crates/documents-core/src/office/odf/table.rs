//! Tables: cells in their columns, repeated as often as the file says, within bounds.

use super::super::flow::{Flow, FlowCell};
use super::text::Reader;
use crate::xml::Node;

/// The most columns of a table in a text.
const COLUMNS: usize = 256;
/// How often one row that holds something is repeated at most.
const REPEATS: usize = 100;

/// Reads a table.
pub(super) fn read(table: Node<'_>, reader: &mut Reader<'_>) -> Flow {
    let mut rows = Vec::new();
    add_rows(table, false, reader, &mut rows);
    Flow::Table(rows)
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
                // Empty rows say nothing, however often they are repeated.
                let most = if empty { 1 } else { REPEATS };
                reader.cut |= repeats > most && !empty;
                for _ in 0..repeats.min(most) {
                    rows.push(row.clone());
                }
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
        let repeats = repeats(cell, "table:number-columns-repeated").min(room);
        row.extend(std::iter::repeat_n(filled, repeats));
    }
    // What is repeated to the edge of a sheet.
    let used = row.iter().rposition(|cell| !cell.content.is_empty()).map_or(0, |last| last + 1);
    if row.len() > used + 16 {
        row.truncate(used);
    }
    row
}

fn repeats(node: Node<'_>, name: &str) -> usize {
    node.attribute(name).and_then(|count| count.parse().ok()).unwrap_or(1)
}

fn span(node: Node<'_>, name: &str) -> u32 {
    node.attribute(name).and_then(|count| count.parse().ok()).unwrap_or(1_u32).clamp(1, 1_000)
}
