//! Detection of copied lines: the second copy of an invoice, a table printed twice, rows shared by two scans.
//! A value on a copied line is moved to its first occurrence.
//!
//! The context separates a copy from a genuine repetition: a copy repeats a whole table with its header and
//! adds no number, date or amount, while a second order of the same goods has its own. OCR may read the copy
//! of a line differently, with known kinds of errors.

mod copy_search;
mod lines;
mod ocr_slips;

use std::ops::Range;

use super::node::{Node, TextSpan};
use super::segment::Source;
use copy_search::CopySearch;
use lines::{SourceLine, lines};

/// A copied line.
#[derive(Clone, Debug, PartialEq, Eq)]
struct CopiedLine {
    /// Its byte range without surrounding whitespace.
    range: Range<usize>,
    /// The document and start of its first occurrence.
    document: usize,
    at: usize,
    /// The ranges of its words in it and in its first occurrence, in bytes of each line; empty when both
    /// texts are equal.
    words: Vec<(Range<usize>, Range<usize>)>,
}

impl CopiedLine {
    fn new(own: &SourceLine<'_>, first: &SourceLine<'_>) -> Self {
        let words = match own.text == first.text {
            true => Vec::new(),
            false => ocr_slips::align_words(own.text, first.text).collect(),
        };
        Self { range: own.range.clone(), document: first.document, at: first.range.start, words }
    }

    /// The byte of the first occurrence for a byte of the copy.
    fn origin(&self, at: usize) -> usize {
        let own = at.saturating_sub(self.range.start);
        let word = self.words.iter().rfind(|(word, _)| word.start <= own);
        self.at
            + match word {
                Some((word, first)) if own >= word.end => first.end,
                Some((word, first)) => (first.start + own - word.start).min(first.end),
                None => own,
            }
    }
}

/// The copied lines of a group.
#[derive(Debug, Default)]
pub(super) struct CopyIndex {
    /// The lines of each document, in order.
    lines: Vec<Vec<CopiedLine>>,
}

