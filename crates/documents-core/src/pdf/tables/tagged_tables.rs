//! Tables declared by the tags of a page, when the layout does not contradict them.

use std::collections::{BTreeMap, HashMap};

use super::table::{CellDraft, Table, assemble};
use crate::pdf::tags::{Cell, Role};
use crate::pdf::word::Word;

/// Maximum mean letters of a cell; above, the table only positions text on the page. Chosen by hand.
const MAX_CELL_LETTERS: usize = 160;
/// Maximum letters of a label that is alone in a row below the others; longer ones are notes. Chosen by hand.
const MAX_LABEL: usize = 60;
/// A table with more than this part of another's words is the same table. Chosen by hand.
const MUCH: f64 = 0.6;
/// A table that fills its positions less than another by more than this is the worse one. Case:
/// `a_table_that_is_seen_is_preferred_to_tags_that_make_a_row_of_each_line`. Chosen by hand.
const SLACK: f64 = 0.05;
/// Maximum overlap of rows, in font sizes. Chosen by hand.
const OVERLAP: f64 = 0.5;

/// A table with its words.
type TableWithWords = (Table, Vec<Word>);

/// The tables that tags declare.
pub(super) fn declared_tables(words: &[Word]) -> Vec<TableWithWords> {
    let mut declared: BTreeMap<u32, Vec<Word>> = BTreeMap::new();
    for word in words {
        if let Some(cell) = cell(word) {
            declared.entry(cell.table).or_default().push(word.clone());
        }
    }
    declared.into_values().filter_map(table).collect()
}

/// Merges the declared and the detected tables. Of equal ones the better one is kept: tags that make a row of
/// each line leave many positions empty.
pub(super) fn prefer_tables(declared: Vec<TableWithWords>, seen: Vec<TableWithWords>) -> Vec<TableWithWords> {
    if declared.is_empty() {
        return seen;
    }
    let mut owners: HashMap<usize, usize> = HashMap::new();
    for (number, (_, words)) in seen.iter().enumerate() {
        owners.extend(words.iter().map(|word| (word.index, number)));
    }
    let mut seen: Vec<Option<TableWithWords>> = seen.into_iter().map(Some).collect();
    let mut kept = Vec::new();
    for (table, words) in declared {
        let mut shared: BTreeMap<usize, usize> = BTreeMap::new();
        for number in words.iter().filter_map(|word| owners.get(&word.index)) {
            *shared.entry(*number).or_default() += 1;
        }
        let is_worse = |(number, count): (&usize, &usize)| {
            let Some(Some((other, its_words))) = seen.get(*number) else { return false };
            let most = |part: usize, all: usize| part as f64 > MUCH * all as f64;
            let is_part = most(*count, words.len()) && !most(words.len(), its_words.len());
            is_part || filled(&table) + SLACK < filled(other)
        };
        if !shared.iter().any(is_worse) {
            for number in shared.keys() {
                seen.get_mut(*number).and_then(Option::take);
            }
            kept.push((table, words));
        }
    }
    kept.extend(seen.into_iter().flatten());
    kept
}

/// The part of a table's positions that its cells cover.
fn filled(table: &Table) -> f64 {
    let covered: usize = table.cells.iter().map(|cell| cell.row_span * cell.column_span).sum();
    covered as f64 / (table.rows * table.columns).max(1) as f64
}

fn cell(word: &Word) -> Option<Cell> {
    match word.tag?.role {
        Role::Cell(cell) => Some(cell),
        _ => None,
    }
}

fn table(words: Vec<Word>) -> Option<TableWithWords> {
    let mut cells: Cells = BTreeMap::new();
    for word in words {
        let cell = cell(&word)?;
        cells.entry((cell.row, cell.column)).or_insert_with(|| (cell, Vec::new())).1.push(word);
    }
    drop_titles(&mut cells);
    drop_notes(&mut cells);
    let words: Vec<Word> = cells.values().flat_map(|(_, words)| words.iter().cloned()).collect();
    let rows: Vec<u32> = distinct(cells.keys().map(|(row, _)| *row));
    let columns = distinct(cells.keys().map(|(_, column)| *column)).len();
    let letters = letters_of(&words);
    let placed = rows.len() >= 2 && columns >= 2 && letters <= MAX_CELL_LETTERS * cells.len();
    if !(placed && are_rows(&cells) && stand_below_each_other(&cells) && stand_beside_each_other(&cells)) {
        return None;
    }
    let header = |row: &&u32| row_of(&cells, **row).all(|(cell, _)| cell.header);
    let header_rows = rows.iter().take_while(header).count();
    // When all cells are headers, the tags carry no information about headers.
    let header_rows = if header_rows == rows.len() { 1 } else { header_rows };
    let after_header =
        header_rows.checked_sub(1).and_then(|last| rows.get(last)).map_or(0, |row| *row as usize + 1);
    let drafts = cells.into_values().map(|(cell, words)| CellDraft {
        row: cell.row as usize,
        column: cell.column as usize,
        row_span: cell.row_span as usize,
        column_span: cell.column_span as usize,
        words,
    });
    assemble(drafts.collect(), after_header).map(|table| (Table { is_tagged: true, ..table }, words))
}

/// The cells of a row.
fn row_of(cells: &Cells, row: u32) -> impl Iterator<Item = &(Cell, Vec<Word>)> {
    cells.range((row, 0)..=(row, u32::MAX)).map(|(_, cell)| cell)
}

fn letters_of(words: &[Word]) -> usize {
    words.iter().map(|word| word.text.chars().count() + 1).sum()
}

/// Removes text that is alone in a row above the columns: the title of the table.
fn drop_titles(cells: &mut Cells) {
    let stands_alone =
        |cells: &Cells| cells.keys().next().is_some_and(|(row, _)| row_of(cells, *row).count() == 1);
    while stands_alone(cells) {
        cells.pop_first();
    }
}

/// Removes long text that is alone in a row below the columns: notes on the table.
fn drop_notes(cells: &mut Cells) {
    let is_note = |cells: &Cells| {
        cells.last_key_value().is_some_and(|((row, _), (_, words))| {
            letters_of(words) > MAX_LABEL && row_of(cells, *row).count() == 1
        })
    };
    while is_note(cells) {
        cells.pop_last();
    }
}

/// Whether most rows have several cells, and text that is alone in a row is short: else the table only
/// positions text on the page.
fn are_rows(cells: &Cells) -> bool {
    let rows = distinct(cells.keys().map(|(row, _)| *row));
    let several = rows.iter().filter(|row| row_of(cells, **row).count() > 1).count();
    let is_prose = |row: &u32| {
        let mut own = row_of(cells, *row);
        own.next().is_some_and(|(_, words)| letters_of(words) > MAX_CELL_LETTERS) && own.next().is_none()
    };
    several * 2 >= rows.len() && !rows.iter().any(is_prose)
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

/// Whether the cells of most rows are side by side, from left to right or from right to left.
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
            right += usize::from(b0 + b1 > a0 + a1);
            left += usize::from(b0 + b1 < a0 + a1);
        }
    }
    // All but one of fifty pairs. Chosen by hand.
    all > 0 && right.max(left) * 50 >= all * 49
}
