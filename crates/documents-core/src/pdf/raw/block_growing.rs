//! Grows words into blocks.
//!
//! A block begins with the first of the remaining words and takes words that are near: words of its size on
//! the line above or below that overlap it horizontally, and words of its lines within a word space. When no
//! more of these are left, it takes a few words a little further to its left or right, which are ends of
//! short lines; many of them would be a separate column. This is the bottom-up growing of O'Gorman's document
//! spectrum (1993), with distances relative to the font size.

use super::super::word::Word;
use kurbo::Rect;

/// Maximum distance of baselines within a block, in font sizes. As in poppler's `pdftotext`, with which
/// `cargo xtask bench pdf` compares the order.
const LEADING: f64 = 1.5;
/// Maximum distance from the baseline for a word of the same line: superscripts and subscripts. As in
/// `pdftotext`.
const SAME_LINE: f64 = 0.5;
/// Maximum space between words of a line, in font sizes. As in `pdftotext`.
const WORD_SPACE: f64 = 0.3;
/// Minimum space between columns, in font sizes. As in `pdftotext`.
const COLUMN_SPACE: f64 = 1.0;
/// Maximum words beyond a word space that are taken at once; more are a column.
/// Chosen by hand; no measurement recorded.
const MAX_STRAYS: usize = 3;
/// Maximum difference of font sizes for words above and below, overlapping, and side by side. As in
/// `pdftotext`.
const SIZE_BELOW: f64 = 0.05;
const SIZE_WITHIN: f64 = 0.6;
const SIZE_BESIDE: f64 = 0.2;
/// Distance below the topmost word, in font sizes, within which the first word of a block is searched.
/// Chosen by hand; no measurement recorded.
const FIRST_LINES: f64 = 1.4;
/// Heights of letters above and below their baseline, in font sizes. A little more than [`Word::top`] and
/// [`Word::bottom`]. Chosen by hand; no measurement recorded.
const ASCENT: f64 = 0.9;
const DESCENT: f64 = 0.25;

/// Words that are read together.
#[derive(Debug)]
pub(super) struct Block {
    pub(super) words: Vec<Word>,
    pub(super) area: Rect,
}

/// Groups words into blocks, topmost first.
pub(super) fn grow(mut words: Vec<Word>, effort: &mut usize) -> Vec<Block> {
    words.sort_by(|a, b| a.y.total_cmp(&b.y));
    let mut left =
        RemainingWords { words: words.into_iter().map(Some).collect(), baselines: Vec::new(), first: 0 };
    left.baselines = left.words.iter().map(|word| word.as_ref().map_or(0.0, |word| word.y)).collect();
    let mut blocks = Vec::new();
    while let Some(first) = left.take_first() {
        let mut growing = GrowingBlock::new(first);
        while *effort > 0 && growing.step(&mut left, effort) {}
        blocks.push(Block { words: growing.words, area: growing.area });
        if *effort == 0 {
            let rest: Vec<Word> = left.words.iter_mut().filter_map(Option::take).collect();
            let area = rest.iter().map(area).reduce(|a, b| a.union(b));
            blocks.extend(area.map(|area| Block { words: rest, area }));
        }
    }
    blocks
}

/// The words that belong to no block yet, by baseline.
struct RemainingWords {
    words: Vec<Option<Word>>,
    baselines: Vec<f64>,
    /// All words before this index are taken.
    first: usize,
}

impl RemainingWords {
    /// Takes the leftmost of the topmost words, so that a superscript does not come first.
    fn take_first(&mut self) -> Option<Word> {
        while self.words.get(self.first).is_some_and(Option::is_none) {
            self.first += 1;
        }
        let top = self.words.get(self.first)?.as_ref()?;
        let reach = top.y + FIRST_LINES * top.size;
        let near = self.words.iter().enumerate().skip(self.first);
        let near = near.take_while(|(index, _)| self.baselines.get(*index).is_some_and(|y| *y <= reach));
        let found = near.filter_map(|(index, word)| Some((index, word.as_ref()?.x0)));
        let (index, _) = found.min_by(|a, b| a.1.total_cmp(&b.1))?;
        self.words.get_mut(index)?.take()
    }

