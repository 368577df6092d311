//! Whether there is ink in a box of a picture: handwriting, a tick, a signature. Print that the page's text has, thin
//! straight lines, and the noise of a scan are no ink. `tests.rs` measures the thresholds.

mod page_pixels;
mod region;
#[cfg(test)]
mod tests;

use std::collections::HashMap;

use super::super::segment::Source;
use super::named_place::NamedPlace;
use super::shown_picture::ShownPicture;
use crate::Mark;
use page_pixels::PagePixels;
use region::{InkKind, PixelBox};

/// Pixels that are examined for one answer at most: the boxes of some thousand short values. Bounds the time. Chosen by
/// hand; no measurement is recorded.
const MAX_EXAMINED: usize = 10_000_000;

// Shares of dark pixels, measured by `tests.rs` on half of its kinds of boxes: without ink no box had more than the lower
// one, with ink none less than the upper one. The figures, of the other half too, are in docs/extraction.md.
const CHECK_SHARES: InkShares = InkShares { blank: 0.010, written: 0.030 };
const WRITING_SHARES: InkShares = InkShares { blank: 0.003, written: 0.010 };
/// The factor by which a box must be darker than an empty area of its page.
const ABOVE_EMPTY: f64 = 3.0;

/// The shares of dark pixels by which a box is judged.
#[derive(Clone, Copy, Debug)]
struct InkShares {
    /// Up to which a box is empty.
    blank: f64,
    /// From which it has ink.
    written: f64,
}

/// What a box has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ink {
    Blank,
    Written,
    /// It cannot be told: between both, or no picture that can be examined.
    Unclear,
}

/// The ink in the boxes of the places that a model names.
#[derive(Debug, Default)]
pub(super) struct PlaceInk {
    /// By the pointer of a value: the ink of a tick, and that of writing.
    found: HashMap<String, (Ink, Ink)>,
}

impl PlaceInk {
    /// Examines the boxes. One picture at a time is decoded.
    pub(super) fn of(places: &[NamedPlace], pictures: &[ShownPicture], sources: &[Source<'_>]) -> Self {
        let mut found = HashMap::new();
        let mut left = MAX_EXAMINED;
        for (position, picture) in pictures.iter().enumerate() {
            let mut own = places.iter().filter(|place| place.is_in(position)).peekable();
            if own.peek().is_none() {
                continue;
            }
            let Some(pixels) = PagePixels::decode(&picture.media) else { continue };
            let words = printed_words(picture, sources, &pixels);
            for place in own {
                let Some(area) = PixelBox::of(place.edges, pixels.size()) else { continue };
                let Some(rest) = left.checked_sub(area.pixels()) else { break };
                left = rest;
                let ink = |kind| judge(&pixels, area, &words, kind);
                found.insert(place.pointer.clone(), (ink(InkKind::Check), ink(InkKind::Writing)));
            }
        }
        Self { found }
    }

    /// The ink in the place of a value; `mark`: what its field asks for.
    pub(super) fn at(&self, pointer: &str, mark: Option<Mark>) -> Ink {
        let found = self.found.get(pointer).copied();
        let (check, writing) = found.unwrap_or((Ink::Unclear, Ink::Unclear));
        if mark == Some(Mark::Check) { check } else { writing }
    }
}

fn judge(pixels: &PagePixels, area: PixelBox, words: &[PixelBox], kind: InkKind) -> Ink {
    let shares = match kind {
        InkKind::Check => CHECK_SHARES,
        InkKind::Writing => WRITING_SHARES,
    };
    let Some(share) = region::ink_share(pixels, area, words, kind) else { return Ink::Unclear };
    // An area without ink is as dark as the noise of the scan.
    let least = ABOVE_EMPTY * region::empty_share(pixels, area);
    if share <= shares.blank.max(least) {
        Ink::Blank
    } else if share >= shares.written.max(least) {
        Ink::Written
    } else {
        Ink::Unclear
    }
}

/// The lines of print on a page that has a text layer. OCR reads handwriting too, so its words may be the ink.
fn printed_words(picture: &ShownPicture, sources: &[Source<'_>], pixels: &PagePixels) -> Vec<PixelBox> {
    let document = sources.get(picture.document).map(|source| &source.document.document);
    let page = document.and_then(|document| {
        let page = document.pages.iter().find(|page| page.number == picture.page)?;
        (!page.recognised && !page.needs_ocr).then_some(page)
    });
    let (Some(document), Some(page), Some((width, height))) = (document, page, picture.size) else {
        return Vec::new();
    };
    let spans = document.spans.iter().filter(|span| span.page == page.number);
    let (wide, high) = (1_000.0 / f64::from(width), 1_000.0 / f64::from(height));
    let edges = spans
        .map(|span| [span.rect.x0 * wide, span.rect.y0 * high, span.rect.x1 * wide, span.rect.y1 * high]);
    edges.filter_map(|edges| PixelBox::of(edges, pixels.size())).collect()
}
