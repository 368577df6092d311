//! Numbers as JSON.

use serde_json::{Number, Value};

/// Integers up to here are exact in every JSON parser (2⁵³).
const MAX_EXACT: f64 = 9_007_199_254_740_992.0;

/// A JSON number; an integer when it has no fraction.
pub(super) fn json_number(number: f64) -> Option<Value> {
    if number.fract() == 0.0 && number.abs() < MAX_EXACT {
        return Some(Value::from(number as i64));
    }
    Number::from_f64(number).map(Value::Number)
}

pub(super) fn to_whole_number(number: &Value) -> Option<Value> {
    if number.is_i64() || number.is_u64() {
        return Some(number.clone());
    }
    number.as_f64().filter(|n| n.fract() == 0.0 && n.abs() < MAX_EXACT).and_then(json_number)
}
