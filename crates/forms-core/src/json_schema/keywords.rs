//! The type and the rules of a field from the keywords of its schema.

use std::collections::HashSet;

use serde_json::{Map, Value, json};

use crate::schema::{MAX_DESCRIPTION, Violations, validate_schema};

/// Keywords whose rules forms do not have.
const WITHOUT_EQUIVALENT: [&str; 16] = [
    "not",
    "if",
    "then",
    "else",
    "dependentRequired",
    "dependentSchemas",
    "dependencies",
    "multipleOf",
    "uniqueItems",
    "contains",
    "minContains",
    "maxContains",
    "minProperties",
    "maxProperties",
    "propertyNames",
    "unevaluatedProperties",
];
/// Keywords that forms have under the same name.
pub(super) const SAME: [&str; 7] =
    ["pattern", "minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems"];

/// The type of a field. What is left of the schema's types is told.
pub(super) fn kind_of(warnings: &mut Violations, keywords: &Map<String, Value>, path: &str) -> &'static str {
    let stated: Vec<&str> = match keywords.get("type") {
        Some(Value::String(kind)) => vec![kind],
        Some(Value::Array(kinds)) => kinds.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    };
    let stated: Vec<&str> = stated.into_iter().filter(|kind| *kind != "null").collect();
    match stated.as_slice() {
        [kind] => of_name(kind, keywords).unwrap_or_else(|| {
            warnings.report(
                path,
                format!("the type '{kind}' is not one of JSON Schema; the field is read as text"),
            );
            "string"
        }),
        [] => of_keywords(keywords).unwrap_or_else(|| {
            warnings.report(path, "no type is stated; the field is read as text");
            "string"
        }),
        ["integer", "number"] | ["number", "integer"] => "number",
        _ => {
            warnings.report(path, format!("of the types {} the field has text", stated.join(", ")));
            "string"
        }
    }
}

/// The type of a JSON Schema's type, with its format.
pub(super) fn of_name(kind: &str, keywords: &Map<String, Value>) -> Option<&'static str> {
    Some(match (kind, keywords.get("format").and_then(Value::as_str)) {
        ("string", Some("email" | "idn-email")) => "email",
        ("string", Some("date")) => "date",
        ("string", Some("uri" | "url" | "iri")) => "url",
        ("string", _) => "string",
        ("number", _) => "number",
        ("integer", _) => "integer",
        ("boolean", _) => "boolean",
        ("array", _) => "array",
        ("object", _) => "object",
        _ => return None,
    })
}

/// The type that other keywords show.
fn of_keywords(keywords: &Map<String, Value>) -> Option<&'static str> {
    if let Some(values) = options(keywords) {
        return Some(of_values(&values));
    }
    let has = |names: &[&str]| names.iter().any(|name| keywords.contains_key(*name));
    [
        (&["properties", "additionalProperties", "patternProperties", "required"][..], "object"),
        (&["items", "prefixItems", "minItems", "maxItems"], "array"),
        (&["pattern", "minLength", "maxLength", "format"], "string"),
        (&["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"], "number"),
    ]
    .into_iter()
    .find(|(names, _)| has(names))
    .map(|(_, kind)| if kind == "string" { of_name(kind, keywords).unwrap_or(kind) } else { kind })
}

/// The type of the values of an enum.
fn of_values(values: &[Value]) -> &'static str {
    if values.iter().all(|value| value.is_i64() || value.is_u64()) {
        "integer"
    } else if values.iter().all(Value::is_number) {
        "number"
    } else if values.iter().all(Value::is_boolean) {
        "boolean"
    } else {
        "string"
    }
}

/// Whether the value may be `null`, as OpenAPI 3.0, Pydantic, Zod and OpenAI's strict mode write it.
pub(super) fn is_nullable(keywords: &Map<String, Value>) -> bool {
    let listed = |keyword: &str, entry: &Value| {
        keywords.get(keyword).and_then(Value::as_array).is_some_and(|all| all.contains(entry))
    };
    keywords.get("nullable") == Some(&json!(true))
        || listed("type", &json!("null"))
        || listed("enum", &Value::Null)
        || ["anyOf", "oneOf"].iter().any(|keyword| listed(keyword, &json!({"type": "null"})))
}

/// The values of `enum` or `const` without `null`; `None` where there are none.
pub(super) fn options(keywords: &Map<String, Value>) -> Option<Vec<Value>> {
    let listed = keywords.get("enum").and_then(Value::as_array).cloned();
    let values = listed.or_else(|| keywords.get("const").map(|value| vec![value.clone()]))?;
    let values: Vec<Value> = values.into_iter().filter(|value| !value.is_null()).collect();
    (!values.is_empty()).then_some(values)
}

