//! Derives the reading order from the drawing order.
//!
//! Programs draw a page in an order of their own, but mostly draw together what belongs together: a row of a
//! table before the next, a cell before the cell beside it, a column before the next. So rows are first split
//! where everything above was drawn before everything below. Rows that cannot be split that way, but have a
//! white strip whose two sides were drawn one after the other, are two blocks to be read one after the other;
//! unless they are a form or a table that was drawn by columns.
//!
//! `cargo xtask bench pdf` measures the order that results; no measurement of a single threshold is recorded.

use super::lines::rows;
use super::word::Word;

/// Minimum width of a strip between two blocks, in font sizes. Chosen by hand.
const MIN_STRIP: f64 = 0.5;
/// Minimum space between rows, in font sizes, that separates what was not drawn in order. Chosen by hand.
const MIN_SPACE: f64 = 0.5;
/// Maximum nesting of blocks. Protects time and stack.
const MAX_DEPTH: usize = 16;
/// Maximum rows and cells of a table row with multi-line cells. Chosen by hand.
const MAX_RECORD_ROWS: usize = 12;
const MIN_RECORD_CELLS: usize = 3;
/// Maximum mean words of a table header's cell. Chosen by hand.
const MAX_HEADER_WORDS: usize = 5;
/// A step up by more than this many font sizes begins a new block. Chosen by hand.
const STEP_UP: f64 = 0.8;
/// Baselines further apart than this many font sizes are two lines. Chosen by hand.
const SAME_LINE: f64 = 0.3;
/// Minimum mean words of a line of text. Chosen by hand.
const MIN_LINE_WORDS: usize = 3;
/// Baselines further apart than this many font sizes belong to two blocks. Lines of text are about 1.2 apart.
/// Chosen by hand.
const MAX_LEADING: f64 = 1.6;
/// Maximum words of a form's label, and of a value. Chosen by hand.
const MAX_LABEL_WORDS: usize = 4;
const MAX_VALUE_WORDS: usize = 3;
/// A side of which one of this many lines continues the line above is text. Chosen by hand.
const RUNNING: usize = 3;

/// Rows in reading order.
pub(super) type Rows = Vec<Vec<Word>>;

/// A part of a page.
pub(super) enum Block {
    /// Rows that are read one after the other.
    Rows(Rows),
    /// A table row with multi-line cells: its cells from left to right.
    Record(Vec<Rows>),
}

/// Splits rows into blocks in reading order.
pub(super) fn blocks(rows: Rows) -> Vec<Block> {
    let mut blocks = Vec::new();
    part(rows, 0, &mut blocks);
    blocks
}

fn part(rows: Rows, depth: usize, blocks: &mut Vec<Block>) {
    let mut plain: Rows = Vec::new();
    for slab in split_slabs(rows) {
        let split = if slab.len() == 1 || depth >= MAX_DEPTH { Split::Rows(slab) } else { split(slab) };
        if let Split::Rows(rows) = split {
            plain.extend(rows);
            continue;
        }
        if !plain.is_empty() {
            blocks.push(Block::Rows(std::mem::take(&mut plain)));
        }
        match split {
            Split::Rows(_) => {}
            Split::Record(cells) => blocks.push(Block::Record(cells)),
            Split::Blocks(parts) => parts.into_iter().for_each(|rows| part(rows, depth + 1, blocks)),
        }
    }
    if !plain.is_empty() {
        blocks.push(Block::Rows(plain));
    }
}

/// Splits rows where everything above was drawn before everything below.
fn split_slabs(rows: Rows) -> Vec<Rows> {
    let mut first_below = vec![usize::MAX; rows.len() + 1];
    for (index, row) in rows.iter().enumerate().rev() {
        let first = row.iter().map(|word| word.index).min().unwrap_or(usize::MAX);
        let below = first_below.get(index + 1).copied().unwrap_or(usize::MAX);
        if let Some(place) = first_below.get_mut(index) {
            *place = first.min(below);
        }
    }
    let mut slabs = Vec::new();
    let mut open: Rows = Vec::new();
    let mut last = 0;
    for (index, row) in rows.into_iter().enumerate() {
        last = row.iter().map(|word| word.index).fold(last, usize::max);
        open.push(row);
        if first_below.get(index + 1).is_none_or(|first| last < *first) {
            slabs.push(std::mem::take(&mut open));
        }
    }
    slabs
}

enum Split {
    /// Rows that are read one after the other.
    Rows(Rows),
    /// Cells that are read from left to right.
    Record(Vec<Rows>),
    /// Parts that are read one after the other.
    Blocks(Vec<Rows>),
}

