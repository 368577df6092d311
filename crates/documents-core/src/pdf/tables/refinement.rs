//! Refines a ruled table by its words: columns without a rule between them, cells that rules separate only in
//! some rows, and rows of values without a rule between them.

use super::columns::{CellPiece, strips};
use super::page_lines::TextLine;
use super::ruled_tables::Grid;
use super::rules::Rules;
use super::structure::row_ends;
use super::table::CellDraft;
use crate::pdf::lines::rows;
use crate::pdf::word::Word;

/// Tolerance of equal positions on a grid, in points. Chosen by hand.
const NEAR: f64 = 2.0;

/// Maximum rows at the top that may be headers, and maximum lines of a header. Chosen by hand.
const MAX_HEADER: usize = 6;

/// Adds columns without a rule, where at least half of the lines of a column have words on both sides of a
/// strip.
pub(super) fn add_columns(grid: &mut Grid, words: &[Word]) {
    let lines: Vec<TextLine> = rows(words.to_vec()).into_iter().filter_map(TextLine::of).collect();
    let mut added = Vec::new();
    for strip in strips(&lines, &Rules::default(), grid.area()) {
        if grid.xs.iter().any(|x| *x > strip.0 - NEAR && *x < strip.1 + NEAR) {
            continue;
        }
        let after = grid.xs.partition_point(|x| *x < strip.0);
        let own = after.checked_sub(1).and_then(|before| grid.xs.get(before)).zip(grid.xs.get(after));
        let Some((left, right)) = own else { continue };
        let (mut all, mut both) = (0, 0);
        for line in &lines {
            let sides = |from: f64, to: f64| {
                line.words.iter().any(|word| word.x0 >= from - NEAR && word.x1 <= to + NEAR)
            };
            let (on_left, on_right) = (sides(*left, strip.0), sides(strip.1, *right));
            all += usize::from(on_left || on_right);
            both += usize::from(on_left && on_right);
        }
        if both > 1 && both * 2 >= all {
            added.push(f64::midpoint(strip.0, strip.1));
        }
    }
    grid.xs.extend(added);
    grid.xs.sort_by(f64::total_cmp);
}

/// Splits cells over several columns where their words are separated at the edges of the columns.
pub(super) fn part_columns(drafts: Vec<CellDraft>, grid: &Grid) -> Vec<CellDraft> {
    let mut parted = Vec::with_capacity(drafts.len());
    for draft in drafts {
        let cuts = cuts(&draft, grid);
        let (row, row_span) = (draft.row, draft.row_span);
        let mut start = draft.column;
        let mut words = draft.words;
        for cut in cuts.into_iter().chain([draft.column + draft.column_span]) {
            let edge = grid.xs.get(cut).copied().unwrap_or(f64::INFINITY);
            let (own, rest): (Vec<Word>, Vec<Word>) =
                words.into_iter().partition(|word| word.middle() < edge);
            parted.push(CellDraft { row, row_span, column: start, column_span: cut - start, words: own });
            (start, words) = (cut, rest);
        }
    }
    parted
}

/// The columns at whose left edge the words of a cell are separated.
fn cuts(draft: &CellDraft, grid: &Grid) -> Vec<usize> {
    if draft.column_span < 2 {
        return Vec::new();
    }
    line_cuts(&lines_of(draft), draft, grid)
}

fn lines_of(draft: &CellDraft) -> Vec<TextLine> {
    rows(draft.words.clone()).into_iter().filter_map(TextLine::of).collect()
}

/// The same for some of its lines.
fn line_cuts(lines: &[TextLine], draft: &CellDraft, grid: &Grid) -> Vec<usize> {
    (draft.column + 1..draft.column + draft.column_span)
        .filter(|column| {
            let Some(edge) = grid.xs.get(*column) else { return false };
            let crossed = lines
                .iter()
                .flat_map(|line| &line.runs)
                .any(|run| run.0 < edge - NEAR && run.1 > edge + NEAR);
            let apart = lines
                .iter()
                .any(|line| line.gaps().iter().any(|gap| gap.0 < edge + NEAR && gap.1 > edge - NEAR));
            apart && !crossed
        })
        .collect()
}

/// Separates headers over several columns from the headers of each column below them in the same cell,
/// without a rule between.
pub(super) fn part_headers(drafts: Vec<CellDraft>, grid: &Grid) -> Vec<CellDraft> {
    let names: Vec<Option<f64>> = drafts.iter().map(|draft| name_end(draft, grid)).collect();
    let mut added = [0; MAX_HEADER + 1];
    for (draft, _) in drafts.iter().zip(&names).filter(|(_, name)| name.is_some()) {
        if let Some(place) = added.get_mut(draft.row + 1) {
            *place = 1;
        }
    }
    // Rows added above each row.
    let above = |row: usize| -> usize { added.iter().take(row + 1).sum() };
    let mut parted = Vec::with_capacity(drafts.len());
    for (draft, name) in drafts.into_iter().zip(names) {
        let row = draft.row + above(draft.row);
        let row_span = draft.row_span + above(draft.row + draft.row_span) - above(draft.row);
        let Some(end) = name else {
            parted.push(CellDraft { row, row_span, ..draft });
            continue;
        };
        let (upper, lower): (Vec<Word>, Vec<Word>) =
            draft.words.iter().cloned().partition(|word| f64::midpoint(word.top(), word.bottom()) < end);
        parted.push(CellDraft { row, row_span: 1, words: upper, ..draft });
        parted
            .extend(part_columns(vec![CellDraft { row: row + 1, row_span: 1, words: lower, ..draft }], grid));
    }
    parted
}

