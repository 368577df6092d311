//! The value of a union: it has the first of the field's types as which it can be read.

use serde_json::Value;

use super::super::node::Leaf;
use super::super::text::PrintConventions;
use super::scalar;
use crate::{Field, FieldType};

/// The leaf of a value in its field's type; `None` when it states that there is none. In a union, a JSON number or
/// boolean has a type of that kind, where there is one. An error completes "must be …".
pub(in super::super) fn read_leaf(
    field: &Field,
    value: &Value,
    printing: &PrintConventions<'_>,
) -> Result<Option<Leaf>, String> {
    if field.alternatives.is_empty() {
        return scalar::read_leaf(field, value, printing);
    }
    let text = scalar::text_of(value).unwrap_or_default();
    let may_be_text = field.alternatives.iter().any(|one| matches!(one.kind, FieldType::String));
    let stated = field.alternatives.iter().filter(|one| is_of_kind(one, value));
    let others = field.alternatives.iter().filter(|one| !is_of_kind(one, value));
    let mut states_nothing = false;
    for one in stated.chain(others) {
        if may_be_text && loses_characters(one, value, text.trim()) {
            continue;
        }
        match scalar::read_leaf(one, value, printing) {
            Ok(Some(leaf)) => return Ok(Some(leaf)),
            // "none" is no number, and may be a text.
            Ok(None) => states_nothing = true,
            Err(_) => {}
        }
    }
    if states_nothing { Ok(None) } else { Err(scalar::expected_type(field)) }
}

/// Whether a value of JSON has the kind of a type.
fn is_of_kind(field: &Field, value: &Value) -> bool {
    match value {
        Value::Number(_) => matches!(field.kind, FieldType::Number | FieldType::Integer),
        Value::Bool(_) => matches!(field.kind, FieldType::Boolean),
        _ => false,
    }
}

/// Whether a number would not show all that a text says: leading zeros, a sign of a telephone number, letters.
fn loses_characters(field: &Field, value: &Value, text: &str) -> bool {
    let is_number = matches!(field.kind, FieldType::Number | FieldType::Integer);
    let digits = text.trim_start_matches(['-', '\u{2212}']);
    let has_leading_zero =
        digits.starts_with('0') && digits.chars().nth(1).is_some_and(|next| next.is_ascii_digit());
    is_number
        && value.is_string()
        && (has_leading_zero || text.starts_with('+') || text.chars().any(char::is_alphabetic))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::FormSchema;

    fn read(types: &[&str], value: Value) -> Result<Option<Value>, String> {
        let form = json!({"x": {"type": "union", "types": types, "minimum": 0}});
        let schema = FormSchema::parse(form.as_object().unwrap()).unwrap();
        crate::read_answer(&schema.fields[0], &value)
    }

    #[test]
    fn a_value_has_the_first_type_that_it_can_be_read_as_and_text_comes_last() {
        for (types, value, wanted) in [
            (&["string", "number"][..], json!("1,234.50 €"), json!(1234.5)),
            (&["string", "number"], json!("0042"), json!("0042")),
            (&["string", "number"], json!("+49 30 1234"), json!("+49 30 1234")),
            (&["string", "number"], json!("3 boxes"), json!("3 boxes")),
            (&["string", "number"], json!("none"), json!("none")),
            (&["string", "number"], json!(7), json!(7)),
            (&["number", "date"], json!("12 March 2024"), json!("2024-03-12")),
            (&["boolean", "number"], json!(1), json!(1)),
            (&["number", "boolean"], json!("yes"), json!(true)),
            (&["integer", "boolean"], json!(true), json!(true)),
            (&["date", "string"], json!("on delivery"), json!("on delivery")),
            (&["email", "url"], json!("Ada <ada@example.com>"), json!("ada@example.com")),
        ] {
            assert_eq!(read(types, value.clone()), Ok(Some(wanted)), "{types:?} {value}");
        }
    }

    #[test]
    fn what_has_none_of_the_types_is_an_error() {
        assert_eq!(read(&["number", "date"], json!("not stated")), Ok(None));
        let message = "'x' must be a number or a date, not 'soon'";
        assert_eq!(read(&["number", "date"], json!("soon")), Err(message.into()));
        for types in [["number", "date"], ["number", "string"]] {
            assert_eq!(read(&types, json!(-5)), Err("'x' must be at least 0, not -5".into()));
        }
        assert!(read(&["number", "string"], json!({"a": 1})).is_err());
    }
}
