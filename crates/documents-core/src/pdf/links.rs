//! Link annotations, and the text that they cover.

use std::collections::HashMap;

use hayro_syntax::object::{Dict, String as PdfString};
use hayro_syntax::page::Page;
use kurbo::{Point, Rect};

use super::fields::{area, is_subtype};
use super::lines::Line;
use super::metadata::text_string;
use super::page_layout::LaidOutPage;
use super::words::turn;
use crate::model::{BlockKind, Document, Link, Rect as Place};

/// Maximum links of a page. Protects time: each is compared with all lines of the page.
const MAX_LINKS: usize = 2_000;
/// Maximum bytes of a URL; longer ones are left out. Protects memory.
const MAX_URL: usize = 8_192;

/// A link on the upright page.
pub(super) struct PlacedLink {
    area: Rect,
    url: String,
}

/// The external links of a page.
pub(super) fn page_links(page: &Page<'_>, annotations: &[Dict<'_>]) -> Vec<PlacedLink> {
    let links =
        annotations.iter().filter(|annotation| is_subtype(annotation, b"Link")).filter_map(|annotation| {
            let action = annotation.get::<Dict<'_>>("A")?;
            let url = text_string(action.get::<PdfString<'_>>("URI")?.as_bytes());
            let area = area(annotation, page)?;
            (!url.is_empty() && url.len() <= MAX_URL).then_some(PlacedLink { area, url })
        });
    links.take(MAX_LINKS).collect()
}

/// The linked parts of a line of direction `angle`: first character, after the last, URL.
pub(super) fn links_over_line<'l>(
    links: &'l [PlacedLink],
    line: &Line,
    angle: u16,
) -> Vec<(usize, usize, &'l str)> {
    let mut found: Vec<(usize, usize, &str)> = Vec::new();
    for link in links {
        let area = turned(link.area, angle);
        if !(area.y0..area.y1).contains(&f64::midpoint(line.top, line.bottom)) {
            continue;
        }
        let inside = || {
            line.words.iter().filter(|word| (area.x0..=area.x1).contains(&f64::midpoint(word.x0, word.x1)))
        };
        if let (Some(start), Some(end)) =
            (inside().map(|word| word.start).min(), inside().map(|word| word.end).max())
        {
            found.push((start, end, &link.url));
        }
    }
    found.sort_by_key(|(start, end, _)| (*start, *end));
    found.dedup();
    found
}

/// Adds the links that cover table cells: the cell's text becomes the link. Cells are found by position,
/// since a table may continue on further pages.
pub(super) fn place_in_tables(document: &mut Document, sheets: &[LaidOutPage]) {
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

fn turned(area: Rect, angle: u16) -> Rect {
    let corner = |x: f64, y: f64| {
        let (x, y) = turn(Point::new(x, y), angle);
        Point::new(x, y)
    };
    Rect::from_points(corner(area.x0, area.y0), corner(area.x1, area.y1))
}
