//! Tables on a page: ruled ones by their lines, others by how their words stand.
//!
//! A table is taken out of the words of its page; a [placeholder](placeholder) stands at its place, so
//! that the reading order is told as for any other line.

mod ruled;
mod rules;
mod sets;
mod table;
mod write;

pub(super) use rules::{RuleCollector, Rules};
pub(super) use table::Table;
pub(super) use write::write;

use super::words::Word;
use table::{Draft, assemble};

/// Words of a page whose tables are looked for.
const MAX_WORDS: usize = 20_000;
/// Letters of a placeholder: as many as a line of prose has, so that columns of prose stay such.
const PLACEHOLDER_LETTERS: usize = 60;

/// Takes the tables out of the words of a page and leaves a placeholder for each.
pub(super) fn take(mut words: Vec<Word>, rules: &Rules) -> (Vec<Word>, Vec<Table>) {
    if words.len() > MAX_WORDS {
        return (words, Vec::new());
    }
    let mut tables = Vec::new();
    for grid in ruled::grids(rules) {
        let area = grid.area();
        let (inside, outside): (Vec<Word>, Vec<Word>) = words.into_iter().partition(|word| area.holds(word));
        words = outside;
        match ruled_table(&grid, &inside) {
            Some(table) => tables.push((table, inside)),
            None => words.extend(inside),
        }
    }
    let mut found = Vec::new();
    for (table, inside) in tables {
        words.extend(placeholder(&table, &inside, found.len()));
        found.push(table);
    }
    words.sort_by_key(|word| word.index);
    (words, found)
}

fn ruled_table(grid: &ruled::Grid, words: &[Word]) -> Option<Table> {
    let drafts = ruled::cells(grid, words);
    is_table(&drafts).then(|| assemble(drafts, 1)).flatten()
}

/// Several rows and columns with text.
fn is_table(drafts: &[Draft]) -> bool {
    let filled: Vec<&Draft> = drafts.iter().filter(|draft| !draft.words.is_empty()).collect();
    let rows = filled.iter().map(|draft| draft.row).collect::<std::collections::BTreeSet<_>>().len();
    let columns = filled.iter().map(|draft| draft.column).collect::<std::collections::BTreeSet<_>>().len();
    rows >= 2 && columns >= 2 && filled.len() >= 4
}

/// A word that stands where a table was.
fn placeholder(table: &Table, words: &[Word], number: usize) -> Option<Word> {
    let first = words.iter().min_by_key(|word| word.index)?;
    Some(Word {
        text: "\u{fffc}".repeat(PLACEHOLDER_LETTERS),
        x0: table.area.x0,
        x1: table.area.x1,
        y: table.area.y0 + 0.75 * first.size,
        size: first.size,
        index: first.index,
        rtl: false,
        spaced: (true, true),
        table: Some(number),
    })
}
