//! Maps: objects with any names, which are lists of pairs for everything but the schema and the record.

use serde_json::{Map, Value, json};

/// The part of a pair with the name.
pub(crate) const KEY: &str = "key";
/// The part of a pair with the value.
pub(crate) const VALUE: &str = "value";

/// The definition of a pair with such values.
pub(super) fn item_of(values: &Value) -> Map<String, Value> {
    let key = json!({"type": "string", "required": true, "instructions": "The name as it is printed."});
    let mut value = values.clone();
    // The name comes first, whatever is said of the values.
    if let Some(value) = value.as_object_mut() {
        value.shift_remove("order");
    }
    let properties = Map::from_iter([(KEY.to_owned(), key), (VALUE.to_owned(), value)]);
    Map::from_iter([
        ("type".to_owned(), json!("object")),
        ("properties".to_owned(), Value::Object(properties)),
    ])
}

/// The pairs of a map of a record.
#[must_use]
pub fn pairs_of_map(map: &Map<String, Value>) -> Value {
    map.iter().map(|(name, value)| json!({KEY: name, VALUE: value})).collect()
}

/// The map of pairs; those without a name are left out.
#[must_use]
pub fn map_of_pairs(pairs: &[Value]) -> Value {
    let member = |pair: &Value| {
        Some((pair.get(KEY)?.as_str()?.to_owned(), pair.get(VALUE).cloned().unwrap_or_default()))
    };
    Value::Object(pairs.iter().filter_map(member).collect())
}

/// Whether a token of a pointer is a place in a list of pairs and no name.
pub(super) fn is_place(token: &str) -> bool {
    token == "-" || token.parse::<usize>().is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{FieldType, FormSchema, validate_schema};

    #[test]
    fn a_map_has_values_of_one_definition_under_any_name() {
        let form =
            json!({"specs": {"type": "map", "values": {"type": "number", "unit": "kg"}, "maxItems": 9}});
        let schema = FormSchema::parse(form.as_object().unwrap()).unwrap();
        let value = schema.fields[0].map_value().unwrap();
        assert!(matches!(value.kind, FieldType::Number) && value.unit.is_some());
        assert!(matches!(schema.field_at("/specs/gross").unwrap().kind, FieldType::Number));
        assert_eq!(schema.fields[0].max_items, Some(9));
    }

    #[test]
    fn the_values_of_a_map_are_validated_at_their_place() {
        let schema = json!({
            "a": {"type": "map"}, "b": {"type": "map", "values": {"type": "text"}},
            "c": {"type": "map", "values": {"type": "string", "when": {"d": "x"}, "rules": ["d == 1"]}},
            "d": {"type": "map", "values": {"type": "string"}, "enum": ["x"], "computed": "1"}
        });
        let mut paths: Vec<String> =
            validate_schema(&schema).into_iter().map(|violation| violation.path).collect();
        paths.sort();
        assert_eq!(
            paths,
            ["/a", "/b/values/type", "/c/values/rules", "/c/values/when", "/d/computed", "/d/enum"]
        );
    }
}
