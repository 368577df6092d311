//! Definitions of objects and lists.

use serde_json::{Map, Value, json};

/// A list of such items.
pub(super) fn list_of(item: Map<String, Value>) -> Map<String, Value> {
    Map::from_iter([("type".to_owned(), json!("array")), ("items".to_owned(), Value::Object(item))])
}

/// An object with these fields.
pub(super) fn object_of(fields: Map<String, Value>) -> Map<String, Value> {
    Map::from_iter([("type".to_owned(), json!("object")), ("properties".to_owned(), Value::Object(fields))])
}
