//! Tables with ruled cells.
//!
//! Crossing rules form a grid; a cell extends up to the next rule.

use super::disjoint_sets::DisjointSets;
use super::rules::{Rule, Rules};
use super::table::{Area, CellDraft};
use crate::pdf::word::Word;

/// Maximum rules of a page; above, it is a drawing. Protects time: `a_page_full_of_lines_is_read_in_time`.
const MAX_LINES: usize = 3_000;
/// Maximum distance between the ends of rules that meet, in points. Chosen by hand.
const MEET: f64 = 3.0;
/// Maximum cells of a grid. Protects memory.
const MAX_CELLS: usize = 40_000;
/// Minimum part of an edge that a rule must cover. Chosen by hand.
const COVER: f64 = 0.6;

/// A grid of rules.
#[derive(Debug)]
pub(super) struct Grid {
    pub(super) xs: Vec<f64>,
    pub(super) ys: Vec<f64>,
    across: Vec<Rule>,
    down: Vec<Rule>,
}

impl Grid {
    pub(super) fn area(&self) -> Area {
        let ends =
            |places: &[f64]| (places.first().copied().unwrap_or(0.0), places.last().copied().unwrap_or(0.0));
        let ((x0, x1), (y0, y1)) = (ends(&self.xs), ends(&self.ys));
        Area { x0, y0, x1, y1 }
    }
}

/// The grids formed by the rules of a page.
pub(super) fn grids(rules: &Rules) -> Vec<Grid> {
    let (across, down) = (&rules.across, &rules.down);
    if across.len() + down.len() > MAX_LINES {
        return Vec::new();
    }
    let mut sets = DisjointSets::new(across.len() + down.len());
    for (h, row) in across.iter().enumerate() {
        for (v, column) in down.iter().enumerate() {
            let meets = column.at >= row.from - MEET
                && column.at <= row.to + MEET
                && row.at >= column.from - MEET
                && row.at <= column.to + MEET;
            if meets {
                sets.join(h, across.len() + v);
            }
        }
    }
    let mut grids = Vec::new();
    for members in sets.groups() {
        let pick = |rules: &[Rule], shift: usize| -> Vec<Rule> {
            members.iter().filter_map(|m| rules.get(m.checked_sub(shift)?)).copied().collect()
        };
        grids.extend(grid(pick(across, 0), pick(down, across.len())));
    }
    grids
}

fn grid(across: Vec<Rule>, down: Vec<Rule>) -> Option<Grid> {
    if across.len() < 2 || down.is_empty() {
        return None;
    }
    let mut xs = places(down.iter().map(|rule| rule.at));
    let mut ys = places(across.iter().map(|rule| rule.at));
    // An open side ends where the crossing rules end.
    let ends = |rules: &[Rule]| {
        let from = rules.iter().map(|rule| rule.from).fold(f64::INFINITY, f64::min);
        (from, rules.iter().map(|rule| rule.to).fold(f64::NEG_INFINITY, f64::max))
    };
    close_borders(&mut xs, ends(&across));
    close_borders(&mut ys, ends(&down));
    let cells = (xs.len() - 1) * (ys.len() - 1);
    (cells > 1 && cells <= MAX_CELLS).then_some(Grid { xs, ys, across, down })
}

/// Merges positions that are closer than rules that meet.
fn places(at: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut at: Vec<f64> = at.collect();
    at.sort_by(f64::total_cmp);
    let mut places: Vec<(f64, f64, usize)> = Vec::new();
    for value in at {
        match places.last_mut() {
            Some((first, sum, count)) if value - *first <= MEET => {
                *sum += value;
                *count += 1;
            }
            _ => places.push((value, value, 1)),
        }
    }
    places.into_iter().map(|(_, sum, count)| sum / count as f64).collect()
}

fn close_borders(places: &mut Vec<f64>, (from, to): (f64, f64)) {
    /// Minimum distance in points of an open side from the outermost rule. Chosen by hand.
    const OPEN: f64 = 8.0;
    if places.first().is_some_and(|first| first - from > OPEN) {
        places.insert(0, from);
    }
    if places.last().is_some_and(|last| to - last > OPEN) {
        places.push(to);
    }
}

