//! A document as lines of segments with their positions.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use super::concepts::{Word, words};

/// Maximum bytes of a line; longer lines are split at spaces. Bounds the time: patterns are searched in each
/// line.
const MAX_LINE: usize = 2_000;

/// Maximum cached labels, and maximum bytes of one.
const MAX_LABELS: usize = 4_096;
const MAX_LABEL: usize = 120;

/// A document as its lines that are not blank.
#[derive(Clone, Debug, Default)]
pub struct TextLines {
    /// The lines in order.
    pub lines: Vec<Line>,
    /// The concepts of labels, which several fields need.
    words: RefCell<HashMap<String, Rc<[Word]>>>,
}

/// A line that is not blank.
#[derive(Clone, Debug, Default)]
pub struct Line {
    /// Its text, without the line break.
    pub text: String,
    /// Its start in the document, in Unicode characters.
    pub start: usize,
    /// Parts between wide gaps, tabs or table bars.
    pub segments: Vec<Segment>,
    /// Whether it is a row of a Markdown table.
    pub table: bool,
    /// Index of the first row of its table with the same number of segments.
    pub head: usize,
    /// Whether blank lines are before it.
    pub gap: bool,
    /// Index of the heading above it.
    pub heading: Option<usize>,
}

/// A part of a line, by bytes of the line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Segment {
    /// Its first byte.
    pub start: usize,
    /// The byte after it.
    pub end: usize,
}

impl Line {
    /// The text between two bytes; empty if they are outside the line or within a character.
    #[must_use]
    pub fn slice(&self, start: usize, end: usize) -> &str {
        self.text.get(start..end).unwrap_or_default()
    }

    /// The text of a segment; empty if there is none of this index.
    #[must_use]
    pub fn segment(&self, index: usize) -> &str {
        self.segments.get(index).map_or("", |segment| self.slice(segment.start, segment.end))
    }

    /// Index of the segment with a byte.
    #[must_use]
    pub fn segment_at(&self, byte: usize) -> usize {
        self.segments
            .iter()
            .position(|segment| byte < segment.end)
            .unwrap_or(self.segments.len().saturating_sub(1))
    }

    /// The position of a byte of the line in the document, in Unicode characters.
    #[must_use]
    pub fn offset(&self, byte: usize) -> usize {
        self.start + self.slice(0, byte).chars().count()
    }
}

impl TextLines {
    /// Parses at most `room` bytes of a text.
    #[must_use]
    pub fn read(text: &str, room: usize) -> Self {
        let mut lines = Vec::new();
        let (mut start, mut bytes, mut gap) = (0, 0, false);
        for raw in text.split('\n') {
            let count = raw.chars().count();
            if bytes > room {
                break;
            }
            bytes += raw.len() + 1;
            if raw.trim().is_empty() {
                gap = true;
            } else if !is_rule(raw) {
                push_line(&mut lines, raw, start, gap);
                gap = false;
            }
            start += count + 1;
        }
        mark_headings(&mut lines);
        mark_heads(&mut lines);
        Self { lines, words: RefCell::default() }
    }

    /// The concepts of a label, as [`words`].
    #[must_use]
    pub fn words(&self, label: &str) -> Rc<[Word]> {
        if let Some(known) = self.words.borrow().get(label) {
            return Rc::clone(known);
        }
        let found: Rc<[Word]> = words(label).into();
        let mut kept = self.words.borrow_mut();
        if label.len() <= MAX_LABEL && kept.len() < MAX_LABELS {
            kept.insert(label.to_owned(), Rc::clone(&found));
        }
        found
    }

    /// The heading above a line.
    #[must_use]
    pub fn heading(&self, line: usize) -> Option<&str> {
        self.lines.get(self.lines.get(line)?.heading?).map(|line| line.text.as_str())
    }
}

/// Maximum lines below a heading without markup. A party with its address and data is shorter. Chosen by
/// hand; no measurement is recorded.
const HEADING_REACH: usize = 12;

