//! Writes a table to the document.

use document::{BlockKind, Rect, Span};

use super::table::{Area, Table};
use crate::Limits;
use crate::builder::Builder;
use crate::new_cell::NewCell;
use crate::pdf::baseline::turn_back;

/// Writes a table of a page whose text runs at `angle`. Returns the pages on which it continues, each with
/// the offset of its first character there.
pub(in crate::pdf) fn write(
    builder: &mut Builder,
    page: u32,
    angle: u16,
    table: &Table,
    limits: &Limits,
) -> Vec<(u32, usize)> {
    let blocks = builder.document_mut().blocks.len();
    builder.table(&cells(table), limits);
    let document = builder.document_mut();
    let Some(block) = document.blocks.get_mut(blocks) else { return Vec::new() };
    block.page = Some(page);
    block.rect = Some(rect(table.area, angle));
    let BlockKind::Table { cells } = &block.kind else { return Vec::new() };
    let mut places = table.cells.iter();
    for written in cells {
        let same =
            |row: usize, column: usize| written.row as usize == row && written.column as usize == column;
        // Both are ordered by row and column.
        if let Some(cell) = places.find(|cell| same(cell.row, cell.column)) {
            let (page, rect) = (cell.page.unwrap_or(page), rect(cell.area, angle));
            document.spans.push(Span { start: written.start, end: written.end, page, rect });
        }
    }
    let start = |row: usize| cells.iter().find(|cell| cell.row as usize >= row).map(|cell| cell.start);
    table.pages.iter().filter_map(|(page, row)| Some((*page, start(*row)?))).collect()
}

fn cells(table: &Table) -> Vec<Vec<NewCell>> {
    let mut rows: Vec<Vec<NewCell>> =
        (0..table.rows).map(|row| vec![NewCell::plain("", row < table.header_rows); table.columns]).collect();
    let span = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
    for cell in &table.cells {
        if let Some(place) = rows.get_mut(cell.row).and_then(|row| row.get_mut(cell.column)) {
            *place = NewCell {
                text: cell.text.clone(),
                row_span: span(cell.row_span),
                column_span: span(cell.column_span),
                header: cell.row < table.header_rows,
            };
        }
    }
    rows
}

fn rect(area: Area, angle: u16) -> Rect {
    let (ax, ay) = turn_back(area.x0, area.y0, angle);
    let (bx, by) = turn_back(area.x1, area.y1, angle);
    let tenth = |value: f64| (value * 10.0).round() / 10.0;
    Rect { x0: tenth(ax.min(bx)), y0: tenth(ay.min(by)), x1: tenth(ax.max(bx)), y1: tenth(ay.max(by)) }
}