/// The cells of a grid with their words.
pub(super) fn cells(grid: &Grid, words: &[Word]) -> Vec<CellDraft> {
    let (rows, columns) = (grid.ys.len().saturating_sub(1), grid.xs.len().saturating_sub(1));
    let mut sets = DisjointSets::new(rows * columns);
    let span = |places: &[f64], index: usize| {
        (places.get(index).copied().unwrap_or(0.0), places.get(index + 1).copied().unwrap_or(0.0))
    };
    let edges = |places: &[f64], rules: &[Rule]| -> Vec<Vec<Rule>> {
        let near =
            |place: &f64| rules.iter().filter(|rule| (rule.at - place).abs() <= MEET).copied().collect();
        places.iter().map(near).collect()
    };
    let (down, across) = (edges(&grid.xs, &grid.down), edges(&grid.ys, &grid.across));
    let parts = |edges: &[Vec<Rule>], index: usize, from: f64, to: f64| {
        edges.get(index).is_some_and(|rules| is_covered(rules, from, to))
    };
    for row in 0..rows {
        let (top, bottom) = span(&grid.ys, row);
        for column in 0..columns {
            let (left, right) = span(&grid.xs, column);
            let cell = row * columns + column;
            if column + 1 < columns && !parts(&down, column + 1, top, bottom) {
                sets.join(cell, cell + 1);
            }
            if row + 1 < rows && !parts(&across, row + 1, left, right) {
                sets.join(cell, cell + columns);
            }
        }
    }
    let mut drafts = rectangles(&mut sets, columns);
    fill(&mut drafts, grid, words, rows, columns);
    drafts
}

/// Whether rules cover most of a range.
fn is_covered(rules: &[Rule], from: f64, to: f64) -> bool {
    rules.iter().map(|rule| rule.covers(from, to)).sum::<f64>() >= COVER * (to - from)
}

/// Merges the positions without a rule between them to cells, and extends each cell to a rectangle.
fn rectangles(sets: &mut DisjointSets, columns: usize) -> Vec<CellDraft> {
    /// Protects time: each extended cell may extend others.
    const MAX_ROUNDS: usize = 20;
    for _ in 0..MAX_ROUNDS {
        let mut changed = false;
        for members in sets.groups() {
            let (top, bottom, left, right) = bounds(&members, columns);
            if (bottom - top + 1) * (right - left + 1) == members.len() {
                continue;
            }
            let Some(first) = members.first().copied() else { continue };
            for row in top..=bottom {
                for column in left..=right {
                    changed |= sets.join(first, row * columns + column);
                }
            }
        }
        if !changed {
            break;
        }
    }
    let draft = |members: Vec<usize>| {
        let (top, bottom, left, right) = bounds(&members, columns);
        CellDraft {
            row: top,
            column: left,
            row_span: bottom - top + 1,
            column_span: right - left + 1,
            words: Vec::new(),
        }
    };
    sets.groups().into_iter().map(draft).collect()
}

fn bounds(members: &[usize], columns: usize) -> (usize, usize, usize, usize) {
    members.iter().fold((usize::MAX, 0, usize::MAX, 0), |(top, bottom, left, right), cell| {
        let (row, column) = (cell / columns.max(1), cell % columns.max(1));
        (top.min(row), bottom.max(row), left.min(column), right.max(column))
    })
}

fn fill(drafts: &mut [CellDraft], grid: &Grid, words: &[Word], rows: usize, columns: usize) {
    let mut owner = vec![usize::MAX; rows * columns];
    for (index, draft) in drafts.iter().enumerate() {
        for row in draft.row..draft.row + draft.row_span {
            for column in draft.column..draft.column + draft.column_span {
                if let Some(place) = owner.get_mut(row * columns + column) {
                    *place = index;
                }
            }
        }
    }
    for word in words {
        let y = f64::midpoint(word.top(), word.bottom());
        let row = grid.ys.partition_point(|place| *place <= y).saturating_sub(1);
        let column = grid.xs.partition_point(|place| *place <= word.middle()).saturating_sub(1);
        let place = owner.get(row.min(rows - 1) * columns + column.min(columns - 1));
        if let Some(draft) = place.and_then(|index| drafts.get_mut(*index)) {
            draft.words.push(word.clone());
        }
    }
}
