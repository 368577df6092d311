//! The context above a position in a document: its headings, and the header of its table.

use std::ops::Range;

use super::super::text::line_shape::LineShape;

/// Bytes of one context line. Bounds the prompt: it is repeated in each part. Chosen by hand; no measurement
/// is recorded.
const MAX_LINE: usize = 500;
/// Consecutive lines outside a table after which its header no longer applies: a page's footer and header may
/// stand between two rows. As `row_search::MAX_BETWEEN`. Chosen by hand; no measurement is recorded.
const MAX_BETWEEN: usize = 12;

/// Collects, line by line, the context that is repeated for later parts of the text.
#[derive(Debug, Default)]
pub(super) struct HeadingContext {
    /// Open headings so far, with their levels.
    open: Vec<(u8, Range<usize>)>,
    /// The header of the current table, one or two lines.
    head: Option<Range<usize>>,
    /// The previous line, if it may be a header.
    before: Option<Range<usize>>,
    /// The previous line, if it stands in a Markdown table. It is a header if a rule follows.
    cells_before: Option<Range<usize>>,
    /// The shape of the table's last row.
    row: Option<LineShape>,
    /// Lines since that row.
    between: usize,
    /// The context lines from each byte on, in order.
    states: Vec<(usize, Vec<Range<usize>>)>,
}

impl HeadingContext {
    /// A heading starts in the line.
    pub(super) fn add_heading(&mut self, level: u8, line: Range<usize>) {
        self.open.retain(|(above, _)| *above < level);
        self.open.push((level, line.clone()));
        self.head = None;
        self.row = None;
        self.push_state(line.end);
    }

    /// Adds the next line of the text.
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
            // The line above the rule of a Markdown table is its header.
            if let Some(before) = self.cells_before.take().or(self.before.take()) {
                self.set_head(Some(before.start..line.end), line.end);
            }
            return;
        }
        // The last row of a table is no header of the lines after it.
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
            self.before = None;
            self.cells_before = in_table.then(|| line.clone());
            return;
        }
        self.cells_before = None;
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

    /// The context of a part that starts at `start`. Call it only after all lines were added.
    pub(super) fn context_at(&self, text: &str, start: usize) -> String {
        let state = self.states.partition_point(|(from, _)| *from <= start);
        let Some((_, lines)) = state.checked_sub(1).and_then(|at| self.states.get(at)) else {
            return String::new();
        };
        let line = |range: &Range<usize>| {
            let line = text.get(range.clone()).unwrap_or_default().trim();
            // The head of a table may be twice as long.
            line.get(..line.floor_char_boundary(2 * MAX_LINE)).unwrap_or_default()
        };
        lines.iter().map(line).filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n")
    }
}
