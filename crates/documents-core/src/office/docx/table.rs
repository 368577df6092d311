//! Tables: cells in their columns, with their column and row spans.

use super::super::flow::{FlowBlock, FlowCell};
use super::body::Body;
use super::styles::is_set;
use crate::xml::Node;

/// Maximum columns of a table, as in Word itself.
const COLUMNS: usize = 63;

/// A cell with its column and span.
struct PlacedCell {
    cell: FlowCell,
    /// Whether it continues the cell above (vertical merge).
    goes_on: bool,
}

impl Body<'_> {
    pub(super) fn table(&mut self, table: Node<'_>) -> FlowBlock {
        let mut rows: Vec<Vec<PlacedCell>> = Vec::new();
        self.rows(table, &mut rows);
        let first_is_header = table.path(&["w:tblPr", "w:tblLook"]).is_some_and(marks_first_row);
        if first_is_header && rows.len() > 1 {
            rows.iter_mut().take(1).flatten().for_each(|placed| placed.cell.header = true);
        }
        merge_vertical(&mut rows);
        FlowBlock::Table(
            rows.into_iter().map(|row| row.into_iter().map(|placed| placed.cell).collect()).collect(),
        )
    }

    fn rows(&mut self, parent: Node<'_>, rows: &mut Vec<Vec<PlacedCell>>) {
        for node in parent.children() {
            match node.name() {
                "w:tr" => {
                    let properties = node.child("w:trPr");
                    if properties.is_some_and(|node| node.child("w:del").is_some()) {
                        continue;
                    }
                    let header = properties.and_then(|node| node.child("w:tblHeader")).is_some_and(is_set);
                    let skipped = properties.and_then(|node| number(node, "w:gridBefore")).unwrap_or(0);
                    let mut row = Vec::new();
                    row.resize_with(skipped.min(COLUMNS), covered_cell);
                    self.cells(node, header, &mut row);
                    rows.push(row);
                }
                "w:sdt" => {
                    if let Some(content) = node.child("w:sdtContent") {
                        self.rows(content, rows);
                    }
                }
                "w:ins" | "w:customXml" | "w:moveTo" => self.rows(node, rows),
                _ => {}
            }
        }
    }

    fn cells(&mut self, parent: Node<'_>, header: bool, row: &mut Vec<PlacedCell>) {
        for node in parent.children() {
            match node.name() {
                "w:tc" if row.len() < COLUMNS => {
                    let properties = node.child("w:tcPr");
                    let span = properties
                        .and_then(|node| number(node, "w:gridSpan"))
                        .unwrap_or(1)
                        .clamp(1, COLUMNS - row.len());
                    let merged = properties.and_then(|node| node.child("w:vMerge"));
                    let goes_on = merged.is_some_and(|node| node.attribute("w:val") != Some("restart"));
                    let content = self.blocks(node);
                    let column_span = u32::try_from(span).unwrap_or(1);
                    row.push(PlacedCell {
                        cell: FlowCell { content, row_span: 1, column_span, header },
                        goes_on,
                    });
                    row.resize_with(row.len() + span - 1, covered_cell);
                }
                "w:sdt" => {
                    self.content_control(node);
                    if let Some(content) = node.child("w:sdtContent") {
                        self.cells(content, header, row);
                    }
                }
                "w:ins" | "w:customXml" | "w:moveTo" => self.cells(node, header, row),
                _ => {}
            }
        }
    }
}

fn covered_cell() -> PlacedCell {
    PlacedCell { cell: FlowCell::covered(), goes_on: false }
}

fn number(node: Node<'_>, name: &str) -> Option<usize> {
    node.child(name)?.attribute("w:val")?.parse().ok()
}

/// Whether the table look emphasises the first row.
fn marks_first_row(look: Node<'_>) -> bool {
    const FIRST_ROW: u32 = 0x20;
    match look.attribute("w:firstRow") {
        Some(value) => matches!(value, "1" | "true" | "on"),
        None => {
            let flags = look.attribute("w:val").and_then(|value| u32::from_str_radix(value, 16).ok());
            flags.is_some_and(|flags| flags & FIRST_ROW != 0)
        }
    }
}

/// Extends cells over the vertically merged cells below them.
fn merge_vertical(rows: &mut [Vec<PlacedCell>]) {
    // For each column, the row in which the open cell began.
    let mut began: Vec<Option<usize>> = vec![None; COLUMNS];
    for row in 0..rows.len() {
        for (column, began) in began.iter_mut().enumerate() {
            let Some(placed) = rows.get(row).and_then(|row| row.get(column)) else {
                *began = None;
                continue;
            };
            match (*began, placed.goes_on && placed.cell.content.is_empty()) {
                (Some(first), true) => {
                    if let Some(placed) = rows.get_mut(first).and_then(|row| row.get_mut(column)) {
                        placed.cell.row_span += 1;
                    }
                }
                _ => *began = Some(row),
            }
        }
    }
}
