//! A document as lines of segments with their positions.

use std::cell::OnceCell;

use language::number::{decimal_separator, parse, pick_by_separator};

use super::cache::Cache;
use super::dates::DateSpan;

/// Maximum bytes of a line; longer lines are split at spaces. Bounds the time: patterns are searched in each
/// line.
const MAX_LINE: usize = 2_000;

/// The text of a document.
#[derive(Clone, Debug, Default)]
pub(crate) struct Text {
    pub(crate) lines: Vec<Line>,
    bytes: usize,
    /// Whether the day is before the month in dates such as 03/04/2018; `None` when unknown.
    pub(crate) day_first: Option<bool>,
    /// The decimal separator; `None` when unknown.
    pub(crate) decimal: Option<char>,
    pub(crate) cache: Cache,
}

/// A line that is not blank.
#[derive(Clone, Debug, Default)]
pub(crate) struct Line {
    pub(crate) text: String,
    /// Its start in the document, in Unicode characters.
    pub(crate) start: usize,
    /// Parts between wide gaps, tabs or table bars.
    pub(crate) segments: Vec<Segment>,
    /// Whether it is a row of a Markdown table.
    pub(crate) table: bool,
    /// Index of the first row of its table with the same number of segments.
    pub(crate) head: usize,
    /// Whether blank lines are before it.
    pub(crate) gap: bool,
    /// Index of the heading above it.
    pub(crate) heading: Option<usize>,
    /// Its dates, computed on first use.
    dates: OnceCell<Vec<DateSpan>>,
}

/// A part of a line, by bytes of the line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Segment {
    pub(crate) start: usize,
    pub(crate) end: usize,
}

impl Line {
    /// The dates of the line; `day_first` is that of its text.
    pub(crate) fn dates(&self, day_first: Option<bool>) -> &[DateSpan] {
        self.dates.get_or_init(|| super::dates::dates(&self.text, day_first))
    }

    pub(crate) fn slice(&self, start: usize, end: usize) -> &str {
        self.text.get(start..end).unwrap_or_default()
    }

    pub(crate) fn segment(&self, index: usize) -> &str {
        self.segments.get(index).map_or("", |segment| self.slice(segment.start, segment.end))
    }

    /// Index of the segment with a byte.
    pub(crate) fn segment_at(&self, byte: usize) -> usize {
        self.segments
            .iter()
            .position(|segment| byte < segment.end)
            .unwrap_or(self.segments.len().saturating_sub(1))
    }

    /// The position of a byte of the line in the document, in Unicode characters.
    pub(crate) fn offset(&self, byte: usize) -> usize {
        self.start + self.slice(0, byte).chars().count()
    }
}

impl Text {
    /// Parses at most `room` bytes of a text.
    pub(crate) fn read(text: &str, room: usize) -> Self {
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
        let day_first = super::dates::day_first(&lines);
        let decimal = decimal_separator(std::iter::once(text));
        Self { lines, bytes: text.len().min(room), day_first, decimal, cache: Cache::default() }
    }

    /// The only number of a printed text.
    pub(crate) fn number(&self, printed: &str) -> Option<f64> {
        parse(printed, |readings| pick_by_separator(readings, self.decimal))
    }

    pub(crate) fn heading(&self, line: usize) -> Option<&str> {
        self.lines.get(self.lines.get(line)?.heading?).map(|line| line.text.as_str())
    }

    /// Estimated tokens: four bytes each.
    pub(crate) fn tokens(&self) -> usize {
        self.bytes / 4
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
            lines.push(Line {
                text: piece.to_owned(),
                start,
                segments,
                table,
                head: 0,
                gap,
                heading: None,
                dates: OnceCell::new(),
            });
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
