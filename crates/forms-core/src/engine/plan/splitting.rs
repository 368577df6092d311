//! Splits a long document along its structure: before headings, between blocks and pages, between rows;
//! within a row or a sentence only if that alone is too long.

use std::ops::Range;

use document::{BlockKind, Document};
use gen_core::estimate_tokens;

use super::super::segment::{Segment, Source};
use super::super::text::line_shape::LineShape;
use super::heading_context::HeadingContext;

/// Tokens of overlap between consecutive parts (a few lines), so that text at a cut is whole in one of them.
/// Rows at the same offsets are one (decision 12), so its size costs only tokens. Chosen by hand; no
/// measurement is recorded.
const OVERLAP: usize = 120;
/// Percentage of the target size after which a part may end. A better cut may be up to two fifths before the
/// end. Chosen by hand; no measurement is recorded.
const LEAST: usize = 60;
/// Percentage of the target size that the last part may have. A last part of a few lines is not worth a call.
/// Chosen by hand; no measurement is recorded.
const MOST: usize = 115;
/// Bytes of a line that is never split. Chosen by hand; no measurement is recorded.
const SHORT_LINE: usize = 1_000;
/// Bytes without whitespace after which a line is split anywhere. Chosen by hand; no measurement is recorded.
const UNBROKEN: usize = 400;

/// A possible cut between two characters; lower ranks are preferred.
#[derive(Clone, Copy, Debug)]
struct SplitPoint {
    at: usize,
    rank: u8,
    /// Tokens before the cut.
    tokens: usize,
}

const HEADING: u8 = 0;
const BLOCK: u8 = 1;
const ROW: u8 = 2;
const SENTENCE: u8 = 3;
const LINE: u8 = 4;
const SPACE: u8 = 5;
const ANYWHERE: u8 = 6;

/// Splits the document into parts of about `size` tokens at most; blank parts are dropped.
pub(super) fn split_document(document: usize, source: &Source<'_>, size: usize) -> Vec<Segment> {
    let text = source.text();
    let outline = DocumentOutline::new(&source.document.document, text);
    let (cuts, above) = split_points(text, &outline, size);
    let total = cuts.last().map_or(0, |cut| cut.tokens);
    let aim = total.div_ceil(total.div_ceil(size.max(1)).max(1)).max(1);
    let mut segments = Vec::new();
    for range in part_ranges(&cuts, aim) {
        let is_blank = text.get(range.clone()).is_none_or(|slice| slice.trim().is_empty());
        if !is_blank {
            let context = if range.start == 0 { String::new() } else { above.context_at(text, range.start) };
            segments.push(Segment {
                document,
                pieces: vec![range],
                context,
                part: None,
                pictures: Vec::new(),
            });
        }
    }
    let of = segments.len();
    if of > 1 {
        segments.iter_mut().enumerate().for_each(|(number, segment)| segment.part = Some((number + 1, of)));
    }
    segments
}

/// The ranges of parts of about `aim` tokens, each overlapping the end of the previous one.
fn part_ranges(cuts: &[SplitPoint], aim: usize) -> Vec<Range<usize>> {
    let Some(last) = cuts.last() else { return Vec::new() };
    let mut ranges = Vec::new();
    let (mut start, mut from, mut next) = (0, 0, 0);
    loop {
        if last.tokens <= from + aim * MOST / 100 {
            ranges.push(start..last.at);
            return ranges;
        }
        let until = next + cuts[next..].partition_point(|cut| cut.tokens <= from + aim);
        let least = next + cuts[next..until].partition_point(|cut| cut.tokens < from + aim * LEAST / 100);
        let window = cuts.get(least..until).unwrap_or_default();
        let best = window.iter().enumerate().min_by_key(|(number, cut)| (cut.rank, usize::MAX - number));
        // No cut in the window: the next stretch exceeds a part and becomes one all the same.
        let chosen = best.map_or(until.min(cuts.len() - 1), |(number, _)| least + number);
        let Some(cut) = cuts.get(chosen) else { return ranges };
        ranges.push(start..cut.at);
        if chosen + 1 >= cuts.len() {
            return ranges;
        }
        let back = overlap_start(cuts, next, chosen);
        (start, from) = cuts.get(back).map_or((cut.at, cut.tokens), |back| (back.at, back.tokens));
        next = chosen + 1;
    }
}

/// The cut at which the next part starts after one that ends at `chosen`.
fn overlap_start(cuts: &[SplitPoint], first: usize, chosen: usize) -> usize {
    let Some(end) = cuts.get(chosen) else { return chosen };
    if end.rank == HEADING {
        return chosen;
    }
    let mut back = chosen;
    while back > first {
        let Some(before) = cuts.get(back - 1) else { break };
        if before.tokens + OVERLAP < end.tokens || before.rank == ANYWHERE {
            break;
        }
        back -= 1;
    }
    back
}

/// The document structure from the parser, as sorted byte offsets.
#[derive(Debug, Default)]
struct DocumentOutline {
    /// The starts of blocks and pages; for a heading, its level.
    starts: Vec<(usize, Option<u8>)>,
    /// The ranges of tables.
    tables: Vec<Range<usize>>,
}

