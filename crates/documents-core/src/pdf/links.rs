//! Link annotations, and the text that they cover.

use hayro_syntax::object::{Dict, String as PdfString};
use hayro_syntax::page::Page;
use kurbo::{Point, Rect};

use super::baseline::turn;
use super::fields::{area, is_subtype};
use super::lines::Line;
use super::metadata::text_string;

/// Maximum links of a page. Protects time: each is compared with all lines of the page.
const MAX_LINKS: usize = 2_000;
/// Maximum bytes of a URL; longer ones are left out. Protects memory.
const MAX_URL: usize = 8_192;

/// A link on the upright page.
pub(super) struct PlacedLink {
    pub(super) area: Rect,
    pub(super) url: String,
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

fn turned(area: Rect, angle: u16) -> Rect {
    let corner = |x: f64, y: f64| {
        let (x, y) = turn(Point::new(x, y), angle);
        Point::new(x, y)
    };
    Rect::from_points(corner(area.x0, area.y0), corner(area.x1, area.y1))
}
