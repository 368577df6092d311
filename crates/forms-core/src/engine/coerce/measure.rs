//! Numbers of fields with a unit.

use language::measure::{PrintedUnit, Unit, unit_beside};
use language::number::scan;
use serde_json::{Number, Value};

use super::super::node::{Leaf, StatedMeasure};
use super::super::text::PrintConventions;
use super::numbers::{json_number, to_whole_number};
use crate::{Field, FieldType};

/// The number of an answer in the field's unit; `None` where it is no number with a unit that converts.
pub(super) fn read_measure(
    field: &Field,
    own: Unit,
    value: &Value,
    text: &str,
    printing: &PrintConventions<'_>,
) -> Option<Leaf> {
    let (number, unit, more) = match value {
        Value::Number(number) => (number.as_f64()?, None, 0.0),
        _ => number_with_unit(text, printing)?,
    };
    let value = of_unit(field, unit.unwrap_or(own), own, number + more)?;
    let stated = StatedMeasure { number: json_number(number)?, unit };
    Some(Leaf { measure: Some(stated), ..Leaf::new(value) })
}

/// A number of one unit as a value of the field, which has the unit `own`.
pub(in super::super) fn of_unit(field: &Field, unit: Unit, own: Unit, number: f64) -> Option<Value> {
    let converted = unit.convert(number, own)?;
    match field.kind {
        FieldType::Integer => to_whole_number(&json_number(converted)?),
        _ if unit.is_same(own) => json_number(converted),
        _ => json_number(converted).or_else(|| Number::from_f64(converted).map(Value::Number)),
    }
}

/// The number of a text, its unit, and what smaller units add.
fn number_with_unit(text: &str, printing: &PrintConventions<'_>) -> Option<(f64, Option<Unit>, f64)> {
    let mut first = None;
    let mut ends = Vec::new();
    scan(text, 0..text.len(), |mention| {
        ends.push(mention.range.end);
        if first.is_none() {
            first = Some((mention.value(|readings| printing.reading(readings)), mention.range));
        }
    });
    let (number, range) = first?;
    let (unit, place, more) = unit_beside(text, range.clone());
    // Nothing but the measure, and no number that is left over.
    let is_whole = ends.iter().all(|end| *end <= place.end)
        && text.get(place.end..)?.trim().trim_matches(['.', ')']).is_empty();
    match unit {
        PrintedUnit::Known(unit) if is_whole => Some((number?, Some(unit), more)),
        PrintedUnit::None if is_whole => Some((number?, None, 0.0)),
        _ => None,
    }
}
