//! The lines of what a reading shows, and which of them rows stand on.

use std::ops::Range;

use super::super::rows::Place;
use super::super::text::shape::{Shape, is_summary};
use super::Reading;

/// A line of what is shown.
#[derive(Debug)]
pub(super) struct Line {
    /// Number of its segment.
    pub(super) segment: usize,
    pub(super) document: usize,
    pub(super) range: Range<usize>,
    pub(super) shape: Option<Shape>,
    /// Whether it sums a table up, or is its head.
    pub(super) is_aside: bool,
    /// Whether a row stands on it.
    pub(super) is_covered: bool,
    pub(super) asked: u8,
}

pub(super) fn lines(reading: &Reading<'_>) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    for (number, segment) in reading.shown.iter().enumerate() {
        let Some(source) = reading.sources.get(segment.document) else { continue };
        for piece in &segment.pieces {
            let mut start = piece.start;
            for line in source.slice(piece).split_inclusive('\n') {
                let range = start..start + line.len();
                start = range.end;
                let shape = Shape::of(line);
                let is_rule = shape.is_none() && line.trim_start().starts_with('|');
                if let Some(head) = lines.last_mut().filter(|_| is_rule) {
                    head.is_aside = true;
                }
                lines.push(Line {
                    segment: number,
                    document: segment.document,
                    range,
                    shape,
                    is_aside: is_summary(line),
                    is_covered: false,
                    asked: 0,
                });
            }
        }
    }
    lines
}

/// The line that a row stands on.
pub(super) fn line_at(lines: &[Line], place: Place) -> Option<usize> {
    let after = lines.partition_point(|line| (line.document, line.range.start) <= (place.document, place.at));
    let line = after.checked_sub(1)?;
    lines.get(line).filter(|line| line.document == place.document && place.at < line.range.end).map(|_| line)
}

pub(super) fn cover(lines: &mut [Line], place: Place) {
    if let Some(line) = line_at(lines, place).and_then(|line| lines.get_mut(line)) {
        line.is_covered = true;
    }
}
