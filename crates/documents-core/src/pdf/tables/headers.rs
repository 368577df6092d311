//! Headers of tables: their lines, and the columns that they name.

use super::columns::{CellPiece, median, put};
use super::page_lines::{TextLine, space};
use super::rules::Rules;
use crate::pdf::word::Word;

/// Maximum space between lines of one cell, in font sizes. Chosen by hand.
pub(super) const CELL_TIGHT: f64 = 0.9;
/// A space that is this much smaller than usual, in font sizes, lies within a row. Chosen by hand.
pub(super) const TIGHTER: f64 = 0.25;
/// Minimum space between rows, in font sizes, in excess of that between lines of text. Chosen by hand.
const SPACIOUS: f64 = 0.5;
/// Maximum offset of a header from its column, in font sizes. Chosen by hand.
const ALIGNED: f64 = 0.6;
/// Maximum lines of a header. Chosen by hand.
const MAX_HEADER: usize = 8;

/// Adds a piece to the header above it, whichever column it was assigned to.
pub(super) fn put_below(row: &mut Vec<CellPiece>, piece: CellPiece) {
    let (left, right) = (piece.x0(), piece.x1());
    let overlap = |cell: &CellPiece| cell.x1().min(right) - cell.x0().max(left);
    let above = row.iter_mut().max_by(|a, b| overlap(a).total_cmp(&overlap(b)));
    match above.filter(|cell| overlap(cell) > 0.0 && piece.first == piece.last) {
        Some(cell) => cell.words.extend(piece.words),
        None => put(row, piece),
    }
}

/// The lines at the top that name columns: those before the first values, or those above the first horizontal
/// rule.
pub(super) fn header_lines(cells: &[Vec<CellPiece>], parted: &[bool], columns: usize) -> usize {
    let numeric: Vec<bool> = (0..columns)
        .map(|column| {
            let own = || cells.iter().flatten().filter(|piece| piece.first == column && piece.last == column);
            let (values, all) = (own().filter(|piece| piece.is_value()).count(), own().count());
            values * 2 > all && values > 1
        })
        .collect();
    let is_body = |line: &Vec<CellPiece>| {
        line.iter().any(|piece| {
            numeric.get(piece.first).copied().unwrap_or(false) && piece.is_value() && !piece.is_year()
        })
    };
    let first_rule = parted.iter().position(|parted| *parted).map(|index| index + 1);
    let limit = cells.len().div_ceil(2).min(MAX_HEADER);
    let by_values = if numeric.contains(&true) { cells.iter().position(is_body) } else { None };
    match (by_values, first_rule) {
        // Headings of row groups may follow the header, before the first values.
        (Some(values), Some(rule)) if rule <= values => rule.min(limit),
        (Some(values), _) => values.min(limit),
        (None, Some(rule)) => rule.min(limit),
        (None, None) => 1,
    }
}

/// A header without the heading of a row group that follows it: a separate line in the first column, which
/// the header names already.
pub(super) fn without_section(cells: &[Vec<CellPiece>], header: usize) -> usize {
    let is_named = |before: usize| {
        cells.get(..before).unwrap_or_default().iter().flatten().any(|piece| piece.first == 0)
    };
    let is_section = |index: usize| {
        cells.get(index).is_some_and(|line| match line.as_slice() {
            [piece] => piece.first == 0 && !starts_small(piece),
            _ => false,
        })
    };
    let mut end = header;
    while end > 1 && is_section(end - 1) && is_named(end - 1) {
        end -= 1;
    }
    end
}

pub(super) fn starts_small(piece: &CellPiece) -> bool {
    piece.words.first().is_some_and(|word| word.text.starts_with(char::is_lowercase))
}

/// The horizontal range of each column's own words.
pub(super) fn column_bounds(cells: &[Vec<CellPiece>], columns: usize) -> Vec<(f64, f64)> {
    let mut bounds = vec![(f64::INFINITY, f64::NEG_INFINITY); columns];
    for piece in cells.iter().flatten().filter(|piece| piece.first == piece.last) {
        if let Some(bound) = bounds.get_mut(piece.first) {
            *bound = (bound.0.min(piece.x0()), bound.1.max(piece.x1()));
        }
    }
    bounds
}