impl DocumentOutline {
    fn new(document: &Document, text: &str) -> Self {
        let mut marks: Vec<usize> = document.pages.iter().map(|page| page.start).collect();
        marks.extend(document.blocks.iter().flat_map(|block| [block.start, block.end]));
        let bytes = ByteOffsets::new(text, marks);
        let mut outline = Self::default();
        for block in &document.blocks {
            let start = bytes.of(block.start);
            let level = match block.kind {
                BlockKind::Heading { level } => Some(level),
                BlockKind::Table { .. } => {
                    outline.tables.push(start..bytes.of(block.end));
                    None
                }
                _ => None,
            };
            outline.starts.push((start, level));
        }
        outline.starts.extend(document.pages.iter().map(|page| (bytes.of(page.start), None)));
        outline.starts.sort_unstable();
        outline.tables.sort_unstable_by_key(|table| table.start);
        outline
    }
}

/// Byte offsets of some character offsets of a text.
struct ByteOffsets(Vec<(usize, usize)>);

impl ByteOffsets {
    fn new(text: &str, mut characters: Vec<usize>) -> Self {
        characters.sort_unstable();
        characters.dedup();
        let mut found = Vec::with_capacity(characters.len());
        let mut wanted = characters.into_iter().peekable();
        let ends = std::iter::once(text.len());
        for (number, at) in text.char_indices().map(|(at, _)| at).chain(ends).enumerate() {
            while wanted.next_if_eq(&number).is_some() {
                found.push((number, at));
            }
            if wanted.peek().is_none() {
                break;
            }
        }
        Self(found)
    }

    /// The byte offset of a character; the end of the text for one past the end.
    fn of(&self, character: usize) -> usize {
        let at = self.0.partition_point(|(number, _)| *number < character);
        self.0.get(at).or(self.0.last()).map_or(0, |(_, byte)| *byte)
    }
}

/// Every possible cut, the last one being the end of the text; and the context above each.
fn split_points(text: &str, outline: &DocumentOutline, size: usize) -> (Vec<SplitPoint>, HeadingContext) {
    let mut cuts: Vec<SplitPoint> = Vec::new();
    let mut above = HeadingContext::default();
    let (mut start, mut tokens) = (0, 0);
    let (mut block, mut table) = (0, 0);
    let mut last: Option<(LineShape, bool)> = None;
    let mut was_blank = false;
    for line in text.split_inclusive('\n') {
        let end = start + line.len();
        let mut rank = None;
        while let Some((_, level)) = outline.starts.get(block).filter(|(at, _)| *at < end) {
            // The markup of a heading precedes its text.
            let own = if level.is_some() { HEADING } else { BLOCK };
            rank = Some(rank.map_or(own, |rank: u8| rank.min(own)));
            if let Some(level) = level {
                above.add_heading(*level, start..end);
            }
            block += 1;
        }
        while outline.tables.get(table).is_some_and(|table| table.end <= start) {
            table += 1;
        }
        let in_table = outline.tables.get(table).is_some_and(|table| table.start <= start);
        let shape = LineShape::of(line);
        if start > 0 {
            let like = matches!((&last, &shape), (Some((a, _)), Some(b)) if a.is_like(b));
            let whole = last.as_ref().is_none_or(|(_, whole)| *whole);
            let rank = match rank {
                Some(HEADING) => HEADING,
                _ if in_table && outline.tables.get(table).is_some_and(|table| table.start < start) => ROW,
                Some(rank) => rank,
                None if was_blank => BLOCK,
                None if like => ROW,
                None if whole => SENTENCE,
                None => LINE,
            };
            cuts.push(SplitPoint { at: start, rank, tokens });
        }
        above.add_line(text, start..end, shape.as_ref(), in_table);
        let own = estimate_tokens(line);
        let is_row = in_table || matches!(shape, Some(LineShape::Cells(_)));
        // A row is split only where it does not fit by itself; running text from an eighth of a part on.
        // Chosen by hand; no measurement is recorded.
        if line.len() > SHORT_LINE && own > if is_row { size } else { size / 8 } {
            split_points_within(line, start, tokens, &mut cuts);
        }
        tokens += own;
        was_blank = line.trim().is_empty();
        last = shape
            .map(|shape| (shape, line.trim_end().ends_with(['.', '!', '?', ':', ';', '。', '！', '？'])));
        start = end;
    }
    cuts.push(SplitPoint { at: text.len(), rank: BLOCK, tokens });
    (cuts, above)
}

/// Cuts within one long line: after sentences, at whitespace, else anywhere.
fn split_points_within(line: &str, start: usize, before: usize, cuts: &mut Vec<SplitPoint>) {
    let (mut counted, mut tokens, mut ended) = (0, before, false);
    let mut previous = ' ';
    for (at, c) in line.char_indices() {
        let is_end = matches!(previous, '。' | '！' | '？')
            || (c.is_whitespace() && matches!(previous, '.' | '!' | '?' | ';'));
        ended |= is_end;
        let room = at - counted;
        let rank = match () {
            () if ended && !c.is_whitespace() => Some(SENTENCE),
            // Not at each word: cuts cost memory. Chosen by hand; no measurement is recorded.
            () if previous.is_whitespace() && !c.is_whitespace() && room >= UNBROKEN / 4 => Some(SPACE),
            () if room >= UNBROKEN => Some(ANYWHERE),
            () => None,
        };
        if let Some(rank) = rank.filter(|_| at > counted) {
            tokens += estimate_tokens(line.get(counted..at).unwrap_or_default());
            cuts.push(SplitPoint { at: start + at, rank, tokens });
            counted = at;
            ended = false;
        }
        previous = c;
    }
}
