//! Columns of prose, told by what stands beside a gutter.
//!
//! A *gutter* is a strip that no word crosses over several rows with text on both sides. Whether it
//! parts columns of prose, to be read one after the other, or cells of a table or form, to be read
//! across, is told by what stands beside it: prose fills its lines with words, cells do not.

use super::words::Word;

/// Words that may be passed to find the columns of a page.
pub(super) const EFFORT: usize = 8_000_000;
/// Rows that a gutter must part.
const MIN_ROWS: usize = 4;
/// Width of a gutter in sizes of its text.
const MIN_GUTTER: f64 = 0.8;
/// Gaps of one row that are followed, the widest first.
const MAX_GAPS: usize = 24;
/// Letters (spaces included) in the average run of words in prose, at least.
const LINE_LETTERS: usize = 18;
/// The same where the rows were drawn across the gutter, as those of a table are.
const LINE_LETTERS_ACROSS: usize = 28;

/// Rows that a gutter parts into columns of prose.
pub(super) struct Band {
    pub(super) rows: usize,
    pub(super) at: f64,
}

/// The band that begins with the first of `rows`, if there is one. Looking for it takes a step of `effort` for
/// each word that is passed; when none is left, there is none.
pub(super) fn band(rows: &[Vec<Word>], effort: &mut usize) -> Option<Band> {
    let candidates = gaps(rows.first()?);
    candidates.into_iter().filter_map(|gap| grow(rows, gap, effort)).max_by_key(|band| band.rows)
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
        gaps.sort_by(|a, b| (b.1 - b.0).total_cmp(&(a.1 - a.0)));
        gaps.truncate(MAX_GAPS);
        gaps.push((f64::NEG_INFINITY, first.x0));
        gaps.push((last.x1, f64::INFINITY));
    }
    gaps
}

/// Follows a gutter down as far as it stays open.
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
        if word.middle() < centre {
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
    /// Rows whose right side was drawn right after the left.
    across: usize,
}

#[derive(Default)]
struct Side {
    rows: usize,
    /// Runs of words that no gutter parts.
    runs: usize,
    letters: usize,
    digits: usize,
    /// Widths of its lines.
    widths: Vec<f64>,
}

impl Sides {
    fn add(&mut self, row: &[Word], gutter: (f64, f64)) {
        let left = |word: &&Word| word.x1 <= gutter.0 + 0.01;
        let right = |word: &&Word| word.x0 >= gutter.1 - 0.01;
        let both = self.left.add(row.iter().filter(left)) & self.right.add(row.iter().filter(right));
        self.both += usize::from(both);
        let last = row.iter().filter(left).map(|word| word.index).max();
        let next = row.iter().filter(right).map(|word| word.index).min();
        self.across += usize::from(both && last.zip(next).is_some_and(|(last, next)| next == last + 1));
    }

    /// Columns of prose: several rows on both sides, lines long enough and mostly filled.
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
        let filled = self.widths.iter().filter(|width| **width > 0.7 * widest).count();
        self.letters >= letters * self.runs && filled * 2 >= self.rows && self.digits * 5 < self.letters
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows of two short words, which leave a gutter that runs down the whole page and is none of prose.
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
        // The first row alone passes 9,000 words: a few rows use up what there is.
        assert!(effort < 3, "{effort}");
        assert!(band(&rows[..4], &mut 0).is_none());
    }
}
