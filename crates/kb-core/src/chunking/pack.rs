//! Packs segments into chunks.

use std::sync::Arc;

use super::heading::{MAX_DEPTH, line_of};
use super::segments::{Kind, Segment};
use super::split::{parts, size};
use super::tables::divide;

/// A chunk as a range of the text, in bytes.
#[derive(Debug)]
pub(super) struct ChunkDraft {
    pub(super) start: usize,
    pub(super) end: usize,
    /// The page of its first block.
    pub(super) page: Option<u32>,
    pub(super) heading: String,
    size: usize,
    level: u8,
    sealed: bool,
}

/// A unit that is packed as a whole: headings with the beginning of what follows them, a block, or a part of
/// a block.
#[derive(Debug)]
struct PackUnit {
    start: usize,
    end: usize,
    page: Option<u32>,
    size: usize,
    /// The headings above it, one per line.
    above: Arc<str>,
    /// The level of its first heading, or of its section; [`NONE`] without a section.
    level: u8,
    begins: UnitStart,
    /// Whether it consists of headings only.
    bare: bool,
}

/// How a unit begins.
#[derive(Debug, PartialEq, Eq)]
enum UnitStart {
    /// With a heading; the size of its section without subsections.
    Section(usize),
    /// Within a split table with this header.
    Table(String),
    /// With any other block.
    Block,
}

/// The level below all headings.
const NONE: u8 = u8::MAX;
/// A block, or a short chunk at the end of a section, may exceed the room of a chunk by this part of it, as a
/// divisor. With it and the one and a half of headings no chunk of the open corpus exceeds 450 tokens instead
/// of 300 (`tests/corpus.rs`). Chosen by hand.
const SLACK: usize = 4;
/// Parts of the room, as divisors, below which a chunk is joined with its neighbour: the last one of a
/// section, one before a sibling section, and text before the first heading.
/// Chosen by hand; no measurement recorded.
const SHORT: usize = 5;
const SHORT_SECTION: usize = 4;
const PREFACE: usize = 8;

/// Packs segments. All sizes are in quarter tokens.
pub(super) struct Packer<'a> {
    text: &'a str,
    /// Maximum size of a chunk.
    room: usize,
    drafts: Vec<ChunkDraft>,
    /// The chunk that may still grow, and whether it consists of headings only.
    open: Option<(ChunkDraft, bool)>,
    /// Headings that wait for the text below them.
    waiting: Option<PackUnit>,
    path: Vec<(u8, String)>,
    above: Arc<str>,
}

impl<'a> Packer<'a> {
    pub(super) fn new(text: &'a str, room: usize) -> Self {
        let (path, above) = (Vec::new(), Arc::from(""));
        Self { text, room, drafts: Vec::new(), open: None, waiting: None, path, above }
    }

    /// Packs all segments of the text, which are contiguous.
    pub(super) fn pack(mut self, segments: &[Segment]) -> Vec<ChunkDraft> {
        let sizes: Vec<usize> = segments.iter().map(|one| size(self.part(one.start, one.end))).collect();
        let sections = sections(segments, &sizes);
        for ((segment, size), section) in segments.iter().zip(sizes).zip(sections) {
            match segment.kind {
                Kind::Heading(level) => self.heading(segment, level, size, section),
                Kind::Table => self.table(segment, size),
                Kind::Text => self.block(segment, size),
            }
        }
        self.finish()
    }

