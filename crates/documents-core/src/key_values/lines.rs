//! The printed lines of a document, split into segments at wide gaps.

use super::labels::separator;
use crate::model::{Block, BlockKind, Document, Rect};
use crate::slices::TextSlices;

/// Maximum segments of a line; the rest is left out. Protects time and memory; at most 64, the bits of a
/// line.
const MAX_SEGMENTS: usize = 32;
/// Maximum lines of a document. Protects memory.
const MAX_LINES: usize = 500_000;
/// Minimum characters of a line of prose. Chosen by hand.
const PROSE: usize = 60;
/// Minimum words of a line of prose, and maximum words of a label before a colon, with which prose does not
/// begin. Chosen by hand.
const PROSE_WORDS: usize = 8;
const MAX_LABEL_WORDS: usize = 4;
/// Segments are one above the other when they share more than this part of the narrower one. Chosen by hand.
const OVERLAP: f64 = 0.3;
/// Minimum dots of a leader; three are an ellipsis.
const LEADER: usize = 4;

/// A line of text outside tables.
#[derive(Debug)]
pub(super) struct Line<'t> {
    /// First character in the document's text.
    pub(super) start: usize,
    pub(super) page: Option<u32>,
    pub(super) segments: Vec<Segment<'t>>,
    /// Whether it is running text.
    pub(super) is_prose: bool,
}

/// A part of a line between wide gaps.
#[derive(Clone, Copy, Debug)]
pub(super) struct Segment<'t> {
    pub(super) text: &'t str,
    pub(super) rect: Option<Rect>,
}

impl<'t> Segment<'t> {
    /// A part of it by byte range; its position is estimated from the characters.
    pub(super) fn part(&self, start: usize, end: usize) -> Segment<'t> {
        let text = self.text.get(start..end).unwrap_or_default();
        let trimmed = text.trim();
        let lead = text.len() - text.trim_start().len();
        let all = self.text.chars().count().max(1) as f64;
        let before = self.text.get(..start + lead).map_or(0, |text| text.chars().count()) as f64;
        let within = trimmed.chars().count() as f64;
        let rect = self.rect.map(|rect| {
            let at = |share: f64| rect.x0 + (rect.x1 - rect.x0) * (share / all).min(1.0);
            let tenth = |value: f64| (value * 10.0).round() / 10.0;
            Rect { x0: tenth(at(before)), x1: tenth(at(before + within)), ..rect }
        });
        Segment { text: trimmed, rect }
    }

    /// Whether two segments overlap horizontally by a considerable part.
    pub(super) fn is_over(&self, other: &Segment<'_>) -> bool {
        let (Some(a), Some(b)) = (self.rect, other.rect) else { return false };
        let shared = a.x1.min(b.x1) - a.x0.max(b.x0);
        shared > OVERLAP * (a.x1 - a.x0).min(b.x1 - b.x0)
    }
}

/// The lines of all blocks except tables and code.
pub(super) fn document_lines<'t>(document: &Document, slices: &TextSlices<'t>) -> Vec<Line<'t>> {
    let mut lines = Vec::new();
    for block in &document.blocks {
        if !matches!(block.kind, BlockKind::Table { .. } | BlockKind::Code) && lines.len() < MAX_LINES {
            push_block(document, block, slices, &mut lines);
        }
    }
    lines
}

fn push_block<'t>(document: &Document, block: &Block, slices: &TextSlices<'t>, lines: &mut Vec<Line<'t>>) {
    let text = slices.get(block.start, block.end);
    let first = lines.len();
    let mut start = block.start;
    for line in text.split('\n') {
        let length = line.chars().count();
        if !line.trim().is_empty() {
            let segments = segments(document, line, start);
            let page = block.page.or_else(|| document.page_at(start));
            let is_prose = length >= PROSE && segments.len() == 1 && is_running_text(line);
            lines.push(Line { start, page, segments, is_prose });
        }
        start += length + 1;
    }
    // A paragraph that is mostly prose is prose to its end, except for labelled lines.
    let own = lines.get_mut(first..).unwrap_or_default();
    let prose = own.iter().filter(|line| line.is_prose).count();
    if own.len() > 1 && prose * 2 >= own.len() {
        let plain = own
            .iter_mut()
            .filter(|line| matches!(line.segments.as_slice(), [only] if separator(only.text).is_none()));
        plain.for_each(|line| line.is_prose = true);
    }
}

/// Whether most words of a line (six of ten, chosen by hand) are in lower case, as in sentences, and it does
/// not begin with a label.
fn is_running_text(line: &str) -> bool {
    let small =
        |word: &&str| word.chars().all(|c| c.is_lowercase() || matches!(c, ',' | '.' | ';' | '\'' | '-'));
    let words = line.split_whitespace().count();
    let led = line.find(": ").is_some_and(|at| {
        line.get(..at).is_some_and(|label| label.split_whitespace().count() <= MAX_LABEL_WORDS)
    });
    words >= PROSE_WORDS && !led && line.split_whitespace().filter(small).count() * 10 >= words * 6
}

/// Splits a line at tabs, at two spaces, and at dot leaders.
fn segments<'t>(document: &Document, line: &'t str, start: usize) -> Vec<Segment<'t>> {
    let mut segments = Vec::new();
    for (from, to) in split_at_gaps(line) {
        let part = line.get(from..to).unwrap_or_default();
        let text = part.trim();
        if text.is_empty() {
            continue;
        }
        let lead = from + part.len() - part.trim_start().len();
        let before = line.get(..lead).map_or(0, |text| text.chars().count());
        let begin = start + before;
        segments.push(Segment { text, rect: document.bounding_box(begin, begin + text.chars().count()) });
        if segments.len() == MAX_SEGMENTS {
            break;
        }
    }
    segments
}

/// The byte ranges between gaps.
fn split_at_gaps(line: &str) -> Vec<(usize, usize)> {
    let mut cuts = Vec::new();
    let mut from = 0;
    let bytes = line.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let length = gap(&bytes[at..]);
        if length > 0 {
            cuts.push((from, at));
            at += length;
            from = at;
        } else {
            at += 1;
        }
    }
    cuts.push((from, line.len()));
    cuts
}

/// Bytes of the gap at the beginning; 0 without one.
fn gap(bytes: &[u8]) -> usize {
    let run = |byte: u8| bytes.iter().take_while(|other| **other == byte).count();
    match bytes.first() {
        Some(b'\t') => run(b'\t'),
        Some(b' ') if run(b' ') >= 2 => run(b' '),
        Some(b'.') if run(b'.') >= LEADER => run(b'.'),
        _ => 0,
    }
}
