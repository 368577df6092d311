//! Splits documents into passages: short ones stay whole, others are split at headings, paragraphs, tables
//! and pages.

use std::ops::Range;

use language::sentence::sentences;

use crate::text::{Block, BlockKind, blocks, is_separator};
use crate::{SourceDocument, SourceSpan};

// About 750, 375 and 100 tokens: a page, some paragraphs, one paragraph. Chosen by hand; no measurement is
// recorded.
/// Maximum bytes of a document that is not split.
const SHORT: usize = 3_000;
/// Bytes after which a passage ends with its block.
const FULL: usize = 1_500;
/// Minimum bytes of a passage that ends before a heading or page.
const ENOUGH: usize = 400;
/// Maximum bytes of a table that is not split.
const MAX_TABLE: usize = 6_000;
/// Maximum passages of a document. Bounds the memory.
const MAX_PASSAGES: usize = 50_000;

/// A passage of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Chunk {
    pub(super) text: String,
    /// The spans of its parts in the document.
    pub(super) stretches: Vec<SourceSpan>,
}

impl Chunk {
    /// The page of its start, from 1.
    pub(super) fn page(&self) -> Option<u32> {
        self.stretches.first().and_then(|stretch| stretch.page)
    }
}

/// The passages of a document, in order; none is blank.
pub(super) fn chunk_document(document: &SourceDocument) -> Vec<Chunk> {
    let text: &str = &document.text;
    if text.len() <= SHORT {
        let whole = text.trim();
        let begin = text.len() - text.trim_start().len();
        let stretches = SpanLocator::new(document).locate(begin, whole, 0);
        let piece = Chunk { text: whole.to_owned(), stretches };
        return if whole.is_empty() { Vec::new() } else { vec![piece] };
    }
    let mut cutter = Chunker {
        document,
        text,
        pieces: Vec::new(),
        current_range: None,
        headings: Vec::new(),
        begun_under: None,
        stretches: SpanLocator::new(document),
    };
    for block in blocks(text) {
        if cutter.pieces.len() >= MAX_PASSAGES {
            break;
        }
        cutter.block(block);
    }
    cutter.close();
    cutter.pieces
}

/// The page of a byte, from 1; `None` without pages.
fn page(document: &SourceDocument, at: usize) -> Option<u32> {
    let page = document.pages.partition_point(|start| *start <= at);
    u32::try_from(page).ok().filter(|page| *page > 0)
}

/// Computes the spans of parts of a document; fast if the parts ascend.
struct SpanLocator<'a> {
    document: &'a SourceDocument,
    /// A byte offset, and the number of characters before it.
    known: (usize, u64),
}

impl<'a> SpanLocator<'a> {
    fn new(document: &'a SourceDocument) -> Self {
        Self { document, known: (0, 0) }
    }

    /// The spans of `part`, one per page. It starts at byte `start` of the document and at byte `at` of the
    /// passage.
    fn locate(&mut self, start: usize, part: &str, at: usize) -> Vec<SourceSpan> {
        let end = start + part.len();
        let pages = &self.document.pages;
        let inner = pages.iter().skip(pages.partition_point(|page| *page <= start));
        let breaks = inner.copied().take_while(|page| *page < end);
        let mut begins = vec![start];
        begins.extend(breaks);
        begins.dedup();
        let ends = begins.iter().skip(1).copied().chain([end]).collect::<Vec<_>>();
        let stretch = |(begin, end): (usize, usize)| SourceSpan {
            at: at + begin - start,
            length: end - begin,
            start: self.character(begin),
            page: page(self.document, begin),
        };
        begins.into_iter().zip(ends).map(stretch).collect()
    }

    /// The number of characters before a byte.
    fn character(&mut self, byte: usize) -> u64 {
        let (from, count) = self.known;
        let (from, count) = if byte < from { (0, 0) } else { (from, count) };
        let between = self.document.text.get(from..byte).map_or(0, |text| text.chars().count());
        self.known = (byte, count + between as u64);
        self.known.1
    }
}

