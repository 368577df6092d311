//! Parses tables.

use html::Tag;

use super::elements::is_inline;
use crate::new_cell::NewCell;

/// Maximum row or column span of a cell, as in browsers for columns (HTML, 4.9.11). Protects memory.
const MAX_SPAN: u32 = 1_000;

/// A table that is being parsed. Nested tables add their text to the outer cell.
#[derive(Default)]
pub(super) struct Table {
    rows: Vec<Vec<NewCell>>,
    /// The first row of each row group.
    groups: Vec<usize>,
    depth: usize,
    in_cell: bool,
    cells: usize,
}

impl Table {
    /// The text of the open cell.
    pub(super) fn open_cell(&mut self) -> Option<&mut String> {
        if !self.in_cell {
            return None;
        }
        self.rows.last_mut().and_then(|row| row.last_mut()).map(|cell| &mut cell.text)
    }

    /// Handles a tag within the table; returns whether it ended the table. Cells beyond `limit` are left out.
    pub(super) fn element(&mut self, start: bool, tag: &Tag<'_>, limit: usize) -> bool {
        let inner = self.depth > 1;
        match (tag.name, start) {
            ("table", true) => self.depth += 1,
            ("table", false) => {
                self.depth = self.depth.saturating_sub(1);
                return self.depth == 0;
            }
            ("tr", true) if !inner => {
                self.in_cell = false;
                self.rows.push(Vec::new());
            }
            ("thead" | "tbody" | "tfoot", true) if !inner => {
                self.in_cell = false;
                self.groups.push(self.rows.len());
            }
            ("td" | "th", true) if !inner && self.cells < limit => self.begin_cell(tag),
            ("td" | "th" | "tr", false) if !inner => self.in_cell = false,
            _ => {
                // Elements within a cell separate words.
                if let Some(cell) = self.rows.last_mut().and_then(|row| row.last_mut())
                    && !is_inline(tag.name)
                {
                    cell.text.push(' ');
                }
            }
        }
        false
    }

    fn begin_cell(&mut self, tag: &Tag<'_>) {
        self.in_cell = true;
        self.cells += 1;
        if self.rows.is_empty() {
            self.rows.push(Vec::new());
        }
        let cell = NewCell {
            text: String::new(),
            // A row span of 0 reaches to the end of the row group.
            row_span: Some(span(tag, "rowspan")).filter(|rows| *rows > 0).unwrap_or(MAX_SPAN),
            column_span: span(tag, "colspan").max(1),
            header: tag.name == "th",
        };
        if let Some(row) = self.rows.last_mut() {
            row.push(cell);
        }
    }

    /// Its rows with text, with every cell in its column.
    pub(super) fn into_rows(self, limit: usize) -> Vec<Vec<NewCell>> {
        let mut rows = place_cells(self.rows, &self.groups, limit);
        rows.retain(|row| row.iter().any(|cell| !cell.text.trim().is_empty()));
        rows
    }
}

/// Puts cells into their columns. Covered positions stay empty. Beyond `limit` positions, spans count as 1.
/// No cell spans into the next row group; `groups` has the first row of each.
fn place_cells(rows: Vec<Vec<NewCell>>, groups: &[usize], limit: usize) -> Vec<Vec<NewCell>> {
    let mut left = limit;
    // For each column, the first row that no cell above covers.
    let mut free_from: Vec<usize> = Vec::new();
    let mut out = Vec::with_capacity(rows.len());
    for (at, row) in rows.into_iter().enumerate() {
        if groups.contains(&at) {
            free_from.clear();
        }
        let mut line: Vec<NewCell> = Vec::new();
        for cell in row {
            while left > 0 && free_from.get(line.len()).is_some_and(|free| *free > at) {
                line.push(NewCell::plain("", false));
                left -= 1;
            }
            let (column, height) = (line.len(), cell.row_span as usize);
            let width = (cell.column_span as usize).min(left.max(1));
            line.push(cell);
            line.resize_with(column + width, || NewCell::plain("", false));
            left = left.saturating_sub(width);
            if free_from.len() < line.len() {
                free_from.resize(line.len(), 0);
            }
            free_from[column..column + width].fill(at + height);
        }
        out.push(line);
    }
    out
}

fn span(tag: &Tag<'_>, name: &str) -> u32 {
    tag.attribute(name).and_then(|value| value.trim().parse().ok()).unwrap_or(1).min(MAX_SPAN)
}
