//! JSON Schema of a form's records.

use language::date::DatePrecision;
use serde_json::{Map, Value, json};

use super::keywords::SAME;
use super::{FORM_KEYWORD, from_json_schema};
use crate::schema::option_value;

/// The dialect of the documents.
const DIALECT: &str = "https://json-schema.org/draft/2020-12/schema";

/// The JSON Schema of the records of a valid form: what is not required may be `null`. What JSON Schema cannot
/// say stands in [`FORM_KEYWORD`], so that [`from_json_schema`] gives the same form.
#[must_use]
pub fn to_json_schema(form: &Map<String, Value>) -> Value {
    let mut schema =
        Map::from_iter([("$schema".to_owned(), json!(DIALECT)), ("type".to_owned(), json!("object"))]);
    schema.extend(object_keywords(form));
    Value::Object(schema)
}

/// The keywords of an object with these fields, without its type.
fn object_keywords(fields: &Map<String, Value>) -> Map<String, Value> {
    let properties: Map<String, Value> = fields
        .iter()
        .filter_map(|(name, definition)| {
            let place = if is_always_there(definition) { Place::Required } else { Place::Optional };
            Some((name.clone(), exported(definition.as_object()?, place)))
        })
        .collect();
    let required: Vec<&String> =
        fields.iter().filter(|(_, definition)| is_always_there(definition)).map(|(name, _)| name).collect();
    Map::from_iter([
        ("properties".to_owned(), Value::Object(properties)),
        ("required".to_owned(), json!(required)),
        ("additionalProperties".to_owned(), json!(false)),
    ])
}

/// Whether a record without the field is an error, whatever its other fields are.
fn is_always_there(definition: &Value) -> bool {
    definition.get("required") == Some(&json!(true)) && definition.get("when").is_none()
}

/// Where a definition stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// A field that may be `null`.
    Optional,
    /// A field that a record must have.
    Required,
    /// An item of a list.
    Item,
}

/// The JSON Schema of a field or an item.
fn exported(definition: &Map<String, Value>, place: Place) -> Value {
    let mut schema = keywords(definition, place == Place::Optional);
    let stated = differences(definition, &schema, place);
    if let Some(fields) =
        definition.get("properties").and_then(Value::as_object).filter(|_| is(definition, "object"))
    {
        schema.extend(object_keywords(fields));
    }
    if is(definition, "money") {
        schema.extend(object_keywords(&money_fields(definition)));
    }
    if let Some(values) =
        definition.get("values").and_then(Value::as_object).filter(|_| is(definition, "map"))
    {
        schema.insert("additionalProperties".to_owned(), exported(values, Place::Optional));
    }
    if let Some(item) = definition.get("items").and_then(Value::as_object).filter(|_| is(definition, "array"))
    {
        schema.insert("items".to_owned(), exported(item, Place::Item));
    }
    if !stated.is_empty() {
        schema.insert(FORM_KEYWORD.to_owned(), Value::Object(stated));
    }
    Value::Object(schema)
}

/// Whether dates are less precise than a day.
fn is_reduced(definition: &Map<String, Value>) -> bool {
    let precision = definition.get("precision").and_then(Value::as_str);
    precision.and_then(DatePrecision::of_name).is_some_and(|precision| precision != DatePrecision::Day)
}

/// The fields of a sum of money.
fn money_fields(definition: &Map<String, Value>) -> Map<String, Value> {
    let mut currency = json!({"type": "string", "pattern": "^[A-Z]{3}$"});
    if let Some(codes) = definition.get("currencies") {
        currency["enum"] = codes.clone();
    }
    Map::from_iter([("amount".to_owned(), json!({"type": "number"})), ("currency".to_owned(), currency)])
}

fn is(definition: &Map<String, Value>, kind: &str) -> bool {
    definition.get("type").is_some_and(|stated| stated == kind)
}

/// Type and format in JSON Schema of a type of forms.
fn type_and_format(kind: &str) -> (&str, Option<&'static str>) {
    match kind {
        "email" => ("string", Some("email")),
        "date" => ("string", Some("date")),
        "money" | "map" => ("object", None),
        "url" => ("string", Some("uri")),
        other => (other, None),
    }
}

/// The schemas of the types of a union.
fn alternatives(definition: &Map<String, Value>, nullable: bool) -> Vec<Value> {
    let types = definition.get("types").and_then(Value::as_array).into_iter().flatten();
    let single = types.filter_map(Value::as_str).map(|kind| match type_and_format(kind) {
        (kind, Some(format)) => json!({"type": kind, "format": format}),
        (kind, None) => json!({"type": kind}),
    });
    single.chain(nullable.then(|| json!({"type": "null"}))).collect()
}

/// The standard keywords of a field, without nested fields.
fn keywords(definition: &Map<String, Value>, nullable: bool) -> Map<String, Value> {
    let stated = definition.get("type").and_then(Value::as_str).unwrap_or_default();
    let (kind, format) = match stated {
        "date" if is_reduced(definition) => ("string", None),
        "string" => ("string", definition.get("format").and_then(Value::as_str)),
        other => type_and_format(other),
    };
    let mut schema = Map::new();
    if is(definition, "union") {
        schema.insert("anyOf".to_owned(), Value::Array(alternatives(definition, nullable)));
    } else {
        schema.insert("type".to_owned(), if nullable { json!([kind, "null"]) } else { json!(kind) });
    }
    if let Some(format) = format {
        schema.insert("format".to_owned(), json!(format));
    }
    for key in ["description"].into_iter().chain(SAME).chain(["examples", "default"]) {
        if let Some(value) = definition.get(key) {
            schema.insert(key.to_owned(), value.clone());
        }
    }
    if let Some(options) = definition.get("enum").and_then(Value::as_array) {
        let null = nullable.then_some(Value::Null);
        let numeric = matches!(kind, "number" | "integer");
        let options = options.iter().filter_map(Value::as_str).map(|option| option_value(numeric, option));
        let options: Vec<Value> = options.chain(null).collect();
        schema.insert("enum".to_owned(), json!(options));
    }
    schema
}

/// The keys of the definition that a reader of the schema would not find in it, and `null` for those that it would find
/// and that are not there.
fn differences(
    definition: &Map<String, Value>,
    schema: &Map<String, Value>,
    place: Place,
) -> Map<String, Value> {
    let mut alone = schema.clone();
    if is(definition, "object") {
        alone.insert("properties".to_owned(), json!({"field": {"type": "string"}}));
    }
    if is(definition, "array") {
        alone.insert("items".to_owned(), json!({"type": "string"}));
    }
    if is(definition, "money") {
        alone.extend(object_keywords(&money_fields(definition)));
    }
    if is(definition, "map") {
        alone.insert("additionalProperties".to_owned(), json!({"type": "string"}));
    }
    let required = if place == Place::Required { json!(["field"]) } else { json!([]) };
    let document = json!({"type": "object", "properties": {"field": alone}, "required": required});
    let found = from_json_schema(&document).map(|import| import.schema).unwrap_or_default();
    let found = found.get("field").and_then(Value::as_object).cloned().unwrap_or_default();
    let nested = |key: &str| {
        (key == "properties" && is(definition, "object")) || (key == "items" && is(definition, "array"))
    };
    let mut stated = Map::new();
    let own = definition.iter().filter(|(key, value)| !nested(key) && found.get(*key) != Some(*value));
    stated.extend(own.map(|(key, value)| (key.clone(), value.clone())));
    let added = found.keys().filter(|key| !nested(key) && !definition.contains_key(*key));
    stated.extend(added.map(|key| (key.clone(), Value::Null)));
    stated
}
