//! Lines that are printed again: the second copy of an invoice, a table that is given twice, the rows that two scans
//! have in common. A value on such a line stands where the line stands first.
//!
//! What is printed again is told from what happens again by what stands around it: a copy repeats a whole table with
//! its head and brings no new number, date or amount; the next order of the same goods has its own.

mod words;

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use super::node::{Node, Spot};
use super::segment::Source;
use super::text::fold::folded;
use super::text::shape::is_summary;
use words::{is_copy_word, is_page_word};

/// Earlier places of a line from which a copy may go on.
const MAX_PLACES: usize = 8;
/// Lines that are compared, as a multiple of all.
const MAX_COMPARED: usize = 64;
/// Lines above a table that may say what it is.
const MAX_ABOVE: usize = 12;
/// Bytes of a line that names or dates what follows; longer ones are running text.
const MAX_LABEL: usize = 100;
/// Rows that the end of one document and the beginning of the next must have in common, and that must follow each
/// other below the head of a table that nothing else tells.
const LEAST_ROWS: usize = 2;

/// A line that is printed again.
#[derive(Clone, Debug, PartialEq, Eq)]
struct CopiedLine {
    /// Its bytes, without spaces around.
    range: Range<usize>,
    /// Where it stands first.
    document: usize,
    at: usize,
}

/// The lines of a group that are printed again.
#[derive(Debug, Default)]
pub(super) struct Copies {
    /// For each document, in order.
    lines: Vec<Vec<CopiedLine>>,
}

impl Copies {
    /// Finds the copies in documents and between them. Takes time in proportion to their lines.
    pub(super) fn of(sources: &[Source<'_>]) -> Self {
        let lines: Vec<Line<'_>> =
            sources.iter().enumerate().flat_map(|(n, source)| lines(n, source)).collect();
        let mut copies = Self { lines: vec![Vec::new(); sources.len()] };
        let mut first: Vec<usize> = (0..lines.len()).collect();
        for run in (Search { lines: &lines }).runs() {
            for at in 0..run.length {
                let (Some(own), Some(origin)) = (lines.get(run.at + at), first.get(run.from + at).copied())
                else {
                    continue;
                };
                let Some(known) = lines.get(origin) else { continue };
                if let Some(slot) = first.get_mut(run.at + at) {
                    *slot = origin;
                }
                let copied =
                    CopiedLine { range: own.range.clone(), document: known.document, at: known.range.start };
                if let Some(list) = copies.lines.get_mut(own.document) {
                    list.push(copied);
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

    /// Whether a line that holds one of these bytes is printed again.
    pub(super) fn has(&self, document: usize, range: &Range<usize>, text: &str) -> bool {
        let start = range.start + (text.len() - text.trim_start().len());
        self.find(document, start).is_some()
    }

    /// Puts the values of copies where they stand first; their evidence stays.
    pub(super) fn settle(&self, nodes: &mut [Node]) {
        if self.lines.iter().all(Vec::is_empty) {
            return;
        }
        for node in nodes {
            match node {
                Node::Leaf(leaf) => {
                    let origin = leaf.spot.map(|spot| self.origin(spot));
                    leaf.is_copy |= origin != leaf.spot;
                    leaf.spot = origin;
                }
                Node::Group(nodes) | Node::List { items: nodes, .. } => self.settle(nodes),
                Node::Absent | Node::Failed(_) => {}
            }
        }
    }

    /// Where a place stands first.
    fn origin(&self, spot: Spot) -> Spot {
        match self.find(spot.document, spot.start) {
            Some(line) => {
                let start = line.at + (spot.start - line.range.start);
                Spot { document: line.document, start, end: start + (spot.end - spot.start) }
            }
            None => spot,
        }
    }
}

struct Line<'a> {
    document: usize,
    /// Its bytes, without spaces around.
    range: Range<usize>,
    text: &'a str,
    has_digit: bool,
}

impl Line<'_> {
    /// Whether it numbers pages, and says nothing else.
    fn is_page_number(&self) -> bool {
        self.text.len() <= MAX_LABEL
            && self.has_digit
            && (tokens(self.text).any(|token| is_page_word(&token))
                || !self.text.chars().any(char::is_alphabetic))
            && numbers(self.text).all(|number| number.len() <= 4)
    }
}

/// The lines of a document on which something stands.
fn lines<'a>(document: usize, source: &Source<'a>) -> Vec<Line<'a>> {
    let mut start = 0;
    let mut found = Vec::new();
    for line in source.text().split_inclusive('\n') {
        let text = line.trim();
        let at = start + (line.len() - line.trim_start().len());
        start += line.len();
        if !text.is_empty() {
            let has_digit = text.chars().any(char::is_numeric);
            found.push(Line { document, range: at..at + text.len(), text, has_digit });
        }
    }
    found
}

/// Words and numbers, folded.
fn tokens(text: &str) -> impl Iterator<Item = String> {
    text.split_whitespace().map(folded).filter(|token| !token.is_empty())
}

/// Tokens with digits.
fn numbers(text: &str) -> impl Iterator<Item = String> {
    tokens(text).filter(|token| token.chars().any(char::is_numeric))
}

/// Lines that stand again: `length` of them from line `from` and from line `at`.
struct Run {
    from: usize,
    at: usize,
    length: usize,
}

struct Search<'a> {
    lines: &'a [Line<'a>],
}

