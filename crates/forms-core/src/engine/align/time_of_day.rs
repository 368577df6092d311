//! Dates with a time: their place must show both, and an offset counts where it is printed.

use language::date::{scan_date_times, scan_times};

use super::{evidence_at, visit_leaves};
use crate::engine::node::{Leaf, Node, TextSpan};
use crate::engine::segment::Source;
use crate::{Evidence, Field, FieldType, Support};

/// Characters of `YYYY-MM-DDThh:mm`, and of a local time with seconds.
const MINUTES: usize = 16;
const LOCAL: usize = 19;

/// Verifies the time of every date with a time, and removes offsets that are not printed.
pub(super) fn settle(fields: &[Field], nodes: &mut [Node], sources: &[Source<'_>]) {
    visit_leaves(fields, nodes, &mut |field, node| {
        if let Node::Leaf(leaf) = node
            && is_date_time(field)
        {
            settle_leaf(leaf, sources);
        }
    });
}

fn is_date_time(field: &Field) -> bool {
    matches!(field.kind, FieldType::String) && field.format.as_deref() == Some("date-time")
}

fn settle_leaf(leaf: &mut Leaf, sources: &[Source<'_>]) {
    let (Some(span), Some(value)) = (leaf.span, leaf.value.as_str().map(str::to_owned)) else { return };
    let Some(source) = sources.get(span.document) else { return };
    let Some(local) = value.get(..LOCAL.min(value.len())) else { return };
    let wanted = local.get(..MINUTES).unwrap_or(local);
    let mut found: Vec<(TextSpan, Option<String>)> = Vec::new();
    scan_date_times(source.text(), |mention| {
        let shows = [mention.day_first, mention.month_first].into_iter().flatten().any(|at| {
            let printed = at.format("%Y-%m-%dT%H:%M:%S").to_string();
            printed.starts_with(wanted)
        });
        if shows {
            let place =
                TextSpan { document: span.document, start: mention.range.start, end: mention.range.end };
            found.push((place, mention.offset));
        }
    });
    let best =
        found.iter().find(|(place, _)| place.start <= span.start && span.start < place.end).or(found.first());
    let confidence = leaf.evidence.as_ref().map_or(0.0, |evidence| evidence.confidence);
    match best {
        Some((place, offset)) => {
            let stated = value.get(local.len()..).unwrap_or_default();
            if offset.is_none() && !stated.is_empty() {
                leaf.value = local.into();
            }
            let support = if leaf.value == value && is_exact(source, *place, &value) {
                Support::Exact
            } else {
                Support::Normalised
            };
            leaf.evidence = evidence_at(source, *place, support, confidence);
            leaf.span = Some(*place);
        }
        // Date and time may stand apart, without an offset.
        None if prints_time(source, local) => leaf.value = local.into(),
        None => {
            leaf.evidence = Some(Evidence::without_place(Support::Unsupported, confidence));
            leaf.span = None;
        }
    }
}

fn is_exact(source: &Source<'_>, place: TextSpan, value: &str) -> bool {
    source.text().get(place.start..place.end) == Some(value)
}

/// Whether the time of a local date and time is printed anywhere in the document.
fn prints_time(source: &Source<'_>, local: &str) -> bool {
    let wanted = local.get(11..MINUTES).unwrap_or_default();
    let mut found = false;
    scan_times(source.text(), |mention| found |= mention.time.format("%H:%M").to_string() == wanted);
    found
}
