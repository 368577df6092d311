//! Values beside their labels: after a colon, or after a wide gap; and those that continue, or begin, below.

use super::labels::{
    cleaned, is_bare_label, is_blank, is_figure, is_label, is_sentence, last_label, separator,
};
use super::lines::{Line, Segment};
use super::{KeyValue, KeyValueKind, union};

/// Maximum pairs of one segment. Protects time.
const MAX_OF_SEGMENT: usize = 12;
/// Maximum continuation lines of a value. Chosen by hand.
const MAX_BELOW: usize = 6;
/// In heights of the value: minimum distance of its left edge from that of its label, maximum space above a
/// continuation line, and maximum overlap with the line above. Chosen by hand.
const INDENT: f64 = 2.0;
const GAP: f64 = 0.7;
const OVERLAP: f64 = 0.5;
/// In heights of the label: maximum space between it and a value below, and maximum offset of their left
/// edges. Chosen by hand.
const FIRST_GAP: f64 = 1.0;
const SIDEWAYS: f64 = 1.5;
/// Maximum words of a value after a gap. Chosen by hand.
const MAX_WORDS: usize = 8;
/// Edges that differ by less than this many points are aligned. Chosen by hand.
const ALIGNED: f64 = 3.0;

/// Adds the pairs that begin in a line. `taken` has a bit for each segment that is part of a pair.
pub(super) fn pairs(lines: &[Line<'_>], index: usize, taken: &mut [u64], pairs: &mut Vec<KeyValue>) {
    let line = &lines[index];
    for place in 0..line.segments.len() {
        if taken[index] & 1 << place != 0 {
            continue;
        }
        let segment = line.segments[place];
        let labelled = split_labels(&segment);
        if labelled.is_empty() {
            push_gap_pair(lines, index, place, taken, pairs);
            continue;
        }
        taken[index] |= 1 << place;
        let last = labelled.len() - 1;
        for (nth, (label, value)) in labelled.into_iter().enumerate() {
            if nth < last || !value.text.is_empty() && !is_blank(value.text) {
                let mut found = vec![value];
                if nth == last {
                    extend_below(lines, index, place, (&label, &value), taken, &mut found);
                }
                push(pairs, line, &label, &found);
            } else {
                let found = find_value(lines, index, place, &label, taken);
                if !found.is_empty() || !value.text.is_empty() {
                    push(pairs, line, &label, &found);
                }
            }
        }
    }
}

/// The labels of a segment that end with colons, each with the text after it.
fn split_labels<'t>(segment: &Segment<'t>) -> Vec<(Segment<'t>, Segment<'t>)> {
    let text = segment.text;
    let mut found: Vec<(Segment<'t>, usize, usize)> = Vec::new();
    let mut from = 0;
    while let Some((end, after)) = separator(text.get(from..).unwrap_or_default()) {
        let (end, after) = (from + end, from + after);
        let before = text.get(from..end).unwrap_or_default();
        let begin = match found.is_empty() {
            true => Some(0),
            false => last_label(before),
        };
        if let Some(begin) = begin {
            let label = segment.part(from + begin, end);
            if is_label(label.text) {
                if let Some((_, _, value_end)) = found.last_mut() {
                    *value_end = from + begin;
                }
                found.push((label, after, text.len()));
            } else if found.is_empty() {
                // A segment that does not begin with a label is prose.
                return Vec::new();
            }
        }
        from = after;
        if found.len() == MAX_OF_SEGMENT {
            break;
        }
    }
    let mut pairs: Vec<_> =
        found.into_iter().map(|(label, start, end)| (label, segment.part(start, end))).collect();
    pairs.retain(|(_, value)| !is_sentence(value.text));
    pairs
}

/// The value of a label with no text after it: beside it, else below.
fn find_value<'t>(
    lines: &[Line<'t>],
    index: usize,
    place: usize,
    label: &Segment<'t>,
    taken: &mut [u64],
) -> Vec<Segment<'t>> {
    let line = &lines[index];
    if let Some(beside) = line.segments.get(place + 1).filter(|beside| is_value(beside)) {
        taken[index] |= 1 << (place + 1);
        let mut found = vec![*beside];
        extend_below(lines, index, place + 1, (label, beside), taken, &mut found);
        return found;
    }
    let mut found = Vec::new();
    collect_below(lines, index, label, taken, &mut found);
    found
}

/// Whether a segment can be a value: it is not itself a label.
pub(super) fn is_value(segment: &Segment<'_>) -> bool {
    split_labels(segment).is_empty() && !is_sentence(segment.text)
}

