//! The columns of a table, by the strips that are free of words.

use super::page_lines::TextLine;
use super::rules::Rules;
use super::table::Area;
use crate::pdf::word::Word;

/// Minimum width of a strip, in font sizes. The columns of the drawn tables are .9 or more apart.
/// Chosen by hand.
const MIN_STRIP: f64 = 0.5;
/// Words nearer than this many font sizes are one piece, if a space was drawn between them. A word space of
/// Helvetica is .28. Chosen by hand.
const PIECE_GAP: f64 = 0.5;
/// The same when the next word was positioned separately. Chosen by hand.
const PLACED_GAP: f64 = 0.2;
/// One of this many lines may cross a strip. Headings of row groups cross columns. Chosen by hand.
const CROSSING: usize = 9;
/// Minimum part of a table's height that a vertical rule must cover to separate columns. Chosen by hand.
const COVER: f64 = 0.5;
/// Tolerance of the position of a rule, and half the width of the strip that it makes, in points.
/// Chosen by hand.
const NEAR: f64 = 2.0;
const HALF_WIDTH: f64 = 0.1;

/// Words of one line in one cell, with the first and last column that they reach.
#[derive(Clone, Debug)]
pub(super) struct CellPiece {
    pub(super) first: usize,
    pub(super) last: usize,
    pub(super) words: Vec<Word>,
}

impl CellPiece {
    pub(super) fn x0(&self) -> f64 {
        self.words.iter().map(|word| word.x0).fold(f64::INFINITY, f64::min)
    }

    pub(super) fn x1(&self) -> f64 {
        self.words.iter().map(|word| word.x1).fold(f64::NEG_INFINITY, f64::max)
    }

    /// Whether it is a number, an amount, a percentage or a mark for an empty value.
    pub(super) fn is_value(&self) -> bool {
        let text = || self.words.iter().flat_map(|word| word.text.chars());
        let digits = text().filter(char::is_ascii_digit).count();
        let letters = text().filter(|c| c.is_alphabetic()).count();
        digits > letters
            || (letters == 0 && text().any(|c| c.is_ascii_digit() || "-–—−*.…".contains(c)))
            // Abbreviations of *not available*, such as `n.a.`.
            || (letters <= 3 && digits == 0 && text().count() <= 4 && self.is_none())
    }

    fn is_none(&self) -> bool {
        let text: String = self.words.iter().flat_map(|word| word.text.chars()).collect();
        matches!(text.to_ascii_lowercase().as_str(), "n.a." | "n/a" | "na" | "nil")
    }

    /// Whether it is a year or a range of years.
    pub(super) fn is_year(&self) -> bool {
        self.words.iter().all(|word| {
            let digits: String = word.text.chars().filter(char::is_ascii_digit).collect();
            let rest = word.text.chars().any(|c| !c.is_ascii_digit() && !"-–/*()".contains(c));
            // One year or two.
            !rest && (4..=8).contains(&digits.len()) && (digits.starts_with("19") || digits.starts_with("20"))
        })
    }
}

/// The strips between the columns of lines, from left to right.
pub(super) fn strips(lines: &[TextLine], rules: &Rules, area: Area) -> Vec<(f64, f64)> {
    let most = lines.iter().map(|line| line.runs.len()).max().unwrap_or(0);
    let body: Vec<&TextLine> =
        lines.iter().filter(|line| line.runs.len() > 1 && line.runs.len() * 2 > most).collect();
    let size = median(body.iter().map(|line| line.size));
    let mut ends: Vec<(f64, i32)> = Vec::new();
    for line in &body {
        for (x0, x1) in pieces_of(line) {
            ends.push((x0, 1));
            ends.push((x1, -1));
        }
    }
    ends.sort_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)));
    let allowed = i32::try_from(body.len() / CROSSING).unwrap_or(0);
    let mut strips: Vec<(f64, f64)> = Vec::new();
    let (mut count, mut start) = (0, None);
    for (x, change) in ends {
        count += change;
        match start {
            Some(from) if count > allowed => {
                if x - from > MIN_STRIP * size {
                    strips.push((from, x));
                }
                start = None;
            }
            None if count <= allowed => start = Some(x),
            _ => {}
        }
    }
    // A strip that few words cross at both ends separates no column.
    with_rules(strips, rules, area)
}

/// Vertical rules separate columns too.
fn with_rules(mut strips: Vec<(f64, f64)>, rules: &Rules, area: Area) -> Vec<(f64, f64)> {
    for rule in &rules.down {
        let inside = rule.at > area.x0 + NEAR && rule.at < area.x1 - NEAR;
        if inside && rule.covers(area.y0, area.y1) > COVER * (area.y1 - area.y0) {
            let near = |strip: &(f64, f64)| rule.at > strip.0 - NEAR && rule.at < strip.1 + NEAR;
            if !strips.iter().any(near) {
                strips.push((rule.at - HALF_WIDTH, rule.at + HALF_WIDTH));
            }
        }
    }
    strips.sort_by(|a, b| a.0.total_cmp(&b.0));
    strips
}

fn pieces_of(line: &TextLine) -> Vec<(f64, f64)> {
    let mut pieces: Vec<(f64, f64)> = Vec::new();
    for word in &line.words {
        match pieces.last_mut() {
            Some(piece) if word.x0 - piece.1 <= PIECE_GAP * word.size => piece.1 = piece.1.max(word.x1),
            _ => pieces.push((word.x0, word.x1)),
        }
    }
    pieces
}

/// The pieces of a line between strips.
pub(super) fn pieces(line: &TextLine, strips: &[(f64, f64)]) -> Vec<CellPiece> {
    let column = |x: f64| strips.partition_point(|strip| f64::midpoint(strip.0, strip.1) < x);
    let mut pieces: Vec<CellPiece> = Vec::new();
    for word in &line.words {
        let own = column(word.middle());
        let last = pieces.last().and_then(|piece| piece.words.last());
        let beside = last.is_some_and(|last| {
            let part = if last.spaced.1 || word.spaced.0 { PIECE_GAP } else { PLACED_GAP };
            word.x0 - last.x1 <= part * word.size
        });
        match pieces.last_mut() {
            Some(piece) if piece.last == own || beside => {
                piece.last = piece.last.max(own);
                piece.words.push(word.clone());
            }
            _ => pieces.push(CellPiece { first: own, last: own, words: vec![word.clone()] }),
        }
    }
    pieces
}

pub(super) fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(0.0)
}

/// Adds a piece to the cell of its column, or as a new cell.
pub(super) fn put(row: &mut Vec<CellPiece>, piece: CellPiece) {
    match row.iter_mut().find(|cell| cell.first <= piece.last && piece.first <= cell.last) {
        Some(cell) => {
            cell.first = cell.first.min(piece.first);
            cell.last = cell.last.max(piece.last);
            cell.words.extend(piece.words);
        }
        None => row.push(piece),
    }
}
