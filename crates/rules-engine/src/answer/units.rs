//! Documents as units that can be quoted: sentences, list items, table rows and lines, each with its heading.

use std::sync::Arc;

use gen_core::text::{Block, BlockKind, blocks, cells, is_separator};
use language::Language;
use language::detect::detect;
use language::sentence::sentences;

/// Maximum units of all documents; the rest is skipped. Bounds the memory.
const MAX_UNITS: usize = 800_000;
/// Maximum bytes of a quoted row. Bounds the answer. Chosen by hand; no measurement is recorded.
const MAX_ROW: usize = 1_200;
/// The index of no heading or table head.
pub(super) const NONE: u32 = u32::MAX;

/// A document of the request.
pub(super) struct Source {
    pub(super) name: String,
    pub(super) text: Arc<str>,
    pub(super) language: Language,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum UnitKind {
    Sentence,
    Item,
    Row,
    Code,
    /// A heading.
    Title,
    /// A question in the document itself.
    Question,
}

/// A part that can be quoted, by bytes of its document.
#[derive(Clone, Copy, Debug)]
pub(super) struct Unit {
    pub(super) document: u32,
    pub(super) start: u32,
    pub(super) end: u32,
    /// Index of the [`Heading`] above it, or [`NONE`].
    pub(super) heading: u32,
    /// Index of the table's [`TableHead`], or [`NONE`].
    pub(super) head: u32,
    /// Number of its block, over all documents.
    pub(super) block: u32,
    pub(super) kind: UnitKind,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Heading {
    pub(super) document: u32,
    pub(super) start: u32,
    pub(super) end: u32,
    /// Index of the heading above it, or [`NONE`].
    pub(super) parent: u32,
    level: u8,
}

/// The first row of a table.
#[derive(Clone, Copy, Debug)]
pub(super) struct TableHead {
    pub(super) document: u32,
    pub(super) start: u32,
    pub(super) end: u32,
}

/// The units of all documents.
#[derive(Default)]
pub(super) struct UnitIndex {
    pub(super) sources: Vec<Source>,
    pub(super) units: Vec<Unit>,
    pub(super) headings: Vec<Heading>,
    pub(super) heads: Vec<TableHead>,
    blocks: u32,
}

impl UnitIndex {
    pub(super) fn add(&mut self, name: &str, text: &Arc<str>) {
        let document = to_u32(self.sources.len());
        let language = detect(text);
        let text = text.clone();
        self.sources.push(Source { name: name.to_owned(), text: text.clone(), language });
        let mut walk = UnitBuilder { reading: self, document, place: NONE, after_items: false, text: &text };
        for block in blocks(&text) {
            if walk.reading.units.len() >= MAX_UNITS {
                return;
            }
            walk.block(block);
        }
    }

    /// The text between two bytes of a document.
    pub(super) fn slice(&self, document: u32, start: u32, end: u32) -> &str {
        let source = self.sources.get(document as usize);
        source.and_then(|source| source.text.get(start as usize..end as usize)).unwrap_or_default()
    }

    /// The text of a unit, verbatim.
    pub(super) fn text(&self, unit: &Unit) -> &str {
        self.slice(unit.document, unit.start, unit.end)
    }

    /// The text of a unit as a quote: on one line, a row with the heads of its columns.
    pub(super) fn quote(&self, unit: &Unit) -> String {
        let text = self.text(unit);
        if unit.kind != UnitKind::Row {
            return text.split_whitespace().collect::<Vec<_>>().join(" ");
        }
        let head = self.heads.get(unit.head as usize);
        let heads =
            head.map(|head| cells(self.slice(head.document, head.start, head.end))).unwrap_or_default();
        let mut quote = String::new();
        for (at, cell) in cells(text).into_iter().enumerate().filter(|(_, cell)| !cell.is_empty()) {
            if quote.len() + cell.len() > MAX_ROW {
                break;
            }
            if !quote.is_empty() {
                quote.push_str(", ");
            }
            if let Some(name) = heads.get(at).filter(|name| !name.is_empty() && name.len() < MAX_ROW) {
                quote.push_str(name);
                quote.push_str(": ");
            }
            quote.push_str(cell);
        }
        quote
    }
}

fn to_u32(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(NONE)
}

struct UnitBuilder<'a> {
    reading: &'a mut UnitIndex,
    document: u32,
    place: u32,
    after_items: bool,
    text: &'a str,
}

impl UnitBuilder<'_> {
    fn block(&mut self, block: Block) {
        self.reading.blocks += 1;
        let text = self.text.get(block.start..block.end).unwrap_or_default();
        match block.kind {
            BlockKind::Heading(level) => self.heading(block, level, text),
            BlockKind::Item => {
                let mark = text.find(char::is_whitespace).map_or(0, |at| at + 1);
                self.sentences(block.start + mark, text.get(mark..).unwrap_or_default(), UnitKind::Item);
            }
            BlockKind::Paragraph => {
                if self.after_items {
                    self.close_list();
                }
                self.sentences(block.start, text, UnitKind::Sentence);
            }
            BlockKind::Table => self.table(block.start, text),
            BlockKind::Code => {
                self.push(UnitKind::Code, block.start, block.end.min(block.start + MAX_ROW), NONE)
            }
        }
        self.after_items = block.kind == BlockKind::Item;
    }

