//! Detects columns of prose by the text beside a gutter.
//!
//! A *gutter* is a strip that no word crosses over several rows with text on both sides. It separates either
//! columns of prose, which are read one after the other, or cells of a table or form, which are read across.
//! The text beside it decides: lines of prose are full of words, cells are not.

use super::word::Word;

/// Maximum words that are visited to find the columns of a page. Protects time: the search is quadratic in
/// the rows.
pub(super) const EFFORT: usize = 8_000_000;
/// Minimum rows beside a gutter. Chosen by hand; no measurement recorded.
const MIN_ROWS: usize = 4;
/// Minimum width of a gutter, in font sizes. Wider than a word space, which is .28 in Helvetica.
/// Chosen by hand; no measurement recorded.
const MIN_GUTTER: f64 = 0.8;
/// Maximum gaps of one row that are followed; the widest come first. Protects time.
const MAX_GAPS: usize = 24;
/// Minimum mean letters (spaces included) of a run of words in prose.
/// Chosen by hand; no measurement recorded.
const LINE_LETTERS: usize = 18;
/// The same where the rows were drawn across the gutter, as those of a table are. The columns of
/// `tests/pdf/layout.rs` have 28 to 33. Chosen by hand; no measurement recorded.
const LINE_LETTERS_ACROSS: usize = 28;
/// A line is filled with at least this part of the width of the widest one; half of the lines of prose are.
/// Chosen by hand; no measurement recorded.
const FILLED: f64 = 0.7;
/// Prose has more than this many letters (spaces included) for each digit.
/// Chosen by hand; no measurement recorded.
const LETTERS_PER_DIGIT: usize = 5;
/// Rounding of positions that are equal, in points.
const TOLERANCE: f64 = 0.01;

/// Rows that a gutter splits into columns of prose.
pub(super) struct Band {
    pub(super) rows: usize,
    pub(super) at: f64,
}

/// The band that begins with the first of `rows`, if there is one. Each visited word costs a step of
/// `effort`; with none left there is no band.
pub(super) fn band(rows: &[Vec<Word>], effort: &mut usize) -> Option<Band> {
    let candidates = gaps(rows.first()?);
    candidates.into_iter().filter_map(|gap| grow(rows, gap, effort)).max_by_key(|band| band.rows)
}

/// Strips between words of one row, at least a gutter wide. A row that begins late or ends early also has a
/// strip beside it.
fn gaps(row: &[Word]) -> Vec<(f64, f64)> {
    let mut gaps: Vec<(f64, f64)> = row
        .windows(2)
        .filter_map(|pair| match pair {
            [a, b] if b.x0 - a.x1 > MIN_GUTTER * a.size.max(b.size) => Some((a.x1, b.x0)),
            _ => None,
        })
        .collect();
    if let (Some(first), Some(last)) = (row.first(), row.last()) {
        gaps.sort_by(|a, b| (b.1 - b.0).total_cmp(&(a.1 - a.0)));
        gaps.truncate(MAX_GAPS);
        gaps.push((f64::NEG_INFINITY, first.x0));
        gaps.push((last.x1, f64::INFINITY));
    }
    gaps
}

/// Follows a gutter down as long as it stays open.
fn grow(rows: &[Vec<Word>], start: (f64, f64), effort: &mut usize) -> Option<Band> {
    let mut gutter = start;
    let mut count = 0;
    let mut sides = Sides::default();
    for row in rows {
        *effort = effort.checked_sub(row.len() + 1)?;
        let Some(narrowed) = narrow(row, gutter) else { break };
        gutter = narrowed;
        count += 1;
        sides.add(row, gutter);
    }
    let bounded = gutter.0.is_finite() && gutter.1.is_finite();
    (bounded && sides.are_prose()).then(|| Band { rows: count, at: f64::midpoint(gutter.0, gutter.1) })
}

