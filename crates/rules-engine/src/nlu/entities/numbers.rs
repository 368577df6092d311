//! Numbers as JSON values.

use serde_json::{Value, json};

/// A number as a JSON integer if it has no fraction.
pub(crate) fn json(value: f64) -> Value {
    if value.fract() == 0.0 && value.abs() < 9e15 { json!(value as i64) } else { json!(value) }
}
