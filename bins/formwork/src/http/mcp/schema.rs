//! JSON Schemas of tools, made of those of the operations' bodies and answers.

use serde_json::{Map, Value, json};

use crate::http::operation::{Operation, ParameterLocation};

/// The begin of a reference.
const REFERENCE: &str = "#/$defs/";
/// The name of the list where a result is one. The result of a tool is an object.
pub(super) const LIST: &str = "items";

/// The schema of a tool's arguments: the parameters of path and query, and the properties of the body, without those
/// in `omitted`. `body` names the definition of the body where it is one of several.
pub(super) fn input(
    operation: &Operation,
    definitions: &Map<String, Value>,
    body: Option<&str>,
    omitted: &[&str],
) -> Value {
    let (mut properties, mut required) = (Map::new(), Vec::new());
    for parameter in operation.parameters.iter().filter(|one| one.place != ParameterLocation::Header) {
        let mut schema = parameter.schema.clone();
        schema["description"] = json!(parameter.description);
        properties.insert(parameter.name.to_owned(), schema);
        if parameter.needed {
            required.push(json!(parameter.name));
        }
    }
    let named = body.and_then(|name| definitions.get(name));
    let body = named.or_else(|| Some(resolved(operation.body.as_ref()?.schema.as_value(), definitions)));
    if let Some(body) = body {
        properties.extend(body["properties"].as_object().cloned().unwrap_or_default());
        required.extend(body["required"].as_array().cloned().unwrap_or_default());
    }
    properties.retain(|name, _| !omitted.contains(&name.as_str()));
    required.retain(|name| !omitted.iter().any(|omitted| name == omitted));
    object(properties, required, definitions)
}

/// The schema of arguments with these properties.
pub(super) fn object(
    properties: Map<String, Value>,
    required: Vec<Value>,
    definitions: &Map<String, Value>,
) -> Value {
    let mut schema = json!({"type": "object", "properties": properties, "additionalProperties": false});
    if !required.is_empty() {
        schema["required"] = json!(required);
    }
    with_definitions(schema, definitions)
}

/// The schema of a tool's result, if its operation answers an object or a list.
pub(super) fn output(operation: &Operation, definitions: &Map<String, Value>) -> Option<Value> {
    let answer = operation.answer.as_ref()?.schema.as_value();
    let root = resolved(answer, definitions);
    let schema = match root.get("type").and_then(Value::as_str)? {
        "object" => root.clone(),
        "array" => json!({"type": "object", "properties": {LIST: answer}, "required": [LIST]}),
        _ => return None,
    };
    Some(with_definitions(schema, definitions))
}

fn resolved<'a>(schema: &'a Value, definitions: &'a Map<String, Value>) -> &'a Value {
    let name = schema.get("$ref").and_then(Value::as_str).and_then(|target| target.strip_prefix(REFERENCE));
    name.and_then(|name| definitions.get(name)).unwrap_or(schema)
}

/// The schema with the definitions that it references.
fn with_definitions(mut schema: Value, definitions: &Map<String, Value>) -> Value {
    let mut used = Map::new();
    let mut open = Vec::new();
    references(&schema, &mut open);
    while let Some(name) = open.pop() {
        if let Some(definition) = definitions.get(&name).filter(|_| !used.contains_key(&name)) {
            references(definition, &mut open);
            used.insert(name, definition.clone());
        }
    }
    if !used.is_empty() {
        schema["$defs"] = Value::Object(used);
    }
    drop_formats(&mut schema);
    schema
}

/// Removes the formats of unsigned numbers, which no standard names: clients warn of each. Bounds say the same.
fn drop_formats(schema: &mut Value) {
    match schema {
        Value::Object(parts) => {
            if parts.get("format").and_then(Value::as_str).is_some_and(|format| format.starts_with("uint")) {
                parts.remove("format");
            }
            parts.values_mut().for_each(drop_formats);
        }
        Value::Array(items) => items.iter_mut().for_each(drop_formats),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// Adds the names that a schema references.
fn references(schema: &Value, names: &mut Vec<String>) {
    match schema {
        Value::String(text) => names.extend(text.strip_prefix(REFERENCE).map(str::to_owned)),
        Value::Array(items) => items.iter().for_each(|item| references(item, names)),
        Value::Object(parts) => parts.values().for_each(|part| references(part, names)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}
