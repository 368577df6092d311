//! The search for repeated runs of lines, and the decision whether a run is a copy.

use std::collections::{HashMap, HashSet};

use language::fold::fold_word;
use language::vocabulary::is_copy_word;

use super::super::text::summary_lines::is_summary;
use super::lines::{MAX_LABEL, SourceLine, numbers, tokens};
use super::ocr_slips::confusable_skeleton;

// The first two bound the time of hostile documents, in which all lines are alike.
/// Earlier occurrences of a line that are tried as the start of a run.
const MAX_PLACES: usize = 8;
/// Line comparisons, as a multiple of the number of lines.
const MAX_COMPARED: usize = 64;
/// Lines above a table that may identify it. Chosen by hand; no measurement is recorded.
const MAX_ABOVE: usize = 12;
/// Rows that the end of one document and the start of the next must share, and consecutive rows below the
/// header of a table that is not identified otherwise. One equal row may be a coincidence; set on the layouts
/// of `tests/engine/lists`.
const LEAST_ROWS: usize = 2;

/// A repeated run: `length` lines from line `from`, again from line `at`.
pub(super) struct LineRun {
    pub(super) from: usize,
    pub(super) at: usize,
    pub(super) length: usize,
}

pub(super) struct CopySearch<'a> {
    pub(super) lines: &'a [SourceLine<'a>],
}

