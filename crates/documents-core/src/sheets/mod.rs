//! Spreadsheets: one heading and one table for each non-empty sheet.
//!
//! Cells are stored sparsely: the declared size of a sheet costs nothing. Rows and columns without values are
//! left out. Hidden sheets are read like others, since other sheets look up their values.

mod ods;
mod package;
mod value;
mod xls;
mod xlsb;
mod xlsx;

use std::collections::BTreeSet;

use document::{BlockKind, ParseError};

use crate::Limits;
use crate::builder::Builder;
use crate::new_cell::NewCell;

pub(crate) use ods::parse_ods;
pub(crate) use xls::parse_xls;
pub(crate) use xlsb::parse_xlsb;
pub(crate) use xlsx::parse_xlsx;

/// Maximum sheets of one workbook. Protects time and memory.
const SHEETS: usize = 1_000;
/// Maximum positions of a table for each of its values; above, the sheet is written as lines. Protects
/// memory: two values may be a million rows apart. Chosen by hand; no measurement recorded.
const SPARSENESS: usize = 200;
/// Maximum records that are examined for each value. Protects time.
const STEPS: usize = 20;
/// Maximum merged regions of a sheet. Protects time and memory.
const MERGES: usize = 100_000;

/// A sheet that is being read.
#[derive(Debug, Default)]
struct Sheet {
    name: String,
    /// Row, column and text, in any order.
    cells: Vec<(u32, u32, String)>,
    /// First row and column, last row and column.
    merges: Vec<((u32, u32), (u32, u32))>,
}

impl Sheet {
    fn named(name: &str) -> Self {
        Self { name: name.to_owned(), ..Self::default() }
    }

    /// Adds a merged region, up to the maximum.
    fn merge(&mut self, start: (u32, u32), end: (u32, u32)) {
        if self.merges.len() < MERGES {
            self.merges.push((start, end));
        }
    }
}

/// The remaining cells and text of a workbook.
#[derive(Debug)]
struct SheetBudget {
    cells: usize,
    bytes: usize,
    /// Records that may still be examined, with and without values.
    steps: usize,
    /// Whether something was left out.
    cut: bool,
    used: bool,
}

impl SheetBudget {
    fn new(limits: &Limits) -> Self {
        Self {
            cells: limits.cells,
            bytes: limits.text_bytes,
            steps: limits.cells.saturating_mul(STEPS),
            cut: false,
            used: false,
        }
    }

    /// Counts a record; false when the limit is reached.
    fn step(&mut self) -> bool {
        let more = self.steps > 0;
        self.steps = self.steps.saturating_sub(1);
        self.cut |= !more;
        more
    }

    /// An unreadable sheet keeps only its name. A limit error is returned as long as no sheet has any value.
    fn tolerate_error(&mut self, error: ParseError) -> Result<(), ParseError> {
        if matches!(error, ParseError::Limit(_)) && !self.used {
            return Err(error);
        }
        self.cut = true;
        Ok(())
    }

    /// Adds a value to a sheet; returns whether the limit is reached.
    fn add(&mut self, sheet: &mut Sheet, (row, column): (u32, u32), text: String) -> bool {
        if text.trim().is_empty() {
            return false;
        }
        if self.cells == 0 || text.len() > self.bytes {
            self.cut = true;
            return true;
        }
        self.used = true;
        self.cells -= 1;
        self.bytes -= text.len();
        sheet.cells.push((row, column, text));
        false
    }
}

/// Writes a sheet: its name, and its values as a table.
fn write(builder: &mut Builder, mut sheet: Sheet, limits: &Limits) {
    if !sheet.name.trim().is_empty() {
        builder.block(BlockKind::Heading { level: 2 }, "## ", sheet.name.trim());
    }
    sheet.cells.sort_by_key(|(row, column, _)| (*row, *column));
    let rows: BTreeSet<u32> = sheet.cells.iter().map(|(row, ..)| *row).collect();
    let columns: BTreeSet<u32> = sheet.cells.iter().map(|(_, column, _)| *column).collect();
    let places = rows.len().saturating_mul(columns.len());
    if places > sheet.cells.len().saturating_mul(SPARSENESS) || places > limits.cells {
        write_lines(builder, sheet.cells);
        return;
    }
    let columns: Vec<u32> = columns.into_iter().collect();
    let rows: Vec<u32> = rows.into_iter().collect();
    let mut table: Vec<Vec<NewCell>> = vec![Vec::new(); rows.len()];
    for (row, column, text) in sheet.cells {
        let (Ok(line), Ok(place)) = (rows.binary_search(&row), columns.binary_search(&column)) else {
            continue;
        };
        let line_of = &mut table[line];
        // Of two values at one position, the first one stays.
        if line_of.len() <= place {
            line_of.resize_with(place, || NewCell::plain("", line == 0));
            line_of.push(NewCell::plain(text, line == 0));
        }
    }
    for (start, end) in sheet.merges {
        let (Ok(line), Ok(place)) = (rows.binary_search(&start.0), columns.binary_search(&start.1)) else {
            continue;
        };
        if let Some(cell) = table.get_mut(line).and_then(|line| line.get_mut(place)) {
            cell.row_span = covered(&rows, start.0, end.0);
            cell.column_span = covered(&columns, start.1, end.1);
        }
    }
    builder.table(&table, limits);
}

/// How many of the kept rows or columns lie from `first` to `last`.
fn covered(kept: &[u32], first: u32, last: u32) -> u32 {
    let after = kept.partition_point(|one| *one <= last);
    let count = after.saturating_sub(kept.partition_point(|one| *one < first));
    u32::try_from(count).unwrap_or(u32::MAX).max(1)
}

/// Writes sparse values as one line per row, since a table would be mostly empty.
fn write_lines(builder: &mut Builder, cells: Vec<(u32, u32, String)>) {
    let mut line = String::new();
    let mut last = None;
    for (row, _, text) in cells {
        if last.is_some_and(|last| last != row) {
            builder.block(BlockKind::Paragraph, "", &std::mem::take(&mut line));
        }
        if !line.is_empty() {
            line.push_str(" | ");
        }
        line.push_str(text.trim());
        last = Some(row);
    }
    if !line.is_empty() {
        builder.block(BlockKind::Paragraph, "", &line);
    }
}
