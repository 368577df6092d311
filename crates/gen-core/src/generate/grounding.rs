//! The grounding of an answer: its statements, the passages that they cite, and whether those support them.

use std::collections::HashMap;
use std::ops::Range;

use language::sentence::sentences;
use serde::Serialize;

use super::citation_filter::CitationMark;
use super::support::{PassageText, Support};
use crate::text::blocks;
use crate::{ContextItem, PageLayout, PrintedPlace};

/// Maximum statements that are checked; the rest is skipped. Bounds the time.
const MAX_STATEMENTS: usize = 1_000;
/// Maximum checks of a statement against a passage per answer; the rest counts as unsupported. Answers cite
/// far less. The limit bounds the time for ranges such as `[1-900]`.
const MAX_CHECKS: usize = 4_000;

/// A sentence of an answer, or a list item or table row.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Statement {
    /// Start in the answer's text, in Unicode characters.
    pub start: usize,
    /// End (exclusive) in Unicode characters, citations included.
    pub end: usize,
    /// The numbers of the passages that it cites.
    pub citations: Vec<usize>,
    /// Whether one of them supports it. A statement without citations is checked against those of the next
    /// statement of its paragraph that has some; it is unsupported if there is none.
    pub supported: bool,
}

/// A citation of an answer, with its evidence in the passage.
#[derive(Clone, Debug, PartialEq)]
pub struct SourceCitation {
    /// The number of the passage.
    pub n: usize,
    /// Start of the statement in the answer's text, in Unicode characters.
    pub start: usize,
    /// End (exclusive) of the statement.
    pub end: usize,
    /// The sentence of the passage that covers most of the statement, verbatim.
    pub quote: String,
    /// Start and end (exclusive) of the quote in the document, in Unicode characters; `None` for text that
    /// was added to the passage, such as a heading.
    pub span: Option<(u64, u64)>,
    /// The position of the quote on the pages.
    pub place: PrintedPlace,
    /// Whether the passage supports the statement.
    pub supported: bool,
}

/// The statements and citations of an answer.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct AnswerGrounding {
    pub(super) statements: Vec<Statement>,
    pub(super) citations: Vec<SourceCitation>,
}

/// Checks each statement of a text against the passages that it cites.
pub(super) fn grounds(text: &str, marks: &[CitationMark], context: &[ContextItem]) -> AnswerGrounding {
    let parts = parts(text, marks);
    let mut grounds = AnswerGrounding::default();
    let mut characters = CharCounter { text, known: (0, 0) };
    let mut checks = MAX_CHECKS;
    let mut passages: HashMap<usize, PassageText<'_>> = HashMap::new();
    for (at, part) in parts.iter().enumerate().take(MAX_STATEMENTS) {
        let (start, end) =
            (characters.chars_before(part.range.start), characters.chars_before(part.range.end));
        let later = parts.iter().skip(at).take_while(|other| other.block == part.block);
        let cited = later.map(|other| &other.numbers).find(|numbers| !numbers.is_empty());
        let mut supported = false;
        for n in cited.into_iter().flatten() {
            let Some(item) = n.checked_sub(1).and_then(|at| context.get(at)) else { continue };
            let found = if checks > 0 {
                passages.entry(*n).or_insert_with(|| PassageText::new(&item.text)).support(&part.words)
            } else {
                None
            };
            checks = checks.saturating_sub(1);
            supported |= found.as_ref().is_some_and(|found| found.supported);
            if part.numbers.contains(n) {
                grounds.citations.push(citation(item, found, start, end));
            }
        }
        let citations = part.numbers.clone();
        grounds.statements.push(Statement { start, end, citations, supported });
    }
    grounds
}

fn citation(item: &ContextItem, found: Option<Support>, start: usize, end: usize) -> SourceCitation {
    let supported = found.as_ref().is_some_and(|found| found.supported);
    // Without any match, the citation is of the passage as a whole.
    let best = found.filter(|found| found.share > 0.0).map(|found| found.best);
    let quote = best.clone().and_then(|best| item.text.get(best)).unwrap_or_default().to_owned();
    let placed = best.and_then(|best| item.locate(&best));
    let page = placed.as_ref().map_or(item.page, |placed| placed.page);
    let place =
        PrintedPlace { page, last_page: placed.as_ref().map_or(page, |placed| placed.last_page), rect: None };
    let span = placed.map(|placed| placed.span);
    SourceCitation { n: item.n, start, end, quote, span, place, supported }
}

