//! A map that a model gives as an object, as its pairs.

use serde_json::{Map, Value, json};

use crate::schema::{KEY, VALUE};

/// The pairs of an object: its members, unless it is a single pair or has nothing but the list.
pub(super) fn of_object(object: &Map<String, Value>) -> Vec<Value> {
    let is_pair =
        object.len() == 2 && object.get(KEY).is_some_and(Value::is_string) && object.contains_key(VALUE);
    let only = || object.values().next().and_then(Value::as_array).filter(|_| object.len() == 1);
    let are_pairs =
        |items: &&Vec<Value>| !items.is_empty() && items.iter().all(|item| item.get(KEY).is_some());
    match only().filter(are_pairs) {
        _ if is_pair => vec![Value::Object(object.clone())],
        Some(items) => items.clone(),
        None => object.iter().map(|(name, value)| json!({KEY: name, VALUE: value})).collect(),
    }
}
