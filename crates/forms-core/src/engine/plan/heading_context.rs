//! What stands above a place in a document: the headings that it is under, and the head of the table that it
//! is in.

use std::ops::Range;

use super::super::text::line_shape::LineShape;

/// Bytes of one line that is repeated.
const MAX_LINE: usize = 500;
/// Lines in a row that are none of a table's, after which its head no longer counts: a page's foot and head
/// may stand between two rows.
const MAX_BETWEEN: usize = 12;

/// Collects, line by line, what a later part of the text is shown of what stands above it.
#[derive(Debug, Default)]
pub(super) struct HeadingContext {
    /// Headings above the lines so far, with their levels.
    open: Vec<(u8, Range<usize>)>,
    /// The head of the table so far, of one or two lines.
    head: Option<Range<usize>>,
    /// The line before, if it may be a head.
    before: Option<Range<usize>>,
    /// The shape of the last row of the table.
    row: Option<LineShape>,
    /// Lines since then.
    between: usize,
    /// From which byte on which lines are shown, in order.
    states: Vec<(usize, Vec<Range<usize>>)>,
}

impl HeadingContext {
    /// A heading begins in the line.
    pub(super) fn add_heading(&mut self, level: u8, line: Range<usize>) {
        self.open.retain(|(above, _)| *above < level);
        self.open.push((level, line.clone()));
        self.head = None;
        self.row = None;
        self.push_state(line.end);
    }

    /// The next line of the text.
    pub(super) fn add_line(
        &mut self,
        text: &str,
        line: Range<usize>,
        shape: Option<&LineShape>,
        in_table: bool,
    ) {
        let slice = text.get(line.clone()).unwrap_or_default();
        let is_rule = shape.is_none() && slice.trim_start().starts_with('|');
        if is_rule {
            // What stands above the rule of a Markdown table is its head.
            if let Some(before) = self.before.take() {
                self.set_head(Some(before.start..line.end), line.end);
            }
            return;
        }
        let is_row = in_table || shape.is_some_and(LineShape::is_telling);
        let goes_on = match (&self.row, shape) {
            (Some(row), Some(shape)) => row.is_like(shape),
            _ => false,
        };
        if is_row {
            if !goes_on && !in_table && self.between == 0 {
                let head = self.before.take();
                if self.row.is_none() || head.is_some() {
                    self.set_head(head, line.start);
                }
            }
            self.row = shape.cloned();
            self.between = 0;
            self.before = if in_table { Some(line.clone()) } else { None };
            return;
        }
        if !slice.trim().is_empty() {
            self.between += 1;
            if self.between > MAX_BETWEEN && self.head.is_some() {
                self.row = None;
                self.set_head(None, line.start);
            }
            let words = slice.split_whitespace().count();
            let is_head = words > 1 && slice.len() <= MAX_LINE && !slice.chars().any(char::is_numeric);
            self.before = is_head.then(|| line.clone());
            if self.before.is_some() && self.row.is_none() {
                self.between = 0;
            }
        }
    }

    fn set_head(&mut self, head: Option<Range<usize>>, from: usize) {
        if self.head != head {
            self.head = head;
            self.push_state(from);
        }
    }

    fn push_state(&mut self, from: usize) {
        let headings = self.open.iter().map(|(_, line)| line.clone());
        self.states.push((from, headings.chain(self.head.clone()).collect()));
    }

    /// What a part that begins at `start` is shown; places must be asked for after all lines were given.
    pub(super) fn context_at(&self, text: &str, start: usize) -> String {
        let state = self.states.partition_point(|(from, _)| *from <= start);
        let Some((_, lines)) = state.checked_sub(1).and_then(|at| self.states.get(at)) else {
            return String::new();
        };
        let line = |range: &Range<usize>| {
            let line = text.get(range.clone()).unwrap_or_default().trim();
            line.get(..line.floor_char_boundary(2 * MAX_LINE)).unwrap_or_default()
        };
        lines.iter().map(line).filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n")
    }
}
