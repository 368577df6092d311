//! Turns a document's blocks into contiguous segments.

use document::{BlockKind, Document};

/// What a segment is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A heading of a level, from 1.
    Heading(u8),
    /// Lines that are table rows.
    Table,
    /// Anything else.
    Text,
}

/// A part of the text; ranges are in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Segment {
    pub(super) kind: Kind,
    /// Start, including a mark such as `#` or `-` before the block.
    pub(super) start: usize,
    /// End, which is the start of the next segment.
    pub(super) end: usize,
    /// The page of the block.
    pub(super) page: Option<u32>,
}

/// A block whose range is in bytes.
struct BlockRange {
    kind: Kind,
    start: usize,
    end: usize,
    page: Option<u32>,
}

/// The segments in text order. Together they are the text, whatever the blocks' ranges: a block ends where
/// the next one begins, and text between blocks is a segment of its own.
pub(super) fn segments(document: &Document) -> Vec<Segment> {
    let text = document.text.as_str();
    let places = places(document);
    let mut builder = Builder { text, segments: Vec::with_capacity(places.len() + 1), at: 0 };
    for (index, place) in places.iter().enumerate() {
        let limit = places.get(index + 1).map_or(text.len(), |next| next.start);
        builder.add(place, limit);
    }
    builder.rest(text.len());
    builder.segments
}

/// The blocks ordered by their start, in bytes.
fn places(document: &Document) -> Vec<BlockRange> {
    let mut order: Vec<usize> = (0..document.blocks.len()).collect();
    let start_of = |at: &usize| document.blocks.get(*at).map_or(usize::MAX, |block| block.start);
    // Of nested blocks, the inner one sorts last and is kept.
    order.sort_by_key(start_of);
    let mut bounds: Vec<usize> = document.blocks.iter().flat_map(|block| [block.start, block.end]).collect();
    bounds.sort_unstable();
    bounds.dedup();
    let bytes = bytes_of(&document.text, &bounds);
    let byte = |chars: usize| {
        let at = bounds.binary_search(&chars).ok();
        at.and_then(|at| bytes.get(at)).copied().unwrap_or(document.text.len())
    };
    let blocks = order.into_iter().filter_map(|at| document.blocks.get(at));
    blocks
        .map(|block| BlockRange {
            kind: match &block.kind {
                BlockKind::Heading { level } => Kind::Heading((*level).max(1)),
                BlockKind::Table { .. } => Kind::Table,
                _ => Kind::Text,
            },
            start: byte(block.start),
            end: byte(block.end),
            page: block.page,
        })
        .filter(|place| place.start < place.end)
        .collect()
}

/// Converts ascending character offsets to byte offsets; those beyond the end become the end.
fn bytes_of(text: &str, chars: &[usize]) -> Vec<usize> {
    let mut bytes = Vec::with_capacity(chars.len());
    let mut wanted = chars.iter().peekable();
    for (count, (byte, _)) in text.char_indices().enumerate() {
        while wanted.next_if(|next| **next <= count).is_some() {
            bytes.push(byte);
        }
        if wanted.peek().is_none() {
            break;
        }
    }
    bytes.resize(chars.len(), text.len());
    bytes
}

struct Builder<'a> {
    text: &'a str,
    segments: Vec<Segment>,
    /// End of the segments so far.
    at: usize,
}

impl Builder<'_> {
    /// Adds a block and the text before it, up to `limit` at most.
    fn add(&mut self, place: &BlockRange, limit: usize) {
        let end = place.end.min(limit);
        let own = self.text.get(place.start.max(self.at)..end).unwrap_or_default();
        if own.trim().is_empty() {
            return;
        }
        let between = self.text.get(self.at..place.start).unwrap_or_default();
        // The text before it in its line is its mark.
        let mark = between.rfind('\n').map_or(self.at, |line| self.at + line + 1);
        self.rest(mark);
        let start = self.at;
        self.at = end;
        self.segments.push(Segment { kind: place.kind, start, end, page: place.page });
    }

    /// Adds the text before `end` outside of blocks. White space belongs to the segment before it.
    fn rest(&mut self, end: usize) {
        let between = self.text.get(self.at..end).unwrap_or_default();
        let blank = between.len() - between.trim_start().len();
        if blank > 0
            && let Some(last) = self.segments.last_mut()
        {
            self.at += blank;
            last.end = self.at;
        }
        // White space before the first block belongs to it.
        if blank == between.len() {
            return;
        }
        self.segments.push(Segment { kind: Kind::Text, start: self.at, end, page: None });
        self.at = end;
    }
}

#[cfg(test)]
mod tests {
    use document::Block;

    use super::*;

    fn document(text: &str, blocks: &[(BlockKind, &str)]) -> Document {
        let block = |(kind, part): &(BlockKind, &str)| {
            let start = text[..text.find(part).unwrap()].chars().count();
            Block { kind: kind.clone(), start, end: start + part.chars().count(), page: None, rect: None }
        };
        Document { text: text.into(), blocks: blocks.iter().map(block).collect(), ..Document::default() }
    }

    fn read(document: &Document) -> Vec<(Kind, &str)> {
        let part = |segment: Segment| (segment.kind, &document.text[segment.start..segment.end]);
        segments(document).into_iter().map(part).collect()
    }

    #[test]
    fn marks_belong_to_their_block_and_blanks_to_the_one_before() {
        let text = "\n# Häuser\n\n- eins\n- zwei\n\nÜbrig.\nMehr.\n";
        let item = BlockKind::ListItem { depth: 0, ordered: false };
        let heading = BlockKind::Heading { level: 1 };
        let document = document(text, &[(heading, "Häuser"), (item.clone(), "eins"), (item, "zwei")]);
        let expected = [
            (Kind::Heading(1), "\n# Häuser\n\n"),
            (Kind::Text, "- eins\n"),
            (Kind::Text, "- zwei\n\n"),
            (Kind::Text, "Übrig.\nMehr.\n"),
        ];
        assert_eq!(read(&document), expected);
    }

    #[test]
    fn a_block_within_another_ends_it() {
        let text = "outer inner outer again";
        let document = document(text, &[(BlockKind::Quote, text), (BlockKind::Paragraph, "inner")]);
        let parts: Vec<&str> = read(&document).into_iter().map(|(_, part)| part).collect();
        assert_eq!(parts, ["outer ", "inner ", "outer again"]);
    }
}