impl CopyIndex {
    /// Finds the copies within and between documents, in time linear in the number of lines.
    pub(super) fn of(sources: &[Source<'_>]) -> Self {
        let lines: Vec<SourceLine<'_>> =
            sources.iter().enumerate().flat_map(|(n, source)| lines(n, source)).collect();
        let mut copies = Self { lines: vec![Vec::new(); sources.len()] };
        let mut first: Vec<usize> = (0..lines.len()).collect();
        for run in (CopySearch { lines: &lines }).runs() {
            for at in 0..run.length {
                let (Some(own), Some(origin)) = (lines.get(run.at + at), first.get(run.from + at).copied())
                else {
                    continue;
                };
                let Some(known) = lines.get(origin) else { continue };
                if let Some(slot) = first.get_mut(run.at + at) {
                    *slot = origin;
                }
                if let Some(list) = copies.lines.get_mut(own.document) {
                    list.push(CopiedLine::new(own, known));
                }
            }
        }
        copies
    }

    fn find(&self, document: usize, at: usize) -> Option<&CopiedLine> {
        let lines = self.lines.get(document)?;
        let after = lines.partition_point(|line| line.range.start <= at);
        lines.get(after.checked_sub(1)?).filter(|line| at < line.range.end)
    }

    /// Whether the line `text` at `range` is a copy.
    pub(super) fn has(&self, document: usize, range: &Range<usize>, text: &str) -> bool {
        let start = range.start + (text.len() - text.trim_start().len());
        self.find(document, start).is_some()
    }

    /// Moves the spans of copied values to their first occurrence; their evidence stays.
    pub(super) fn move_to_origin(&self, nodes: &mut [Node]) {
        if self.lines.iter().all(Vec::is_empty) {
            return;
        }
        for node in nodes {
            match node {
                Node::Leaf(leaf) => {
                    let origin = leaf.span.map(|spot| self.origin(spot));
                    leaf.is_copy |= origin != leaf.span;
                    leaf.span = origin;
                }
                Node::Group(nodes) | Node::List { items: nodes, .. } => self.move_to_origin(nodes),
                Node::Absent | Node::Failed(_) => {}
            }
        }
    }

    /// The first occurrence of a span.
    fn origin(&self, spot: TextSpan) -> TextSpan {
        match self.find(spot.document, spot.start) {
            Some(line) => {
                let (start, end) = (line.origin(spot.start), line.origin(spot.end));
                TextSpan { document: line.document, start, end }
            }
            None => spot,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use document::Document;

    use super::*;
    use crate::GroupDocument;

    /// The number of copied lines in these documents.
    fn copied(texts: &[&str]) -> usize {
        let document = |text: &&str| GroupDocument {
            name: "a".into(),
            description: None,
            document: Arc::new(Document { text: (*text).to_owned(), ..Document::default() }),
            host: None,
        };
        let group: Vec<GroupDocument> = texts.iter().map(document).collect();
        let sources: Vec<Source<'_>> = group.iter().map(Source::new).collect();
        CopyIndex::of(&sources).lines.iter().map(Vec::len).sum()
    }

    #[test]
    fn a_table_that_is_printed_again_is_a_copy() {
        let table = "Item Qty\nPen 2\nInk 3\n";
        assert_eq!(copied(&[&format!("{table}{table}")]), 3);
        assert_eq!(copied(&[&format!("{table}\nCOPY\n{table}")]), 3);
        assert_eq!(copied(&[&format!("{table}Page 1 of 2\nDuplikat\n{table}Page 2 of 2\n")]), 3);
        assert_eq!(copied(&[table, table]), 3);
        let invoice = format!("Iron Ltd\nInvoice 7 of 3 May\n{table}Total 5\n");
        assert_eq!(copied(&[&format!("{invoice}For your files\n{invoice}")]), 6);
    }

    #[test]
    fn what_happens_again_is_no_copy() {
        let table = "Item Qty\nPen 2\nInk 3\n";
        for text in [
            format!("Monday\n{table}Tuesday\n{table}"),
            format!("Order 7\n{table}Order 8\n{table}"),
            format!("{table}Ink 4\n{table}"),
            "Item Qty\nPen 2\nInk 3\nItem Qty\nPen 2\nNib 3\n".to_owned(),
            "Item Qty\nPen 2\nPen 2\nPen 2\nPen 2\n".to_owned(),
            "Shop\nTea\n2 x 1.50\nTea\n2 x 1.50\n".to_owned(),
        ] {
            assert_eq!(copied(&[&text]), 0, "{text}");
        }
        assert_eq!(copied(&[&format!("Shop\nReceipt 7\n{table}"), &format!("Shop\nReceipt 8\n{table}")]), 0);
    }

    #[test]
    fn rows_that_two_scans_have_in_common_are_copies() {
        assert_eq!(copied(&["Item Qty\nPen 2\nInk 3\nNib 4\n1/2", "Ink 3\nNib 4\nCap 5\n"]), 2);
        assert_eq!(copied(&["Item Qty\nPen 2\nInk 3\nNib 4\nTotal 9", "Ink 3\nNib 4\nCap 5\n"]), 0);
    }

    #[test]
    fn a_copy_that_was_read_otherwise_is_one() {
        let first = "Item Code Qty\nPen A1O1 2\nInk B7 3\nNib C9 3\n";
        let again = "Item Code Qty\nPen A101 2\nInk B7 3\nNib C9 3\n";
        assert_eq!(copied(&[&format!("{first}{again}")]), 4);
        for other in [again.replace("B7", "B1"), again.replace("Pen A101 2", "Pen A101 3")] {
            assert_eq!(copied(&[&format!("{first}{other}")]), 0, "{other}");
        }
        assert_eq!(copied(&["Item Code Qty\nPen A1O1 2\nPen A101 2\nPen A1Ol 2\n"]), 0);
    }

    #[test]
    fn many_equal_lines_take_little_time() {
        assert_eq!(copied(&[&"Pen 2\n".repeat(100_000)]), 0);
        copied(&[&"Pen\nInk 2\n".repeat(50_000)]);
        copied(&["", "\n", "é", &"x".repeat(100_000)]);
        assert_eq!(copied(&[&"Pen 1O\nPen lO\n".repeat(50_000)]), 0);
    }
}
