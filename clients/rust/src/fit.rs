//! Records as values of a type: the server says null where the documents state nothing, and has no maps and tuples.

use serde_json::{Map, Value};

/// References and levels that are followed; a form has fewer.
const DEPTH: usize = 32;

/// A record as a value with this JSON Schema. Nulls give way to defaults of the type, or are an empty list where one is
/// needed; lists of `key` and `value` are maps again, objects of `item_1` and so on tuples.
pub(crate) fn fitted(record: Value, schema: &Value) -> Value {
    fit(record, schema, schema, DEPTH)
}

fn fit(value: Value, node: &Value, root: &Value, depth: usize) -> Value {
    let Some(depth) = depth.checked_sub(1) else { return value };
    let node = resolved(node, root, !value.is_null());
    match value {
        Value::Null if needs_list(node) => Value::Array(Vec::new()),
        Value::Null if is_map(node) => Value::Object(Map::new()),
        Value::Array(entries) if is_map(node) => pairs(entries, &node["additionalProperties"], root, depth),
        Value::Array(entries) => {
            entries.into_iter().map(|entry| fit(entry, &node["items"], root, depth)).collect()
        }
        Value::Object(parts) => match node["prefixItems"].as_array() {
            Some(items) => tuple(parts, items, root, depth),
            None => Value::Object(object(parts, node, root, depth)),
        },
        other => other,
    }
}

fn object(parts: Map<String, Value>, node: &Value, root: &Value, depth: usize) -> Map<String, Value> {
    let required = node["required"].as_array();
    let is_required = |name: &str| required.is_some_and(|names| names.iter().any(|given| given == name));
    // The type of any JSON takes nulls as they are.
    let is_open = ["type", "properties", "oneOf", "anyOf", "allOf"].iter().all(|key| node[key].is_null());
    let fitted = parts.into_iter().map(|(name, part)| {
        let part = fit(part, &node["properties"][&name], root, depth);
        (name, part)
    });
    fitted.filter(|(name, part)| !part.is_null() || is_open || is_required(name)).collect()
}

fn pairs(entries: Vec<Value>, node: &Value, root: &Value, depth: usize) -> Value {
    let pair = |mut entry: Value| {
        let key = match entry["key"].take() {
            Value::String(key) => key,
            Value::Null => return None,
            other => other.to_string(),
        };
        Some((key, fit(entry["value"].take(), node, root, depth)))
    };
    Value::Object(entries.into_iter().filter(Value::is_object).filter_map(pair).collect())
}

fn tuple(mut parts: Map<String, Value>, items: &[Value], root: &Value, depth: usize) -> Value {
    let entry = |(index, node): (usize, &Value)| {
        fit(parts.remove(&format!("item_{}", index + 1)).unwrap_or_default(), node, root, depth)
    };
    items.iter().enumerate().map(entry).collect()
}

fn needs_list(node: &Value) -> bool {
    node["type"] == "array" && !node["prefixItems"].is_array()
}

fn is_map(node: &Value) -> bool {
    let has_names = node["properties"].as_object().is_some_and(|names| !names.is_empty());
    node["type"] == "object" && node["additionalProperties"].is_object() && !has_names
}

/// A schema behind references, and behind those of an optional one for a value that is there.
fn resolved<'a>(mut node: &'a Value, root: &'a Value, is_there: bool) -> &'a Value {
    for _ in 0..DEPTH {
        let next = match (node["$ref"].as_str(), node["anyOf"].as_array()) {
            (Some(reference), _) => reference.strip_prefix('#').and_then(|pointer| root.pointer(pointer)),
            (None, Some(alternatives)) if is_there => {
                let mut others = alternatives.iter().filter(|one| one["type"] != "null");
                others.next().filter(|_| others.next().is_none())
            }
            _ => None,
        };
        match next {
            Some(next) => node = next,
            None => break,
        }
    }
    node
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use schemars::JsonSchema;
    use serde::Deserialize;
    use serde_json::{Value, json};

    use super::fitted;
    use crate::extraction::schema_of;

    #[derive(Debug, PartialEq, Deserialize, JsonSchema)]
    struct Line {
        article: String,
        count: Option<u32>,
    }

    #[derive(Debug, Default, PartialEq, Deserialize, JsonSchema)]
    #[serde(default)]
    struct Place {
        city: String,
    }

    #[derive(Debug, PartialEq, Deserialize, JsonSchema)]
    struct Order {
        number: Option<u64>,
        #[serde(default)]
        currency: String,
        lines: Vec<Line>,
        notes: Option<Vec<String>>,
        place: Option<Place>,
        rates: BTreeMap<String, f64>,
        size: Option<(String, u32)>,
    }

    fn order(record: Value) -> Result<Order, serde_json::Error> {
        serde_json::from_value(fitted(record, &schema_of::<Order>()))
    }

    #[test]
    fn nulls_are_defaults_or_empty() {
        let names = ["number", "currency", "lines", "notes", "place", "rates", "size"];
        let nulls: Value =
            Value::Object(names.into_iter().map(|name| (name.to_owned(), Value::Null)).collect());
        let empty = Order {
            number: None,
            currency: String::new(),
            lines: Vec::new(),
            notes: None,
            place: None,
            rates: BTreeMap::new(),
            size: None,
        };
        assert_eq!(order(nulls).unwrap(), empty);
    }

    #[test]
    fn parts_maps_and_tuples_have_their_own_shapes() {
        let record = json!({
            "lines": [{"article": "rope", "count": null}],
            "place": {"city": null},
            "rates": [{"key": "EUR", "value": 1.5}, {"key": null, "value": 2}],
            "size": {"item_1": "a", "item_2": 7}
        });
        let order = order(record).unwrap();
        assert_eq!(order.lines, [Line { article: "rope".to_owned(), count: None }]);
        assert_eq!(order.place, Some(Place::default()));
        assert_eq!(order.rates, BTreeMap::from([("EUR".to_owned(), 1.5)]));
        assert_eq!(order.size, Some(("a".to_owned(), 7)));
    }

    #[test]
    fn a_missing_value_that_has_no_default_is_an_error() {
        let error = order(json!({"lines": [{"article": null, "count": 2}]})).unwrap_err();
        assert!(error.to_string().contains("null, expected a string"), "{error}");
    }

    #[test]
    fn any_json_stays_as_it_is() {
        let record = json!({"a": null, "b": [{"c": null}], "d": []});
        assert_eq!(fitted(record.clone(), &schema_of::<Value>()), record);
    }
}