fn split(slab: Rows) -> Split {
    if let Some(at) = find_strip(&slab) {
        if is_form(&slab, at) {
            return Split::Rows(slab);
        }
        let rtl = slab.iter().flatten().filter(|word| word.rtl).count() * 2
            > slab.iter().map(Vec::len).sum::<usize>();
        if !rtl && let Some(cells) = record(&slab) {
            return Split::Record(cells);
        }
        let (left, right): (Vec<Word>, Vec<Word>) =
            slab.into_iter().flatten().partition(|word| word.middle() < at);
        let right_first = rtl || is_earlier(&right, &left);
        let (first, second) = if right_first { (right, left) } else { (left, right) };
        return Split::Blocks(vec![rows(first), rows(second)]);
    }
    if let Some(at) = find_widest_space(&slab) {
        let mut above = slab;
        let below = above.split_off(at);
        return Split::Blocks(vec![above, below]);
    }
    split_at_steps_up(slab)
}

/// Whether a block was drawn before the other and also begins above it.
fn is_earlier(block: &[Word], other: &[Word]) -> bool {
    let top = |words: &[Word]| words.iter().map(Word::top).fold(f64::INFINITY, f64::min);
    let size = block.first().map_or(0.0, |word| word.size);
    range(block).1 < range(other).0 && top(block) + STEP_UP * size < top(other)
}

/// The cells of a table row: several, each drawn at once, most of one line.
fn record(slab: &Rows) -> Option<Vec<Rows>> {
    if slab.len() > MAX_RECORD_ROWS || slab.iter().flatten().any(|word| word.table.is_some()) {
        return None;
    }
    let mut words: Vec<&Word> = slab.iter().flatten().collect();
    words.sort_by(|a, b| a.x0.total_cmp(&b.x0));
    let mut cells: Vec<Vec<Word>> = Vec::new();
    let mut end = f64::NEG_INFINITY;
    for word in words {
        match cells.last_mut() {
            Some(cell) if word.x0 - end <= MIN_STRIP * word.size => cell.push(word.clone()),
            _ => cells.push(vec![word.clone()]),
        }
        end = end.max(word.x1);
    }
    let mut drawn: Vec<(usize, usize)> = cells.iter().map(|cell| range(cell)).collect();
    drawn.sort_unstable();
    let at_once = drawn.windows(2).all(|pair| matches!(pair, [(_, last), (first, _)] if last < first));
    let cells: Vec<Rows> = cells.into_iter().map(rows).collect();
    let short = cells.iter().filter(|cell| cell.len() == 1).count();
    let few_words = cells.len() > MIN_RECORD_CELLS
        && slab.iter().map(Vec::len).sum::<usize>() <= MAX_HEADER_WORDS * cells.len();
    let table = short * 2 >= cells.len() || few_words;
    (cells.len() >= MIN_RECORD_CELLS && table && at_once).then_some(cells)
}

/// The first and last index of words in drawing order.
fn range(words: &[Word]) -> (usize, usize) {
    words.iter().fold((usize::MAX, 0), |(low, high), word| (low.min(word.index), high.max(word.index)))
}

/// Adjacent cells leave no strip between them. They are split where drawing went back up the page, if most
/// lines are text and follow the line above them.
fn split_at_steps_up(slab: Rows) -> Split {
    let mut words: Vec<&Word> = slab.iter().flatten().collect();
    words.sort_by_key(|word| word.index);
    let mut runs: Vec<Vec<Word>> = Vec::new();
    let mut lines = 0;
    let mut last: Option<&Word> = None;
    for word in &words {
        let step = last.map_or(f64::NEG_INFINITY, |last| (word.y - last.y) / word.size);
        lines += usize::from(step.abs() > SAME_LINE);
        match runs.last_mut() {
            Some(run) if step > -STEP_UP => run.push((*word).clone()),
            _ => runs.push(vec![(*word).clone()]),
        }
        last = Some(word);
    }
    if runs.len() < 2 || runs.len() * 2 > lines || words.len() < MIN_LINE_WORDS * lines {
        return Split::Rows(slab);
    }
    Split::Blocks(runs.into_iter().map(rows).collect())
}

/// The middle of the widest strip that no word crosses and whose sides were drawn one after the other.
fn find_strip(slab: &Rows) -> Option<f64> {
    let mut words: Vec<&Word> = slab.iter().flatten().collect();
    words.sort_by(|a, b| a.x0.total_cmp(&b.x0));
    let mut ranges_right = vec![(usize::MAX, 0); words.len() + 1];
    for (place, word) in words.iter().enumerate().rev() {
        let (low, high) = ranges_right.get(place + 1).copied().unwrap_or((usize::MAX, 0));
        if let Some(range) = ranges_right.get_mut(place) {
            *range = (low.min(word.index), high.max(word.index));
        }
    }
    let (mut low, mut high, mut end) = (usize::MAX, 0, f64::NEG_INFINITY);
    let mut best: Option<(f64, f64)> = None;
    for (place, word) in words.iter().enumerate() {
        let (right_low, right_high) = ranges_right.get(place).copied().unwrap_or((usize::MAX, 0));
        let width = (word.x0 - end) / word.size;
        let apart = high < right_low || right_high < low;
        if place > 0 && width > MIN_STRIP && apart && best.is_none_or(|(widest, _)| width > widest) {
            best = Some((width, f64::midpoint(end, word.x0)));
        }
        low = low.min(word.index);
        high = high.max(word.index);
        end = end.max(word.x1);
    }
    best.map(|(_, at)| at)
}