    fn part(&self, start: usize, end: usize) -> &'a str {
        self.text.get(start..end).unwrap_or_default()
    }

    fn heading(&mut self, segment: &Segment, level: u8, size: usize, section: usize) {
        self.path.retain(|(above, _)| *above < level);
        self.note_path();
        let above = Arc::clone(&self.above);
        let words = self.part(segment.start, segment.end);
        self.path.push((level, title(words)));
        self.note_path();
        if size > self.room / 2 {
            // Too long for a heading.
            self.block(segment, size);
            return;
        }
        match &mut self.waiting {
            Some(waiting) => {
                waiting.end = segment.end;
                waiting.size += size;
                if let UnitStart::Section(own) = &mut waiting.begins {
                    *own += section;
                }
            }
            None => {
                self.waiting = Some(PackUnit {
                    start: segment.start,
                    end: segment.end,
                    page: segment.page,
                    size,
                    above,
                    level,
                    begins: UnitStart::Section(section),
                    bare: true,
                });
            }
        }
        if self.waiting.as_ref().is_some_and(|waiting| waiting.size > self.room / 2) {
            self.release();
        }
    }

    fn block(&mut self, segment: &Segment, size: usize) {
        let taken = self.taken();
        if taken + size <= self.room + self.room / SLACK {
            self.unit(segment, segment.start..segment.end, size, UnitStart::Block);
            return;
        }
        let text = self.part(segment.start, segment.end);
        self.divided(segment, &parts(text, self.room - taken, self.room), "");
    }

    fn table(&mut self, segment: &Segment, size: usize) {
        let taken = self.taken();
        if taken + size <= self.room + self.room / SLACK {
            self.unit(segment, segment.start..segment.end, size, UnitStart::Block);
            return;
        }
        let divided = divide(self.part(segment.start, segment.end), self.room - taken, self.room);
        self.divided(segment, &divided.ends, &divided.head);
    }

    /// The size of the waiting headings.
    fn taken(&self) -> usize {
        self.waiting.as_ref().map_or(0, |waiting| waiting.size)
    }

    /// Packs the parts of a segment. Their ends are relative to its start.
    fn divided(&mut self, segment: &Segment, ends: &[usize], head: &str) {
        let mut start = segment.start;
        for end in ends.iter().map(|end| segment.start + end) {
            let begins = match start > segment.start && !head.is_empty() {
                true => UnitStart::Table(head.to_owned()),
                false => UnitStart::Block,
            };
            let size = size(self.part(start, end));
            self.unit(segment, start..end, size, begins);
            start = end;
        }
    }

    /// Packs a part of a segment, with the waiting headings.
    fn unit(&mut self, segment: &Segment, range: std::ops::Range<usize>, size: usize, begins: UnitStart) {
        let unit = match self.waiting.take() {
            Some(waiting) => PackUnit { end: range.end, size: waiting.size + size, bare: false, ..waiting },
            None => PackUnit {
                start: range.start,
                end: range.end,
                page: segment.page,
                size,
                above: Arc::clone(&self.above),
                level: self.path.last().map_or(NONE, |(level, _)| *level),
                begins,
                bare: false,
            },
        };
        self.place(unit);
    }

    /// Packs the waiting headings on their own.
    fn release(&mut self) {
        if let Some(waiting) = self.waiting.take() {
            self.place(waiting);
        }
    }

    fn place(&mut self, unit: PackUnit) {
        if let Some((open, bare)) = &mut self.open
            && joins(open, *bare, &unit, self.room)
        {
            open.end = unit.end;
            open.size += unit.size;
            *bare = *bare && unit.bare;
            return;
        }
        self.close();
        let (mut heading, sealed) = (unit.above.to_string(), matches!(unit.begins, UnitStart::Table(_)));
        if let UnitStart::Table(head) = unit.begins {
            if !heading.is_empty() {
                heading.push('\n');
            }
            heading.push_str(&head);
        }
        let PackUnit { start, end, page, size, level, bare, .. } = unit;
        self.open = Some((ChunkDraft { start, end, page, heading, size, level, sealed }, bare));
    }

    /// Closes the open chunk. A very short one is merged into the previous one of the same section.
    fn close(&mut self) {
        let Some((open, _)) = self.open.take() else { return };
        if let Some(last) = self.drafts.last_mut() {
            let short =
                open.size < self.room / SHORT && last.size + open.size <= self.room + self.room / SLACK;
            if short && !open.sealed && !last.sealed && open.level >= last.level {
                last.end = open.end;
                last.size += open.size;
                return;
            }
        }
        self.drafts.push(open);
    }

    fn finish(mut self) -> Vec<ChunkDraft> {
        if let Some(waiting) = self.waiting.take() {
            match &mut self.open {
                // Headings at the end have no text below them.
                Some((open, _)) if open.size + waiting.size <= self.room * 3 / 2 => open.end = waiting.end,
                _ => self.place(waiting),
            }
        }
        self.close();
        // No text is lost, whatever the segments are.
        if let Some(last) = self.drafts.last_mut() {
            last.end = self.text.len();
        }
        self.drafts
    }

    fn note_path(&mut self) {
        let from = self.path.len().saturating_sub(MAX_DEPTH);
        let lines =
            self.path.iter().skip(from).map(|(_, line)| line.as_str()).filter(|line| !line.is_empty());
        self.above = lines.collect::<Vec<_>>().join("\n").into();
    }
}

/// The text of a heading without its Markdown marks.
fn title(text: &str) -> String {
    let text = text.trim();
    let (words, line) = text.rsplit_once('\n').unwrap_or((text, ""));
    let underlined = !line.is_empty() && line.trim().chars().all(|c| matches!(c, '=' | '-'));
    line_of(if underlined { words } else { text }.trim_matches('#'))
}

/// Whether a unit is added to the open chunk.
fn joins(open: &ChunkDraft, bare: bool, unit: &PackUnit, room: usize) -> bool {
    let all = open.size + unit.size;
    match &unit.begins {
        UnitStart::Table(_) => false,
        _ if open.sealed => false,
        // The most that a chunk may have, as `properties` checks.
        _ if bare => all <= room * 3 / 2,
        UnitStart::Block => all <= room,
        // A section is merged with the previous sibling, or its parent, when both are short.
        UnitStart::Section(section) if unit.level >= open.level => {
            all <= room && (open.size + section <= room || open.size < room / SHORT_SECTION)
        }
        UnitStart::Section(_) => open.level == NONE && open.size < room / PREFACE && all <= room,
    }
}

/// For each heading, the size of the text under it, up to the next heading.
fn sections(segments: &[Segment], sizes: &[usize]) -> Vec<usize> {
    let mut sections = vec![0; segments.len()];
    let mut sum = 0_usize;
    for ((segment, size), section) in segments.iter().zip(sizes).zip(sections.iter_mut()).rev() {
        sum += size;
        if matches!(segment.kind, Kind::Heading(_)) {
            *section = std::mem::take(&mut sum);
        }
    }
    sections
}