impl CopySearch<'_> {
    /// The copies, in order.
    pub(super) fn runs(&self) -> Vec<LineRun> {
        let mut places: HashMap<u64, Vec<usize>> = HashMap::new();
        let mut room = self.lines.len().saturating_mul(MAX_COMPARED);
        let mut runs: Vec<LineRun> = Vec::new();
        let mut at = 0;
        while let Some(line) = self.lines.get(at) {
            let run = match self.may_begin(at) {
                true => {
                    self.longest(places.get(&line.key).map(Vec::as_slice).unwrap_or_default(), at, &mut room)
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
                let known = places.entry(line.key).or_default();
                if known.len() < MAX_PLACES {
                    known.push(number);
                }
            }
            at = end;
        }
        runs
    }

    /// Whether a copy may start with a line: at the start of a document, or with a line without digits.
    fn may_begin(&self, at: usize) -> bool {
        let is_first = at.checked_sub(1).and_then(|before| self.lines.get(before)).map(|line| line.document)
            != self.lines.get(at).map(|line| line.document);
        is_first || self.lines.get(at).is_some_and(|line| !line.has_digit)
    }

    fn longest(&self, places: &[usize], at: usize, room: &mut usize) -> Option<LineRun> {
        let mut best: Option<LineRun> = None;
        for from in places {
            let length = self.common(*from, at, *room);
            *room -= length;
            let run = LineRun { from: *from, at, length };
            if best.as_ref().is_none_or(|best| run.length > best.length) && self.is_copy(&run) {
                best = Some(run);
            }
        }
        best
    }

    /// The number of equal lines from two lines on, within one document each, at most `most`.
    fn common(&self, from: usize, at: usize, most: usize) -> usize {
        let (Some(first), Some(second)) = (self.lines.get(from..at), self.lines.get(at..)) else { return 0 };
        let documents = (first.first().map(|line| line.document), second.first().map(|line| line.document));
        let same = |(a, b): &(&SourceLine<'_>, &SourceLine<'_>)| {
            a.is_same(b) && (Some(a.document), Some(b.document)) == documents
        };
        first.iter().zip(second).take(most).take_while(same).count()
    }

    fn is_copy(&self, run: &LineRun) -> bool {
        let Some(lines) = self.lines.get(run.at..run.at + run.length) else { return false };
        let rows = lines.iter().filter(|line| line.has_digit).count();
        if rows == 0 || !self.is_mostly_the_same(run) {
            return false;
        }
        if self.is_seam(run) && rows >= LEAST_ROWS {
            return true;
        }
        let begins = lines.first().is_some_and(|line| !line.has_digit) || self.begins_document(run.from);
        // The title of the copy or of the next document is no row.
        let title = self.lines.get(run.from + run.length);
        let has_title =
            self.lines_above(run.from, 0).iter().any(|line| title.is_some_and(|title| line.is_same(title)));
        begins
            && lines.len() > 1
            && (has_title || self.ends_at(run.from + run.length, run.at))
            && self.ends_at(run.at + run.length, usize::MAX)
            && self.is_alike_above(run)
    }

    /// Whether at least half of its lines are identical: a run with OCR differences in every line may be
    /// something else.
    fn is_mostly_the_same(&self, run: &LineRun) -> bool {
        let (Some(first), Some(second)) = (self.lines.get(run.from..), self.lines.get(run.at..)) else {
            return false;
        };
        let same = first.iter().zip(second).take(run.length).filter(|(a, b)| a.text == b.text).count();
        // Set on the layouts read with slips by OCR (`tests/engine/lists/probes.rs`).
        same * 2 >= run.length
    }

    /// Whether a table ends before a line: the next line is not one of its rows.
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

    /// Whether the end of one document equals the start of another.
    fn is_seam(&self, run: &LineRun) -> bool {
        let document = self.lines.get(run.from).map(|line| line.document);
        let mut rest = self.lines.get(run.from + run.length..run.at).unwrap_or_default().iter();
        self.begins_document(run.at)
            && rest.all(|line| Some(line.document) != document || line.is_page_number())
    }

    /// Whether the lines above a copy add nothing: no number that the lines above the original lack, and no
    /// new name.
    fn is_alike_above(&self, run: &LineRun) -> bool {
        let known = self.lines_above(run.from, 0);
        let looks = |token: String| confusable_skeleton(&token);
        let known_numbers: HashSet<String> =
            known.iter().flat_map(|line| numbers(line.text)).map(looks).collect();
        let known_words: HashSet<String> =
            known.iter().flat_map(|line| tokens(line.text)).map(looks).collect();
        let (mut is_marked, mut is_named, mut is_identified) = (false, false, self.is_identified(run));
        for line in self.lines_above(run.at, run.from + run.length) {
            if line.is_page_number() {
                continue;
            }
            if numbers(line.text).map(looks).any(|number| !known_numbers.contains(&number)) {
                return false;
            }
            is_identified |= line.has_digit && !is_summary(line.text);
            for token in tokens(line.text).filter(|token| !known_words.contains(&confusable_skeleton(token)))
            {
                let is_copy = is_copy_word(&fold_word(&token));
                is_marked |= is_copy;
                is_named |= !is_copy;
            }
        }
        let begins = self.begins_document(run.from);
        // A name and a number below it may be a row of two lines, which may be repeated.
        is_marked || (is_identified && begins) || (!is_named && (begins || self.is_table(run)))
    }

    /// Whether several consecutive rows follow a header.
    fn is_table(&self, run: &LineRun) -> bool {
        let lines = self.lines.get(run.at..run.at + run.length).unwrap_or_default();
        lines.iter().skip_while(|line| !line.has_digit).take(LEAST_ROWS).filter(|line| line.has_digit).count()
            == LEAST_ROWS
    }

    /// The short lines directly above a line.
    fn lines_above(&self, at: usize, least: usize) -> Vec<&SourceLine<'_>> {
        let document = self.lines.get(at).map(|line| line.document);
        let lines =
            self.lines.get(least.max(at.saturating_sub(MAX_ABOVE))..at).unwrap_or_default().iter().rev();
        lines.take_while(|line| Some(line.document) == document && line.text.len() <= MAX_LABEL).collect()
    }

    /// Whether the copied lines identify what they belong to: a number or date stands above the header of
    /// their rows.
    fn is_identified(&self, run: &LineRun) -> bool {
        let lines = self.lines.get(run.at..run.at + run.length).unwrap_or_default();
        let head = lines.iter().rposition(|line| !line.has_digit && !is_summary(line.text));
        lines.iter().take(head.unwrap_or(0)).any(|line| line.has_digit && !is_summary(line.text))
    }
}
