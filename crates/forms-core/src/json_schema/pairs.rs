//! Maps from any name to a value, which forms have as lists of pairs.

use serde_json::{Map, Value, json};

use super::node::{Walk, list_of, object_of};

/// The schema of the values under names that are not listed; `None` where there are no such names.
pub(super) fn value_schema(keywords: &Map<String, Value>) -> Option<Value> {
    let patterns = keywords.get("patternProperties").and_then(Value::as_object);
    let of_pattern = patterns.and_then(|patterns| patterns.values().next()).cloned();
    of_pattern.or_else(|| keywords.get("additionalProperties").filter(|schema| schema.is_object()).cloned())
}

/// The list of pairs for a map. `values` is the schema of its values; without one they are text.
pub(super) fn convert(
    walk: &mut Walk<'_>,
    values: Option<Value>,
    path: &str,
    depth: usize,
) -> Option<Map<String, Value>> {
    let told = values.is_some();
    let schema = values.unwrap_or_else(|| json!({"type": "string"}));
    let value = walk.definition(&schema, &format!("{path}/additionalProperties"), depth + 2)?;
    let of_what = if told { "" } else { " of text" };
    walk.warn(path, format!("a map becomes a list of objects with 'key' and 'value'{of_what}"));
    let mut pair = Map::from_iter([("key".to_owned(), json!({"type": "string", "required": true}))]);
    pair.insert("value".to_owned(), Value::Object(value));
    Some(list_of(object_of(pair)))
}
