//! Compiles a form to the JSON Schema of a model's answer.

use language::date::DatePrecision;
use serde_json::{Map, Value, json};

use super::{Field, FieldType, FormSchema};

// These bound the prompt. Chosen by hand; no measurement is recorded.
/// Examples of a field that a model is shown.
const MAX_EXAMPLES: usize = 5;
/// Characters of such an example.
const MAX_EXAMPLE: usize = 200;

impl FormSchema {
    /// A JSON Schema in the common subset of the vendors: every property is required and nullable, no
    /// additional properties, properties in asking order. Ranges, lengths and patterns are not part of it;
    /// they are validated afterwards. A description also has the instructions, aliases and examples.
    #[must_use]
    pub fn to_json_schema(&self) -> Value {
        object(&self.fields, Reader::Model)
    }

    /// As [`to_json_schema`](Self::to_json_schema), for the built-in model: descriptions are as written, and aliases
    /// stand in the keyword `aliases`.
    #[must_use]
    pub fn to_native_schema(&self) -> Value {
        object(&self.fields, Reader::Rules)
    }
}

/// Who reads the schema.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reader {
    /// A text model.
    Model,
    /// The built-in model.
    Rules,
}

fn object(fields: &[Field], reader: Reader) -> Value {
    let properties: Map<String, Value> =
        fields.iter().map(|field| (field.name.clone(), definition(field, true, reader))).collect();
    let required: Vec<&str> = fields.iter().map(|field| field.name.as_str()).collect();
    json!({"type": "object", "properties": properties, "required": required, "additionalProperties": false})
}

fn definition(field: &Field, nullable: bool, reader: Reader) -> Value {
    let (kind, format) = match &field.kind {
        FieldType::String => ("string", field.format.as_deref().and_then(known_format)),
        // A model that copies the unit need not convert.
        FieldType::Number | FieldType::Integer if field.unit.is_some() && reader == Reader::Model => {
            ("string", None)
        }
        FieldType::Number => ("number", None),
        FieldType::Integer => ("integer", None),
        FieldType::Boolean => ("boolean", None),
        FieldType::Email => ("string", Some("email")),
        FieldType::Date if reader == Reader::Model && field.precision != DatePrecision::Day => {
            ("string", None)
        }
        FieldType::Date => ("string", Some("date")),
        FieldType::Currency => ("string", None),
        FieldType::Url => ("string", Some("uri")),
        FieldType::Array(_) => ("array", None),
        FieldType::Object(_) => ("object", None),
    };
    let mut schema = match &field.kind {
        FieldType::Object(parts) => object(parts, reader),
        _ => json!({}),
    };
    schema["type"] = if nullable { json!([kind, "null"]) } else { json!(kind) };
    if let FieldType::Array(item) = &field.kind {
        schema["items"] = definition(item, false, reader);
    }
    let description = match reader {
        Reader::Model => guidance(field),
        Reader::Rules => field.description.clone(),
    };
    if let Some(description) = description {
        schema["description"] = json!(description);
    }
    if reader == Reader::Rules {
        add_native_keywords(&mut schema, field);
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

/// Adds the keywords that the built-in model alone knows.
fn add_native_keywords(schema: &mut Value, field: &Field) {
    if !field.aliases.is_empty() {
        schema["aliases"] = json!(field.aliases);
    }
    if let Some(unit) = field.unit {
        schema["unit"] = json!(unit.symbol());
    }
    if field.precision != DatePrecision::Day {
        schema["precision"] = json!(field.precision.name());
    }
    if field.alternatives.iter().any(|one| matches!(one.kind, FieldType::Date)) {
        schema["anyOf"] = json!([{"type": "string", "format": "date"}, {"type": "string"}]);
    }
    if field.money_parts().is_some() {
        schema["format"] = json!("money");
    }
}

/// What a model is told of the form of a value.
fn form_of_value(field: &Field) -> Option<String> {
    if let Some(mark) = field.mark() {
        return Some(mark.rule().to_owned());
    }
    if let Some(unit) = field.unit {
        let symbol = unit.symbol();
        return Some(format!(
            "The number with the unit that is printed with it, such as \"5 {symbol}\"; do not convert it. Without a unit \
             where none is printed."
        ));
    }
    if !field.alternatives.is_empty() {
        let types: Vec<&str> = field.alternatives.iter().filter_map(|one| one.kind.name()).collect();
        return Some(format!("A value of one of the types {}, as it is printed.", types.join(", ")));
    }
    let is_reduced = field.precision != DatePrecision::Day;
    is_reduced.then(|| {
        format!("In the form {}; null where the documents are less precise.", field.precision.example())
    })
}

/// What the form says about a field to a model.
fn guidance(field: &Field) -> Option<String> {
    let examples: Vec<String> = field.examples.iter().take(MAX_EXAMPLES).filter_map(example_text).collect();
    let aliases =
        (!field.aliases.is_empty()).then(|| format!("Also printed as: {}", field.aliases.join("; ")));
    let examples = (!examples.is_empty())
        .then(|| format!("Examples of its form, never its value: {}", examples.join("; ")));
    let texts =
        [field.description.clone(), field.instructions.clone(), form_of_value(field), aliases, examples];
    let texts: Vec<String> = texts.into_iter().flatten().collect();
    (!texts.is_empty()).then(|| texts.join("\n"))
}

/// An example as a model is shown it; `None` for one that is too long to be of use.
fn example_text(example: &Value) -> Option<String> {
    let text = example.as_str().map_or_else(|| example.to_string(), str::to_owned);
    (!text.is_empty() && text.chars().nth(MAX_EXAMPLE).is_none()).then_some(text)
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
    fn a_model_is_told_what_the_form_says_and_the_built_in_one_reads_it_as_it_is() {
        let form = json!({"ref": {"type": "string", "description": "Reference", "instructions": "Without the year.",
            "aliases": ["Unser Zeichen", "Our ref."], "examples": ["AB-1", 2, ""]}, "plain": {"type": "date"}});
        let schema = FormSchema::parse(form.as_object().unwrap()).unwrap();
        let (told, native) = (schema.to_json_schema(), schema.to_native_schema());
        assert_eq!(
            told["properties"]["ref"]["description"],
            "Reference\nWithout the year.\nAlso printed as: Unser Zeichen; Our ref.\nExamples of its form, never its value: AB-1; 2"
        );
        assert!(told["properties"]["ref"].get("aliases").is_none());
        assert_eq!(native["properties"]["ref"]["description"], "Reference");
        assert_eq!(native["properties"]["ref"]["aliases"], json!(["Unser Zeichen", "Our ref."]));
        assert!(native["properties"]["plain"].get("aliases").is_none());
    }

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
