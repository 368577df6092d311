//! A table found on a page.

use crate::pdf::lines::{line, rows};
use crate::pdf::word::Word;

/// A rectangle in the rotated space of a flow, `y` down.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::pdf) struct Area {
    pub(in crate::pdf) x0: f64,
    pub(in crate::pdf) y0: f64,
    pub(in crate::pdf) x1: f64,
    pub(in crate::pdf) y1: f64,
}

impl Area {
    /// The bounding box of words.
    pub(super) fn enclosing<'w>(words: impl IntoIterator<Item = &'w Word>) -> Option<Self> {
        words
            .into_iter()
            .map(|word| Self { x0: word.x0, y0: word.top(), x1: word.x1, y1: word.bottom() })
            .reduce(Self::union)
    }

    pub(super) fn union(self, other: Self) -> Self {
        Self {
            x0: self.x0.min(other.x0),
            y0: self.y0.min(other.y0),
            x1: self.x1.max(other.x1),
            y1: self.y1.max(other.y1),
        }
    }

    /// Whether the middle of a word lies inside.
    pub(super) fn contains(&self, word: &Word) -> bool {
        let (x, y) = (word.middle(), f64::midpoint(word.top(), word.bottom()));
        x > self.x0 && x < self.x1 && y > self.y0 && y < self.y1
    }
}

/// A cell: its grid position and its words.
#[derive(Clone, Debug)]
pub(in crate::pdf) struct TableCell {
    pub(in crate::pdf) row: usize,
    pub(in crate::pdf) column: usize,
    pub(in crate::pdf) row_span: usize,
    pub(in crate::pdf) column_span: usize,
    pub(in crate::pdf) text: String,
    /// Its page, if that is not the table's first.
    pub(in crate::pdf) page: Option<u32>,
    /// The area of its text.
    pub(in crate::pdf) area: Area,
}

#[derive(Clone, Debug)]
pub(in crate::pdf) struct Table {
    pub(in crate::pdf) area: Area,
    pub(in crate::pdf) rows: usize,
    pub(in crate::pdf) columns: usize,
    /// Number of header rows at the top.
    pub(in crate::pdf) header_rows: usize,
    /// Pages on which it continues, each with its first row there.
    pub(in crate::pdf) pages: Vec<(u32, usize)>,
    /// Non-empty cells, by row and column.
    pub(in crate::pdf) cells: Vec<TableCell>,
    /// Whether tags determined the order of its columns.
    pub(super) is_tagged: bool,
}

impl Table {
    /// Mirrors the columns, for right-to-left tables.
    pub(super) fn mirror(&mut self) {
        for cell in &mut self.cells {
            cell.column = self.columns.saturating_sub(cell.column + cell.column_span);
        }
        self.cells.sort_by_key(|cell| (cell.row, cell.column));
    }
}

/// A cell before its text is assembled.
#[derive(Clone, Debug, Default)]
pub(super) struct CellDraft {
    pub(super) row: usize,
    pub(super) column: usize,
    pub(super) row_span: usize,
    pub(super) column_span: usize,
    pub(super) words: Vec<Word>,
}

/// Assembles a table from its cells. Empty cells are left out, and rows and columns without any text of their
/// own are dropped.
pub(super) fn assemble(mut drafts: Vec<CellDraft>, header_rows: usize) -> Option<Table> {
    drafts.retain(|draft| !draft.words.is_empty());
    let area = Area::enclosing(drafts.iter().flat_map(|draft| &draft.words))?;
    let kept_rows = starts(drafts.iter().map(|draft| draft.row));
    let kept_columns = starts(drafts.iter().map(|draft| draft.column));
    let header_rows = kept_rows.iter().filter(|row| **row < header_rows).count();
    let mut cells: Vec<TableCell> =
        drafts.into_iter().filter_map(|draft| cell(draft, &kept_rows, &kept_columns)).collect();
    cells.sort_by_key(|cell| (cell.row, cell.column));
    Some(Table {
        area,
        rows: kept_rows.len(),
        columns: kept_columns.len(),
        header_rows,
        pages: Vec::new(),
        cells,
        is_tagged: false,
    })
}

fn starts(places: impl Iterator<Item = usize>) -> Vec<usize> {
    let mut starts: Vec<usize> = places.collect();
    starts.sort_unstable();
    starts.dedup();
    starts
}

fn cell(draft: CellDraft, rows_kept: &[usize], columns_kept: &[usize]) -> Option<TableCell> {
    let area = Area::enclosing(&draft.words)?;
    let (row, row_span) = place(rows_kept, draft.row, draft.row_span);
    let (column, column_span) = place(columns_kept, draft.column, draft.column_span);
    Some(TableCell { row, column, row_span, column_span, text: text(draft.words), page: None, area })
}

fn place(kept: &[usize], start: usize, span: usize) -> (usize, usize) {
    let first = kept.partition_point(|place| *place < start);
    let after = kept.partition_point(|place| *place < start + span);
    (first, (after - first).max(1))
}

/// The words of a cell as text; words hyphenated at the end of a line are joined.
fn text(words: Vec<Word>) -> String {
    let mut text = String::new();
    for line in rows(words).iter().filter_map(|row| line(row)) {
        let goes_on = line.text.starts_with(char::is_lowercase);
        match text.strip_suffix(['-', '\u{2010}']) {
            Some(stem) if goes_on && stem.ends_with(char::is_lowercase) => text.truncate(stem.len()),
            _ if text.is_empty() => {}
            _ => text.push('\n'),
        }
        text.push_str(&line.text);
    }
    text
}
