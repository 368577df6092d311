//! What somebody most likely meant: types of other systems, slips in keys, and JSON Schema in place of a form.

use gen_core::suggestions::{format_likely, likely};
use serde_json::{Map, Value};
use shared_core::Violation;

use super::key_notes::check_notes;
use super::violations::{Violations, pointer_token};
use super::{MAX_DEPTH, TYPES};

/// The keys of a field's definition.
const KEYS: [&str; 26] = [
    "type",
    "order",
    "description",
    "instructions",
    "aliases",
    "rules",
    "computed",
    "required",
    "format",
    "pattern",
    "minimum",
    "maximum",
    "minLength",
    "maxLength",
    "minItems",
    "maxItems",
    "examples",
    "when",
    "default",
    "enum",
    "items",
    "values",
    "unit",
    "precision",
    "currencies",
    "types",
];
/// Names of types in JSON Schema, SQL and programming languages, and the types of forms that they are.
const TYPE_NAMES: [(&str, &str); 29] = [
    ("str", "string"),
    ("text", "string"),
    ("varchar", "string"),
    ("char", "string"),
    ("uuid", "string"),
    ("int", "integer"),
    ("int32", "integer"),
    ("int64", "integer"),
    ("long", "integer"),
    ("bigint", "integer"),
    ("float", "number"),
    ("double", "number"),
    ("decimal", "number"),
    ("numeric", "number"),
    ("currency", "money"),
    ("price", "money"),
    ("bool", "boolean"),
    ("checkbox", "boolean"),
    ("datetime", "date"),
    ("timestamp", "date"),
    ("list", "array"),
    ("dict", "map"),
    ("record", "object"),
    ("uri", "url"),
    ("link", "url"),
    ("mail", "email"),
    ("anyof", "union"),
    ("oneof", "union"),
    ("any", "union"),
];

/// The end of a message about an unknown type: the type that was most likely meant.
pub(super) fn type_suggestion(stated: &str) -> String {
    let name = stated.to_lowercase();
    let same = TYPE_NAMES.iter().find(|(other, _)| *other == name).map(|(_, kind)| *kind);
    match name.as_str() {
        "enum" | "select" | "choice" | "option" => {
            "; options stand in the key 'enum' of a field of the type string".to_owned()
        }
        name => format_likely(same.or_else(|| likely(name, TYPES))),
    }
}

/// The message about a JSON Schema in place of a form's schema.
pub(super) const JSON_SCHEMA_MESSAGE: &str = "this is a JSON Schema; a form's schema maps each field's name to its \
    definition, such as {\"name\": {\"type\": \"string\"}}; schema_converter makes a form of a JSON Schema";

/// Whether a schema is a JSON Schema and not a form's.
#[must_use]
pub fn is_json_schema(schema: &Map<String, Value>) -> bool {
    let is = |key: &str, test: fn(&Value) -> bool| schema.get(key).is_some_and(test);
    // No field's definition is a text, so that a form with fields of these names is told from it.
    let stated = is("type", |kind| kind.is_string() || kind.is_array());
    is("$schema", Value::is_string)
        || is("$ref", Value::is_string)
        || (stated && (is("properties", Value::is_object) || is("items", Value::is_object)))
}

/// Keys of a valid schema that are most likely slips of others, and values of `unit` and `precision` without effect, with
/// their JSON pointers. Unknown keys are allowed and kept, so that these are no violations.
#[must_use]
pub fn misspelt_keys(schema: &Map<String, Value>) -> Vec<Violation> {
    let mut found = Violations::default();
    fields(schema, "", 1, &mut found);
    found.into_vec()
}

fn fields(fields: &Map<String, Value>, path: &str, depth: usize, found: &mut Violations) {
    for (name, definition) in fields {
        let path = format!("{path}/{}", pointer_token(name));
        definition.as_object().into_iter().for_each(|keys| check(keys, &path, depth, found));
    }
}

fn check(definition: &Map<String, Value>, path: &str, depth: usize, found: &mut Violations) {
    let known = |key: &str| KEYS.contains(&key) || key == "properties";
    for key in definition.keys().filter(|key| !known(key)) {
        let free = KEYS.into_iter().filter(|known| !definition.contains_key(*known));
        if let Some(meant) = likely(key, free) {
            let key = pointer_token(key);
            let message = format!("'{key}' is not a key of a field{}", format_likely(Some(meant)));
            found.report(&format!("{path}/{key}"), message);
        }
    }
    check_notes(found, definition, path);
    if depth >= MAX_DEPTH {
        return;
    }
    if let Some(values) = definition.get("values").and_then(Value::as_object) {
        check(values, &format!("{path}/values"), depth + 1, found);
    }
    if let Some(item) = definition.get("items").and_then(Value::as_object) {
        check(item, &format!("{path}/items"), depth + 1, found);
    }
    if let Some(parts) = definition.get("properties").and_then(Value::as_object) {
        fields(parts, &format!("{path}/properties"), depth + 1, found);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn slips_in_keys_are_told_and_other_keys_are_not() {
        let schema = json!({
            "a": {"type": "string", "requird": true, "label": "A", "x-note": 1, "min_length": 2, "example": "b"},
            "b": {"type": "array", "items": {"type": "object", "properties": {"c/d": {"type": "date", "descripton": "C"}}}},
            "c": {"type": "string", "required": true, "requird": false}
        });
        let found = misspelt_keys(schema.as_object().unwrap());
        let paths: Vec<&str> = found.iter().map(|slip| slip.path.as_str()).collect();
        assert_eq!(
            paths,
            ["/a/requird", "/a/min_length", "/a/example", "/b/items/properties/c~1d/descripton"],
            "{found:?}"
        );
        assert_eq!(found[0].message, "'requird' is not a key of a field; did you mean 'required'?");
    }

    #[test]
    fn types_of_other_systems_are_known() {
        assert_eq!(type_suggestion("Int"), "; did you mean 'integer'?");
        assert_eq!(type_suggestion("strng"), "; did you mean 'string'?");
        assert!(type_suggestion("select").contains("'enum'"));
        assert_eq!(type_suggestion("quaternion"), "");
    }

    #[test]
    fn a_json_schema_is_told_from_a_form() {
        for schema in [
            json!({"type": "object", "properties": {"a": {"type": "string"}}}),
            json!({"$schema": "https://json-schema.org/draft/2020-12/schema"}),
            json!({"type": ["array", "null"], "items": {}}),
            json!({"$ref": "#/$defs/A"}),
        ] {
            assert!(is_json_schema(schema.as_object().unwrap()), "{schema}");
        }
        // A form about cars.
        let form =
            json!({"type": {"type": "string"}, "properties": {"type": "array", "items": {"type": "string"}}});
        assert!(!is_json_schema(form.as_object().unwrap()));
    }
}