    /// A line with a colon introduces the list after it, not what follows the list.
    fn close_list(&mut self) {
        let Some(place) = self.reading.headings.get(self.place as usize) else { return };
        // The level of headings without markup (`text::blocks`), below those of HTML.
        if place.level == 7
            && self.reading.slice(place.document, place.start, place.end).ends_with([':', '：'])
        {
            self.place = place.parent;
        }
    }

    fn heading(&mut self, block: Block, level: u8, text: &str) {
        let mut parent = self.place;
        while let Some(above) =
            self.reading.headings.get(parent as usize).filter(|above| above.level >= level)
        {
            parent = above.parent;
        }
        let skipped = text.len() - text.trim_start_matches(['#', '*', ' ', '\t']).len();
        let (start, end) =
            (block.start + skipped, block.start + text.trim_end_matches(['*', ' ', '#']).len());
        if start >= end {
            return;
        }
        self.place = to_u32(self.reading.headings.len());
        let place =
            Heading { document: self.document, start: to_u32(start), end: to_u32(end), parent, level };
        self.reading.headings.push(place);
        let asks = self.text.get(start..end).is_some_and(|text| text.ends_with(['?', '？']));
        self.push(if asks { UnitKind::Question } else { UnitKind::Title }, start, end, NONE);
    }

    fn sentences(&mut self, offset: usize, text: &str, kind: UnitKind) {
        for (start, end) in sentences(text) {
            let asks = text.get(start..end).is_some_and(|text| text.ends_with(['?', '？']));
            self.push(if asks { UnitKind::Question } else { kind }, offset + start, offset + end, NONE);
        }
    }

    /// The first row is the head if a separator row follows it, or if it has no digits and the second row
    /// does.
    fn table(&mut self, offset: usize, text: &str) {
        let mut at = offset;
        let mut lines = Vec::new();
        for line in text.split_inclusive('\n') {
            lines.push((at, line.trim_end()));
            at += line.len();
        }
        let digits = |line: &str| line.bytes().any(|byte| byte.is_ascii_digit());
        let divided = lines.get(1).is_some_and(|(_, line)| is_separator(line));
        let bare = lines.first().is_some_and(|(_, line)| !digits(line))
            && lines.get(1).is_some_and(|(_, line)| digits(line));
        let mut head = NONE;
        for (index, (start, line)) in lines.into_iter().enumerate() {
            if is_separator(line) || self.reading.units.len() >= MAX_UNITS {
                continue;
            }
            if index == 0 && (divided || bare) {
                head = to_u32(self.reading.heads.len());
                let end = to_u32(start + line.len());
                self.reading.heads.push(TableHead { document: self.document, start: to_u32(start), end });
                continue;
            }
            self.push(UnitKind::Row, start, start + line.len(), head);
        }
    }

    fn push(&mut self, kind: UnitKind, start: usize, end: usize, head: u32) {
        let mut end = end.min(self.text.len());
        while !self.text.is_char_boundary(end) {
            end -= 1;
        }
        let (document, place, block) = (self.document, self.place, self.reading.blocks);
        self.reading.units.push(Unit {
            document,
            start: to_u32(start),
            end: to_u32(end),
            heading: place,
            head,
            block,
            kind,
        });
    }
}