/// Adds all rules but the type and the nested fields. Those that a form may not have are left out and told.
pub(super) fn add_rules(
    warnings: &mut Violations,
    definition: &mut Map<String, Value>,
    keywords: &Map<String, Value>,
    path: &str,
) {
    let kind = definition.get("type").and_then(Value::as_str).unwrap_or_default().to_owned();
    let mut add = |key: &str, value: Value| {
        definition.insert(key.to_owned(), value);
    };
    let text = |key: &str| keywords.get(key).and_then(Value::as_str).filter(|text| !text.trim().is_empty());
    if let Some(description) = text("description").or_else(|| text("title")) {
        add("description", json!(description.chars().take(MAX_DESCRIPTION).collect::<String>()));
    }
    if let Some(format) = text("format").filter(|_| kind == "string") {
        add("format", json!(format));
    }
    for key in SAME {
        if let Some(value) = keywords.get(key) {
            add(key, value.clone());
        }
    }
    if let Some(examples) = keywords.get("examples").filter(|examples| examples.is_array()) {
        add("examples", examples.clone());
    } else if let Some(example) = keywords.get("example") {
        add("examples", json!([example]));
    }
    if let Some(default) = keywords.get("default").filter(|default| !default.is_null()) {
        add("default", default.clone());
    }
    add_options(warnings, definition, &kind, keywords, path);
    add_open_bounds(warnings, definition, &kind, keywords, path);
    for keyword in WITHOUT_EQUIVALENT.iter().filter(|keyword| keywords.contains_key(**keyword)) {
        warnings.report(
            &format!("{path}/{keyword}"),
            format!("forms have no rule like '{keyword}'; it is left out"),
        );
    }
    remove_invalid(warnings, definition, path);
}

/// Adds the options as texts, once each.
fn add_options(
    warnings: &mut Violations,
    definition: &mut Map<String, Value>,
    kind: &str,
    keywords: &Map<String, Value>,
    path: &str,
) {
    let Some(values) = options(keywords) else { return };
    if matches!(kind, "boolean" | "array" | "object") {
        if values != [json!(true), json!(false)] && values != [json!(false), json!(true)] {
            warnings.report(
                &format!("{path}/enum"),
                format!("a field of the type {kind} has no options; they are left out"),
            );
        }
        return;
    }
    let texts = values.iter().map(|value| value.as_str().map_or_else(|| value.to_string(), str::to_owned));
    let mut seen = HashSet::new();
    let options: Vec<String> = texts.filter(|option| seen.insert(option.clone())).collect();
    definition.insert("enum".to_owned(), json!(options));
}

/// Adds bounds that are not themselves allowed: a number in newer drafts, `true` beside the bound in draft 4.
fn add_open_bounds(
    warnings: &mut Violations,
    definition: &mut Map<String, Value>,
    kind: &str,
    keywords: &Map<String, Value>,
    path: &str,
) {
    for (keyword, key, step) in [("exclusiveMinimum", "minimum", 1), ("exclusiveMaximum", "maximum", -1)] {
        let bound = match keywords.get(keyword) {
            Some(Value::Bool(true)) => keywords.get(key),
            bound => bound.filter(|bound| bound.is_number()),
        };
        let Some(bound) = bound else { continue };
        let next = bound.as_i64().filter(|_| kind == "integer").and_then(|bound| bound.checked_add(step));
        if next.is_none() {
            warnings.report(&format!("{path}/{keyword}"), format!("'{key}' includes the bound itself"));
        }
        definition.insert(key.to_owned(), next.map_or_else(|| bound.clone(), |next| json!(next)));
    }
}

/// Removes the keys that make the definition invalid.
fn remove_invalid(warnings: &mut Violations, definition: &mut Map<String, Value>, path: &str) {
    let mut alone = definition.clone();
    for (key, below) in
        [("items", json!({"type": "string"})), ("properties", json!({"field": {"type": "string"}}))]
    {
        // Nested fields are checked on their own, unless a default must have their type.
        if alone.contains_key(key) && !alone.contains_key("default") {
            alone.insert(key.to_owned(), below);
        }
    }
    for violation in validate_schema(&json!({"field": alone})) {
        let key = violation.path.strip_prefix("/field/").and_then(|rest| rest.split('/').next());
        let Some(key) = key.filter(|key| !matches!(*key, "items" | "properties" | "type")) else { continue };
        if definition.shift_remove(key).is_some() {
            warnings.report(&format!("{path}/{key}"), format!("{}; it is left out", violation.message));
        }
    }
}

/// The bytes of the texts of a definition, without its nested fields.
pub(super) fn text_bytes(definition: &Map<String, Value>) -> usize {
    let own = definition.iter().filter(|(key, _)| !matches!(key.as_str(), "items" | "properties"));
    own.map(|(key, value)| key.len() + value_bytes(value)).sum()
}

fn value_bytes(value: &Value) -> usize {
    match value {
        Value::String(text) => text.len(),
        Value::Array(items) => items.iter().map(value_bytes).sum(),
        Value::Object(members) => members.iter().map(|(key, value)| key.len() + value_bytes(value)).sum(),
        // Of a number or a boolean about as many digits or letters.
        _ => 8,
    }
}