/// The position in a cell where the header over several columns ends and the headers of each begin.
fn name_end(draft: &CellDraft, grid: &Grid) -> Option<f64> {
    if draft.column_span < 2 || draft.row_span > 1 || draft.row >= MAX_HEADER || draft.column == 0 {
        return None;
    }
    let lines = lines_of(draft);
    if lines.len() > MAX_HEADER || !cuts(draft, grid).is_empty() {
        return None;
    }
    let first = (1..lines.len()).find(|first| {
        line_cuts(lines.get(*first..).unwrap_or_default(), draft, grid).len() + 1 == draft.column_span
    })?;
    let (name, below) = (lines.get(first - 1)?, lines.get(first)?);
    let (left, right) = (grid.xs.get(draft.column)?, grid.xs.get(draft.column + draft.column_span)?);
    let off = f64::midpoint(name.x0(), name.x1()) - f64::midpoint(*left, *right);
    (name.runs.len() == 1 && off.abs() < name.size).then_some(f64::midpoint(name.bottom, below.top))
}

/// Splits rows in which values are stacked.
pub(super) fn part_rows(drafts: Vec<CellDraft>, grid: &Grid) -> Vec<CellDraft> {
    let Some(count) = drafts.iter().map(|draft| draft.row + draft.row_span).max() else { return drafts };
    // The ends on the page of each split row.
    let mut by_row: Vec<Vec<&CellDraft>> = vec![Vec::new(); count];
    for draft in drafts.iter().filter(|draft| draft.row_span == 1) {
        by_row.get_mut(draft.row).into_iter().for_each(|row| row.push(draft));
    }
    let cuts: Vec<Vec<f64>> = by_row.iter().map(|own| row_cuts(own, grid)).collect();
    let mut starts = vec![0; count + 1];
    for (row, cuts) in cuts.iter().enumerate() {
        let next = starts.get(row).copied().unwrap_or(0) + cuts.len() + 1;
        if let Some(place) = starts.get_mut(row + 1) {
            *place = next;
        }
    }
    let start = |row: usize| starts.get(row).copied().unwrap_or(row);
    let mut parted = Vec::with_capacity(drafts.len());
    for draft in drafts {
        let first = start(draft.row);
        let cuts = cuts.get(draft.row).map(Vec::as_slice).unwrap_or_default();
        if draft.row_span > 1 || cuts.is_empty() {
            let row_span = start(draft.row + draft.row_span) - first;
            parted.push(CellDraft { row: first, row_span, ..draft });
            continue;
        }
        let mut parts: Vec<Vec<Word>> = vec![Vec::new(); cuts.len() + 1];
        for word in draft.words {
            let part = cuts.partition_point(|cut| *cut < word.y);
            parts.get_mut(part).into_iter().for_each(|part| part.push(word.clone()));
        }
        for (index, words) in parts.into_iter().enumerate() {
            parted.push(CellDraft { row: first + index, row_span: 1, words, ..draft });
        }
    }
    parted
}

/// Baselines of the last lines of rows within one row of a grid.
fn row_cuts(drafts: &[&CellDraft], grid: &Grid) -> Vec<f64> {
    let words: Vec<Word> = drafts.iter().flat_map(|draft| draft.words.iter().cloned()).collect();
    let lines: Vec<TextLine> = rows(words).into_iter().filter_map(TextLine::of).collect();
    if lines.len() < 2 {
        return Vec::new();
    }
    let cells: Vec<Vec<CellPiece>> = lines.iter().map(|line| pieces(line, drafts, grid)).collect();
    let ends = row_ends(&lines, &cells);
    let end = |index: &usize| lines.get(*index).map(|line| line.bottom);
    ends.iter().filter_map(end).collect()
}

/// The words of a line by cell.
fn pieces(line: &TextLine, drafts: &[&CellDraft], grid: &Grid) -> Vec<CellPiece> {
    let mut pieces: Vec<CellPiece> = Vec::new();
    for word in &line.words {
        let column = grid.xs.partition_point(|x| *x <= word.middle()).saturating_sub(1);
        let own = |draft: &&&CellDraft| draft.column <= column && column < draft.column + draft.column_span;
        let Some(draft) = drafts.iter().find(own) else { continue };
        match pieces.last_mut() {
            Some(piece) if piece.first == draft.column => piece.words.push(word.clone()),
            _ => pieces.push(CellPiece {
                first: draft.column,
                last: draft.column + draft.column_span - 1,
                words: vec![word.clone()],
            }),
        }
    }
    pieces
}
