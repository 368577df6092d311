//! Detects pages whose text only OCR can read.
//!
//! Invisible text over an image of a page is an earlier OCR result, and a text layer like any other
//! ([`super::glyphs::visible`]).

use kurbo::Point;

use super::glyphs::{PageGraphics, SCANNED};
use super::layout::{TextFlow, corners};

/// Maximum letters and digits of a page with hardly any text. Chosen by hand; no measurement recorded.
const HARDLY_ANY: usize = 20;
/// Minimum part that images cover of a page without any text: less is a logo. That of
/// `pictures_without_text_need_ocr_and_logos_on_pages_of_text_do_not` covers .046, its receipt .2.
const PICTURED: f64 = 0.05;
/// Minimum filled shapes that may be the letters of a page without any text.
/// Chosen by hand; no measurement recorded.
const OUTLINES: usize = 200;
/// Minimum glyphs without a meaning that are more than symbols. Chosen by hand; no measurement recorded.
const UNREADABLE: usize = 20;
/// Minimum part of a page that a scan with a stamp at its edge covers.
/// Chosen by hand; no measurement recorded.
const WHOLE: f64 = 0.8;
/// Part of a page's height at its top and bottom for stamps: page numbers, case numbers, fax headers. Some 65
/// points of a page of Letter or A4. Chosen by hand; no measurement recorded.
const EDGE: f64 = 0.08;
/// Maximum letters and digits of a caption: some five lines. Chosen by hand; no measurement recorded.
const CAPTION: usize = 400;
/// Maximum letters and digits of such stamps. Chosen by hand; no measurement recorded.
const STAMPED: usize = 200;

/// Whether a page of `size` points, with text in `flows`, needs OCR: it is an image with hardly any text,
/// with a caption, or with only stamps at its edges; or most of its glyphs have no meaning.
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
    // Text over an image was typeset on it. Text beside an image that fills the page describes it, and does
    // not contain its text.
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

/// Whether most glyphs of a page with this many letters have no meaning, so that its text layer is unusable.
pub(super) fn is_unreadable(letters: usize, shown: PageGraphics) -> bool {
    shown.unreadable >= UNREADABLE && shown.unreadable >= letters
}