/// The position of a part of a passage in its document.
pub(super) struct PassageSpan {
    pub(super) span: (u64, u64),
    page: Option<u32>,
    last_page: Option<u32>,
}

impl ContextItem {
    /// The position of a byte range of the text in the document, as far as its spans tell.
    fn locate(&self, range: &Range<usize>) -> Option<PassageSpan> {
        let touched = |one: &&crate::SourceSpan| one.at < range.end && one.at + one.length > range.start;
        let mut touched = self.stretches.iter().filter(touched);
        let first = touched.next()?;
        let last = touched.next_back().unwrap_or(first);
        let character = |stretch: &crate::SourceSpan, byte: usize| {
            let byte = byte.clamp(stretch.at, stretch.at + stretch.length);
            let before = self.text.get(stretch.at..byte).map_or(0, |text| text.chars().count());
            stretch.start + before as u64
        };
        let span = (character(first, range.start), character(last, range.end));
        Some(PassageSpan { span, page: first.page, last_page: last.page })
    }
}

impl SourceCitation {
    /// Refines the position by the page layout of the document.
    pub(super) fn locate_by(&mut self, layout: &dyn PageLayout) {
        if let Some(place) = self.span.and_then(|(start, end)| layout.place(start, end, &self.quote)) {
            self.place = PrintedPlace {
                page: place.page.or(self.place.page),
                last_page: place.last_page.or(self.place.last_page),
                rect: place.rect,
            };
        }
    }
}

/// A statement by its bytes in the answer.
struct StatementPart {
    range: Range<usize>,
    /// The text without citations.
    words: String,
    numbers: Vec<usize>,
    block: usize,
}

/// The sentences of a text with the citations in and after them.
fn parts(text: &str, marks: &[CitationMark]) -> Vec<StatementPart> {
    let bare = blank_citations(text, marks);
    let mut parts: Vec<StatementPart> = Vec::new();
    for (block, found) in blocks(&bare).into_iter().enumerate() {
        let inner = bare.get(found.start..found.end).unwrap_or_default();
        let lines = if inner.starts_with('|') { lines(inner) } else { sentences(inner) };
        let starts: Vec<usize> = lines.iter().map(|(start, _)| found.start + start).collect();
        for (at, (start, end)) in lines.into_iter().enumerate() {
            let (start, end) = (found.start + start, found.start + end);
            let next = starts.get(at + 1).copied().unwrap_or(found.end.max(end));
            // Includes brackets after the full stop, and those at the end of a block, which blanks replace in
            // `bare`.
            let until = if at + 1 == starts.len() { block_end(text, &bare, next) } else { next };
            let own: Vec<&CitationMark> =
                marks.iter().filter(|mark| mark.start >= start && mark.start < until).collect();
            let mut numbers: Vec<usize> = Vec::new();
            for number in own.iter().flat_map(|mark| &mark.numbers) {
                if !numbers.contains(number) {
                    numbers.push(*number);
                }
            }
            let end = own.iter().map(|mark| mark.end).fold(end, usize::max);
            let words = bare.get(start..end).unwrap_or_default().trim().to_owned();
            parts.push(StatementPart { range: start..end, words, numbers, block });
        }
    }
    parts
}

/// The end of the line of a byte: blanks in place of citations do not belong to a block.
fn block_end(text: &str, bare: &str, from: usize) -> usize {
    let rest = bare.get(from..).unwrap_or_default();
    let blank = rest.len() - rest.trim_start_matches([' ', '\n']).len();
    let line = text.get(from..from + blank).and_then(|rest| rest.find("\n\n")).unwrap_or(blank);
    from + line
}

/// The rows of a table, without the separator row.
fn lines(table: &str) -> Vec<(usize, usize)> {
    let mut at = 0;
    let mut rows = Vec::new();
    for line in table.split_inclusive('\n') {
        let end = at + line.trim_end().len();
        if line.contains(char::is_alphanumeric) {
            rows.push((at, end));
        }
        at += line.len();
    }
    rows
}

