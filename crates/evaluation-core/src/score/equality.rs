//! When two values are the same.

use forms_core::{Field, FieldType};
use serde_json::Value;

/// Whether a value states nothing.
pub(super) fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.trim().is_empty(),
        Value::Array(items) => items.is_empty(),
        _ => false,
    }
}

/// Whether two values of a field are the same: numbers by value, texts without regard to case and spaces.
pub(super) fn is_same(field: &Field, left: &Value, right: &Value) -> bool {
    let is_number = matches!(field.of_value(left).kind, FieldType::Number | FieldType::Integer);
    match (left.as_f64(), right.as_f64()) {
        (Some(left), Some(right)) if is_number => {
            // Doubles that differ in their last digits are the same decimal.
            (left - right).abs() <= 1e-9 * left.abs().max(right.abs()).max(1.0)
        }
        _ => text(left) == text(right),
    }
}

fn text(value: &Value) -> String {
    let text = match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}
