//! Rows and cells of a table from its lines of text and the lines drawn between them.

use super::columns::{Piece, median, pieces, strips};
use super::page_lines::TextLine;
use super::rules::Rules;
use super::table::{Area, Draft};
use crate::pdf::words::Word;

/// Part of a table's width that a line across must cover to part rows.
const COVER: f64 = 0.6;
/// Lines of one cell in a header lie this near in sizes.
const HEADER_TIGHT: f64 = 0.9;
/// Space that is this much less than usual, in sizes, lies within a row.
const TIGHTER: f64 = 0.25;
/// Space between rows, in sizes, that is more than between lines of text.
const SPACIOUS: f64 = 0.5;
/// Cells of a table at the most, empty ones included.
const MAX_CELLS: usize = 40_000;
/// How far a header may stand off its column, in sizes.
const ALIGNED: f64 = 0.6;
/// Lines that a header has at the most.
const MAX_HEADER: usize = 8;

/// A table's rows with cells, before its text is put together.
#[derive(Debug)]
pub(super) struct Structure {
    pub(super) rows: Vec<Vec<Piece>>,
    pub(super) columns: usize,
    pub(super) header_rows: usize,
}

impl Structure {
    pub(super) fn drafts(self) -> Vec<Draft> {
        let rows = self.rows.into_iter().enumerate();
        rows.flat_map(|(row, pieces)| {
            pieces.into_iter().map(move |piece| Draft {
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
    let area = Area::around(lines.iter().flat_map(|line| &line.words))?;
    let strips = strips(lines, rules, area);
    let columns = strips.len() + 1;
    if columns * lines.len() > MAX_CELLS {
        return None;
    }
    let mut cells: Vec<Vec<Piece>> = lines.iter().map(|line| pieces(line, &strips)).collect();
    let parted = partings(lines, rules, area);
    let ruled = parted.iter().filter(|parted| **parted).count();
    let header = without_section(&cells, header_lines(&cells, &parted, columns));
    let bounds = column_bounds(cells.get(header..).unwrap_or_default(), columns);
    for line in cells.iter_mut().take(header) {
        *line = line.drain(..).flat_map(|piece| apart(piece, &strips, &bounds)).collect();
    }
    let loose = loose(lines, header);
    for (index, line) in cells.iter_mut().enumerate().take(header) {
        let pair = lines.get(index..index + 2).unwrap_or_default();
        let apart = parted.get(index) == Some(&true) || !is_tight_header(pair, loose);
        if index + 1 < header && !span_by_lines(line, pair, rules, &bounds) {
            widen(line, &bounds, apart);
        } else if index + 1 == header {
            widen(line, &bounds, false);
        }
    }
    let view = View { lines, cells: &cells, parted: &parted, header, loose, ruled };
    let mut rows: Vec<Vec<Piece>> = Vec::new();
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

/// The places of lines that end rows, if values stand below each other in one of their cells.
pub(super) fn row_ends(lines: &[TextLine], cells: &[Vec<Piece>]) -> Vec<usize> {
    if !has_stacked_values(cells) {
        return Vec::new();
    }
    let parted = vec![false; lines.len()];
    let view = View { lines, cells, parted: &parted, header: 0, loose: loose(lines, 0), ruled: 0 };
    let mut ends = Vec::new();
    let mut row: Vec<Piece> = Vec::new();
    for (index, line) in cells.iter().enumerate() {
        if index > 0 && !view.joins(index - 1, &row) {
            ends.push(index - 1);
            row.clear();
        }
        line.iter().for_each(|piece| put(&mut row, piece.clone()));
    }
    ends
}

/// Whether some column has values only, and several.
fn has_stacked_values(cells: &[Vec<Piece>]) -> bool {
    let columns = cells.iter().flatten().map(|piece| piece.last + 1).max().unwrap_or(0);
    (0..columns).any(|column| {
        let own = || cells.iter().flatten().filter(|piece| piece.first == column);
        own().count() > 1 && own().all(Piece::is_value)
    })
}

/// Adds a piece to the cell of its column, or as a cell.
fn put(row: &mut Vec<Piece>, piece: Piece) {
    match row.iter_mut().find(|cell| cell.first <= piece.last && piece.first <= cell.last) {
        Some(cell) => {
            cell.first = cell.first.min(piece.first);
            cell.last = cell.last.max(piece.last);
            cell.words.extend(piece.words);
        }
        None => row.push(piece),
    }
}

/// Adds a piece to the header that it stands below, wherever its column is told to be.
fn put_below(row: &mut Vec<Piece>, piece: Piece) {
    let (left, right) = (piece.x0(), piece.x1());
    let overlap = |cell: &Piece| cell.x1().min(right) - cell.x0().max(left);
    let above = row.iter_mut().max_by(|a, b| overlap(a).total_cmp(&overlap(b)));
    match above.filter(|cell| overlap(cell) > 0.0 && piece.first == piece.last) {
        Some(cell) => cell.words.extend(piece.words),
        None => put(row, piece),
    }
}

/// Whether a line across parts each line of text from the next.
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

/// Lines at the top that name columns: those before the first values, or those that the first line
/// across parts from the rest.
fn header_lines(cells: &[Vec<Piece>], parted: &[bool], columns: usize) -> usize {
    let numeric: Vec<bool> = (0..columns)
        .map(|column| {
            let own = || cells.iter().flatten().filter(|piece| piece.first == column && piece.last == column);
            let (values, all) = (own().filter(|piece| piece.is_value()).count(), own().count());
            values * 2 > all && values > 1
        })
        .collect();
    let is_body = |line: &Vec<Piece>| {
        line.iter().any(|piece| {
            numeric.get(piece.first).copied().unwrap_or(false) && piece.is_value() && !piece.is_year()
        })
    };
    let first_rule = parted.iter().position(|parted| *parted).map(|index| index + 1);
    let limit = cells.len().div_ceil(2).min(MAX_HEADER);
    let by_values = if numeric.contains(&true) { cells.iter().position(is_body) } else { None };
    match (by_values, first_rule) {
        // Headings of groups of rows may stand between the header and the first values.
        (Some(values), Some(rule)) if rule <= values => rule.min(limit),
        (Some(values), _) => values.min(limit),
        (None, Some(rule)) => rule.min(limit),
        (None, None) => 1,
    }
}

/// A header without the heading of a group of rows that follows it: a line of its own in the first column,
/// which the header names already.
fn without_section(cells: &[Vec<Piece>], header: usize) -> usize {
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

fn starts_small(piece: &Piece) -> bool {
    piece.words.first().is_some_and(|word| word.text.starts_with(char::is_lowercase))
}

/// From where to where each column has words of its own.
fn column_bounds(cells: &[Vec<Piece>], columns: usize) -> Vec<(f64, f64)> {
    let mut bounds = vec![(f64::INFINITY, f64::NEG_INFINITY); columns];
    for piece in cells.iter().flatten().filter(|piece| piece.first == piece.last) {
        if let Some(bound) = bounds.get_mut(piece.first) {
            *bound = (bound.0.min(piece.x0()), bound.1.max(piece.x1()));
        }
    }
    bounds
}

/// A header over several columns, or the headers of each of them where all stand as their columns do.
fn apart(piece: Piece, strips: &[(f64, f64)], bounds: &[(f64, f64)]) -> Vec<Piece> {
    if piece.first == piece.last {
        return vec![piece];
    }
    let mut parts: Vec<Piece> = Vec::new();
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
            parts.push(Piece { first: column, last: column, words: std::mem::take(&mut open) });
            column = strip + 1;
        }
    }
    parts.push(Piece { first: column, last: column, words: open });
    let fits = column == piece.last && parts.iter().all(|part| stands_as(part, bounds));
    if fits { parts } else { vec![piece] }
}

/// Whether a piece begins, ends or lies in the middle where its column does.
fn stands_as(piece: &Piece, bounds: &[(f64, f64)]) -> bool {
    let Some((left, right)) = bounds.get(piece.first) else { return false };
    let size = piece.words.first().map_or(1.0, |word| word.size);
    let middle = f64::midpoint(piece.x0(), piece.x1()) - f64::midpoint(*left, *right);
    [piece.x0() - left, piece.x1() - right, middle].iter().any(|off| off.abs() < ALIGNED * size)
}

/// Widens headers to the columns that a line right below them covers; whether there are such lines.
fn span_by_lines(line: &mut [Piece], pair: &[TextLine], rules: &Rules, bounds: &[(f64, f64)]) -> bool {
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

/// A header stands in the middle above the columns it names: widens pieces to the free columns beside
/// them where that brings them nearer to the middle. What has a row of headers of its own below names
/// several columns: it is widened as far as it stays in the middle.
fn widen(line: &mut [Piece], bounds: &[(f64, f64)], names_columns: bool) {
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

/// Whether a line of a header is as near to the next as lines of one cell, and nearer than rows are.
fn is_tight_header(pair: &[TextLine], loose: f64) -> bool {
    let size = median(pair.iter().map(|line| line.size));
    let space = space(pair);
    space < HEADER_TIGHT * size && !(loose > SPACIOUS * size && space > loose - TIGHTER * size)
}

/// The usual space between rows below the header: that of the looser quarter.
fn loose(lines: &[TextLine], header: usize) -> f64 {
    let body = lines.get(header..).unwrap_or_default();
    let mut spaces: Vec<f64> = body.windows(2).map(space).collect();
    spaces.sort_by(f64::total_cmp);
    spaces.get(spaces.len() * 3 / 4).copied().unwrap_or(0.0)
}

fn space(pair: &[TextLine]) -> f64 {
    match pair {
        [above, below] => below.top - above.bottom,
        _ => 0.0,
    }
}

/// What tells whether lines of text are one row.
struct View<'v> {
    lines: &'v [TextLine],
    cells: &'v [Vec<Piece>],
    parted: &'v [bool],
    header: usize,
    loose: f64,
    ruled: usize,
}

impl View<'_> {
    /// Whether the line below `above`, which ends `row` so far, is of the same row.
    fn joins(&self, above: usize, row: &[Piece]) -> bool {
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
        space < HEADER_TIGHT * size && continues(upper, lower)
    }
}

/// Whether a header over several columns stands above headers of its parts.
fn names_parts(upper: &[Piece], lower: &[Piece]) -> bool {
    upper.iter().any(|name| {
        name.last > name.first
            && lower.iter().filter(|part| part.first >= name.first && part.last <= name.last).count() > 1
    })
}

/// Whether two lines have values in one column: a cell has one.
fn values_clash(upper: &[Piece], lower: &[Piece]) -> bool {
    lower.iter().filter(|piece| piece.is_value()).any(|piece| {
        upper.iter().any(|other| other.is_value() && other.first <= piece.last && piece.first <= other.last)
    })
}

/// Whether a line goes on with the cells of the one above it.
fn continues(upper: &[Piece], lower: &[Piece]) -> bool {
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
