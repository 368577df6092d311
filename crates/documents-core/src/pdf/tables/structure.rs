//! Derives the rows and cells of a table from its lines of text and its rules.

use super::columns::{CellPiece, median, pieces, put, strips};
use super::headers::{
    CELL_TIGHT, TIGHTER, column_bounds, header_lines, is_tight_header, names_parts, put_below, span_by_lines,
    split_header, starts_small, widen, without_section,
};
use super::page_lines::{TextLine, space};
use super::rules::Rules;
use super::table::{Area, CellDraft};

/// Minimum part of a table's width that a horizontal rule must cover to separate rows. Chosen by hand.
const COVER: f64 = 0.6;

/// Maximum cells of a table, empty ones included. Protects memory.
const MAX_CELLS: usize = 40_000;

/// A table's rows with cells, before their text is assembled.
#[derive(Debug)]
pub(super) struct Structure {
    pub(super) rows: Vec<Vec<CellPiece>>,
    pub(super) columns: usize,
    pub(super) header_rows: usize,
}

impl Structure {
    pub(super) fn drafts(self) -> Vec<CellDraft> {
        let rows = self.rows.into_iter().enumerate();
        rows.flat_map(|(row, pieces)| {
            pieces.into_iter().map(move |piece| CellDraft {
                row,
                column: piece.first,
                row_span: 1,
                column_span: piece.last - piece.first + 1,
                words: piece.words,
            })
        })
        .collect()
    }
}

/// The structure of lines of text that are a table.
pub(super) fn structure(lines: &[TextLine], rules: &Rules) -> Option<Structure> {
    let area = Area::enclosing(lines.iter().flat_map(|line| &line.words))?;
    let strips = strips(lines, rules, area);
    let columns = strips.len() + 1;
    if columns * lines.len() > MAX_CELLS {
        return None;
    }
    let mut cells: Vec<Vec<CellPiece>> = lines.iter().map(|line| pieces(line, &strips)).collect();
    let parted = partings(lines, rules, area);
    let ruled = parted.iter().filter(|parted| **parted).count();
    let header = without_section(&cells, header_lines(&cells, &parted, columns));
    let bounds = column_bounds(cells.get(header..).unwrap_or_default(), columns);
    for line in cells.iter_mut().take(header) {
        *line = line.drain(..).flat_map(|piece| split_header(piece, &strips, &bounds)).collect();
    }
    let loose = row_space(lines, header);
    for (index, line) in cells.iter_mut().enumerate().take(header) {
        let pair = lines.get(index..index + 2).unwrap_or_default();
        let apart = parted.get(index) == Some(&true) || !is_tight_header(pair, loose);
        if index + 1 < header && !span_by_lines(line, pair, rules, &bounds) {
            widen(line, &bounds, apart);
        } else if index + 1 == header {
            widen(line, &bounds, false);
        }
    }
    let view = RowContext { lines, cells: &cells, parted: &parted, header, loose, ruled };
    let mut rows: Vec<Vec<CellPiece>> = Vec::new();
    let mut header_rows = 0;
    for (index, line) in cells.iter().enumerate() {
        match rows.last_mut().filter(|row| index > 0 && view.joins(index - 1, row)) {
            Some(row) if index < header => line.iter().for_each(|piece| put_below(row, piece.clone())),
            Some(row) => line.iter().for_each(|piece| put(row, piece.clone())),
            None => {
                rows.push(line.clone());
                header_rows += usize::from(index < header);
            }
        }
    }
    Some(Structure { rows, columns, header_rows: header_rows.max(1) })
}

/// The indices of lines that end rows, if values are stacked in one of their cells.
pub(super) fn row_ends(lines: &[TextLine], cells: &[Vec<CellPiece>]) -> Vec<usize> {
    if !has_stacked_values(cells) {
        return Vec::new();
    }
    let parted = vec![false; lines.len()];
    let view = RowContext { lines, cells, parted: &parted, header: 0, loose: row_space(lines, 0), ruled: 0 };
    let mut ends = Vec::new();
    let mut row: Vec<CellPiece> = Vec::new();
    for (index, line) in cells.iter().enumerate() {
        if index > 0 && !view.joins(index - 1, &row) {
            ends.push(index - 1);
            row.clear();
        }
        line.iter().for_each(|piece| put(&mut row, piece.clone()));
    }
    ends
}

