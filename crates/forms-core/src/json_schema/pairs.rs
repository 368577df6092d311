//! Maps from any name to a value, which forms have as lists of pairs.

use serde_json::{Map, Value, json};

use super::definition::{list_of, object_of};
use crate::schema::pointer_token;

/// The schema of the values under names that are not listed, with its path; `None` where there are no such names.
pub(super) fn value_schema(keywords: &Map<String, Value>) -> Option<(String, Value)> {
    let patterns = keywords.get("patternProperties").and_then(Value::as_object);
    let of_pattern = patterns.and_then(|patterns| patterns.iter().next());
    if let Some((pattern, schema)) = of_pattern {
        return Some((format!("patternProperties/{}", pointer_token(pattern)), schema.clone()));
    }
    let any = keywords.get("additionalProperties").filter(|schema| schema.is_object())?;
    Some(("additionalProperties".to_owned(), any.clone()))
}

/// The list of pairs for a map with such values.
pub(super) fn pairs_of(value: Map<String, Value>) -> Map<String, Value> {
    let mut pair = Map::from_iter([("key".to_owned(), json!({"type": "string", "required": true}))]);
    pair.insert("value".to_owned(), Value::Object(value));
    list_of(object_of(pair))
}
