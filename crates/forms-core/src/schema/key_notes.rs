//! Values of known keys that are kept and have no effect, because forms could say anything there before.

use language::date::DatePrecision;
use language::measure::Unit;
use serde_json::{Map, Value};

use super::violations::Violations;

/// Reports what `unit` and `precision` of a definition say in vain.
pub(super) fn check_notes(found: &mut Violations, definition: &Map<String, Value>, path: &str) {
    let kind = definition.get("type").and_then(Value::as_str).unwrap_or_default();
    if let Some(unit) = definition.get("unit").filter(|_| matches!(kind, "number" | "integer")) {
        let is_unit = unit.as_str().is_some_and(|unit| Unit::parse(unit).is_some());
        let what = match is_unit {
            true if definition.contains_key("enum") => "has no effect beside 'enum'",
            true => return,
            false => "is not a unit that values are converted to, such as kg; it is kept and has no effect",
        };
        found.report(&format!("{path}/unit"), format!("'unit' {what}"));
    }
    if let Some(precision) = definition.get("precision").filter(|_| kind == "date")
        && precision.as_str().and_then(DatePrecision::of_name).is_none()
    {
        let message = "'precision' is not one of year, quarter, month, day; it is kept and has no effect";
        found.report(&format!("{path}/precision"), message);
    }
}