/// Whether a column consists of several values only.
fn has_stacked_values(cells: &[Vec<CellPiece>]) -> bool {
    let columns = cells.iter().flatten().map(|piece| piece.last + 1).max().unwrap_or(0);
    (0..columns).any(|column| {
        let own = || cells.iter().flatten().filter(|piece| piece.first == column);
        own().count() > 1 && own().all(CellPiece::is_value)
    })
}

/// For each line of text, whether a horizontal rule separates it from the next.
fn partings(lines: &[TextLine], rules: &Rules, area: Area) -> Vec<bool> {
    let middle = |line: &TextLine| f64::midpoint(line.top, line.bottom);
    lines
        .windows(2)
        .map(|pair| match pair {
            [above, below] => {
                let between =
                    rules.across.iter().filter(|rule| rule.at > middle(above) && rule.at < middle(below));
                let covered: f64 = between.map(|rule| rule.covers(area.x0, area.x1)).sum();
                covered > COVER * (area.x1 - area.x0)
            }
            _ => false,
        })
        .collect()
}

/// The typical space between rows below the header: the upper quartile.
fn row_space(lines: &[TextLine], header: usize) -> f64 {
    let body = lines.get(header..).unwrap_or_default();
    let mut spaces: Vec<f64> = body.windows(2).map(space).collect();
    spaces.sort_by(f64::total_cmp);
    spaces.get(spaces.len() * 3 / 4).copied().unwrap_or(0.0)
}

/// Context for deciding whether lines of text are one row.
struct RowContext<'v> {
    lines: &'v [TextLine],
    cells: &'v [Vec<CellPiece>],
    parted: &'v [bool],
    header: usize,
    loose: f64,
    ruled: usize,
}

impl RowContext<'_> {
    /// Whether the line below `above`, which ends `row` so far, belongs to the same row.
    fn joins(&self, above: usize, row: &[CellPiece]) -> bool {
        let below = above + 1;
        if self.parted.get(above).copied().unwrap_or(false) || (above < self.header) != (below < self.header)
        {
            return false;
        }
        let (Some(pair), Some(upper), Some(lower)) =
            (self.lines.get(above..=below), self.cells.get(above), self.cells.get(below))
        else {
            return false;
        };
        let size = median(pair.iter().map(|line| line.size));
        let space = space(pair);
        if below < self.header {
            return is_tight_header(pair, self.loose) && !names_parts(upper, lower);
        }
        if values_clash(row, lower) {
            return false;
        }
        if self.ruled * 2 > self.lines.len().saturating_sub(self.header) {
            return true;
        }
        if space < self.loose - TIGHTER * size {
            return true;
        }
        space < CELL_TIGHT * size && continues(upper, lower)
    }
}

/// Whether two lines have values in the same column: a cell has only one.
fn values_clash(upper: &[CellPiece], lower: &[CellPiece]) -> bool {
    lower.iter().filter(|piece| piece.is_value()).any(|piece| {
        upper.iter().any(|other| other.is_value() && other.first <= piece.last && piece.first <= other.last)
    })
}

/// Whether a line continues the cells of the line above it.
fn continues(upper: &[CellPiece], lower: &[CellPiece]) -> bool {
    let (Some(first_above), Some(first)) = (upper.first(), lower.first()) else { return false };
    let small = starts_small(first);
    let below_text = lower.iter().all(|piece| {
        !piece.is_value() && upper.iter().any(|other| other.first <= piece.last && piece.first <= other.last)
    });
    if below_text && lower.len() < upper.len() && lower.iter().all(starts_small) {
        return true;
    }
    if first.first > 0 && first_above.first == 0 {
        return below_text;
    }
    let alone_above = upper.len() == 1 && first_above.first == 0;
    let alone = lower.len() == 1 && first.first == 0;
    let hyphen = first_above.words.last().is_some_and(|word| word.text.ends_with(['-', ',', '/', '&']));
    (alone || alone_above) && first.first == 0 && (small || hyphen)
}
