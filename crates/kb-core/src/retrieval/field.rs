//! Reads a field of an item's meta.

use serde_json::{Map, Value};

/// Maximum values of a field; more are ignored. Protects time.
const MOST: usize = 10_000;
/// Maximum dots of a field's name that are path separators. Protects time.
const MAX_DOTS: usize = 16;

/// The values of a field.
#[derive(Debug, Default)]
pub(super) struct Field<'a> {
    /// Its value, and the elements if it is a list; empty when the field is missing.
    pub(super) values: Vec<&'a Value>,
    /// Values and objects that were visited.
    pub(super) steps: u64,
}

/// Reads a field of a meta. Dots in the name are path separators, also through lists of objects; a key that
/// contains the dots itself has priority.
pub(super) fn found<'a>(meta: &'a Map<String, Value>, name: &str) -> Field<'a> {
    let mut field = Field::default();
    reach(meta, name, MAX_DOTS, &mut field);
    field.steps += field.values.len() as u64;
    field
}

fn reach<'a>(map: &'a Map<String, Value>, name: &str, dots: usize, field: &mut Field<'a>) {
    field.steps += 1;
    if let Some(value) = map.get(name) {
        add(value, &mut field.values);
        return;
    }
    if dots == 0 {
        return;
    }
    // The longest key first.
    for (at, _) in name.rmatch_indices('.').take(MAX_DOTS) {
        let (Some(key), Some(rest)) = (name.get(..at), name.get(at + 1..)) else { continue };
        let Some(value) = map.get(key) else { continue };
        match value {
            Value::Object(inner) => reach(inner, rest, dots - 1, field),
            Value::Array(list) => {
                for inner in list.iter().filter_map(Value::as_object).take(MOST) {
                    reach(inner, rest, dots - 1, field);
                }
            }
            _ => {}
        }
        return;
    }
}

fn add<'a>(value: &'a Value, values: &mut Vec<&'a Value>) {
    if values.len() >= MOST {
        return;
    }
    values.push(value);
    if let Value::Array(list) = value {
        values.extend(list.iter().take(MOST - values.len()));
    }
}
