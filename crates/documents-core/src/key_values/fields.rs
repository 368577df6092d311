//! Form fields, and the labels printed beside them.

use std::collections::HashSet;

use super::labels::{cleaned, is_label};
use super::lines::{Line, Segment};
use super::{KeyValue, KeyValueKind};
use crate::model::{Document, FieldKind, FormField, Rect};

/// Maximum points between a field and its label: beside it, and above it. A line of text is about 12 high.
/// Chosen by hand.
const BESIDE: f64 = 200.0;
const ABOVE: f64 = 14.0;
/// Maximum points between a check box and the label to its right. Chosen by hand.
const TICKED: f64 = 30.0;
/// Maximum overlap in points of a field and its label, beside it and above it. Chosen by hand.
const OVERLAP_BESIDE: f64 = 3.0;
const OVERLAP_ABOVE: f64 = 2.0;
/// A point above a field counts as so many beside it. Chosen by hand.
const ABOVE_WEIGHT: f64 = 2.0;
/// Maximum fields whose labels are searched on the page; the others keep their names. Protects time: each is
/// compared with all lines of its page.
const MAX_LOOKED: usize = 5_000;

/// A pair for each field.
pub(super) fn pairs(document: &Document, lines: &[Line<'_>]) -> Vec<KeyValue> {
    let filled = segments_in_fields(document, lines);
    let pair = |(place, field): (usize, &FormField)| KeyValue {
        key: key(field, lines, &filled, place < MAX_LOOKED),
        value: field.value.clone().unwrap_or_default(),
        page: field.page,
        rect: field.rect,
        kind: KeyValueKind::Field,
    };
    document.fields.iter().take(super::MAX_PAIRS).enumerate().map(pair).collect()
}

/// A segment of a line, by line and segment index.
type Place = (usize, usize);

/// The segments inside fields: filled-in text is no label.
fn segments_in_fields(document: &Document, lines: &[Line<'_>]) -> HashSet<Place> {
    let mut filled = HashSet::new();
    for field in document.fields.iter().take(MAX_LOOKED) {
        let Some(rect) = field.rect else { continue };
        for (place, segment) in on_page(lines, field.page) {
            let middle = |rect: Rect| (f64::midpoint(rect.x0, rect.x1), f64::midpoint(rect.y0, rect.y1));
            let within = segment
                .rect
                .map(middle)
                .is_some_and(|(x, y)| (rect.x0..=rect.x1).contains(&x) && (rect.y0..=rect.y1).contains(&y));
            if within {
                filled.insert(place);
            }
        }
    }
    filled
}

/// The segments of a page.
fn on_page<'l, 't>(
    lines: &'l [Line<'t>],
    page: Option<u32>,
) -> impl Iterator<Item = (Place, &'l Segment<'t>)> {
    // Lines are in reading order, and so are their pages.
    let first = lines.partition_point(|line| line.page < page);
    let own = lines.iter().enumerate().skip(first).take_while(move |(_, line)| line.page == page);
    own.flat_map(|(index, line)| {
        line.segments.iter().enumerate().map(move |(nth, segment)| ((index, nth), segment))
    })
}

/// The field's own label, else the printed label, else its name.
fn key(field: &FormField, lines: &[Line<'_>], filled: &HashSet<Place>, look: bool) -> String {
    let told = field.label.as_deref().map(str::trim).filter(|label| !label.is_empty());
    if let Some(label) = told {
        return label.trim_end_matches(':').to_owned();
    }
    let printed = field.rect.filter(|_| look).and_then(|rect| find_nearest_label(field, rect, lines, filled));
    printed.unwrap_or_else(|| field.name.clone())
}

/// The nearest label on the page: left of the field or above it; for a check box right or left of it.
fn find_nearest_label(
    field: &FormField,
    rect: Rect,
    lines: &[Line<'_>],
    filled: &HashSet<Place>,
) -> Option<String> {
    let mut best: Option<(f64, &str)> = None;
    for (at, segment) in on_page(lines, field.page) {
        let Some(place) = segment.rect else { continue };
        let label = segment.text.trim_end_matches([':', ' ', '_', '.']);
        let own = field.value.as_deref().is_some_and(|value| value.trim() == segment.text);
        if own || filled.contains(&at) || !is_label(label) {
            continue;
        }
        if let Some(distance) =
            distance(field.kind, rect, place).filter(|far| best.is_none_or(|(near, _)| *far < near))
        {
            best = Some((distance, segment.text));
        }
    }
    best.map(|(_, label)| cleaned(label))
}

/// Distance of a label from its field; `None` when it cannot be its label.
fn distance(kind: FieldKind, field: Rect, label: Rect) -> Option<f64> {
    let shared = field.y1.min(label.y1) - field.y0.max(label.y0);
    let level = shared > 0.5 * (label.y1 - label.y0).min(field.y1 - field.y0);
    let (left, right) = (field.x0 - label.x1, label.x0 - field.x1);
    if kind == FieldKind::Checkbox {
        let near =
            |gap: f64, most: f64| (level && (-OVERLAP_BESIDE..most).contains(&gap)).then_some(gap.max(0.0));
        // The label left of a box counts only when there is none to its right.
        return near(right, TICKED).or_else(|| near(left, BESIDE).map(|gap| gap + TICKED));
    }
    if level && (-OVERLAP_BESIDE..BESIDE).contains(&left) {
        return Some(left.max(0.0));
    }
    let up = field.y0 - label.y1;
    let over = field.x1.min(label.x1) > field.x0.max(label.x0);
    (over && (-OVERLAP_ABOVE..ABOVE).contains(&up)).then_some(up.max(0.0) * ABOVE_WEIGHT)
}
