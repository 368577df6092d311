//! Tables: which of them are data tables, and their rows.

use html::{Id, Tree};

/// Maximum columns. Protects memory.
const COLUMNS: usize = 60;
/// Maximum rows. Protects memory.
const ROWS: usize = 5_000;

/// A table while it is being written.
#[derive(Debug)]
pub(super) struct Table {
    pub(super) id: Id,
    rows: Vec<Vec<String>>,
    /// For each column, the first row that no row span from above covers.
    free_from: Vec<usize>,
}

/// Whether it is a data table; else it is a layout table.
pub(crate) fn holds_data(tree: &Tree<'_>, id: Id) -> bool {
    if tree.raw_attribute(id, "role").is_some_and(|role| matches!(role, "presentation" | "none")) {
        return false;
    }
    let (mut rows, mut wide, mut in_row) = (0_usize, 0_usize, 0_usize);
    let (mut all, mut blocks, mut heads) = (0_usize, 0_usize, 0_usize);
    for below in tree.range(id).skip(1) {
        match tree.name(below) {
            "table" | "form" | "pre" | "article" | "section" | "h1" => return false,
            "tr" => {
                rows += 1;
                in_row = 0;
            }
            name @ ("td" | "th") => {
                all += 1;
                heads += usize::from(name == "th");
                in_row += 1;
                wide += usize::from(in_row == 2);
            }
            "p" | "div" | "ul" | "ol" | "h2" | "h3" | "h4" | "blockquote" => blocks += 1,
            _ => {}
        }
    }
    let is_grid = rows >= 2 && wide * 2 >= rows && blocks <= all + all / 2;
    is_grid || rows == 1 && heads > 0 && all > 1
}

impl Table {
    pub(super) fn new(id: Id) -> Self {
        Self { id, rows: Vec::new(), free_from: Vec::new() }
    }

    pub(super) fn row(&mut self) {
        if self.rows.len() < ROWS {
            self.rows.push(Vec::new());
        }
    }

    /// Starts a row group, which ends the row spans of the one before.
    pub(super) fn group(&mut self) {
        self.free_from.clear();
    }

    /// Adds a cell with its row and column span in the first free column of its row. The other covered
    /// positions stay empty.
    pub(super) fn cell(&mut self, text: &str, (rows, columns): (usize, usize)) {
        if self.rows.is_empty() {
            self.row();
        }
        let at = self.rows.len();
        let Some(row) = self.rows.last_mut() else { return };
        while self.free_from.get(row.len()).is_some_and(|free| *free > at) {
            row.push(String::new());
        }
        if row.len() < COLUMNS {
            let first = row.len();
            row.push(text.replace('\n', " ").replace('|', "\\|"));
            let more = columns.saturating_sub(1).min(COLUMNS - row.len());
            row.extend(std::iter::repeat_n(String::new(), more));
            if self.free_from.len() < row.len() {
                self.free_from.resize(row.len(), 0);
            }
            self.free_from[first..row.len()].fill(at.saturating_add(rows));
        }
    }

    /// The table as a pipe table; its first row is the header.
    pub(super) fn markdown(mut self) -> String {
        self.rows.retain(|row| row.iter().any(|cell| !cell.is_empty()));
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or_default();
        let mut out = String::new();
        for (place, row) in self.rows.iter().enumerate() {
            out.push('|');
            for column in 0..columns {
                out.push(' ');
                out.push_str(row.get(column).map_or("", String::as_str));
                out.push_str(" |");
            }
            out.push('\n');
            if place == 0 {
                out.push('|');
                out.push_str(&" --- |".repeat(columns));
                out.push('\n');
            }
        }
        out.truncate(out.trim_end().len());
        out
    }
}
