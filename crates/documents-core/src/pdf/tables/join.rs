//! Joins tables that continue on the next page: the last content of a page and the first of the next, with
//! the same header or aligned columns.

use super::table::{Table, TableCell};
use crate::Limits;
use crate::pdf::page_layout::LaidOutPage;

/// Tolerance of equal table edges and columns, in points. Chosen by hand.
const NEAR: f64 = 12.0;

/// Joins tables of consecutive pages.
pub(in crate::pdf) fn join(sheets: &mut [LaidOutPage], limits: &Limits) {
    let mut open = sheets.first().and_then(last_table).map(|table| (0, table));
    for index in 1..sheets.len() {
        let (before, rest) = sheets.split_at_mut(index);
        let Some(sheet) = rest.first_mut() else { break };
        let upper =
            open.and_then(|(page, table)| before.get_mut(page)?.flows.first_mut()?.tables.get_mut(table));
        let joined = upper.is_some_and(|upper| take_up(upper, sheet, limits));
        sheet.joined = joined;
        // A table may continue beyond a page that it fills. Text beside it comes after the table, which
        // therefore ends there.
        if !(joined && sheet.main_lines().next().is_none()) {
            open = last_table(sheet).map(|table| (index, table));
        } else if has_text_beside(sheet) {
            open = None;
        }
    }
}

/// Whether a page has text in other directions than its main one.
fn has_text_beside(sheet: &LaidOutPage) -> bool {
    sheet.flows.iter().skip(1).any(|flow| flow.regions.iter().any(|region| !region.is_empty()))
}

/// The table at the end of a page.
fn last_table(sheet: &LaidOutPage) -> Option<usize> {
    sheet.main_lines().last()?.table
}

/// Adds the table at the beginning of a page to `upper` and removes it from the page, if it is a
/// continuation.
fn take_up(upper: &mut Table, sheet: &mut LaidOutPage, limits: &Limits) -> bool {
    let Some(number) = sheet.main_lines().next().and_then(|line| line.table) else { return false };
    let page = sheet.number;
    let Some(flow) = sheet.flows.first_mut() else { return false };
    let Some(lower) = flow.tables.get_mut(number) else { return false };
    let Some(header) = repeated_header_rows(upper, lower, limits) else { return false };
    let first = upper.rows;
    upper.pages.push((page, first));
    for cell in std::mem::take(&mut lower.cells).into_iter().filter(|cell| cell.row >= header) {
        upper.cells.push(TableCell { row: first + cell.row - header, page: Some(page), ..cell });
    }
    upper.rows += lower.rows - header;
    // Regions may be empty after running headers and footers were removed.
    if let Some(region) = flow.regions.iter_mut().find(|region| !region.is_empty()) {
        region.remove(0);
    }
    flow.regions.retain(|region| !region.is_empty());
    true
}

/// Number of rows at the top of `lower` that repeat the header of `upper`; `None` when it is another table.
fn repeated_header_rows(upper: &Table, lower: &Table, limits: &Limits) -> Option<usize> {
    let fits = (upper.rows + lower.rows).saturating_mul(upper.columns) <= limits.cells;
    if upper.columns != lower.columns || !fits {
        return None;
    }
    let header = upper.header_rows;
    if header > 0 && header < lower.rows && top(upper, header) == top(lower, header) {
        return Some(header);
    }
    (stand_alike(upper, lower) && !names_columns(upper, lower)).then_some(0)
}

/// The cells of the first rows.
fn top(table: &Table, rows: usize) -> Vec<(usize, usize, &str)> {
    let cells = table.cells.iter().filter(|cell| cell.row < rows);
    cells.map(|cell| (cell.row, cell.column, cell.text.as_str())).collect()
}

/// Whether two tables and their columns have the same positions on their pages.
fn stand_alike(upper: &Table, lower: &Table) -> bool {
    let near = |a: f64, b: f64| (a - b).abs() < NEAR;
    let alike = |(a, b): ((f64, f64), (f64, f64))| {
        near(a.0, b.0) || near(a.1, b.1) || near(f64::midpoint(a.0, a.1), f64::midpoint(b.0, b.1))
    };
    let (above, below) = (columns(upper), columns(lower));
    near(upper.area.x0, lower.area.x0) && above.into_iter().zip(below).all(alike)
}

/// The horizontal range of each column's text.
fn columns(table: &Table) -> Vec<(f64, f64)> {
    let mut columns = vec![(f64::INFINITY, f64::NEG_INFINITY); table.columns];
    for cell in table.cells.iter().filter(|cell| cell.column_span == 1) {
        if let Some(column) = columns.get_mut(cell.column) {
            *column = (column.0.min(cell.area.x0), column.1.max(cell.area.x1));
        }
    }
    columns
}

/// Whether the first row of `lower` names columns that have numbers in `upper`: then it is a header of its
/// own.
fn names_columns(upper: &Table, lower: &Table) -> bool {
    let is_number = |cell: &&TableCell| {
        cell.text.contains(|c: char| c.is_ascii_digit()) && !cell.text.contains(char::is_alphabetic)
    };
    let numeric = |column: usize| {
        let own = || upper.cells.iter().filter(|cell| cell.column == column && cell.row >= upper.header_rows);
        own().filter(is_number).count() * 2 > own().count()
    };
    let first = lower.cells.iter().filter(|cell| cell.row == 0 && cell.column > 0 && numeric(cell.column));
    let (all, names) =
        first.fold((0, 0), |(all, names), cell| (all + 1, names + usize::from(!is_number(&cell))));
    names * 2 > all
}
