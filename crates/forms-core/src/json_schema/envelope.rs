//! What tools write around a JSON Schema.

use serde_json::Value;

/// Where tools put the schema among other things: OpenAI's `response_format` and functions, Anthropic's tools.
const WRAPPERS: [&str; 4] = ["json_schema", "schema", "input_schema", "parameters"];

/// The schema itself, where a tool's envelope is around it, and its place.
pub(super) fn unwrap(document: &Value) -> (&Value, String) {
    let (mut schema, mut path) = (document, String::new());
    // `{"type": "json_schema", "json_schema": {"name": …, "schema": {…}}}` is the deepest.
    for _ in 0..2 {
        let is_schema = ["properties", "$ref", "items", "anyOf", "oneOf", "allOf"]
            .iter()
            .any(|keyword| schema.get(keyword).is_some());
        let inner = WRAPPERS.iter().find_map(|key| Some((key, schema.get(key).filter(|v| v.is_object())?)));
        match inner {
            Some((key, inner)) if !is_schema => {
                schema = inner;
                path = format!("{path}/{key}");
            }
            _ => break,
        }
    }
    (schema, path)
}
