//! Tables that the tags of a page declare, where what is seen does not contradict them.

use std::collections::BTreeMap;

use super::table::{Draft, Table, assemble};
use crate::pdf::tags::{Cell, Role};
use crate::pdf::words::Word;

/// Letters of a cell on average, at the most: with more, the table only places text on the page.
const MAX_CELL_LETTERS: usize = 160;
/// Rows may overlap by this many sizes of their text.
const OVERLAP: f64 = 0.5;

/// Takes the words of tagged tables out of those of a page.
pub(super) fn take(words: &mut Vec<Word>) -> Vec<(Table, Vec<Word>)> {
    let mut declared: BTreeMap<u32, Vec<Word>> = BTreeMap::new();
    for word in words.iter() {
        if let Some(cell) = cell(word) {
            declared.entry(cell.table).or_default().push(word.clone());
        }
    }
    let mut tables = Vec::new();
    for (number, inside) in declared {
        if let Some(table) = table(&inside) {
            words.retain(|word| cell(word).is_none_or(|cell| cell.table != number));
            tables.push((table, inside));
        }
    }
    tables
}

fn cell(word: &Word) -> Option<Cell> {
    match word.tag?.role {
        Role::Cell(cell) => Some(cell),
        _ => None,
    }
}

fn table(words: &[Word]) -> Option<Table> {
    let mut cells: BTreeMap<(u32, u32), (Cell, Vec<Word>)> = BTreeMap::new();
    for word in words {
        let cell = cell(word)?;
        let own = &mut cells.entry((cell.row, cell.column)).or_insert_with(|| (cell, Vec::new())).1;
        own.push(word.clone());
    }
    let rows: Vec<u32> = distinct(cells.keys().map(|(row, _)| *row));
    let columns = distinct(cells.keys().map(|(_, column)| *column)).len();
    let letters: usize = words.iter().map(|word| word.text.chars().count() + 1).sum();
    let placed = rows.len() >= 2 && columns >= 2 && letters <= MAX_CELL_LETTERS * cells.len();
    if !(placed && stand_below_each_other(&cells) && stand_beside_each_other(&cells)) {
        return None;
    }
    let header = |row: &&u32| {
        let mut own =
            cells.iter().filter(|((place, _), _)| place == *row).map(|(_, (cell, _))| cell.header).peekable();
        own.peek().is_some() && own.all(|header| header)
    };
    let header_rows = rows.iter().take_while(header).count();
    // A table all of whose cells are headers says nothing by it.
    let header_rows = if header_rows == rows.len() { 1 } else { header_rows };
    let after_header =
        header_rows.checked_sub(1).and_then(|last| rows.get(last)).map_or(0, |row| *row as usize + 1);
    let drafts = cells.into_values().map(|(cell, words)| Draft {
        row: cell.row as usize,
        column: cell.column as usize,
        row_span: cell.row_span as usize,
        column_span: cell.column_span as usize,
        words,
    });
    assemble(drafts.collect(), after_header)
}

fn distinct(places: impl Iterator<Item = u32>) -> Vec<u32> {
    let mut places: Vec<u32> = places.collect();
    places.sort_unstable();
    places.dedup();
    places
}

/// Cells by their row and column.
type Cells = BTreeMap<(u32, u32), (Cell, Vec<Word>)>;

/// Whether each row begins below the one before it.
fn stand_below_each_other(cells: &Cells) -> bool {
    let mut tops: BTreeMap<u32, (f64, f64)> = BTreeMap::new();
    for ((row, _), (_, words)) in cells {
        for word in words {
            let top = tops.entry(*row).or_insert((f64::INFINITY, word.size));
            *top = (top.0.min(word.top()), top.1.max(word.size));
        }
    }
    let tops: Vec<(f64, f64)> = tops.into_values().collect();
    tops.windows(2)
        .all(|pair| matches!(pair, [above, below] if below.0 > above.0 - OVERLAP * above.1.min(below.1)))
        && tops.first().zip(tops.last()).is_some_and(|(first, last)| last.0 > first.0)
}

/// Whether the cells of most rows stand beside each other, from left to right or from right to left.
fn stand_beside_each_other(cells: &Cells) -> bool {
    let mut rows: BTreeMap<u32, Vec<(f64, f64)>> = BTreeMap::new();
    for ((row, _), (_, words)) in cells {
        let x0 = words.iter().map(|word| word.x0).fold(f64::INFINITY, f64::min);
        let x1 = words.iter().map(|word| word.x1).fold(x0, f64::max);
        rows.entry(*row).or_default().push((x0, x1));
    }
    let (mut right, mut left, mut all) = (0, 0, 0);
    for pair in rows.values().flat_map(|row| row.windows(2)) {
        if let [(a0, a1), (b0, b1)] = pair {
            all += 1;
            right += usize::from(f64::midpoint(*b0, *b1) > *a1);
            left += usize::from(f64::midpoint(*b0, *b1) < *a0);
        }
    }
    all > 0 && right.max(left) * 10 >= all * 9
}
