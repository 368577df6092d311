//! Lines of words, split into runs at wide gaps.

use crate::pdf::columns::{EFFORT, band};
use crate::pdf::lines::rows;
use crate::pdf::word::Word;

/// A gap wider than this part of the font size separates two cells, if a space was drawn in it.
/// Chosen by hand.
const SPACED_GAP: f64 = 1.0;
/// The same when the next word was positioned separately. The columns of the drawn tables are .9 or more
/// apart. Chosen by hand.
const PLACED_GAP: f64 = 0.7;
/// Maximum lines in which columns of prose are searched; the time is quadratic in the lines. Case:
/// `a_page_of_thousands_of_columns_or_lines_is_read_in_time`.
const MAX_LINES: usize = 1_000;
/// Maximum nesting of columns of prose. Protects time and stack.
const MAX_DEPTH: usize = 6;

/// Adjacent words of a line.
#[derive(Clone, Debug)]
pub(super) struct TextLine {
    /// Its words, from left to right.
    pub(super) words: Vec<Word>,
    /// Horizontal ranges of the runs between wide gaps.
    pub(super) runs: Vec<(f64, f64)>,
    pub(super) top: f64,
    pub(super) bottom: f64,
    pub(super) size: f64,
}

impl TextLine {
    pub(super) fn of(words: Vec<Word>) -> Option<Self> {
        let first = words.first()?;
        let mut size: f64 = first.size;
        let (mut top, mut bottom) = (first.top(), first.bottom());
        let mut runs: Vec<(f64, f64)> = Vec::new();
        let mut last: Option<&Word> = None;
        for word in &words {
            size = size.max(word.size);
            top = top.min(word.top());
            bottom = bottom.max(word.bottom());
            match (runs.last_mut(), last) {
                (Some(run), Some(last)) if word.x0 - run.1 <= cell_gap(last, word) => {
                    run.1 = run.1.max(word.x1)
                }
                _ => runs.push((word.x0, word.x1)),
            }
            last = Some(word);
        }
        Some(Self { words, runs, top, bottom, size })
    }

    pub(super) fn x0(&self) -> f64 {
        self.runs.first().map_or(0.0, |run| run.0)
    }

    pub(super) fn x1(&self) -> f64 {
        self.runs.iter().map(|run| run.1).fold(f64::NEG_INFINITY, f64::max)
    }

    /// The gaps between its runs.
    pub(super) fn gaps(&self) -> Vec<(f64, f64)> {
        self.runs
            .windows(2)
            .filter_map(|pair| match pair {
                [a, b] => Some((a.1, b.0)),
                _ => None,
            })
            .collect()
    }
}

/// The minimum width of a gap between two cells.
fn cell_gap(left: &Word, right: &Word) -> f64 {
    let part = if left.spaced.1 || right.spaced.0 { SPACED_GAP } else { PLACED_GAP };
    part * left.size.max(right.size)
}

/// The lines of a page in sections without columns of prose.
pub(super) fn sections(words: &[Word]) -> Vec<Vec<TextLine>> {
    let mut sections = Vec::new();
    let mut effort = EFFORT;
    divide(words.to_vec(), 0, &mut sections, &mut effort);
    sections
}

fn divide(words: Vec<Word>, depth: usize, sections: &mut Vec<Vec<TextLine>>, effort: &mut usize) {
    let mut rest = rows(words);
    let depth = if rest.len() > MAX_LINES { MAX_DEPTH } else { depth };
    let mut open = Vec::new();
    let mut index = 0;
    while index < rest.len() {
        let found =
            if depth < MAX_DEPTH { band(rest.get(index..).unwrap_or_default(), effort) } else { None };
        let Some(band) = found else {
            open.extend(rest.get_mut(index).map(std::mem::take).and_then(TextLine::of));
            index += 1;
            continue;
        };
        sections.push(std::mem::take(&mut open));
        let inside =
            rest.get_mut(index..index + band.rows).unwrap_or_default().iter_mut().flat_map(std::mem::take);
        let (left, right): (Vec<Word>, Vec<Word>) = inside.partition(|word| word.middle() < band.at);
        divide(left, depth + 1, sections, effort);
        divide(right, depth + 1, sections, effort);
        index += band.rows;
    }
    sections.push(open);
    sections.retain(|section| !section.is_empty());
}

/// The space between two lines, in points.
pub(super) fn space(pair: &[TextLine]) -> f64 {
    match pair {
        [above, below] => below.top - above.bottom,
        _ => 0.0,
    }
}