/// A header over several columns, or separate headers when each part is aligned with its column.
pub(super) fn split_header(piece: CellPiece, strips: &[(f64, f64)], bounds: &[(f64, f64)]) -> Vec<CellPiece> {
    if piece.first == piece.last {
        return vec![piece];
    }
    let mut parts: Vec<CellPiece> = Vec::new();
    let mut words = piece.words.clone().into_iter().peekable();
    let mut open: Vec<Word> = Vec::new();
    let mut column = piece.first;
    while let Some(word) = words.next() {
        let end = word.x1;
        open.push(word);
        let crossed = words.peek().and_then(|next| {
            (column..piece.last)
                .rev()
                .find(|index| strips.get(*index).is_some_and(|strip| end < strip.1 && next.x0 > strip.0))
        });
        if let Some(strip) = crossed.filter(|strip| *strip == column) {
            parts.push(CellPiece { first: column, last: column, words: std::mem::take(&mut open) });
            column = strip + 1;
        }
    }
    parts.push(CellPiece { first: column, last: column, words: open });
    let fits = column == piece.last && parts.iter().all(|part| stands_as(part, bounds));
    if fits { parts } else { vec![piece] }
}

/// Whether a piece is aligned with the left edge, right edge or middle of its column.
fn stands_as(piece: &CellPiece, bounds: &[(f64, f64)]) -> bool {
    let Some((left, right)) = bounds.get(piece.first) else { return false };
    let size = piece.words.first().map_or(1.0, |word| word.size);
    let middle = f64::midpoint(piece.x0(), piece.x1()) - f64::midpoint(*left, *right);
    [piece.x0() - left, piece.x1() - right, middle].iter().any(|off| off.abs() < ALIGNED * size)
}

/// Widens headers to the columns that a rule directly below them covers; returns whether there are such
/// rules.
pub(super) fn span_by_lines(
    line: &mut [CellPiece],
    pair: &[TextLine],
    rules: &Rules,
    bounds: &[(f64, f64)],
) -> bool {
    let [above, below] = pair else { return false };
    let middle = |line: &TextLine| f64::midpoint(line.top, line.bottom);
    let mut found = false;
    for piece in line {
        let (left, right) = (piece.x0() + above.size, piece.x1() - above.size);
        let under = rules.across.iter().find(|rule| {
            rule.at > middle(above) && rule.at < middle(below) && rule.from <= left && rule.to >= right
        });
        let Some(rule) = under else { continue };
        let covered = |bound: &(f64, f64)| {
            let middle = f64::midpoint(bound.0, bound.1);
            middle > rule.from && middle < rule.to
        };
        let first = bounds.iter().position(covered);
        let last = bounds.iter().rposition(covered);
        if let Some((first, last)) = first.zip(last).filter(|(first, last)| last > first && *first > 0) {
            (piece.first, piece.last) = (first, last);
            found = true;
        }
    }
    found
}

/// A header is centred above the columns that it names. Widens pieces to the free columns beside them when
/// that centres them better. A piece above a row of further headers names several columns: it is widened as
/// long as it stays centred.
pub(super) fn widen(line: &mut [CellPiece], bounds: &[(f64, f64)], names_columns: bool) {
    let taken: Vec<(usize, usize)> = line.iter().map(|piece| (piece.first, piece.last)).collect();
    let mut claimed = 0;
    for (own, piece) in line.iter_mut().enumerate() {
        let size = piece.words.first().map_or(1.0, |word| word.size);
        let centre = f64::midpoint(piece.x0(), piece.x1());
        let off = |from: usize, to: usize| {
            let (left, right) = (bounds.get(from)?.0, bounds.get(to)?.1);
            (left.is_finite() && right.is_finite()).then(|| (f64::midpoint(left, right) - centre).abs())
        };
        // Half of the way to the next piece may be its own.
        let next = taken.get(own + 1).map(|(first, _)| *first);
        let end = next.map_or(bounds.len(), |next| (piece.last + next) / 2 + 1).min(bounds.len());
        let Some(mut best) = off(piece.first, piece.last).filter(|_| bounds.len() > 2) else { continue };
        let allowance = if names_columns { size } else { -size };
        for start in (claimed.max(1)..=piece.first).rev() {
            for last in piece.last..end {
                let wider = start < piece.first || last > piece.last;
                if let Some(distance) =
                    off(start, last).filter(|distance| wider && *distance < best + allowance)
                {
                    best = best.min(distance);
                    (piece.first, piece.last) = (start, last);
                }
            }
        }
        claimed = piece.last + 1;
    }
}

/// Whether a header line is as near to the next as lines of one cell, and nearer than rows are.
pub(super) fn is_tight_header(pair: &[TextLine], loose: f64) -> bool {
    let size = median(pair.iter().map(|line| line.size));
    let space = space(pair);
    space < CELL_TIGHT * size && !(loose > SPACIOUS * size && space > loose - TIGHTER * size)
}

/// Whether a header over several columns is above headers of its parts.
pub(super) fn names_parts(upper: &[CellPiece], lower: &[CellPiece]) -> bool {
    upper.iter().any(|name| {
        name.last > name.first
            && lower.iter().filter(|part| part.first >= name.first && part.last <= name.last).count() > 1
    })
}
