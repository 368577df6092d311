//! Fields that can be filled in, and what is printed beside them.

use super::labels::{cleaned, is_label};
use super::lines::Line;
use super::{KeyValue, KeyValueKind};
use crate::model::{Document, FieldKind, FormField, Rect};

/// Points between a field and its label at the most: beside, and above it.
const BESIDE: f64 = 200.0;
const ABOVE: f64 = 14.0;
/// Fields whose labels are looked for on the page; the others keep their names.
const MAX_LOOKED: usize = 5_000;

/// A pair for each field.
pub(super) fn pairs(document: &Document, lines: &[Line<'_>]) -> Vec<KeyValue> {
    let pair = |(place, field): (usize, &FormField)| KeyValue {
        key: key(field, lines, place < MAX_LOOKED),
        value: field.value.clone().unwrap_or_default(),
        page: field.page,
        rect: field.rect,
        kind: KeyValueKind::Field,
    };
    document.fields.iter().take(super::MAX_PAIRS).enumerate().map(pair).collect()
}

/// What the document calls the field, else what is printed beside it, else its name.
fn key(field: &FormField, lines: &[Line<'_>], look: bool) -> String {
    let told = field.label.as_deref().map(str::trim).filter(|label| !label.is_empty());
    if let Some(label) = told {
        return label.trim_end_matches(':').to_owned();
    }
    let printed = field.rect.filter(|_| look).and_then(|rect| printed(field, rect, lines));
    printed.unwrap_or_else(|| field.name.clone())
}

/// The nearest label on the page: left of the field or above it, of a box to tick right of it.
fn printed(field: &FormField, rect: Rect, lines: &[Line<'_>]) -> Option<String> {
    // Lines are in reading order, and so are their pages.
    let first = lines.partition_point(|line| line.page < field.page);
    let own = lines.get(first..)?.iter().take_while(|line| line.page == field.page);
    let mut best: Option<(f64, &str)> = None;
    for segment in own.flat_map(|line| &line.segments) {
        let Some(place) = segment.rect else { continue };
        let label = segment.text.trim_end_matches([':', ' ', '_', '.']);
        let filled = field.value.as_deref().is_some_and(|value| value.trim() == segment.text);
        if filled || !is_label(label) {
            continue;
        }
        if let Some(distance) =
            distance(field.kind, rect, place).filter(|far| best.is_none_or(|(near, _)| *far < near))
        {
            best = Some((distance, label));
        }
    }
    best.map(|(_, label)| cleaned(label))
}

/// How far a label is from its field, where it can be its label.
fn distance(kind: FieldKind, field: Rect, label: Rect) -> Option<f64> {
    let shared = field.y1.min(label.y1) - field.y0.max(label.y0);
    let level = shared > 0.5 * (label.y1 - label.y0).min(field.y1 - field.y0);
    let (left, right) = (field.x0 - label.x1, label.x0 - field.x1);
    if kind == FieldKind::Checkbox {
        return (level && (-3.0..30.0).contains(&right)).then_some(right.max(0.0));
    }
    if level && (-3.0..BESIDE).contains(&left) {
        return Some(left.max(0.0));
    }
    let up = field.y0 - label.y1;
    let over = field.x1.min(label.x1) > field.x0.max(label.x0);
    (over && (-2.0..ABOVE).contains(&up)).then_some(up.max(0.0) * 2.0)
}
