//! Links that cover table cells.

use std::collections::HashMap;

use document::{BlockKind, Document, Link, Rect as Place};
use kurbo::Rect;

use super::links::PlacedLink;
use super::page_layout::LaidOutPage;

/// Adds the links that cover table cells: the cell's text becomes the link. Cells are found by position,
/// since a table may continue on further pages.
pub(super) fn add_links_to_tables(document: &mut Document, sheets: &[LaidOutPage]) {
    if sheets.iter().all(|sheet| sheet.links.is_empty()) {
        return;
    }
    let by_number: HashMap<u32, &[PlacedLink]> =
        sheets.iter().map(|sheet| (sheet.number, sheet.links.as_slice())).collect();
    let mut found = Vec::new();
    let cells = document.blocks.iter().filter_map(|block| match &block.kind {
        BlockKind::Table { cells } => Some(cells),
        _ => None,
    });
    for cell in cells.flatten() {
        let at = document.spans.partition_point(|span| span.start < cell.start);
        let Some(span) = document.spans.get(at).filter(|span| span.start == cell.start) else { continue };
        for link in by_number.get(&span.page).copied().unwrap_or_default() {
            if lies_over(link.area, span.rect) {
                found.push(Link { start: cell.start, end: cell.end, url: link.url.clone() });
            }
        }
    }
    found.dedup();
    if !found.is_empty() {
        document.links.extend(found);
        document.links.sort_by_key(|link| (link.start, link.end));
    }
}

/// Whether most of a link covers the text of a cell, or the other way round.
fn lies_over(link: Rect, cell: Place) -> bool {
    let cell = Rect::new(cell.x0, cell.y0, cell.x1, cell.y1);
    let shared = link.intersect(cell);
    // Disjoint rectangles have an intersection with a side of zero.
    shared.width() > 0.0 && shared.height() > 0.0 && shared.area() * 2.0 > link.area().min(cell.area())
}