/// The part of a gutter that is free beside a row; `None` when a word crosses it.
fn narrow(row: &[Word], (mut low, mut high): (f64, f64)) -> Option<(f64, f64)> {
    let size = row.first().map_or(1.0, |word| word.size);
    for word in row {
        // A word is on the side where most of it lies.
        let centre = if low.is_finite() && high.is_finite() {
            f64::midpoint(low, high)
        } else if low.is_finite() {
            low + size
        } else {
            high - size
        };
        if word.middle() < centre {
            low = low.max(word.x1);
        } else {
            high = high.min(word.x0);
        }
    }
    (high - low > MIN_GUTTER * size).then_some((low, high))
}

/// The text on both sides of a gutter.
#[derive(Default)]
struct Sides {
    left: Side,
    right: Side,
    both: usize,
    /// Rows whose right side was drawn directly after the left.
    across: usize,
}

#[derive(Default)]
struct Side {
    rows: usize,
    /// Runs of words without a gutter between them.
    runs: usize,
    letters: usize,
    digits: usize,
    /// Widths of its lines.
    widths: Vec<f64>,
}

impl Sides {
    fn add(&mut self, row: &[Word], gutter: (f64, f64)) {
        let left = |word: &&Word| word.x1 <= gutter.0 + TOLERANCE;
        let right = |word: &&Word| word.x0 >= gutter.1 - TOLERANCE;
        let both = self.left.add(row.iter().filter(left)) & self.right.add(row.iter().filter(right));
        self.both += usize::from(both);
        let last = row.iter().filter(left).map(|word| word.index).max();
        let next = row.iter().filter(right).map(|word| word.index).min();
        self.across += usize::from(both && last.zip(next).is_some_and(|(last, next)| next == last + 1));
    }

    /// Whether they are columns of prose: several rows on both sides, lines long enough and mostly filled.
    fn are_prose(&self) -> bool {
        let letters = if self.across * 2 > self.both { LINE_LETTERS_ACROSS } else { LINE_LETTERS };
        self.both >= MIN_ROWS && self.left.is_prose(letters) && self.right.is_prose(letters)
    }
}

impl Side {
    fn add<'a>(&mut self, words: impl Iterator<Item = &'a Word>) -> bool {
        let (mut x0, mut x1) = (f64::INFINITY, f64::NEG_INFINITY);
        for word in words {
            self.runs += usize::from(word.x0 - x1 > MIN_GUTTER * word.size || x1 < x0);
            self.letters += word.text.chars().count() + 1;
            self.digits += word.text.chars().filter(char::is_ascii_digit).count();
            x0 = x0.min(word.x0);
            x1 = x1.max(word.x1);
        }
        if x1 > x0 {
            self.rows += 1;
            self.widths.push(x1 - x0);
        }
        x1 > x0
    }

    fn is_prose(&self, letters: usize) -> bool {
        let widest = self.widths.iter().copied().fold(0.0, f64::max);
        let filled = self.widths.iter().filter(|width| **width > FILLED * widest).count();
        self.letters >= letters * self.runs
            && filled * 2 >= self.rows
            && self.digits * LETTERS_PER_DIGIT < self.letters
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows of two short words, with a gutter that runs down the whole page but is none of prose.
    fn rows(count: u32) -> Vec<Vec<Word>> {
        let word = |x: f64, row: u32| Word {
            text: "word".to_owned(),
            x0: x,
            x1: x + 20.0,
            y: f64::from(row) * 12.0,
            size: 10.0,
            index: 0,
            bold: false,
            rtl: false,
            spaced: (true, true),
            table: None,
            tag: None,
        };
        (0..count).map(|row| vec![word(0.0, row), word(300.0, row)]).collect()
    }

    #[test]
    fn a_page_of_many_lines_takes_no_more_steps_than_it_has() {
        let rows = rows(3_000);
        let mut effort = 100_000;
        let found = (0..rows.len()).filter_map(|first| band(&rows[first..], &mut effort)).count();
        assert_eq!(found, 0);
        // The first row alone visits 9,000 words: a few rows use up the effort.
        assert!(effort < 3, "{effort}");
        assert!(band(&rows[..4], &mut 0).is_none());
    }
}
