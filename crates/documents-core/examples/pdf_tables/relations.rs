//! Adjacency relations after Göbel, Hassan, Oro and Orsi, "A Methodology for Evaluating Algorithms for Table
//! Understanding in PDF Documents" (DocEng 2012). Each cell with text forms a relation with its nearest
//! neighbour with text to the right and below. Found relations are compared with the true ones.

use std::collections::{BTreeMap, BTreeSet};

/// A table as the score needs it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Table {
    pub(crate) page: u32,
    pub(crate) cells: Vec<Cell>,
}

/// A cell; ends are inclusive.
#[derive(Clone, Debug)]
pub(crate) struct Cell {
    pub(crate) rows: (usize, usize),
    pub(crate) columns: (usize, usize),
    pub(crate) text: String,
}

/// Relations: two neighbouring texts on a page, horizontal or vertical, with their number.
pub(crate) type Relations = BTreeMap<(u32, String, String, bool), usize>;

/// The relations of the tables of one document.
pub(crate) fn relations(tables: &[Table]) -> Relations {
    let mut relations = Relations::new();
    for table in tables {
        for ((a, b), down) in neighbours(table) {
            let text = |index: usize| normal(&table.cells[index].text);
            *relations.entry((table.page, text(a), text(b), down)).or_default() += 1;
        }
    }
    relations
}

fn neighbours(table: &Table) -> Vec<((usize, usize), bool)> {
    let mut grid: BTreeMap<(usize, usize), usize> = BTreeMap::new();
    let mut turned: BTreeMap<(usize, usize), usize> = BTreeMap::new();
    for (index, cell) in table.cells.iter().enumerate() {
        if normal(&cell.text).is_empty() {
            continue;
        }
        for row in cell.rows.0..=cell.rows.1 {
            for column in cell.columns.0..=cell.columns.1 {
                grid.insert((row, column), index);
                turned.insert((column, row), index);
            }
        }
    }
    let mut found: BTreeSet<((usize, usize), bool)> = BTreeSet::new();
    for (map, down) in [(&grid, false), (&turned, true)] {
        let entries: Vec<_> = map.iter().collect();
        for pair in entries.windows(2) {
            let ((line, _), a) = pair[0];
            let ((next, _), b) = pair[1];
            if line == next && a != b {
                found.insert(((*a, *b), down));
            }
        }
    }
    found.into_iter().collect()
}

/// Only letters and digits; without any, the other characters, dashes normalised.
fn normal(text: &str) -> String {
    let kept: String = text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_uppercase).collect();
    if !kept.is_empty() {
        return kept;
    }
    let dash = |c| if matches!(c, '\u{2010}'..='\u{2015}' | '\u{2212}') { '-' } else { c };
    text.chars().filter(|c| !c.is_whitespace()).map(dash).collect()
}

/// Numbers of true, found and common relations.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Score {
    pub(crate) expected: usize,
    pub(crate) found: usize,
    pub(crate) right: usize,
}

impl Score {
    pub(crate) fn of(expected: &Relations, found: &Relations) -> Self {
        let right = expected.iter().map(|(key, n)| *n.min(found.get(key).unwrap_or(&0))).sum();
        Self { expected: expected.values().sum(), found: found.values().sum(), right }
    }

    pub(crate) fn add(&mut self, other: Self) {
        self.expected += other.expected;
        self.found += other.found;
        self.right += other.right;
    }

    pub(crate) fn precision(&self) -> f64 {
        self.right as f64 / (self.found.max(1)) as f64
    }

    pub(crate) fn recall(&self) -> f64 {
        self.right as f64 / (self.expected.max(1)) as f64
    }

    pub(crate) fn f(&self) -> f64 {
        2.0 * self.right as f64 / ((self.expected + self.found).max(1)) as f64
    }
}
