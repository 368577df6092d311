//! Tables without ruled cells: lines of text whose gaps are aligned.
//!
//! A table grows from the line with the most runs of words. The gaps between its runs are *rivers*. Lines
//! above and below belong to the table as long as their words keep the rivers open. Lines that cross some
//! rivers (headers over several columns, headings between rows) belong to it when the lines around them do.

use super::frames::Frame;
use super::page_lines::TextLine;

/// Minimum width of a river, in font sizes. The columns of the drawn tables are .9 or more apart.
/// Chosen by hand.
const MIN_RIVER: f64 = 0.5;
/// Lines further apart than this many font sizes belong to two tables, unless rules frame them.
/// Chosen by hand.
const MAX_GAP: f64 = 2.4;
/// The same within a frame. Chosen by hand.
const MAX_FRAMED_GAP: f64 = 6.0;
/// Maximum consecutive lines without evidence on the columns. Chosen by hand.
const MAX_PENDING: usize = 3;
/// Maximum space above a line that continues the one above, in font sizes. Chosen by hand.
const TIGHT: f64 = 0.6;
/// Lines belong to two tables when one is smaller than this part of the other. Chosen by hand.
const SAME_SIZE: f64 = 0.5;
/// A line of prose has more letters (spaces included). Chosen by hand.
const PROSE_LETTERS: usize = 50;
/// Rounding of positions that are equal, in points.
const TOLERANCE: f64 = 0.01;

/// Relation of a line to the rivers.
struct RiverFit {
    /// Rivers that a run crosses.
    crossed: usize,
    /// Rivers that lie between two runs.
    parting: usize,
}

fn fit(line: &TextLine, rivers: &[(f64, f64)]) -> RiverFit {
    let mut fit = RiverFit { crossed: 0, parting: 0 };
    for river in rivers {
        match narrowed(line, *river) {
            None => fit.crossed += 1,
            Some((low, high)) => {
                let left = line.runs.iter().any(|run| run.1 <= low + TOLERANCE);
                let right = line.runs.iter().any(|run| run.0 >= high - TOLERANCE);
                fit.parting += usize::from(left && right);
            }
        }
    }
    fit
}

/// The part of a river that a line leaves free; `None` when it crosses it.
fn narrowed(line: &TextLine, (low, high): (f64, f64)) -> Option<(f64, f64)> {
    let centre = f64::midpoint(low, high);
    let (mut left, mut right) = (low, high);
    for run in &line.runs {
        if f64::midpoint(run.0, run.1) < centre {
            left = left.max(run.1);
        } else {
            right = right.min(run.0);
        }
    }
    (right - left > MIN_RIVER * line.size).then_some((left, right))
}

/// The range of `lines` that belong to a table around the line `seed`: from the first to after the last.
pub(super) fn extent(lines: &[TextLine], seed: usize, frame: Option<&Frame>) -> Option<(usize, usize)> {
    let mut rivers = lines.get(seed)?.gaps();
    let down = grow(lines, seed, true, &mut rivers, frame);
    let up = grow(lines, seed, false, &mut rivers, frame);
    Some((seed - up, seed + down + 1))
}

/// Number of lines in one direction that belong to the table.
fn grow(
    lines: &[TextLine],
    seed: usize,
    down: bool,
    rivers: &mut Vec<(f64, f64)>,
    frame: Option<&Frame>,
) -> usize {
    let (mut taken, mut pending, mut crossing) = (0, 0, 0);
    let mut last = seed;
    let mut step = 0;
    loop {
        step += 1;
        let next = if down { seed.checked_add(step) } else { seed.checked_sub(step) };
        let Some((index, line)) = next.and_then(|index| lines.get(index).map(|line| (index, line))) else {
            break;
        };
        let Some(before) = lines.get(last) else { break };
        let space = if down { line.top - before.bottom } else { before.top - line.bottom };
        let size = line.size.max(before.size);
        let framed = frame.is_some_and(|frame| frame.contains(line));
        let limit = if framed { MAX_FRAMED_GAP } else { MAX_GAP };
        // A frame ends a table.
        let left_frame = frame.is_some_and(|frame| frame.contains(before) && !framed);
        if space > limit * size || left_frame || line.size.min(before.size) < SAME_SIZE * size {
            break;
        }
        last = index;
        let fit = fit(line, rivers);
        if fit.crossed == 0 && fit.parting > 0 {
            let kept: Vec<(f64, f64)> = rivers.iter().filter_map(|river| narrowed(line, *river)).collect();
            *rivers = kept;
            taken = step;
            (pending, crossing) = (0, 0);
            continue;
        }
        if fit.parting > 0 && fit.crossed <= fit.parting.max(rivers.len() / 2) && line.runs.len() > 1 {
            taken = step;
            (pending, crossing) = (0, 0);
            continue;
        }
        if framed {
            taken = step;
            continue;
        }
        pending += 1;
        crossing += usize::from(fit.crossed > 0);
        let first_column = rivers.first().is_none_or(|river| line.x0() < river.0);
        let tight = space <= TIGHT * size && pending == step - taken;
        // The rest of a cell, whether what follows belongs to the table or not.
        let continues = line.words.first().is_some_and(|word| word.text.starts_with(char::is_lowercase));
        if fit.crossed == 0 && tight && down && line.runs.len() == 1 && (continues || !first_column) {
            taken = step;
            (pending, crossing) = (0, 0);
            continue;
        }
        if !down && tight && !first_column && line.runs.len() == 1 {
            taken = step;
            (pending, crossing) = (0, 0);
            continue;
        }
        if pending > MAX_PENDING || crossing > 1 || is_prose(line, rivers) {
            break;
        }
    }
    taken
}

/// Whether a line crosses all rivers, as prose does.
fn is_prose(line: &TextLine, rivers: &[(f64, f64)]) -> bool {
    let letters: usize = line.words.iter().map(|word| word.text.chars().count() + 1).sum();
    line.runs.len() == 1 && letters > PROSE_LETTERS && fit(line, rivers).crossed * 2 > rivers.len()
}
