//! Values below their labels, as in the boxes of forms.

use super::KeyValue;
use super::labels::{is_bare_label, is_code, is_figure};
use super::labels_beside::{is_value, push};
use super::lines::{Line, Segment};

/// A label is in small type when its height is less than this part of its value's height. Chosen by hand.
const SMALL: f64 = 0.9;
/// Maximum words of a value below a label in small type. Chosen by hand.
const MAX_WORDS: usize = 8;
/// Maximum space between labels and values, and between labels and figures, in heights of a line.
/// Chosen by hand.
const NEAR: f64 = 1.2;
const NEAR_FIGURES: f64 = 2.2;
/// Left edges that differ by less than this many points are aligned. Chosen by hand.
const ALIGNED: f64 = 3.0;

/// Adds the pairs of a line of labels and the line of values below it. Labels above several rows are a table
/// header and are skipped.
pub(super) fn pairs(lines: &[Line<'_>], index: usize, taken: &mut [u64], pairs: &mut Vec<KeyValue>) {
    push_single(lines, index, taken, pairs);
    let line = &lines[index];
    let (Some(below), true) = (lines.get(index + 1), line.segments.len() >= 2) else { return };
    if taken[index] != 0 || taken[index + 1] != 0 || below.page != line.page || below.is_prose {
        return;
    }
    if !line.segments.iter().all(|segment| is_bare_label(segment.text))
        || !(is_near(line, below) || is_all_figures(below) && is_within(line, below, NEAR_FIGURES))
    {
        return;
    }
    let rows = lines.get(index + 2).is_some_and(|next| is_near(below, next) && is_row(below, next));
    let Some(values) = values(line, below).filter(|_| !rows) else { return };
    // Words below words may be anything: a third of the values has digits. Chosen by hand.
    let figures = values.iter().filter(|(_, value)| value.text.chars().any(|c| c.is_ascii_digit())).count();
    if figures * 3 < values.len() || figures == 0 {
        return;
    }
    (taken[index], taken[index + 1]) = (u64::MAX, u64::MAX);
    for (label, value) in values {
        push(pairs, line, &label, &[value]);
    }
}

/// Adds the pair of a single label in small type above its value.
fn push_single(lines: &[Line<'_>], index: usize, taken: &mut [u64], pairs: &mut Vec<KeyValue>) {
    let line = &lines[index];
    let Some(below) = lines.get(index + 1).filter(|below| below.page == line.page && !below.is_prose) else {
        return;
    };
    let ([label], [value]) = (line.segments.as_slice(), below.segments.as_slice()) else { return };
    let (Some(small), Some(large)) = (label.rect, value.rect) else { return };
    let (height, size) = (small.y1 - small.y0, large.y1 - large.y0);
    let printed_small = height < SMALL * size && (small.x0 - large.x0).abs() < size;
    let short = value.text.split_whitespace().count() <= MAX_WORDS;
    let free = taken[index] == 0 && taken[index + 1] == 0;
    // In equal type the value has to be a code; but more codes below it indicate a list.
    let followed = || lines.get(index + 2).is_some_and(|next| is_near(below, next) && is_all_figures(next));
    let aligned = (small.x0 - large.x0).abs() < ALIGNED;
    let told = printed_small || aligned && !is_figure(label.text) && is_code(value.text) && !followed();
    if free && told && short && is_near(line, below) && is_bare_label(label.text) && is_value(value) {
        (taken[index], taken[index + 1]) = (u64::MAX, u64::MAX);
        push(pairs, line, label, &[*value]);
    }
}

/// Each value with the label above it; `None` unless each has exactly one.
fn values<'t>(line: &Line<'t>, below: &Line<'t>) -> Option<Vec<(Segment<'t>, Segment<'t>)>> {
    let mut pairs = Vec::new();
    let mut labels = line.segments.iter();
    for value in &below.segments {
        let label = labels.find(|label| label.is_over(value))?;
        pairs.push((*label, *value));
    }
    (pairs.len() * 2 >= line.segments.len()).then_some(pairs)
}

fn is_all_figures(line: &Line<'_>) -> bool {
    line.segments.iter().all(|segment| is_figure(segment.text))
}

fn is_near(above: &Line<'_>, below: &Line<'_>) -> bool {
    is_within(above, below, NEAR)
}

/// Whether a line begins within this many of their heights below another.
fn is_within(above: &Line<'_>, below: &Line<'_>, heights: f64) -> bool {
    let first = |line: &Line<'_>| line.segments.first().and_then(|segment| segment.rect);
    let (Some(a), Some(b)) = (first(above), first(below)) else { return false };
    let height = (a.y1 - a.y0).max(b.y1 - b.y0);
    b.y0 > a.y0 && b.y0 - a.y1 < heights * height
}

/// Whether two lines are rows of one table: each segment of the second is below one of the first.
fn is_row(above: &Line<'_>, below: &Line<'_>) -> bool {
    below.segments.len() >= 2
        && below.segments.iter().all(|segment| above.segments.iter().any(|other| other.is_over(segment)))
}
