//! Documents as passages: short ones whole, others at their headings, paragraphs, tables and pages.

use std::ops::Range;

use crate::SourceDocument;
use crate::text::{Block, BlockKind, blocks, is_separator, sentences};

/// Bytes of a document that stays whole.
const SHORT: usize = 3_000;
/// Bytes after which a passage ends where its block ends.
const FULL: usize = 1_500;
/// Bytes from which a passage ends before a heading or page.
const ENOUGH: usize = 400;
/// Bytes of a table that stays whole.
const MAX_TABLE: usize = 6_000;
/// Passages of a document that are made.
const MAX_PASSAGES: usize = 50_000;

/// A piece of a document that can be understood by itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Piece {
    pub(super) text: String,
    /// The page it begins on.
    pub(super) page: Option<u32>,
}

/// The passages of a document in order; none is blank.
pub(super) fn pieces(document: &SourceDocument) -> Vec<Piece> {
    let text: &str = &document.text;
    if text.len() <= SHORT {
        let whole = text.trim();
        let piece = Piece { text: whole.to_owned(), page: page(document, 0) };
        return if whole.is_empty() { Vec::new() } else { vec![piece] };
    }
    let mut cutter =
        Cutter { document, text, pieces: Vec::new(), open: None, headings: Vec::new(), begun_under: None };
    for block in blocks(text) {
        if cutter.pieces.len() >= MAX_PASSAGES {
            break;
        }
        cutter.block(block);
    }
    cutter.close();
    cutter.pieces
}

/// The page of a byte, from 1.
fn page(document: &SourceDocument, at: usize) -> Option<u32> {
    let page = document.pages.partition_point(|start| *start <= at);
    u32::try_from(page).ok().filter(|page| *page > 0)
}

struct Cutter<'a> {
    document: &'a SourceDocument,
    text: &'a str,
    pieces: Vec<Piece>,
    open: Option<Range<usize>>,
    /// The headings above, with their levels.
    headings: Vec<(u8, Range<usize>)>,
    /// The heading over the open passage, when it does not begin with it.
    begun_under: Option<Range<usize>>,
}

impl Cutter<'_> {
    fn block(&mut self, block: Block) {
        let length = self.open.as_ref().map_or(0, |open| open.end - open.start);
        let title = matches!(block.kind, BlockKind::Heading(1..=6));
        let next_page = self
            .open
            .as_ref()
            .is_some_and(|open| page(self.document, open.start) != page(self.document, block.start));
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
        match &mut self.open {
            Some(open) => open.end = range.end,
            None => {
                let heading = self.headings.last().map(|(_, heading)| heading.clone());
                self.begun_under = heading.filter(|heading| heading.start != range.start);
                self.open = Some(range);
            }
        }
    }

    /// Ends the open passage; one inside a section begins with the section's heading.
    fn close(&mut self) {
        let Some(open) = self.open.take() else { return };
        let body = self.text.get(open.clone()).unwrap_or_default().trim();
        let heading = self.begun_under.take().and_then(|heading| self.text.get(heading));
        self.push(heading, body, open.start);
    }

    fn push(&mut self, head: Option<&str>, body: &str, start: usize) {
        if body.is_empty() {
            return;
        }
        let head = head.filter(|head| head.len() <= ENOUGH);
        let text = head.map_or_else(|| body.to_owned(), |head| format!("{head}\n\n{body}"));
        self.pieces.push(Piece { text, page: page(self.document, start) });
    }

    /// A long table in parts, each with the table's head.
    fn rows(&mut self, block: Block) {
        self.close();
        let text = self.text.get(block.start..block.end).unwrap_or_default();
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        let divided = lines.get(1).is_some_and(|line| is_separator(line));
        let head: String = if divided { lines.iter().take(2).copied().collect() } else { String::new() };
        let (mut at, mut part, mut start) = (block.start, String::new(), block.start);
        for (index, line) in lines.into_iter().enumerate() {
            let begin = at;
            at += line.len();
            if divided && index < 2 {
                continue;
            }
            if part.is_empty() {
                start = begin;
                part.push_str(if head.len() <= ENOUGH * 2 { &head } else { "" });
            }
            part.push_str(line);
            if part.len() >= MAX_TABLE / 2 {
                self.push(None, std::mem::take(&mut part).trim(), start);
            }
        }
        self.push(None, part.trim(), start);
    }

    /// A long block in parts of whole sentences.
    fn sentences(&mut self, block: Block) {
        let text = self.text.get(block.start..block.end).unwrap_or_default();
        for (start, end) in sentences(text) {
            if self.open.as_ref().is_some_and(|open| open.end - open.start >= FULL) {
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
        SourceDocument { id: "1".into(), title: "t".into(), text: text.into(), pages, unread: None }
    }

    #[test]
    fn a_short_document_stays_whole() {
        let text = "# A\n\nOne.\n\n# B\n\nTwo.\n";
        assert_eq!(pieces(&document(text, vec![0])), [Piece { text: text.trim().to_owned(), page: Some(1) }]);
        assert_eq!(pieces(&document(" \n", vec![])), []);
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
        let pieces = pieces(&document(&text, pages));
        for (section, line) in [(0, 0), (2, 19), (5, 19)] {
            let wanted = format!("This is line {line} of the section {section},");
            let piece = pieces.iter().find(|piece| piece.text.contains(&wanted)).unwrap();
            assert!(piece.text.starts_with(&format!("# Section {section}")), "{}", piece.text);
            assert_eq!(piece.page, Some(section + 1));
        }
        assert!(pieces.iter().all(|piece| piece.text.len() <= FULL * 2 + ENOUGH));
    }

    #[test]
    fn a_table_stays_whole_or_keeps_its_head_in_every_part() {
        let head = "| Name | Price |\n|---|---|\n";
        let small: String = (0..60).map(|row| format!("| Thing {row} | {row}.00 |\n")).collect();
        let filler = "Words that fill the page. ".repeat(120);
        let whole = pieces(&document(&format!("{filler}\n\n{head}{small}"), vec![]));
        assert!(
            whole.iter().any(|piece| piece.text.contains("Thing 0 ") && piece.text.contains("Thing 59 "))
        );
        let large: String = (0..600).map(|row| format!("| Thing {row} | {row}.00 |\n")).collect();
        let parts = pieces(&document(&format!("{head}{large}"), vec![]));
        assert!(parts.len() > 2 && parts.iter().all(|piece| piece.text.starts_with(head)));
        assert_eq!(parts.iter().map(|piece| piece.text.matches("Thing").count()).sum::<usize>(), 600);
    }
}
