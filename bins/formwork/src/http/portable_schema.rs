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

/// Rewrites several types to one alternative for each. Most generators read only one type beside `null`, and
/// options only without null among them.
fn split_types(schema: &mut Map<String, Value>) {
    let Some(Value::Array(types)) = schema.get("type") else { return };
    let several = types.iter().filter(|kind| *kind != "null").count() > 1;
    if !several && !schema.contains_key("enum") {
        return;
    }
    let alternatives: Vec<Value> = types.iter().filter_map(|kind| alternative(schema, kind)).collect();
    let moved = |keyword: &str| {
        matches!(keyword, "type" | "enum") || KEYWORDS.iter().any(|(_, keywords)| keywords.contains(&keyword))
    };
    schema.retain(|keyword, _| !moved(keyword));
    schema.insert("oneOf".to_owned(), json!(alternatives));
}

/// The part of a schema that applies to values of one of its types, if it has any.
fn alternative(schema: &Map<String, Value>, kind: &Value) -> Option<Value> {
    let keywords = KEYWORDS.iter().find(|(name, _)| kind == name).map_or(&[][..], |(_, keywords)| keywords);
    let rules = schema.iter().filter(|(keyword, _)| keywords.contains(&keyword.as_str()));
    let mut part = Map::from_iter([("type".to_owned(), kind.clone())]);
    part.extend(rules.map(|(keyword, rule)| (keyword.clone(), rule.clone())));
    if let Some(Value::Array(options)) = schema.get("enum") {
        let null = kind == "null";
        let own: Vec<&Value> = options.iter().filter(|option| option.is_null() == null).collect();
        if own.is_empty() {
            return None;
        }
        if !null {
            part.insert("enum".to_owned(), json!(own));
        }
    }
    Some(Value::Object(part))
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
        let schema =
            json!({"type": ["string", "integer"], "maxLength": 9, "minimum": 1, "description": "An id."});
        let alternatives = json!([{"type": "string", "maxLength": 9}, {"type": "integer", "minimum": 1}]);
        assert_eq!(portable(schema), json!({"description": "An id.", "oneOf": alternatives}));
        let options = json!({"type": ["string", "null"], "enum": ["a", null]});
        let alternatives = json!([{"type": "string", "enum": ["a"]}, {"type": "null"}]);
        assert_eq!(portable(options), json!({"oneOf": alternatives}));
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
