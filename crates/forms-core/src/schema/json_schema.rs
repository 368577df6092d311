//! Compiles a form to the JSON Schema of a model's answer.

use serde_json::{Map, Value, json};

use super::{Field, FieldType, FormSchema};

impl FormSchema {
    /// A JSON Schema in the common subset of the vendors: every property is required and nullable, no
    /// additional properties, properties in asking order. Ranges, lengths and patterns are not part of it;
    /// they are validated afterwards.
    #[must_use]
    pub fn to_json_schema(&self) -> Value {
        object(&self.fields)
    }
}

fn object(fields: &[Field]) -> Value {
    let properties: Map<String, Value> =
        fields.iter().map(|field| (field.name.clone(), definition(field, true))).collect();
    let required: Vec<&str> = fields.iter().map(|field| field.name.as_str()).collect();
    json!({"type": "object", "properties": properties, "required": required, "additionalProperties": false})
}

fn definition(field: &Field, nullable: bool) -> Value {
    let (kind, format) = match &field.kind {
        FieldType::String => ("string", field.format.as_deref().and_then(known_format)),
        FieldType::Number => ("number", None),
        FieldType::Integer => ("integer", None),
        FieldType::Boolean => ("boolean", None),
        FieldType::Email => ("string", Some("email")),
        FieldType::Date => ("string", Some("date")),
        FieldType::Url => ("string", Some("uri")),
        FieldType::Array(_) => ("array", None),
        FieldType::Object(_) => ("object", None),
    };
    let mut schema = match &field.kind {
        FieldType::Object(parts) => object(parts),
        _ => json!({}),
    };
    schema["type"] = if nullable { json!([kind, "null"]) } else { json!(kind) };
    if let FieldType::Array(item) = &field.kind {
        schema["items"] = definition(item, false);
    }
    if let Some(description) = &field.description {
        schema["description"] = json!(description);
    }
    if let Some(format) = format {
        schema["format"] = json!(format);
    }
    if !field.options.is_empty() {
        let numeric = matches!(field.kind, FieldType::Number | FieldType::Integer);
        let mut options: Vec<Value> =
            field.options.iter().map(|option| option_value(numeric, option)).collect();
        if nullable {
            options.push(Value::Null);
        }
        schema["enum"] = Value::Array(options);
    }
    schema
}

/// The formats that JSON Schema defines and the engine validates. Others are only hints.
fn known_format(format: &str) -> Option<&str> {
    match format {
        "url" => Some("uri"),
        "email" | "date" | "date-time" | "time" | "uri" => Some(format),
        _ => None,
    }
}

/// An option as a JSON value; of a numeric field a number, where it is one.
pub(crate) fn option_value(numeric: bool, option: &str) -> Value {
    let text = option.trim();
    match (text.parse::<i64>(), text.parse::<f64>()) {
        (Ok(whole), _) if numeric => json!(whole),
        (_, Ok(number)) if numeric => json!(number),
        _ => json!(option),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn properties_stand_in_the_order_of_asking_and_may_be_null() {
        let form = json!({
            "last": {"type": "date"},
            "second": {"type": "string", "order": 2, "enum": ["", "a"], "format": "shout"},
            "third": {"type": "number", "order": 3, "enum": ["", "1", "2.5"]},
            "first": {"type": "array", "order": 1, "items": {"type": "object", "properties": {"n": {"type": "integer"}}}}
        });
        let schema = FormSchema::parse(form.as_object().unwrap()).unwrap();
        assert_eq!(
            schema.to_json_schema(),
            json!({
                "type": "object",
                "properties": {
                    "first": {"type": ["array", "null"], "items": {
                        "type": "object", "properties": {"n": {"type": ["integer", "null"]}},
                        "required": ["n"], "additionalProperties": false}},
                    "second": {"type": ["string", "null"], "enum": ["a", null]},
                    "third": {"type": ["number", "null"], "enum": [1, 2.5, null]},
                    "last": {"type": ["string", "null"], "format": "date"}
                },
                "required": ["first", "second", "third", "last"], "additionalProperties": false
            })
        );
        assert_eq!(schema.written_order, ["last", "second", "third", "first"]);
    }
}
