//! `responseFormat`: text, or JSON of a schema.

use serde_json::{Value, json};
use shared_core::Violation;

use crate::ResponseSchema;

/// Characters of a schema's name.
const MAX_NAME: usize = 64;

/// Reads `{"type": "text"}`, `{"type": "json_object"}`, and `{"type": "json_schema", "schema": …}`, or with
/// `"json_schema": {"name": …, "schema": …}` as OpenAI writes it. `None` is text.
pub(super) fn read(format: &Value) -> Result<Option<ResponseSchema>, Violation> {
    let wrong = |path: &str, message: &str| Violation::new(format!("/responseFormat{path}"), message);
    let Some(given) = format.as_object() else {
        return Err(wrong("", "'responseFormat' must be an object with 'type'"));
    };
    match given.get("type").and_then(Value::as_str) {
        Some("text") => Ok(None),
        Some("json_object") => {
            Ok(Some(ResponseSchema { name: "answer".to_owned(), schema: json!({ "type": "object" }) }))
        }
        Some("json_schema") => {
            let (at, inner) =
                match given.get("json_schema").or_else(|| given.get("jsonSchema")).and_then(Value::as_object)
                {
                    Some(inner) => ("/json_schema", inner),
                    None => ("", given),
                };
            let schema = inner.get("schema").filter(|schema| schema.is_object());
            let schema = schema.ok_or_else(|| {
                wrong(&format!("{at}/schema"), "'schema' must be a JSON Schema of an object")
            })?;
            let name = inner.get("name").map_or(Some("answer"), Value::as_str).filter(|name| is_name(name));
            let name = name.ok_or_else(|| {
                wrong(&format!("{at}/name"), "'name' must be 1 to 64 letters, digits, '_' or '-'")
            })?;
            Ok(Some(ResponseSchema { name: name.to_owned(), schema: schema.clone() }))
        }
        _ => Err(wrong("/type", "'type' must be 'text', 'json_object' or 'json_schema'")),
    }
}

fn is_name(name: &str) -> bool {
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    (1..=MAX_NAME).contains(&name.len()) && name.bytes().all(allowed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_read_or_refused_with_their_place() {
        assert!(read(&json!({"type": "text"})).unwrap().is_none());
        let schema = json!({"type": "object"});
        let plain = read(&json!({"type": "json_schema", "schema": schema})).unwrap().unwrap();
        let nested = json!({"type": "json_schema", "json_schema": {"name": "bill", "schema": schema}});
        assert_eq!((plain.name.as_str(), plain.schema), ("answer", schema));
        assert_eq!(read(&nested).unwrap().unwrap().name, "bill");
        for (format, path) in [
            (json!("json"), "/responseFormat"),
            (json!({"type": "xml"}), "/responseFormat/type"),
            (json!({"type": "json_schema"}), "/responseFormat/schema"),
            (
                json!({"type": "json_schema", "json_schema": {"schema": {}, "name": "a b"}}),
                "/responseFormat/json_schema/name",
            ),
        ] {
            assert_eq!(read(&format).unwrap_err().path, path, "{format}");
        }
    }
}
