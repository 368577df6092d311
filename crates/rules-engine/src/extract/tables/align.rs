//! Aligns the parts of a row with the columns: the best assignment in order, by cell type and position on the
//! line.

use forms_core::labels::{Line, Segment};

use super::cells::{is_mark, is_number};
use super::header::{CellType, ColumnSplit, Header};

/// Maximum parts of a row. Steps grow with its square times the columns, so it bounds the time.
const MAX_PARTS: usize = 48;
/// Worse than any assignment.
const WORST: f32 = -1e6;

// Gains and losses of the alignment. Set on the tables of `tests/extractive`; none was measured alone. A
// number in its column counts most, then words in theirs and a cell below its head.
const NUMBER_AS_NUMBER: f32 = 2.0;
const WORDS_AS_TEXT: f32 = 1.5;
const DIGITS_AS_TEXT: f32 = 0.2;
const ANY: f32 = 0.8;
const BELOW_HEAD: f32 = 1.0;
/// For each further word of a cell, so that words are not lost.
const PER_PART: f32 = 0.05;
/// For a word without a column, for a mark or unit without one, and for a column without a cell.
const LOST_PART: f32 = 1.2;
const LOST_MARK: f32 = 0.05;
const EMPTY_COLUMN: f32 = 0.6;

/// A step of the alignment.
#[derive(Clone, Copy, Debug)]
enum Step {
    /// The part belongs to no column.
    SkipPart,
    /// The column is empty.
    SkipColumn,
    /// This many parts form the cell of the column.
    TakeParts(usize),
}

/// The segment of each column in a row; `None` for an empty cell.
pub(super) fn align(line: &Line, parts: &[Segment], header: &Header) -> Vec<Option<Segment>> {
    let columns = header.columns.len();
    let identity = line.table || matches!(header.split, ColumnSplit::Separator(_));
    if identity {
        let filled = |part: &Segment| (part.end > part.start).then_some(*part);
        return (0..columns).map(|column| parts.get(column).and_then(filled)).collect();
    }
    let parts = parts.get(..parts.len().min(MAX_PARTS)).unwrap_or(parts);
    let worded = header.split == ColumnSplit::Words || line.segments.len() == 1;
    let steps = steps(line, parts, header, worded);
    let mut places = vec![None; columns];
    let (mut part, mut column) = (parts.len(), columns);
    while part > 0 || column > 0 {
        match steps.get(part * (columns + 1) + column) {
            Some(Step::SkipPart) if part > 0 => part -= 1,
            Some(Step::SkipColumn) if column > 0 => column -= 1,
            Some(Step::TakeParts(count)) if *count <= part && column > 0 && *count > 0 => {
                let (first, last) = (parts.get(part - count), parts.get(part - 1));
                if let (Some(first), Some(last), Some(place)) = (first, last, places.get_mut(column - 1)) {
                    *place = Some(Segment { start: first.start, end: last.end });
                }
                part -= count;
                column -= 1;
            }
            _ => break,
        }
    }
    places
}

/// The best last step for each number of parts and columns (the Needleman–Wunsch table).
fn steps(line: &Line, parts: &[Segment], header: &Header, worded: bool) -> Vec<Step> {
    let columns = header.columns.len();
    let width = columns + 1;
    let mut score = vec![WORST; (parts.len() + 1) * width];
    let mut steps = vec![Step::SkipPart; (parts.len() + 1) * width];
    let at = |score: &[f32], part: usize, column: usize| {
        score.get(part * width + column).copied().unwrap_or(WORST)
    };
    for part in 0..=parts.len() {
        for column in 0..=columns {
            let mut best =
                if part == 0 && column == 0 { (0.0, Step::SkipPart) } else { (WORST, Step::SkipPart) };
            if part > 0 {
                let lost = parts.get(part - 1).map_or(0.0, |part| {
                    if is_mark(line.slice(part.start, part.end)) { LOST_MARK } else { LOST_PART }
                });
                best = better_step(best, (at(&score, part - 1, column) - lost, Step::SkipPart));
            }
            if column > 0 {
                best = better_step(best, (at(&score, part, column - 1) - EMPTY_COLUMN, Step::SkipColumn));
                let runs = header.cell_types.get(column - 1) != Some(&CellType::Number) && worded;
                let most = if runs { part } else { part.min(1) };
                for count in 1..=most {
                    let gain = gain(
                        line,
                        parts.get(part - count..part).unwrap_or_default(),
                        header,
                        column - 1,
                        worded,
                    );
                    best = better_step(
                        best,
                        (at(&score, part - count, column - 1) + gain, Step::TakeParts(count)),
                    );
                }
            }
            if let (Some(value), Some(step)) =
                (score.get_mut(part * width + column), steps.get_mut(part * width + column))
            {
                (*value, *step) = best;
            }
        }
    }
    steps
}

fn better_step(best: (f32, Step), other: (f32, Step)) -> (f32, Step) {
    if other.0 > best.0 { other } else { best }
}

/// The score of consecutive parts as the cell of a column.
fn gain(line: &Line, run: &[Segment], header: &Header, column: usize, worded: bool) -> f32 {
    let (Some(first), Some(last)) = (run.first(), run.last()) else { return WORST };
    let printed = line.slice(first.start, last.end);
    let lettered = printed.chars().any(char::is_alphabetic);
    let kind = match header.cell_types.get(column) {
        Some(CellType::Number) if is_number(printed) => NUMBER_AS_NUMBER,
        Some(CellType::Number) => return WORST,
        Some(CellType::Text) if lettered => WORDS_AS_TEXT,
        Some(CellType::Text) => DIGITS_AS_TEXT,
        _ => ANY,
    };
    let more = PER_PART * (run.len() - 1) as f32;
    if worded {
        return kind + more;
    }
    let place = header.columns.get(column).map_or(0, |head| {
        let (start, end) = (characters(line, first.start), characters(line, last.end));
        end.min(head.end).saturating_sub(start.max(head.start))
    });
    kind + if place > 0 { BELOW_HEAD } else { 0.0 }
}

/// Characters before a byte, so that positions on lines with and without accents compare.
fn characters(line: &Line, byte: usize) -> usize {
    line.slice(0, byte).chars().count()
}