fn mark_headings(lines: &mut [Line]) {
    let mut current: Option<(usize, bool)> = None;
    for (index, line) in lines.iter_mut().enumerate() {
        let marked = line.text.trim_start().starts_with('#');
        if marked || is_heading(line) {
            current = Some((index, marked));
        } else {
            let reached = current.filter(|(heading, marked)| *marked || index - heading <= HEADING_REACH);
            line.heading = reached.map(|(heading, _)| heading);
        }
    }
}

fn mark_heads(lines: &mut [Line]) {
    let mut before: Option<(usize, usize)> = None;
    for (index, line) in lines.iter_mut().enumerate() {
        let width = line.segments.len();
        let head = before.filter(|(_, columns)| *columns == width).map_or(index, |(head, _)| head);
        line.head = head;
        before = line.table.then_some((head, width));
    }
}

/// Whether a line is a few words alone after a blank line, or ends with a colon.
fn is_heading(line: &Line) -> bool {
    let text = line.text.trim();
    let colon = text.find(':');
    let alone = colon.is_none() && line.gap || colon.is_some_and(|at| at + 1 == text.len());
    alone
        && !line.table
        && line.segments.len() == 1
        // More are a sentence. Chosen by hand; no measurement is recorded.
        && text.split_whitespace().count() <= 5
        && !text.chars().any(|c| c.is_ascii_digit())
        && text.chars().any(char::is_alphabetic)
}

/// Whether a line is the separator of a Markdown table, or drawn with characters.
fn is_rule(line: &str) -> bool {
    line.chars().all(|c| matches!(c, '|' | '-' | ':' | ' ' | '=' | '_' | '*' | '.' | '+' | '~'))
}

fn push_line(lines: &mut Vec<Line>, raw: &str, start: usize, gap: bool) {
    let mut rest = raw;
    let (mut start, mut gap) = (start, gap);
    while !rest.is_empty() {
        let cut = if rest.len() <= MAX_LINE {
            rest.len()
        } else {
            let limit = (0..=MAX_LINE).rev().find(|&i| rest.is_char_boundary(i)).unwrap_or(rest.len());
            rest.get(..limit).and_then(|part| part.rfind(' ')).map_or(limit, |space| space + 1)
        };
        let (piece, after) = rest.split_at(cut);
        if !piece.trim().is_empty() {
            let table = piece.trim_start().starts_with('|') && piece.matches('|').count() > 1;
            let segments = if table { bars(piece) } else { gaps(piece) };
            lines.push(Line { text: piece.to_owned(), start, segments, table, head: 0, gap, heading: None });
            gap = false;
        }
        start += piece.chars().count();
        rest = after;
    }
}

/// The cells between bars; an escaped bar does not separate.
fn bars(line: &str) -> Vec<Segment> {
    let mut segments = Vec::new();
    let (mut begin, mut escaped) = (None, false);
    for (index, c) in line.char_indices() {
        if c == '|' && !escaped {
            if let Some(start) = begin {
                segments.push(trim_segment(line, start, index));
            }
            begin = Some(index + 1);
        }
        escaped = c == '\\' && !escaped;
    }
    segments
}

/// The parts between tabs, or two or more spaces.
fn gaps(line: &str) -> Vec<Segment> {
    let mut segments = Vec::new();
    let mut start = 0;
    let mut spaces = 0;
    for (index, c) in line.char_indices() {
        if c == ' ' || c == '\t' {
            spaces += if c == '\t' { 2 } else { 1 };
            continue;
        }
        if spaces >= 2 && !line.get(start..index).unwrap_or_default().trim().is_empty() {
            segments.push(trim_segment(line, start, index));
            start = index;
        }
        spaces = 0;
    }
    segments.push(trim_segment(line, start, line.len()));
    segments
}

fn trim_segment(line: &str, start: usize, end: usize) -> Segment {
    let part = line.get(start..end).unwrap_or_default();
    let begin = start + (part.len() - part.trim_start().len());
    Segment { start: begin, end: (begin + part.trim().len()).max(begin) }
}
