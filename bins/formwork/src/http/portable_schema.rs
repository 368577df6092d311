//! Rewrites schemas to equivalent ones that code generators read.

use schemars::Schema;
use serde_json::{Map, Value, json};

/// The types with the keywords that apply to their values only.
const KEYWORDS: [(&str, &[&str]); 6] = [
    ("string", &["minLength", "maxLength", "pattern", "format", "contentMediaType"]),
    ("integer", &["minimum", "maximum"]),
    ("number", &["minimum", "maximum"]),
    ("boolean", &[]),
    ("array", &["minItems", "maxItems", "uniqueItems", "items"]),
    ("object", &["required", "properties", "additionalProperties", "propertyNames"]),
];

/// Rewrites a schema without its subschemas.
pub(super) fn make_portable(schema: &mut Schema) {
    if let Some(schema) = schema.as_object_mut() {
        split_types(schema);
        name_items(schema);
    }
}

/// Rewrites several types to one alternative for each. Most generators read only one type beside `null`.
fn split_types(schema: &mut Map<String, Value>) {
    let Some(Value::Array(types)) = schema.get("type") else { return };
    if types.iter().filter(|kind| *kind != "null").count() < 2 {
        return;
    }
    let alternatives: Vec<Value> = types.iter().map(|kind| alternative(schema, kind)).collect();
    let moved = |keyword: &str| KEYWORDS.iter().any(|(_, keywords)| keywords.contains(&keyword));
    schema.retain(|keyword, _| keyword != "type" && !moved(keyword));
    schema.insert("oneOf".to_owned(), json!(alternatives));
}

/// The part of a schema that applies to values of one of its types.
fn alternative(schema: &Map<String, Value>, kind: &Value) -> Value {
    let keywords = KEYWORDS.iter().find(|(name, _)| kind == name).map_or(&[][..], |(_, keywords)| keywords);
    let rules = schema.iter().filter(|(keyword, _)| keywords.contains(&keyword.as_str()));
    let own = std::iter::once(("type".to_owned(), kind.clone()));
    Value::Object(own.chain(rules.map(|(keyword, rule)| (keyword.clone(), rule.clone()))).collect())
}

/// Adds the schema of the items, which generators require, to arrays of anything.
fn name_items(schema: &mut Map<String, Value>) {
    let is_array = match schema.get("type") {
        Some(Value::Array(types)) => types.iter().any(|kind| kind == "array"),
        kind => kind.is_some_and(|kind| kind == "array"),
    };
    if is_array {
        schema.entry("items").or_insert_with(|| json!({}));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn portable(schema: Value) -> Value {
        let mut schema = Schema::try_from(schema).unwrap();
        make_portable(&mut schema);
        schema.to_value()
    }

    #[test]
    fn several_types_are_alternatives_with_their_own_rules() {
        let schema = json!({"type": ["string", "integer"], "maxLength": 9, "minimum": 1, "description": "An id."});
        let alternatives = json!([{"type": "string", "maxLength": 9}, {"type": "integer", "minimum": 1}]);
        assert_eq!(portable(schema), json!({"description": "An id.", "oneOf": alternatives}));
        let nullable = json!({"type": ["string", "null"], "maxLength": 9});
        assert_eq!(portable(nullable.clone()), nullable);
    }

    #[test]
    fn an_array_of_anything_says_so() {
        assert_eq!(portable(json!({"type": "array"})), json!({"type": "array", "items": {}}));
        let typed = json!({"type": ["array", "null"], "items": {"type": "string"}});
        assert_eq!(portable(typed.clone()), typed);
    }
}
