//! Which pages show text that only OCR can read.
//!
//! Text that is drawn but not seen, over a picture of a page, was read by OCR before and is a text layer as
//! any other ([`super::glyphs::visible`]).

use kurbo::Point;

use super::glyphs::{PageGraphics, SCANNED};
use super::layout::{TextFlow, corners};

/// Letters and digits of a page that are hardly any text.
const HARDLY_ANY: usize = 20;
/// Part of a page without any text that pictures cover, at least: less is a logo.
const PICTURED: f64 = 0.05;
/// Filled shapes of a page without any text that may be its letters, at least.
const OUTLINES: usize = 200;
/// Glyphs without a meaning that are more than marks, at least.
const UNREADABLE: usize = 20;
/// Part of a page that a scan with a stamp at its edge covers, at least.
const WHOLE: f64 = 0.8;
/// Part of a page's height at its top and bottom where stamps stand: numbers of pages, of cases, of faxes.
const EDGE: f64 = 0.08;
/// Letters and digits of a caption, at most: some five lines.
const CAPTION: usize = 400;
/// Letters and digits of such stamps, at most.
const STAMPED: usize = 200;

/// Whether a page of `size` points, with text in `flows`, needs OCR: it is a picture with hardly any text, with a caption,
/// or with nothing but stamps at its edges, or most of its glyphs mean nothing.
pub(super) fn needs_ocr(size: (f32, f32), flows: &[TextFlow], shown: PageGraphics) -> bool {
    let lines = || flows.iter().flat_map(|flow| flow.regions.iter().flatten().map(|line| (flow.angle, line)));
    let tables = flows.iter().any(|flow| !flow.tables.is_empty());
    let letters: usize =
        lines().map(|(_, line)| line.text.chars().filter(|c| c.is_alphanumeric()).count()).sum();
    if tables {
        return false;
    }
    let height = f64::from(size.1);
    let at_edge = |top: f64, bottom: f64| bottom <= EDGE * height || top >= (1.0 - EDGE) * height;
    let stamps = || {
        lines().all(|(angle, line)| {
            let [_, top, _, bottom] = corners(line, angle);
            at_edge(top, bottom)
        })
    };
    // Text over a picture was set on it; text beside one that fills the page is about it, and does not say what it shows.
    let beside = || {
        let pictures = shown.pictures.unwrap_or_default();
        lines().all(|(angle, line)| {
            let [left, top, right, bottom] = corners(line, angle);
            !pictures.contains(Point::new(f64::midpoint(left, right), f64::midpoint(top, bottom)))
        })
    };
    let captioned = letters <= CAPTION && shown.picture_share >= SCANNED && beside();
    let unreadable = is_unreadable(letters, shown);
    let empty = letters == 0 && (shown.picture_share >= PICTURED || shown.outlines >= OUTLINES);
    let picture = letters < HARDLY_ANY && shown.picture_share >= SCANNED;
    let stamped = letters <= STAMPED && shown.picture_share >= WHOLE && stamps();
    unreadable || empty || picture || stamped || captioned
}

/// Whether most of the glyphs of a page with so many letters mean nothing, so that its text layer is of no use.
pub(super) fn is_unreadable(letters: usize, shown: PageGraphics) -> bool {
    shown.unreadable >= UNREADABLE && shown.unreadable >= letters
}