/// The row below the largest space, if that is large enough.
fn find_widest_space(slab: &Rows) -> Option<usize> {
    let mut bottom = f64::NEG_INFINITY;
    let mut best: Option<(f64, usize)> = None;
    for (index, row) in slab.iter().enumerate() {
        let top = row.iter().map(Word::top).fold(f64::INFINITY, f64::min);
        let size = row.iter().map(|word| word.size).fold(0.0, f64::max);
        let space = top - bottom;
        if index > 0 && space > MIN_SPACE * size && best.is_none_or(|(most, _)| space > most) {
            best = Some((space, index));
        }
        bottom = row.iter().map(Word::bottom).fold(bottom, f64::max);
    }
    best.map(|(_, index)| index)
}

/// Whether rows beside a strip are labels with values, or rows of a table that was drawn by columns: both are
/// read across.
fn is_form(slab: &Rows, at: f64) -> bool {
    let mut both = Vec::new();
    let (mut left_lines, mut right_lines) = (Continuity::default(), Continuity::default());
    for row in slab {
        let middle = row.partition_point(|word| word.middle() < at);
        let (left, right) = row.split_at_checked(middle).unwrap_or((row, &[]));
        left_lines.add(left);
        right_lines.add(right);
        if !left.is_empty() && !right.is_empty() {
            both.push((left, right));
        }
    }
    let most = |test: fn(&[Word], &[Word]) -> bool| {
        both.iter().filter(|(left, right)| test(left, right)).count() * 2 > both.len()
    };
    if most(|left, _| left.last().is_some_and(|word| word.text.ends_with([':', '\u{ff1a}']))) {
        return true;
    }
    if left_lines.is_running() || right_lines.is_running() {
        return false;
    }
    let apart = leading(slab) > MAX_LEADING;
    let aligned = both.len() * 2 > left_lines.lines.max(right_lines.lines);
    if (aligned || apart) && most(|left, right| is_value(left) || is_value(right)) {
        return true;
    }
    both.len() > 1 && aligned && (apart || both.iter().all(|(left, _)| is_label(left)))
}

/// Whether words may be labels of the text beside them. Addresses, which may be side by side too, contain
/// numbers.
fn is_label(words: &[Word]) -> bool {
    words.len() <= MAX_LABEL_WORDS
        && !words.iter().any(|word| word.text.contains(|c: char| c.is_ascii_digit() || c == ','))
}

/// Whether words are an amount, date, number or code rather than text.
fn is_value(words: &[Word]) -> bool {
    let count =
        |test: fn(char) -> bool| words.iter().flat_map(|word| word.text.chars()).filter(|c| test(*c)).count();
    words.len() <= MAX_VALUE_WORDS && count(|c| c.is_ascii_digit()) * 2 > count(char::is_alphabetic)
}

/// The typical distance of baselines, in font sizes.
fn leading(slab: &Rows) -> f64 {
    let line = |row: &Vec<Word>| row.iter().map(|word| (word.y, word.size)).next();
    let lines: Vec<(f64, f64)> = slab.iter().filter_map(line).collect();
    let mut distances: Vec<f64> = lines
        .windows(2)
        .filter_map(|pair| match pair {
            [above, below] => Some((below.0 - above.0) / below.1),
            _ => None,
        })
        .collect();
    distances.sort_by(f64::total_cmp);
    distances.get(distances.len() / 2).copied().unwrap_or(0.0)
}

/// Counts whether the lines of one side continue each other, as in a sentence.
#[derive(Default)]
struct Continuity {
    lines: usize,
    running: usize,
    open: bool,
}

impl Continuity {
    fn add(&mut self, line: &[Word]) {
        let (Some(first), Some(last)) = (line.first(), line.last()) else { return };
        let lower = first.text.starts_with(char::is_lowercase);
        self.lines += 1;
        self.running += usize::from(self.lines > 1 && (lower || self.open));
        self.open = last.text.ends_with([',', '-', '\u{2010}', '&']);
    }

    fn is_running(&self) -> bool {
        self.running > 0 && self.running * RUNNING >= self.lines - 1
    }
}
