//! The choice of pages that a model should see: those whose text is missing or doubtful, and those that show more than
//! their text. It depends on the parsed documents alone.

use std::collections::{HashMap, HashSet};

use document::{BlockKind, Document, FieldKind, Format, Page, Rect};

use super::super::segment::Source;
use super::marks::MarkLabels;
use super::page_text::page_text;

/// Share of characters that are no text, in percent, from which a text layer is doubtful. Sound layers have none beside a
/// few symbols. Chosen by hand; no measurement is recorded.
const DOUBTFUL_PERCENT: usize = 5;
/// Characters of a page at least, of which the share is computed. Chosen by hand; no measurement is recorded.
const MIN_CHARS: usize = 20;
/// Share of a page that a figure covers at least: smaller ones are logos. Chosen by hand; no measurement is recorded.
const FIGURE_SHARE: f64 = 0.1;

/// Why a page should be seen. The order is the priority where not all pages can be shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum PictureReason {
    /// It has text that was not read.
    Unread,
    /// Its text is from OCR, or its text layer is doubtful.
    DoubtfulText,
    /// The form asks for a mark that it may have.
    WantedMark,
    /// It has fields to tick or to sign, or large figures.
    Marks,
}

/// A page that should be seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Candidate {
    /// Index of the document.
    pub(super) document: usize,
    pub(super) page: u32,
    pub(super) reason: PictureReason,
}

/// The pages that should be seen, in the order of documents and pages. `marks`: what the form asks for.
pub(super) fn candidates(sources: &[Source<'_>], marks: &MarkLabels) -> Vec<Candidate> {
    let mut found = Vec::new();
    for (document, source) in sources.iter().enumerate() {
        let parsed = &source.document.document;
        let (marked, wanted) = (marked_pages(parsed), marks.pages_of(source));
        for page in &parsed.pages {
            let reason = reason(source, parsed, page, &marked);
            let is_wanted = wanted.contains(&page.number);
            let reason = reason.into_iter().chain(is_wanted.then_some(PictureReason::WantedMark)).min();
            if let Some(reason) = reason {
                found.push(Candidate { document, page: page.number, reason });
            }
        }
    }
    found
}

fn reason(
    source: &Source<'_>,
    document: &Document,
    page: &Page,
    marked: &HashSet<u32>,
) -> Option<PictureReason> {
    if page.needs_ocr {
        return Some(PictureReason::Unread);
    }
    let is_image = document.format == Format::Image;
    if page.recognised || is_image {
        return Some(PictureReason::DoubtfulText);
    }
    // Pages of other formats cannot be drawn.
    if document.format != Format::Pdf {
        return None;
    }
    let text = page_text(source, page);
    if is_doubtful(text) {
        return Some(PictureReason::DoubtfulText);
    }
    (marked.contains(&page.number) || text.contains(is_box)).then_some(PictureReason::Marks)
}

/// Whether many of the characters are no text: replacement characters, private use, control characters.
fn is_doubtful(text: &str) -> bool {
    let (mut all, mut odd) = (0_usize, 0_usize);
    for c in text.chars().filter(|c| !c.is_whitespace()) {
        all += 1;
        odd += usize::from(c == '\u{fffd}' || c.is_control() || matches!(c, '\u{e000}'..='\u{f8ff}'));
    }
    all >= MIN_CHARS && odd * 100 >= all * DOUBTFUL_PERCENT
}

/// Ballot boxes of Unicode, empty and ticked.
fn is_box(c: char) -> bool {
    matches!(c, '☐' | '☑' | '☒' | '🗹' | '🗷' | '🗵')
}

/// The pages with fields to tick or to sign, or with large figures.
fn marked_pages(document: &Document) -> HashSet<u32> {
    let is_mark = |kind: FieldKind| matches!(kind, FieldKind::Checkbox | FieldKind::Signature);
    let fields = document.fields.iter().filter(|field| is_mark(field.kind)).filter_map(|field| field.page);
    let sizes: HashMap<u32, f64> = document
        .pages
        .iter()
        .map(|page| (page.number, f64::from(page.width) * f64::from(page.height)))
        .collect();
    let figures = document.blocks.iter().filter_map(|block| {
        let (BlockKind::Figure, Some(page), Some(rect)) = (&block.kind, block.page, block.rect) else {
            return None;
        };
        let least = sizes.get(&page)? * FIGURE_SHARE;
        (least > 0.0 && area(&rect) >= least).then_some(page)
    });
    fields.chain(figures).collect()
}

fn area(rect: &Rect) -> f64 {
    (rect.x1 - rect.x0).max(0.0) * (rect.y1 - rect.y0).max(0.0)
}
