//! Groups words into lines.

use super::tags::{LineTag, line_tag};
use super::word::Word;
use super::words::stitch;

/// A gap wider than this part of the font size separates columns of one line.
/// Chosen by hand; no measurement recorded.
pub(super) const COLUMN_GAP: f64 = 1.4;

/// Maximum lines of a cell that are written as one. Chosen by hand; no measurement recorded.
const MAX_CELL_LINES: usize = 3;
/// Last rows that a further word may belong to. Chosen by hand; no measurement recorded.
const RECENT_ROWS: usize = 3;
/// Baselines of cells that differ by less than this many font sizes are level.
/// Chosen by hand; no measurement recorded.
const LEVEL: f64 = 0.3;

/// A line of adjacent words.
#[derive(Clone, Debug)]
pub(super) struct Line {
    pub(super) text: String,
    pub(super) x0: f64,
    pub(super) x1: f64,
    pub(super) top: f64,
    pub(super) bottom: f64,
    pub(super) size: f64,
    /// Whether all of it is bold.
    pub(super) bold: bool,
    /// Its words: their characters in the text and their position along the baseline.
    pub(super) words: Vec<WordPlace>,
    /// Index of the table that this placeholder line stands for.
    pub(super) table: Option<usize>,
    /// The tag of most of its words.
    pub(super) tag: Option<LineTag>,
    /// Whether it is the description of a figure.
    pub(super) figure: bool,
}

/// Position of a word of a line.
#[derive(Clone, Copy, Debug)]
pub(super) struct WordPlace {
    /// First character in the line's text.
    pub(super) start: usize,
    /// After the last character.
    pub(super) end: usize,
    pub(super) x0: f64,
    pub(super) x1: f64,
}

/// Groups words that overlap vertically into rows, sorted from left to right; rows from top to bottom.
pub(super) fn rows(mut words: Vec<Word>) -> Vec<Vec<Word>> {
    words.sort_by(|a, b| a.y.total_cmp(&b.y));
    let mut rows: Vec<Row> = Vec::new();
    for word in words {
        // Superscripts and subscripts may belong to a row that is not the last one: check a few.
        let recent = rows.len().saturating_sub(RECENT_ROWS);
        let near = rows.get_mut(recent..).unwrap_or_default();
        match near.iter_mut().rev().find(|row| row.accepts(&word)) {
            Some(row) => row.push(word),
            None => rows.push(Row {
                top: word.top(),
                bottom: word.bottom(),
                size: word.size,
                y: word.y,
                words: vec![word],
            }),
        }
    }
    rows.sort_by(|a, b| a.y.total_cmp(&b.y));
    let ordered = |mut row: Row| {
        row.words.sort_by(|a, b| a.x0.total_cmp(&b.x0));
        stitch(row.words)
    };
    rows.into_iter().map(ordered).collect()
}

/// A row while words are sorted into it, measured by its largest word.
struct Row {
    words: Vec<Word>,
    top: f64,
    bottom: f64,
    size: f64,
    y: f64,
}

impl Row {
    /// Whether a word overlaps half of the row's height.
    fn accepts(&self, word: &Word) -> bool {
        let overlap = self.bottom.min(word.bottom()) - self.top.max(word.top());
        let smaller = (self.bottom - self.top).min(word.bottom() - word.top());
        overlap > 0.5 * smaller
    }

    fn push(&mut self, word: Word) {
        if word.size >= self.size {
            (self.top, self.bottom, self.size, self.y) = (word.top(), word.bottom(), word.size, word.y);
        }
        self.words.push(word);
    }
}

/// One row as lines: text beside a table is a line of its own.
pub(super) fn row_lines(row: &[Word]) -> Vec<Line> {
    let parts = row.chunk_by(|a, b| a.table.is_none() && b.table.is_none());
    parts
        .filter_map(|part| {
            let table = part.first().and_then(|word| word.table);
            line(part).map(|line| Line { table, ..line })
        })
        .collect()
}

