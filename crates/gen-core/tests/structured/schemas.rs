//! Schemas by chance, and values by chance that fit them.

use serde_json::{Map, Value, json};

use crate::common::Chance;

/// A schema that every dialect can say, without rules that only narrow.
pub(crate) fn any(chance: &mut Chance, depth: usize) -> Value {
    let mut schema = match chance.below(if depth == 0 { 5 } else { 8 }) {
        0 => json!({"type": "string"}),
        1 => json!({"type": "number"}),
        2 => json!({"type": "integer"}),
        3 => json!({"type": "boolean"}),
        4 => {
            json!({"type": "string", "enum": chance.of(&[json!(["a", "b"]), json!(["", "x"]), json!(["only"])])})
        }
        5 => json!({"type": "array", "items": any(chance, depth - 1)}),
        6 => json!({"anyOf": [{"type": "string"}, object(chance, depth - 1)]}),
        _ => object(chance, depth - 1),
    };
    if chance.is(3) {
        if let Some(kind) = schema.get("type").cloned() {
            schema["type"] = json!([kind, "null"]);
            if let Some(Value::Array(options)) = schema.get_mut("enum") {
                options.push(Value::Null);
            }
        } else {
            schema = json!({"anyOf": [schema, {"type": "null"}]});
        }
    }
    schema
}

/// The schema of an object.
pub(crate) fn object(chance: &mut Chance, depth: usize) -> Value {
    let names = ["a", "b", "c/d", "e~f", "ü", "value"];
    let (mut properties, mut required) = (Map::new(), Vec::new());
    for name in names.iter().take(1 + chance.below(names.len())) {
        properties.insert((*name).to_owned(), any(chance, depth));
        if !chance.is(3) {
            required.push(*name);
        }
    }
    json!({"type": "object", "properties": properties, "required": required, "additionalProperties": false})
}

/// A value that fits a compiled schema.
pub(crate) fn value(chance: &mut Chance, schema: &Value) -> Value {
    if let Some(Value::Array(options)) = schema.get("enum") {
        return chance.of(options);
    }
    if let Some(Value::Array(branches)) = schema.get("anyOf") {
        let branch = chance.of(branches);
        return value(chance, &branch);
    }
    let kind = match &schema["type"] {
        Value::Array(kinds) => chance.of(kinds),
        kind => kind.clone(),
    };
    match kind.as_str().unwrap() {
        "null" => Value::Null,
        "string" => json!(chance.of(&["", "x", "null", "😀"])),
        "number" => json!(chance.of(&[0.0, -1.5, 1e300])),
        "integer" => json!(chance.of(&[0, -7, i64::MAX])),
        "boolean" => json!(chance.is(2)),
        "array" => {
            let items = 0..chance.below(3);
            items.map(|_| value(chance, &schema["items"])).collect()
        }
        _ => {
            let required = schema["required"].as_array().unwrap();
            let mut members = Map::new();
            // Those that must be there come first, as some vendors write them.
            for must in [true, false] {
                for (name, inner) in schema["properties"].as_object().unwrap() {
                    if required.contains(&json!(name)) == must && (must || chance.is(2)) {
                        members.insert(name.clone(), value(chance, inner));
                    }
                }
            }
            Value::Object(members)
        }
    }
}