    /// The indices of words with a baseline in a range.
    fn between(&self, low: f64, high: f64) -> std::ops::Range<usize> {
        let start = self.baselines.partition_point(|y| *y < low).max(self.first);
        let end = self.baselines.partition_point(|y| *y <= high);
        start..end.max(start)
    }
}

/// A block while it grows.
struct GrowingBlock {
    words: Vec<Word>,
    area: Rect,
    size: f64,
    /// Its topmost and lowest baseline.
    top: f64,
    bottom: f64,
}

impl GrowingBlock {
    fn new(first: Word) -> Self {
        Self { area: area(&first), size: first.size, top: first.y, bottom: first.y, words: vec![first] }
    }

    /// Takes words once; `false` when there are none.
    fn step(&mut self, left: &mut RemainingWords, effort: &mut usize) -> bool {
        let (top, bottom, size) = (self.top, self.bottom, self.size);
        let leading = LEADING * size;
        let above = self.take(left, effort, (top - leading, top), |block, word| {
            word.y < top && block.is_over(word, 0.0) && block.is_sized(word, SIZE_BELOW)
        });
        let below = self.take(left, effort, (bottom, bottom + leading), |block, word| {
            word.y > bottom && block.is_over(word, 0.0) && block.is_sized(word, SIZE_BELOW)
        });
        let lines = (self.top - SAME_LINE * size, self.bottom + SAME_LINE * size);
        let within = self.take(left, effort, lines, |block, word| {
            block.is_over(word, WORD_SPACE * size) && block.is_sized(word, SIZE_WITHIN)
        });
        above || below || within || self.take_strays(left, effort, lines)
    }

    /// Takes a few words on the left, then on the right.
    fn take_strays(&mut self, left: &mut RemainingWords, effort: &mut usize, lines: (f64, f64)) -> bool {
        let (x0, x1, reach) = (self.area.x0, self.area.x1, COLUMN_SPACE * self.size);
        let on_left = |word: &Word| word.x1 <= x0 && word.x1 > x0 - reach;
        let on_right = |word: &Word| word.x0 >= x1 && word.x0 < x1 + reach;
        let mut found = false;
        for side in [&on_left as &dyn Fn(&Word) -> bool, &on_right] {
            let strays = left.words.get(left.between(lines.0, lines.1)).unwrap_or_default();
            *effort = effort.saturating_sub(strays.len());
            let count =
                strays.iter().flatten().filter(|word| side(word) && self.is_sized(word, SIZE_BESIDE)).count();
            if (1..=MAX_STRAYS).contains(&count) {
                found |= self
                    .take(left, effort, lines, |block, word| side(word) && block.is_sized(word, SIZE_BESIDE));
            }
        }
        found
    }

    fn take(
        &mut self,
        left: &mut RemainingWords,
        effort: &mut usize,
        (low, high): (f64, f64),
        wanted: impl Fn(&Self, &Word) -> bool,
    ) -> bool {
        let before = self.words.len();
        let range = left.between(low, high);
        *effort = effort.saturating_sub(range.len());
        for place in left.words.get_mut(range).unwrap_or_default() {
            if place.as_ref().is_some_and(|word| wanted(self, word))
                && let Some(word) = place.take()
            {
                self.area = self.area.union(area(&word));
                self.top = self.top.min(word.y);
                self.bottom = self.bottom.max(word.y);
                self.words.push(word);
            }
        }
        self.words.len() > before
    }

    /// Whether a word overlaps the block horizontally, or is no further from it than `reach`.
    fn is_over(&self, word: &Word, reach: f64) -> bool {
        word.x0 < self.area.x1 + reach && word.x1 > self.area.x0 - reach
    }

    fn is_sized(&self, word: &Word, difference: f64) -> bool {
        (word.size - self.size).abs() < difference * self.size
    }
}

fn area(word: &Word) -> Rect {
    Rect::new(word.x0, word.y - ASCENT * word.size, word.x1, word.y + DESCENT * word.size)
}
