//! Unions: fields whose value has one of several plain types.

use serde_json::{Map, Value};

use super::formats::has_type;
use super::violations::Violations;

/// The types that a union may have. Lists and objects are told apart by a field with options instead.
pub const UNION_TYPES: [&str; 7] = ["string", "number", "integer", "boolean", "email", "date", "url"];

/// The types that a definition lists.
fn listed(definition: &Map<String, Value>) -> impl Iterator<Item = &str> {
    definition.get("types").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str)
}

/// Validates the list of the types.
pub(super) fn check_types(check: &mut Violations, definition: &Map<String, Value>, path: &str) {
    let Some(stated) = definition.get("types") else {
        check.report(path, "'types' is a required property of the type union");
        return;
    };
    let path = format!("{path}/types");
    let entries = stated.as_array().map(Vec::as_slice).unwrap_or_default();
    if !(2..=UNION_TYPES.len()).contains(&entries.len()) {
        let rule = format!("'types' must be a list of 2 to {} types", UNION_TYPES.len());
        check.report(&path, rule);
        return;
    }
    for (index, entry) in entries.iter().enumerate() {
        let path = format!("{path}/{index}");
        if !entry.as_str().is_some_and(|name| UNION_TYPES.contains(&name)) {
            check.report(&path, format!("an entry of 'types' must be one of {}", UNION_TYPES.join(", ")));
        } else if entries.iter().take(index).any(|other| other == entry) {
            check.report(&path, "an entry of 'types' must not stand twice");
        }
    }
}

/// Whether a value has one of the types that a definition lists.
pub(super) fn is_value(definition: &Map<String, Value>, value: &Value) -> bool {
    listed(definition).any(|kind| has_type(kind, value))
}

/// The definitions of the single types, in the order in which a value is read: as written, and text last, since
/// everything is one.
pub(super) fn definitions_of(definition: &Map<String, Value>) -> Vec<Map<String, Value>> {
    let (texts, others): (Vec<&str>, Vec<&str>) = listed(definition).partition(|kind| *kind == "string");
    let of_type = |kind: &str| {
        let mut single = definition.clone();
        single.insert("type".to_owned(), Value::from(kind));
        single
    };
    others.into_iter().chain(texts).map(of_type).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::{FieldType, FormSchema, validate_schema};

    #[test]
    fn a_union_is_text_with_the_fields_of_its_types() {
        let form = json!({"x": {"type": "union", "types": ["string", "number", "date"], "required": true}});
        let schema = FormSchema::parse(form.as_object().unwrap()).unwrap();
        let field = &schema.fields[0];
        assert!(matches!(field.kind, FieldType::String) && field.alternatives.len() == 3);
        assert!(field.alternatives.iter().all(|one| one.name == "x" && one.required));
        assert!(matches!(field.of_value(&json!(2)).kind, FieldType::Number));
        assert!(matches!(field.of_value(&json!("2024-03-12")).kind, FieldType::Date));
        assert!(matches!(field.of_value(&json!("soon")).kind, FieldType::String));
    }

    #[test]
    fn wrong_types_are_refused_at_their_place() {
        let schema = json!({
            "a": {"type": "union"}, "b": {"type": "union", "types": ["string"]},
            "c": {"type": "union", "types": ["string", "object", "string"]},
            "d": {"type": "union", "types": ["number", "date"], "default": "soon"},
            "e": {"type": "union", "types": ["number", "date"], "enum": ["1"]},
            "f": {"type": ["number", "string"]}
        });
        let paths: Vec<String> =
            validate_schema(&schema).into_iter().map(|violation| violation.path).collect();
        assert_eq!(paths, ["/a", "/b/types", "/c/types/1", "/c/types/2", "/d/default", "/e/enum", "/f/type"]);
    }
}
