//! Resolves the spans of table cells. Files may declare spans that overlap, or exceed the table.

use crate::new_cell::NewCell;

/// The positions of a table that are covered so far, row by row.
#[derive(Debug)]
pub(crate) struct CellCoverage<'t> {
    rows: &'t [Vec<NewCell>],
    width: usize,
    /// For each column, the first row that no span from above covers.
    free_from: Vec<usize>,
}

impl<'t> CellCoverage<'t> {
    pub(crate) fn of(rows: &'t [Vec<NewCell>], width: usize) -> Self {
        Self { rows, width, free_from: vec![0; width] }
    }

    /// The row and column span of a cell with text: as declared, but clipped at the table's edge and at other
    /// cells with text or their spans. Call it in the order of the cells.
    pub(crate) fn claim_span(&mut self, cell: &NewCell, row: usize, column: usize) -> (u32, u32) {
        let wanted = |span: u32| usize::try_from(span).unwrap_or(usize::MAX).max(1);
        let right = column.saturating_add(wanted(cell.column_span)).min(self.width);
        let below = row.saturating_add(wanted(cell.row_span)).min(self.rows.len());
        let taken = (column + 1..right).find(|next| !self.is_free(row, *next));
        let right = taken.unwrap_or(right).max(column + 1);
        let taken = (row + 1..below).find(|next| (column..right).any(|column| self.has_text(*next, column)));
        let below = taken.unwrap_or(below).max(row + 1);
        for free_from in self.free_from.iter_mut().take(right).skip(column) {
            *free_from = below;
        }
        let span = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        (span(below - row), span(right - column))
    }

    fn is_free(&self, row: usize, column: usize) -> bool {
        !self.has_text(row, column) && self.free_from.get(column).is_none_or(|free_from| *free_from <= row)
    }

    fn has_text(&self, row: usize, column: usize) -> bool {
        self.rows.get(row).and_then(|line| line.get(column)).is_some_and(|cell| !cell.text.trim().is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell(text: &str, row_span: u32, column_span: u32) -> NewCell {
        NewCell { row_span, column_span, ..NewCell::plain(text, false) }
    }

    fn spans(rows: &[Vec<NewCell>]) -> Vec<(u32, u32)> {
        let mut covered = CellCoverage::of(rows, rows[0].len());
        let mut spans = Vec::new();
        for (row, line) in rows.iter().enumerate() {
            for (column, cell) in line.iter().enumerate().filter(|(_, cell)| !cell.text.is_empty()) {
                spans.push(covered.claim_span(cell, row, column));
            }
        }
        spans
    }

    #[test]
    fn a_cell_covers_what_it_asks_for_where_nothing_is_in_the_way() {
        let empty = || cell("", 1, 1);
        let rows = [
            vec![cell("a", 2, 2), empty(), cell("b", 1, 1)],
            vec![empty(), empty(), cell("c", 1, 1)],
            vec![cell("d", 1, 3), empty(), empty()],
        ];
        assert_eq!(spans(&rows), [(2, 2), (1, 1), (1, 1), (1, 3)]);
    }

    #[test]
    fn a_cell_ends_before_another_one_and_at_the_end_of_the_table() {
        let empty = || cell("", 1, 1);
        let rows = [
            vec![cell("a", 9, 9), empty(), cell("b", u32::MAX, u32::MAX)],
            vec![empty(), empty(), empty()],
            vec![empty(), cell("c", 0, 0), empty()],
        ];
        assert_eq!(spans(&rows), [(2, 2), (3, 1), (1, 1)]);
        let rows = [vec![empty(), cell("a", 2, 1), empty()], vec![cell("b", 1, 3), empty(), empty()]];
        assert_eq!(spans(&rows), [(2, 1), (1, 1)]);
    }
}
