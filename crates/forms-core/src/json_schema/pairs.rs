//! Maps from any name to a value, which forms have as lists of pairs.

use serde_json::{Map, Value, json};

use super::definition::{list_of, object_of};

/// The schema of the values under names that are not listed; `None` where there are no such names.
pub(super) fn value_schema(keywords: &Map<String, Value>) -> Option<Value> {
    let patterns = keywords.get("patternProperties").and_then(Value::as_object);
    let of_pattern = patterns.and_then(|patterns| patterns.values().next()).cloned();
    of_pattern.or_else(|| keywords.get("additionalProperties").filter(|schema| schema.is_object()).cloned())
}

/// The list of pairs for a map with such values.
pub(super) fn pairs_of(value: Map<String, Value>) -> Map<String, Value> {
    let mut pair = Map::from_iter([("key".to_owned(), json!({"type": "string", "required": true}))]);
    pair.insert("value".to_owned(), Value::Object(value));
    list_of(object_of(pair))
}