/// The text with blanks in place of its citations.
fn blank_citations(text: &str, marks: &[CitationMark]) -> String {
    let mut bare = text.to_owned();
    for mark in marks {
        if bare.is_char_boundary(mark.start) && bare.is_char_boundary(mark.end) {
            bare.replace_range(mark.start..mark.end, &" ".repeat(mark.end - mark.start));
        }
    }
    bare
}

/// Counts characters before ascending byte offsets.
struct CharCounter<'a> {
    text: &'a str,
    known: (usize, usize),
}

impl CharCounter<'_> {
    fn chars_before(&mut self, byte: usize) -> usize {
        let (from, count) = if byte < self.known.0 { (0, 0) } else { self.known };
        let between = self.text.get(from..byte).map_or(0, |text| text.chars().count());
        self.known = (byte, count + between);
        self.known.1
    }
}

#[cfg(test)]
mod tests {
    use super::super::citation_filter::{CitationFilter, CitationScope};
    use super::*;
    use crate::SourceSpan;

    fn item(n: usize, text: &str) -> ContextItem {
        let half = text.len() / 2;
        let stretch = |at: usize, length, start, page| SourceSpan { at, length, start, page: Some(page) };
        ContextItem {
            n,
            knowledge_id: None,
            id: n.to_string(),
            title: String::new(),
            page: Some(1),
            score: 1.0,
            text: text.to_owned(),
            stretches: vec![stretch(0, half, 100, 1), stretch(half, text.len() - half, 100 + half as u64, 2)],
            layout: None,
        }
    }

    fn told(text: &str, context: &[ContextItem]) -> Vec<(String, Vec<usize>, bool)> {
        let marks =
            CitationFilter::marks(CitationScope { numbers: context.len(), ..CitationScope::default() }, text);
        let characters: Vec<char> = text.chars().collect();
        let said =
            |one: Statement| (characters[one.start..one.end].iter().collect(), one.citations, one.supported);
        grounds(text, &marks, context).statements.into_iter().map(said).collect()
    }

    #[test]
    fn each_statement_has_its_citations_wherever_the_brackets_stand() {
        let context = [item(1, "The rent is £900 a month."), item(2, "The garden has nine beds.")];
        let text = "Überblick:\n\nThe rent is £900 a month. [1] The garden has nine beds [2]. It is £800 [1][2].\n\n- Beds: nine [2]\n- Moon: cheese [1]";
        let expected: [(&str, &[usize], bool); 6] = [
            ("Überblick:", &[], false),
            ("The rent is £900 a month. [1]", &[1], true),
            ("The garden has nine beds [2].", &[2], true),
            ("It is £800 [1][2].", &[1, 2], false),
            ("Beds: nine [2]", &[2], true),
            ("Moon: cheese [1]", &[1], false),
        ];
        let told = told(text, &context);
        for ((said, citations, supported), wanted) in told.iter().zip(expected) {
            let said = said.trim_start_matches("- ");
            assert_eq!((said, citations.as_slice(), *supported), wanted, "{told:?}");
        }
        assert_eq!(told.len(), 6);
    }

    #[test]
    fn a_statement_without_citation_rests_on_the_next_of_its_paragraph() {
        let context = [item(1, "The rent is £900 a month. It is due on the third.")];
        let told = told("The rent is £900. It is due on the third [1].\n\nThe rent is £900.", &context);
        let shown: Vec<(&[usize], bool)> =
            told.iter().map(|(_, citations, supported)| (citations.as_slice(), *supported)).collect();
        assert_eq!(shown, [([].as_slice(), true), ([1].as_slice(), true), ([].as_slice(), false)]);
    }

    #[test]
    fn a_citation_has_the_page_and_the_place_of_its_sentence() {
        let context = [item(1, "The rent is £900 in the year. The deposit is paid back in June.")];
        let text = "The deposit is paid back in June [1].";
        let marks = CitationFilter::marks(CitationScope { numbers: 1, ..CitationScope::default() }, text);
        let found = grounds(text, &marks, &context).citations;
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].quote, "The deposit is paid back in June.");
        let start = 100 + "The rent is £900 in the year. ".chars().count() as u64;
        assert_eq!(found[0].span.map(|span| span.0.abs_diff(start) <= 1), Some(true));
        assert!(found[0].place.page.is_some() && found[0].place.last_page == Some(2));
    }
}
