//! Numbers of fields with a unit: the unit that is printed decides, not the one that a model states.

use language::measure::{PrintedUnit, Unit, unit_beside, unit_in_label};
use language::number::scan;

use super::headings::Headings;
use super::{evidence_at, visit_leaves};
use crate::engine::coerce;
use crate::engine::node::{Leaf, Node, TextSpan};
use crate::engine::segment::Source;
use crate::{Field, Support};

/// Bytes of a printed unit in a message. Bounds the message.
const MAX_SHOWN: usize = 60;

/// Converts the values with places by the units printed there. A value with another quantity, an unknown unit, or a unit
/// that the model made up fails.
pub(super) fn settle(
    fields: &[Field],
    nodes: &mut [Node],
    sources: &[Source<'_>],
    headings: &mut Headings<'_>,
) {
    visit_leaves(fields, nodes, &mut |field, node| {
        if let (Node::Leaf(leaf), Some(unit)) = (&mut *node, field.unit)
            && let Err(problem) = settle_leaf(field, unit, leaf, sources, headings)
        {
            *node = Node::Failed(problem);
        }
    });
}

fn settle_leaf(
    field: &Field,
    own: Unit,
    leaf: &mut Leaf,
    sources: &[Source<'_>],
    headings: &mut Headings<'_>,
) -> Result<(), String> {
    let (Some(span), Some(stated)) = (leaf.span, leaf.measure.clone()) else { return Ok(()) };
    let Some(source) = sources.get(span.document) else { return Ok(()) };
    let text = source.text();
    let mut first = None;
    scan(text, span.start..span.end, |mention| first = first.take().or(Some(mention.range)));
    // Numbers in words have no place for a unit that is known.
    let Some(range) = first else { return Ok(()) };
    let (printed, place, more) = unit_beside(text, range);
    let shown = text.get(place.start..text.floor_char_boundary(place.end.min(place.start + MAX_SHOWN)));
    let is_beside = !matches!(printed, PrintedUnit::None);
    let printed = match printed {
        PrintedUnit::None => headings.find(span, label_unit).unwrap_or(PrintedUnit::None),
        printed => printed,
    };
    let refused = |what: &str| {
        let shown = shown.unwrap_or_default();
        Err(format!(
            "'{}' must be in {1} or a unit that converts to {1}; {what} '{shown}'",
            field.name,
            own.symbol()
        ))
    };
    let unit = match (printed, stated.unit) {
        (PrintedUnit::Unknown, _) => return refused("the document prints"),
        (PrintedUnit::Known(unit), _) if unit.quantity != own.quantity => {
            return refused("the document has another quantity at");
        }
        (PrintedUnit::Known(unit), Some(stated)) if !unit.is_same(stated) => {
            return refused("the unit of the answer is not that of");
        }
        (PrintedUnit::Known(unit), _) => unit,
        (PrintedUnit::None, Some(stated)) if !stated.is_same(own) => {
            return refused("the unit of the answer is not printed at");
        }
        (PrintedUnit::None, _) => own,
    };
    let number = stated.number.as_f64().unwrap_or_default();
    let Some(value) = coerce::of_unit(field, unit, own, number + if is_beside { more } else { 0.0 }) else {
        return refused("no whole number results from");
    };
    if let Some(problem) = coerce::broken_rule(field, &value) {
        return Err(problem);
    }
    leaf.value = value;
    if is_beside {
        widen(
            leaf,
            TextSpan {
                document: span.document,
                start: place.start.min(span.start),
                end: place.end.max(span.end),
            },
            source,
        );
    }
    Ok(())
}

fn label_unit(label: &str) -> Option<PrintedUnit> {
    Some(unit_in_label(label)).filter(|unit| !matches!(unit, PrintedUnit::None))
}

/// Extends the evidence to the unit. What is printed with a unit is another form of the value.
fn widen(leaf: &mut Leaf, span: TextSpan, source: &Source<'_>) {
    let Some(evidence) = &leaf.evidence else { return };
    let support = match evidence.support {
        Support::Exact => Support::Normalised,
        support => support,
    };
    if let Some(wider) = evidence_at(source, span, support, evidence.confidence) {
        (leaf.evidence, leaf.span) = (Some(wider), Some(span));
    }
}
