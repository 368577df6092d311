//! Parses and validates `responseFormat` before any call.

use serde_json::{Map, Value};
use shared_core::Violation;

use super::Schema;

/// The format of an answer.
#[derive(Clone, Debug)]
pub enum ResponseFormat {
    /// Text.
    Text,
    /// A JSON value that matches a schema; without one in the request, any object.
    Json(Schema),
}

impl ResponseFormat {
    /// Parses `{"type": "text"}`, `{"type": "json_object"}`, `{"type": "json_schema", "json_schema":
    /// {"schema", "name"?, "strict"?}}` or `{"type": "json_schema", "schema", "name"?, "strict"?}`; `null` is
    /// text. Answers are always validated against the schema, whatever `strict` says.
    ///
    /// # Errors
    /// All violations, at `pointer` and below.
    pub fn parse(format: &Value, pointer: &str) -> Result<Self, Vec<Violation>> {
        if format.is_null() {
            return Ok(Self::Text);
        }
        let wrong = |below: &str, message: &str| vec![Violation::new(format!("{pointer}{below}"), message)];
        let Some(members) = format.as_object() else {
            return Err(wrong("", "'responseFormat' must be an object with a 'type'"));
        };
        match members.get("type").and_then(Value::as_str) {
            Some("text") => Ok(Self::Text),
            Some("json_object") => Ok(Self::Json(Schema::any_object())),
            Some("json_schema") => match members.get("json_schema") {
                Some(Value::Object(inner)) => schema(inner, &format!("{pointer}/json_schema")),
                Some(_) => Err(wrong("/json_schema", "must be an object with a 'schema'")),
                None => schema(members, pointer),
            },
            _ => Err(wrong("/type", "'type' must be 'text', 'json_object' or 'json_schema'")),
        }
    }
}

fn schema(members: &Map<String, Value>, pointer: &str) -> Result<ResponseFormat, Vec<Violation>> {
    let mut violations = Vec::new();
    if members.get("strict").is_some_and(|strict| !strict.is_boolean() && !strict.is_null()) {
        violations.push(Violation::new(format!("{pointer}/strict"), "'strict' must be true or false"));
    }
    let name = match members.get("name") {
        None | Some(Value::Null) => "answer",
        Some(Value::String(name)) if Schema::is_name(name) => name,
        Some(_) => {
            let message = "'name' must have 1 to 64 letters, digits, '_' or '-'";
            violations.push(Violation::new(format!("{pointer}/name"), message));
            "answer"
        }
    };
    let Some(schema) = members.get("schema") else {
        violations.push(Violation::new(pointer, "'schema' is a required property"));
        return Err(violations);
    };
    match Schema::new(name, schema.clone(), &format!("{pointer}/schema")) {
        Ok(schema) if violations.is_empty() => Ok(ResponseFormat::Json(schema)),
        Ok(_) => Err(violations),
        Err(more) => {
            violations.extend(more);
            Err(violations)
        }
    }
}