/// The lines that continue a value below it, at its left edge and right of its label.
fn extend_below<'t>(
    lines: &[Line<'t>],
    index: usize,
    place: usize,
    (label, value): (&Segment<'t>, &Segment<'t>),
    taken: &mut [u64],
    found: &mut Vec<Segment<'t>>,
) {
    let (Some(own), Some(key)) = (value.rect, label.rect) else { return };
    // Below several segments side by side, a line may belong to any of them.
    let alone = lines[index].segments.len() <= place + 1;
    let height = own.y1 - own.y0;
    if own.x0 < key.x0 + INDENT * height || !alone {
        return;
    }
    let mut bottom = own.y1;
    for at in index + 1..(index + 1 + MAX_BELOW).min(lines.len()) {
        let next = &lines[at];
        let [only] = next.segments.as_slice() else { return };
        let Some(rect) = only.rect.filter(|_| next.page == lines[index].page) else { return };
        let begins = (rect.x0 - own.x0).abs() < height;
        let near = rect.y0 - bottom < GAP * height && rect.y0 > bottom - OVERLAP * height;
        if !begins || !near || !is_value(only) || next.is_prose {
            return;
        }
        bottom = rect.y1;
        taken[at] |= 1;
        found.push(*only);
    }
}

/// The lines below a single label, at its left edge.
fn collect_below<'t>(
    lines: &[Line<'t>],
    index: usize,
    label: &Segment<'t>,
    taken: &mut [u64],
    found: &mut Vec<Segment<'t>>,
) {
    let Some(key) = label.rect else { return };
    let height = key.y1 - key.y0;
    let (mut bottom, mut side) = (key.y1, FIRST_GAP);
    for at in index + 1..(index + 1 + MAX_BELOW).min(lines.len()) {
        let next = &lines[at];
        if next.page != lines[index].page || next.is_prose {
            return;
        }
        let under = next.segments.iter().enumerate().find(|(place, segment)| {
            let free = taken[at] & 1 << place == 0;
            free && segment.rect.is_some_and(|rect| (rect.x0 - key.x0).abs() < SIDEWAYS * height)
        });
        let Some((place, segment)) = under else { return };
        let Some(rect) = segment.rect else { return };
        if rect.y0 - bottom > side * height || !is_value(segment) {
            return;
        }
        (bottom, side) = (rect.y1, GAP);
        taken[at] |= 1 << place;
        found.push(*segment);
    }
}

/// Adds the pair of a label without a colon and a value after a gap.
fn push_gap_pair(
    lines: &[Line<'_>],
    index: usize,
    place: usize,
    taken: &mut [u64],
    pairs: &mut Vec<KeyValue>,
) {
    let line = &lines[index];
    let [label, value] = line.segments.as_slice() else {
        if place == 0 && taken[index] == 0 {
            push_alternating(line, &mut taken[index], pairs);
        }
        return;
    };
    if place != 0 || !is_bare_label(label.text) || !is_value(value) || taken[index] & 2 != 0 {
        return;
    }
    let short = value.text.split_whitespace().count() <= MAX_WORDS;
    if short && (is_figure(value.text) || has_aligned_neighbour(lines, index)) {
        taken[index] |= 3;
        push(pairs, line, label, &[*value]);
    }
}

/// Adds alternating labels and figures, over the whole line.
fn push_alternating(line: &Line<'_>, taken: &mut u64, pairs: &mut Vec<KeyValue>) {
    let couples = || line.segments.chunks_exact(2).map(|couple| (&couple[0], &couple[1]));
    let even = line.segments.len() >= 4 && line.segments.len().is_multiple_of(2);
    let fits = |(label, value): (&Segment<'_>, &Segment<'_>)| {
        is_bare_label(label.text) && !is_figure(label.text) && is_figure(value.text) && is_value(value)
    };
    if even && couples().all(fits) {
        *taken = u64::MAX;
        for (label, value) in couples() {
            push(pairs, line, label, &[*value]);
        }
    }
}

/// Whether the line above or below has a label and a value at the same edges.
fn has_aligned_neighbour(lines: &[Line<'_>], index: usize) -> bool {
    let edges = |line: &Line<'_>| match line.segments.as_slice() {
        [a, b] => {
            Some((a.rect?.x0, b.rect?.x0, b.rect?.x1, is_bare_label(a.text) || separator(a.text).is_some()))
        }
        _ => None,
    };
    let Some(own) = edges(&lines[index]) else { return false };
    let near = [index.checked_sub(1), Some(index + 1)];
    near.into_iter().flatten().filter_map(|at| edges(lines.get(at)?)).any(|other| {
        let same = |a: f64, b: f64| (a - b).abs() < ALIGNED;
        other.3 && same(own.0, other.0) && (same(own.1, other.1) || same(own.2, other.2))
    })
}

/// Adds a pair of a label and the lines of its value.
pub(super) fn push(pairs: &mut Vec<KeyValue>, line: &Line<'_>, label: &Segment<'_>, value: &[Segment<'_>]) {
    let texts: Vec<&str> =
        value.iter().map(|part| part.text.trim_matches(['|', ' '])).filter(|text| !is_blank(text)).collect();
    let rect = value.iter().filter_map(|part| part.rect).reduce(union).or(label.rect);
    let key = cleaned(label.text);
    if !key.is_empty() {
        let value = texts.join("\n");
        pairs.push(KeyValue { key, value, page: line.page, rect, kind: KeyValueKind::Label });
    }
}