impl Search<'_> {
    /// The copies, in order.
    fn runs(&self) -> Vec<Run> {
        let mut places: HashMap<&str, Vec<usize>> = HashMap::new();
        let mut room = self.lines.len().saturating_mul(MAX_COMPARED);
        let mut runs: Vec<Run> = Vec::new();
        let mut at = 0;
        while let Some(line) = self.lines.get(at) {
            let run = match self.may_begin(at) {
                true => {
                    self.longest(places.get(line.text).map(Vec::as_slice).unwrap_or_default(), at, &mut room)
                }
                false => None,
            };
            let end = match run {
                Some(run) => {
                    let end = at + run.length;
                    runs.push(run);
                    end
                }
                None => at + 1,
            };
            for (number, line) in self.lines.iter().enumerate().take(end).skip(at) {
                let known = places.entry(line.text).or_default();
                if known.len() < MAX_PLACES {
                    known.push(number);
                }
            }
            at = end;
        }
        runs
    }

    /// Whether a copy may begin with a line: at the beginning of a document, or with what is no row.
    fn may_begin(&self, at: usize) -> bool {
        let is_first = at.checked_sub(1).and_then(|before| self.lines.get(before)).map(|line| line.document)
            != self.lines.get(at).map(|line| line.document);
        is_first || self.lines.get(at).is_some_and(|line| !line.has_digit)
    }

    fn longest(&self, places: &[usize], at: usize, room: &mut usize) -> Option<Run> {
        let mut best: Option<Run> = None;
        for from in places {
            let length = self.common(*from, at, *room);
            *room -= length;
            let run = Run { from: *from, at, length };
            if best.as_ref().is_none_or(|best| run.length > best.length) && self.is_copy(&run) {
                best = Some(run);
            }
        }
        best
    }

    /// How many lines are the same from two lines on, within one document each, at most so many.
    fn common(&self, from: usize, at: usize, most: usize) -> usize {
        let (Some(first), Some(second)) = (self.lines.get(from..at), self.lines.get(at..)) else { return 0 };
        let documents = (first.first().map(|line| line.document), second.first().map(|line| line.document));
        let same = |(a, b): &(&Line<'_>, &Line<'_>)| {
            a.text == b.text && (Some(a.document), Some(b.document)) == documents
        };
        first.iter().zip(second).take(most).take_while(same).count()
    }

    fn is_copy(&self, run: &Run) -> bool {
        let Some(lines) = self.lines.get(run.at..run.at + run.length) else { return false };
        let rows = lines.iter().filter(|line| line.has_digit).count();
        if rows == 0 {
            return false;
        }
        if self.is_seam(run) && rows >= LEAST_ROWS {
            return true;
        }
        let begins = lines.first().is_some_and(|line| !line.has_digit) || self.begins_document(run.from);
        // The copy's own title, or the next document's, is no row.
        let title = self.lines.get(run.from + run.length).map(|line| line.text);
        let has_title = self.above(run.from, 0).iter().any(|line| Some(line.text) == title);
        begins
            && lines.len() > 1
            && (has_title || self.ends_at(run.from + run.length, run.at))
            && self.ends_at(run.at + run.length, usize::MAX)
            && self.is_alike_above(run)
    }

    /// Whether a table ends before a line: the next line is no row of it.
    fn ends_at(&self, next: usize, end: usize) -> bool {
        let document = next.checked_sub(1).and_then(|last| self.lines.get(last)).map(|line| line.document);
        next >= end
            || self.lines.get(next).is_none_or(|line| {
                Some(line.document) != document
                    || !line.has_digit
                    || line.is_page_number()
                    || is_summary(line.text)
            })
    }

    fn begins_document(&self, at: usize) -> bool {
        let before = at.checked_sub(1).and_then(|before| self.lines.get(before));
        before.map(|line| line.document) != self.lines.get(at).map(|line| line.document)
    }

    /// Whether the end of one document is the beginning of another.
    fn is_seam(&self, run: &Run) -> bool {
        let document = self.lines.get(run.from).map(|line| line.document);
        let mut rest = self.lines.get(run.from + run.length..run.at).unwrap_or_default().iter();
        self.begins_document(run.at)
            && rest.all(|line| Some(line.document) != document || line.is_page_number())
    }

    /// Whether the lines above a copy bring nothing new: no number that the lines above the first one have not, and no
    /// name of its own.
    fn is_alike_above(&self, run: &Run) -> bool {
        let known = self.above(run.from, 0);
        let known_numbers: HashSet<String> = known.iter().flat_map(|line| numbers(line.text)).collect();
        let known_words: HashSet<String> = known.iter().flat_map(|line| tokens(line.text)).collect();
        let (mut is_marked, mut is_named, mut is_identified) = (false, false, self.is_identified(run));
        for line in self.above(run.at, run.from + run.length) {
            if line.is_page_number() {
                continue;
            }
            if numbers(line.text).any(|number| !known_numbers.contains(&number)) {
                return false;
            }
            is_identified |= line.has_digit && !is_summary(line.text);
            for token in tokens(line.text).filter(|token| !known_words.contains(token)) {
                is_marked |= is_copy_word(&token);
                is_named |= !is_copy_word(&token);
            }
        }
        let begins = self.begins_document(run.from);
        // A name and a number below it may be a row of two lines, which happens again.
        is_marked || (is_identified && begins) || (!is_named && (begins || self.is_table(run)))
    }

    /// Whether several rows follow each other below a head.
    fn is_table(&self, run: &Run) -> bool {
        let lines = self.lines.get(run.at..run.at + run.length).unwrap_or_default();
        lines.iter().skip_while(|line| !line.has_digit).take(LEAST_ROWS).filter(|line| line.has_digit).count()
            == LEAST_ROWS
    }

    /// The short lines right above a line.
    fn above(&self, at: usize, least: usize) -> Vec<&Line<'_>> {
        let document = self.lines.get(at).map(|line| line.document);
        let lines =
            self.lines.get(least.max(at.saturating_sub(MAX_ABOVE))..at).unwrap_or_default().iter().rev();
        lines.take_while(|line| Some(line.document) == document && line.text.len() <= MAX_LABEL).collect()
    }

    /// Whether the copied lines say what they belong to: a number or date stands above the head of their rows.
    fn is_identified(&self, run: &Run) -> bool {
        let lines = self.lines.get(run.at..run.at + run.length).unwrap_or_default();
        let head = lines.iter().rposition(|line| !line.has_digit && !is_summary(line.text));
        lines.iter().take(head.unwrap_or(0)).any(|line| line.has_digit && !is_summary(line.text))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use documents_core::Document;

    use super::*;
    use crate::GroupDocument;

    /// How many lines of these documents are printed again.
    fn copied(texts: &[&str]) -> usize {
        let document = |text: &&str| GroupDocument {
            name: "a".into(),
            description: None,
            document: Arc::new(Document { text: (*text).to_owned(), ..Document::default() }),
        };
        let group: Vec<GroupDocument> = texts.iter().map(document).collect();
        let sources: Vec<Source<'_>> = group.iter().map(Source::new).collect();
        Copies::of(&sources).lines.iter().map(Vec::len).sum()
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
    fn many_equal_lines_take_little_time() {
        assert_eq!(copied(&[&"Pen 2\n".repeat(100_000)]), 0);
        copied(&[&"Pen\nInk 2\n".repeat(50_000)]);
        copied(&["", "\n", "é", &"x".repeat(100_000)]);
    }
}