struct Chunker<'a> {
    stretches: SpanLocator<'a>,
    document: &'a SourceDocument,
    text: &'a str,
    pieces: Vec<Chunk>,
    current_range: Option<Range<usize>>,
    /// The headings above, with their levels.
    headings: Vec<(u8, Range<usize>)>,
    /// The heading over the open passage, unless the passage begins with it.
    begun_under: Option<Range<usize>>,
}

impl Chunker<'_> {
    fn block(&mut self, block: Block) {
        let length = self.current_range.as_ref().map_or(0, |open| open.end - open.start);
        let title = matches!(block.kind, BlockKind::Heading(1..=6));
        let next_page = self
            .current_range
            .as_ref()
            .is_some_and(|open| page(self.document, open.start) != page(self.document, block.start));
        // Up to twice the size, so that a block stays whole.
        let overflow = length + (block.end - block.start) > FULL * 2;
        if (title || next_page) && length >= ENOUGH || length >= FULL || overflow && length > 0 {
            self.close();
        }
        if let BlockKind::Heading(level @ 1..=6) = block.kind {
            self.headings.retain(|(above, _)| *above < level);
            self.headings.push((level, block.start..block.end));
        }
        let size = block.end - block.start;
        match block.kind {
            BlockKind::Table if size > MAX_TABLE => self.rows(block),
            _ if size > FULL * 2 && block.kind != BlockKind::Table => self.sentences(block),
            _ => self.take(block.start..block.end),
        }
    }

    /// Adds a range to the open passage.
    fn take(&mut self, range: Range<usize>) {
        match &mut self.current_range {
            Some(open) => open.end = range.end,
            None => {
                let heading = self.headings.last().map(|(_, heading)| heading.clone());
                self.begun_under = heading.filter(|heading| heading.start != range.start);
                self.current_range = Some(range);
            }
        }
    }

    /// Ends the open passage. If it does not begin with the heading of its section, the heading is put before
    /// it.
    fn close(&mut self) {
        let Some(open) = self.current_range.take() else { return };
        let heading = self.begun_under.take().and_then(|heading| self.text.get(heading));
        let head = heading.filter(|head| head.len() <= ENOUGH).map(|head| format!("{head}\n\n"));
        self.push(&head.unwrap_or_default(), open);
    }

    /// Adds the passage of a range, with `head` before it.
    fn push(&mut self, head: &str, range: Range<usize>) {
        let part = self.text.get(range.clone()).unwrap_or_default();
        let body = part.trim();
        if body.is_empty() {
            return;
        }
        let start = range.start + part.len() - part.trim_start().len();
        let stretches = self.stretches.locate(start, body, head.len());
        self.pieces.push(Chunk { text: format!("{head}{body}"), stretches });
    }

    /// Splits a long table, and repeats its head in each part.
    fn rows(&mut self, block: Block) {
        self.close();
        let text = self.text.get(block.start..block.end).unwrap_or_default();
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        let divided = lines.get(1).is_some_and(|line| is_separator(line));
        let head: String = if divided { lines.iter().take(2).copied().collect() } else { String::new() };
        // A longer head is not worth its repetition. Chosen by hand; no measurement is recorded.
        let head = if head.len() <= ENOUGH * 2 { head } else { String::new() };
        let skipped = if divided { lines.iter().take(2).map(|line| line.len()).sum() } else { 0 };
        let mut part = block.start + skipped..block.start + skipped;
        for line in lines.into_iter().skip(if divided { 2 } else { 0 }) {
            part.end += line.len();
            if head.len() + part.len() >= MAX_TABLE / 2 {
                self.push(&head, part.clone());
                part.start = part.end;
            }
        }
        self.push(&head, part);
    }

    /// Splits a long block at sentence ends.
    fn sentences(&mut self, block: Block) {
        let text = self.text.get(block.start..block.end).unwrap_or_default();
        for (start, end) in sentences(text) {
            if self.current_range.as_ref().is_some_and(|open| open.end - open.start >= FULL) {
                self.close();
            }
            self.take(block.start + start..block.start + end);
        }
        self.close();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn document(text: &str, pages: Vec<usize>) -> SourceDocument {
        SourceDocument { pages, ..SourceDocument::new("1", "t", text) }
    }

    #[test]
    fn a_short_document_stays_whole() {
        let text = "# A\n\nOne.\n\n# B\n\nTwo.\n";
        let stretches = vec![SourceSpan { at: 0, length: text.trim().len(), start: 0, page: Some(1) }];
        assert_eq!(
            chunk_document(&document(text, vec![0])),
            [Chunk { text: text.trim().to_owned(), stretches }]
        );
        assert_eq!(chunk_document(&document(" \n", vec![])), []);
    }

    #[test]
    fn a_long_document_is_cut_at_headings_and_pages_and_every_word_is_kept() {
        let mut text = String::new();
        let mut pages = Vec::new();
        for section in 0..6 {
            pages.push(text.len());
            text.push_str(&format!("# Section {section}\n\n"));
            for line in 0..20 {
                text.push_str(&format!(
                    "This is line {line} of the section {section}, said in some words.\n\n"
                ));
            }
        }
        let pieces = chunk_document(&document(&text, pages));
        for (section, line) in [(0, 0), (2, 19), (5, 19)] {
            let wanted = format!("This is line {line} of the section {section},");
            let piece = pieces.iter().find(|piece| piece.text.contains(&wanted)).unwrap();
            assert!(piece.text.starts_with(&format!("# Section {section}")), "{}", piece.text);
            assert_eq!(piece.page(), Some(section + 1));
        }
        assert!(pieces.iter().all(|piece| piece.text.len() <= FULL * 2 + ENOUGH));
    }

    #[test]
    fn stretches_say_where_the_parts_of_a_passage_stand() {
        let one = "Äpfel und Birnen stehen hier. ".repeat(40);
        let two = "Quitten stehen dort. ".repeat(60);
        let text = format!("# Obst\n\n{one}\n\n{two}\n\n{one}");
        let (second, third) = (text.find(&two).unwrap(), text.rfind(&one).unwrap());
        let found = chunk_document(&document(&text, vec![0, second, third]));
        let characters: Vec<char> = text.chars().collect();
        for piece in &found {
            for stretch in &piece.stretches {
                let part = &piece.text[stretch.at..stretch.at + stretch.length];
                let from = usize::try_from(stretch.start).unwrap();
                let there: String = characters[from..from + part.chars().count()].iter().collect();
                assert_eq!(part, there);
                let byte: usize = characters[..from].iter().map(|c| c.len_utf8()).sum();
                let page = 1 + u32::from(byte >= second) + u32::from(byte >= third);
                assert_eq!(stretch.page, Some(page));
            }
        }
    }

    #[test]
    fn a_table_stays_whole_or_keeps_its_head_in_every_part() {
        let head = "| Name | Price |\n|---|---|\n";
        let small: String = (0..60).map(|row| format!("| Thing {row} | {row}.00 |\n")).collect();
        let filler = "Words that fill the page. ".repeat(120);
        let whole = chunk_document(&document(&format!("{filler}\n\n{head}{small}"), vec![]));
        assert!(
            whole.iter().any(|piece| piece.text.contains("Thing 0 ") && piece.text.contains("Thing 59 "))
        );
        let large: String = (0..600).map(|row| format!("| Thing {row} | {row}.00 |\n")).collect();
        let parts = chunk_document(&document(&format!("{head}{large}"), vec![]));
        assert!(parts.len() > 2 && parts.iter().all(|piece| piece.text.starts_with(head)));
        assert_eq!(parts.iter().map(|piece| piece.text.matches("Thing").count()).sum::<usize>(), 600);
    }
}
