//! Reading order: text by direction, columns of prose one after the other, everything else row by row.
//!
//! A *gutter* is a strip that no word crosses over several rows with text on both sides. Whether it
//! parts columns of prose, to be read one after the other, or cells of a table or form, to be read
//! across, is told by what stands beside it: prose fills its lines, cells do not.

use std::collections::BTreeMap;

use super::glyphs::PlacedGlyph;
use super::lines::{Line, line, rows};
use super::words::{Word, turn_back, words};

/// Rows that a gutter must part.
const MIN_ROWS: usize = 4;
/// Nested columns at the most.
const MAX_DEPTH: usize = 6;
/// Width of a gutter in sizes of its text.
const MIN_GUTTER: f64 = 0.8;

/// Lines of one direction with the turn that brings them back to the page.
#[derive(Debug)]
pub(super) struct TextFlow {
    pub(super) quarter: u8,
    /// Regions that are read one after the other, each with its lines.
    pub(super) regions: Vec<Vec<Line>>,
}

/// The text of a page: its main direction first.
pub(super) fn lines_of(glyphs: Vec<PlacedGlyph>) -> Vec<TextFlow> {
    let mut directions: BTreeMap<u8, Vec<PlacedGlyph>> = BTreeMap::new();
    for glyph in glyphs {
        directions.entry(glyph.quarter).or_default().push(glyph);
    }
    let mut flows: Vec<(usize, u8, Vec<PlacedGlyph>)> =
        directions.into_iter().map(|(quarter, glyphs)| (glyphs.len(), quarter, glyphs)).collect();
    flows.sort_by_key(|(count, quarter, _)| (std::cmp::Reverse(*count), *quarter));
    flows
        .into_iter()
        .map(|(_, quarter, glyphs)| {
            let mut regions = Vec::new();
            read(words(glyphs, quarter), 0, &mut regions);
            TextFlow { quarter, regions }
        })
        .collect()
}

/// The corners of a line on the page.
pub(super) fn corners(line: &Line, quarter: u8) -> [f64; 4] {
    let (ax, ay) = turn_back(line.x0, line.top, quarter);
    let (bx, by) = turn_back(line.x1, line.bottom, quarter);
    [ax.min(bx), ay.min(by), ax.max(bx), ay.max(by)]
}

/// Reads words in order: bands of columns apart, all else row by row.
fn read(words: Vec<Word>, depth: usize, regions: &mut Vec<Vec<Line>>) {
    let rows = rows(words);
    let mut plain: Vec<Line> = Vec::new();
    let mut index = 0;
    while let Some(row) = rows.get(index) {
        let band = if depth < MAX_DEPTH { band(rows.get(index..).unwrap_or_default()) } else { None };
        let Some(band) = band else {
            plain.extend(line(row));
            index += 1;
            continue;
        };
        if !plain.is_empty() {
            regions.push(std::mem::take(&mut plain));
        }
        let inside = rows.get(index..index + band.rows).unwrap_or_default().iter().flatten().cloned();
        let (left, right): (Vec<Word>, Vec<Word>) = inside.partition(|word| middle(word) < band.at);
        read(left, depth + 1, regions);
        read(right, depth + 1, regions);
        index += band.rows;
    }
    if !plain.is_empty() {
        regions.push(plain);
    }
}

fn middle(word: &Word) -> f64 {
    f64::midpoint(word.x0, word.x1)
}

/// Rows that a gutter parts into columns of prose.
struct Band {
    rows: usize,
    at: f64,
}

/// The band that begins with the first of `rows`, if there is one.
fn band(rows: &[Vec<Word>]) -> Option<Band> {
    let candidates = gaps(rows.first()?);
    candidates.into_iter().filter_map(|gap| grow(rows, gap)).max_by_key(|band| band.rows)
}

/// Strips between words of one row, at least a gutter wide. A row that begins or ends early also
/// leaves the space beside it.
fn gaps(row: &[Word]) -> Vec<(f64, f64)> {
    let mut gaps: Vec<(f64, f64)> = row
        .windows(2)
        .filter_map(|pair| match pair {
            [a, b] if b.x0 - a.x1 > MIN_GUTTER * a.size.max(b.size) => Some((a.x1, b.x0)),
            _ => None,
        })
        .collect();
    if let (Some(first), Some(last)) = (row.first(), row.last()) {
        gaps.push((f64::NEG_INFINITY, first.x0));
        gaps.push((last.x1, f64::INFINITY));
    }
    gaps
}

/// Follows a gutter down as far as it stays open.
fn grow(rows: &[Vec<Word>], start: (f64, f64)) -> Option<Band> {
    let mut gutter = start;
    let mut count = 0;
    let mut sides = Sides::default();
    for row in rows {
        let Some(narrowed) = narrow(row, gutter) else { break };
        gutter = narrowed;
        count += 1;
        sides.add(row, gutter);
    }
    let bounded = gutter.0.is_finite() && gutter.1.is_finite();
    (bounded && sides.are_prose()).then(|| Band { rows: count, at: f64::midpoint(gutter.0, gutter.1) })
}

/// What is left of a gutter beside a row; `None` when a word crosses it.
fn narrow(row: &[Word], (mut low, mut high): (f64, f64)) -> Option<(f64, f64)> {
    let size = row.first().map_or(1.0, |word| word.size);
    for word in row {
        // The side of a word is where most of it lies.
        let centre = if low.is_finite() && high.is_finite() {
            f64::midpoint(low, high)
        } else if low.is_finite() {
            low + size
        } else {
            high - size
        };
        if middle(word) < centre {
            low = low.max(word.x1);
        } else {
            high = high.min(word.x0);
        }
    }
    (high - low > MIN_GUTTER * size).then_some((low, high))
}

/// What stands on both sides of a gutter.
#[derive(Default)]
struct Sides {
    left: Side,
    right: Side,
    both: usize,
}

#[derive(Default)]
struct Side {
    rows: usize,
    letters: usize,
    /// Widths of its lines.
    widths: Vec<f64>,
}

impl Sides {
    fn add(&mut self, row: &[Word], gutter: (f64, f64)) {
        let left = self.left.add(row.iter().filter(|word| word.x1 <= gutter.0 + 0.01));
        let right = self.right.add(row.iter().filter(|word| word.x0 >= gutter.1 - 0.01));
        self.both += usize::from(left && right);
    }

    /// Columns of prose: several rows on both sides, lines long enough and mostly filled.
    fn are_prose(&self) -> bool {
        self.both >= MIN_ROWS && self.left.is_prose() && self.right.is_prose()
    }
}

impl Side {
    fn add<'a>(&mut self, words: impl Iterator<Item = &'a Word>) -> bool {
        let (mut x0, mut x1) = (f64::INFINITY, f64::NEG_INFINITY);
        for word in words {
            self.letters += word.text.chars().count() + 1;
            x0 = x0.min(word.x0);
            x1 = x1.max(word.x1);
        }
        if x1 > x0 {
            self.rows += 1;
            self.widths.push(x1 - x0);
        }
        x1 > x0
    }

    fn is_prose(&self) -> bool {
        let widest = self.widths.iter().copied().fold(0.0, f64::max);
        let filled = self.widths.iter().filter(|width| **width > 0.7 * widest).count();
        self.letters >= 18 * self.rows && filled * 2 >= self.rows
    }
}