/// One row as a line: words are separated by a space, columns by two.
pub(super) fn line(row: &[Word]) -> Option<Line> {
    let first = row.first()?;
    let rtl = row.iter().filter(|word| word.rtl).count() * 2 > row.len();
    let mut text = String::new();
    let mut length = 0;
    let mut words = Vec::with_capacity(row.len());
    let mut previous: Option<&Word> = None;
    let mut tags = Vec::new();
    let ordered: Box<dyn Iterator<Item = &Word>> =
        if rtl { Box::new(rtl_order(row).into_iter()) } else { Box::new(row.iter()) };
    for word in ordered {
        if let Some(before) = previous {
            let gap = (word.x0 - before.x1).max(before.x0 - word.x1);
            let space = if gap > COLUMN_GAP * word.size.max(before.size) { "  " } else { " " };
            text.push_str(space);
            length += space.len();
        }
        text.push_str(&word.text);
        let start = length;
        length += word.text.chars().count();
        words.push(WordPlace { start, end: length, x0: word.x0, x1: word.x1 });
        tags.push((word.tag, start, length));
        previous = Some(word);
    }
    let fold =
        |pick: fn(&Word) -> f64, join: fn(f64, f64) -> f64| row.iter().map(pick).fold(pick(first), join);
    Some(Line {
        text,
        x0: fold(|w| w.x0, f64::min),
        x1: fold(|w| w.x1, f64::max),
        top: fold(Word::top, f64::min),
        bottom: fold(Word::bottom, f64::max),
        size: fold(|w| w.size, f64::max),
        bold: row.iter().all(|word| word.bold),
        words,
        table: None,
        tag: line_tag(&tags),
        figure: false,
    })
}

/// A table row with multi-line cells as one line, with the cells separated by two spaces. Long cells that
/// begin beside the others keep their further lines separate, below.
pub(super) fn record_lines(cells: &[Vec<Vec<Word>>]) -> Vec<Line> {
    let cells: Vec<Vec<Line>> =
        cells.iter().map(|rows| rows.iter().filter_map(|row| line(row)).collect()).collect();
    let first = |cell: &Vec<Line>| cell.first().map(|line| (line.bottom, line.size));
    let lead = cells.first().and_then(first).unwrap_or((0.0, 0.0));
    let level = cells.iter().filter_map(first).all(|(bottom, size)| (bottom - lead.0).abs() < LEVEL * size);
    let long = cells.iter().any(|cell| cell.len() > MAX_CELL_LINES);
    if !(level && long) {
        let joined = cells.into_iter().filter_map(|cell| cell.into_iter().reduce(|a, b| join(&a, &b, " ")));
        return joined.reduce(|a, b| join(&a, &b, "  ")).into_iter().collect();
    }
    let mut lines: Vec<Line> = cells
        .iter()
        .filter_map(|cell| cell.first().cloned())
        .reduce(|a, b| join(&a, &b, "  "))
        .into_iter()
        .collect();
    lines.extend(cells.into_iter().flat_map(|cell| cell.into_iter().skip(1)));
    lines
}

fn join(a: &Line, b: &Line, space: &str) -> Line {
    let before = a.text.chars().count() + space.len();
    let moved =
        b.words.iter().map(|word| WordPlace { start: word.start + before, end: word.end + before, ..*word });
    Line {
        text: [a.text.as_str(), b.text.as_str()].join(space),
        x0: a.x0.min(b.x0),
        x1: a.x1.max(b.x1),
        top: a.top.min(b.top),
        bottom: a.bottom.max(b.bottom),
        size: a.size.max(b.size),
        bold: a.bold && b.bold,
        words: a.words.iter().copied().chain(moved).collect(),
        table: None,
        tag: a.tag.filter(|tag| b.tag.is_some_and(|other| other.block == tag.block)),
        figure: false,
    }
}

/// Right-to-left order, in which runs of other scripts stay left-to-right.
fn rtl_order(row: &[Word]) -> Vec<&Word> {
    let mut ordered: Vec<&Word> = Vec::with_capacity(row.len());
    let mut run: Vec<&Word> = Vec::new();
    for word in row.iter().rev() {
        if word.rtl {
            ordered.extend(run.drain(..).rev());
            ordered.push(word);
        } else {
            run.push(word);
        }
    }
    ordered.extend(run.drain(..).rev());
    ordered
}
