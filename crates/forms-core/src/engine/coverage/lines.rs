//! The lines of the prompt, and which of them contain rows.

use std::collections::HashSet;
use std::ops::Range;

use super::super::rows::{Row, RowPosition};
use super::super::text::line_shape::{LineShape, RowShapes};
use super::super::text::summary_lines::SumLabel;
use super::document_reading::DocumentReading;

/// Lines before and after a row's line that may belong to the row. Chosen by hand; no measurement is
/// recorded.
const AROUND: usize = 3;

/// A line of the prompt.
#[derive(Debug)]
pub(super) struct ShownLine {
    /// Index of its segment.
    pub(super) segment: usize,
    pub(super) document: usize,
    pub(super) range: Range<usize>,
    pub(super) shape: Option<LineShape>,
    /// Whether it is the header of a table, or a repetition.
    pub(super) is_ignored: bool,
    /// The kind of summary, if its words say that it is one.
    pub(super) label: Option<SumLabel>,
    /// Whether it is the main line of a row.
    pub(super) is_row: bool,
    /// Whether it contains values of a row.
    pub(super) is_covered: bool,
    pub(super) asked: u8,
}

impl ShownLine {
    /// Whether it may be a row, or belong to one. `Net curtains 2 20.00 40.00` is shaped like a row, and its
    /// words name more than a sum.
    pub(super) fn may_be_row(&self, known: &RowShapes) -> bool {
        let is_row = |shape: &LineShape| shape.is_telling() && known.knows(shape);
        let may_be = |label: SumLabel| !label.is_pure && self.shape.as_ref().is_some_and(is_row);
        !self.is_ignored && self.label.is_none_or(may_be)
    }

    /// Whether it consists of words only, and is no summary.
    pub(super) fn is_words(&self) -> bool {
        !self.is_ignored && self.label.is_none() && self.shape.as_ref().is_some_and(LineShape::is_words)
    }
}

pub(super) fn lines(reading: &DocumentReading<'_>) -> Vec<ShownLine> {
    let mut lines: Vec<ShownLine> = Vec::new();
    for (number, segment) in reading.shown.iter().enumerate() {
        let Some(source) = reading.sources.get(segment.document) else { continue };
        for piece in &segment.pieces {
            let mut start = piece.start;
            for line in source.slice(piece).split_inclusive('\n') {
                let range = start..start + line.len();
                start = range.end;
                let is_copy = reading.copies.has(segment.document, &range, line);
                let shape = LineShape::of(line);
                let is_rule = shape.is_none() && line.trim_start().starts_with('|');
                if let Some(head) = lines.last_mut().filter(|_| is_rule) {
                    head.is_ignored = true;
                }
                lines.push(ShownLine {
                    segment: number,
                    document: segment.document,
                    range,
                    shape,
                    is_ignored: is_copy,
                    label: SumLabel::of(line),
                    is_row: false,
                    is_covered: false,
                    asked: 0,
                });
            }
        }
    }
    lines
}

/// The line at a row's position.
pub(super) fn line_at(lines: &[ShownLine], place: RowPosition) -> Option<usize> {
    let after = lines.partition_point(|line| (line.document, line.range.start) <= (place.document, place.at));
    let line = after.checked_sub(1)?;
    lines.get(line).filter(|line| line.document == place.document && place.at < line.range.end).map(|_| line)
}

/// Marks the line of a row, and those around it with other values of the row. Returns how many lines before
/// and after its main line it has. The main line is one with a number, if there is one.
pub(super) fn mark_covered(lines: &mut [ShownLine], row: &Row) -> (usize, usize) {
    let mut reach = (0, 0);
    let Some(main) = row.place.and_then(|place| line_at(lines, place)) else { return reach };
    let own =
        row.places().filter_map(|place| line_at(lines, place)).filter(|line| line.abs_diff(main) <= AROUND);
    let own: Vec<usize> = own.collect();
    let is_words = |number: &usize| lines.get(*number).is_some_and(ShownLine::is_words);
    let telling = own.iter().copied().find(|number| !is_words(number)).filter(|_| is_words(&main));
    let main = telling.unwrap_or(main);
    if let Some(line) = lines.get_mut(main) {
        line.is_row = true;
    }
    for number in own {
        if let Some(line) = lines.get_mut(number) {
            line.is_covered = true;
        }
        reach = (reach.0.max(main.saturating_sub(number)), reach.1.max(number.saturating_sub(main)));
    }
    reach
}

/// Lines that fit and follow a row, or precede one, with at most `most` other lines in between.
pub(super) fn beside_rows(
    lines: &[ShownLine],
    most: usize,
    fits: impl Fn(&ShownLine) -> bool,
) -> HashSet<usize> {
    let mut found = HashSet::new();
    let mut walk = |numbers: &mut dyn Iterator<Item = usize>| {
        let mut room: Option<usize> = None;
        for number in numbers {
            let Some(line) = lines.get(number) else { continue };
            room = match room {
                _ if line.is_row => Some(most),
                Some(_) if fits(line) => {
                    found.insert(number);
                    Some(most)
                }
                room => room.and_then(|room| room.checked_sub(1)),
            };
        }
    };
    walk(&mut (0..lines.len()));
    walk(&mut (0..lines.len()).rev());
    found
}
