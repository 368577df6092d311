//! Checks a schema and reports every violation in one pass.

use serde_json::{Map, Value};
use shared_core::Violation;

use super::violations::{Violations, pointer_token};
use super::{MAX_DEPTH, MAX_FIELDS, MAX_NAME, TYPES};
use super::{condition_rules, field_rules, money, rules, suggestions, union_types};

/// Every rule that `schema` breaks, with its JSON pointer; at most
/// [`MAX_VIOLATIONS`](super::MAX_VIOLATIONS). Empty when it is valid.
#[must_use]
pub fn validate_schema(schema: &Value) -> Vec<Violation> {
    let mut check = SchemaValidator::default();
    match schema.as_object() {
        None => {
            check.violations.report("", "the schema must be an object that maps field names to definitions")
        }
        Some(fields) if suggestions::is_json_schema(fields) => {
            check.violations.report("", suggestions::JSON_SCHEMA_MESSAGE);
        }
        Some(fields) if fields.is_empty() => {
            check.violations.report("", "the schema must have at least one field")
        }
        Some(fields) => {
            check.fields(fields, "", 1);
            condition_rules::check_conditions(&mut check.violations, fields);
            field_rules::check_field_rules(&mut check.violations, fields);
        }
    }
    check.violations.into_vec()
}

/// Collects violations and counts fields.
#[derive(Debug, Default)]
struct SchemaValidator {
    violations: Violations,
    fields: usize,
}

impl SchemaValidator {
    fn fields(&mut self, fields: &Map<String, Value>, path: &str, depth: usize) {
        for (name, definition) in fields {
            let path = format!("{path}/{}", pointer_token(name));
            if name.is_empty() || name.chars().nth(MAX_NAME).is_some() {
                self.violations.report(&path, format!("a field's name must have 1 to {MAX_NAME} characters"));
            }
            self.definition(definition, &path, depth);
        }
    }

    fn definition(&mut self, definition: &Value, path: &str, depth: usize) {
        self.fields += 1;
        if self.fields > MAX_FIELDS {
            if self.fields == MAX_FIELDS + 1 {
                self.violations
                    .report("", format!("a form may have at most {MAX_FIELDS} fields, nested ones included"));
            }
            return;
        }
        let Some(definition) = definition.as_object() else {
            self.violations.report(path, "a field's definition must be an object");
            return;
        };
        rules::check_keys(&mut self.violations, definition, path);
        match definition.get("type") {
            None => self.violations.report(path, "'type' is a required property"),
            Some(Value::String(kind)) => self.check_typed(kind, definition, path, depth),
            Some(Value::Array(_)) => self.violations.report(
                &format!("{path}/type"),
                "'type' must be a string; any field may be null, which is not stated, and a value of several types has \
                 the type union, with the key 'types'",
            ),
            Some(_) => self.violations.report(&format!("{path}/type"), "'type' must be a string"),
        }
    }

    fn check_typed(&mut self, kind: &str, definition: &Map<String, Value>, path: &str, depth: usize) {
        if !TYPES.contains(&kind) {
            let suggestion = suggestions::type_suggestion(kind);
            let message = format!("'type' must be one of {}{suggestion}", TYPES.join(", "));
            self.violations.report(&format!("{path}/type"), message);
            return;
        }
        rules::check_values(&mut self.violations, kind, definition, path);
        let key = match kind {
            "array" => "items",
            "object" => "properties",
            "map" => "values",
            "money" => {
                money::check_currencies(&mut self.violations, definition, path);
                return;
            }
            "union" => {
                union_types::check_types(&mut self.violations, definition, path);
                return;
            }
            _ => return,
        };
        let below = format!("{path}/{key}");
        match definition.get(key) {
            None => {
                self.violations.report(path, format!("'{key}' is a required property of the type {kind}"))
            }
            Some(_) if depth >= MAX_DEPTH => {
                self.violations
                    .report(&below, format!("fields may be nested {MAX_DEPTH} levels deep at most"));
            }
            Some(items) if kind != "object" => self.definition(items, &below, depth + 1),
            Some(Value::Object(parts)) if parts.is_empty() => {
                self.violations.report(&below, "'properties' must have at least one field");
            }
            Some(Value::Object(parts)) => self.fields(parts, &below, depth + 1),
            Some(_) => self.violations.report(&below, "'properties' must be an object"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::MAX_VIOLATIONS;
    use super::*;
    use serde_json::json;

    fn found(schema: Value) -> Vec<(String, String)> {
        validate_schema(&schema).into_iter().map(|v| (v.path, v.message)).collect()
    }

    #[test]
    fn a_schema_with_every_key_is_valid() {
        let schema = json!({
            "name": {"type": "string", "order": 1, "description": "Full name", "minLength": 1, "maxLength": 9,
                     "pattern": "^[A-Z]", "required": true, "examples": ["A"], "default": "B", "format": "x"},
            "contact": {"type": "string", "enum": ["", "phone", "email"], "unknown": {"kept": [1]}},
            "mail": {"type": "email"}, "age": {"type": "integer", "minimum": 0, "maximum": 150, "default": 3},
            "ok": {"type": "boolean", "default": false}, "born": {"type": "date"}, "site": {"type": "url"},
            "rows": {"type": "array", "minItems": 0, "maxItems": 3,
                     "items": {"type": "object", "properties": {"sum": {"type": "number", "order": 2}}}},
            "more": {"type": "string", "when": {"ok": true, "age": [3, 4.0], "contact": ["phone"]}}
        });
        assert_eq!(found(schema), []);
    }

    #[test]
    fn every_violation_is_reported_with_its_pointer() {
        let schema = json!({
            "a": {"description": "no type"},
            "b/c~d": {"type": "text"},
            "e": 5,
            "f": {"type": "number", "minimum": 3, "maximum": 1, "order": "first", "enum": ["x"]},
            "g": {"type": "array"},
            "h": {"type": "object", "properties": {"i": {"type": true}}},
            "k": {"type": "integer", "enum": ["", "1", "x"]}, "l": {"type": "boolean", "enum": ["x"]},
            "j": {"type": "string", "pattern": "(", "enum": ["x", "x", 1], "default": 4, "required": "yes"}
        });
        let paths: Vec<_> = found(schema).into_iter().map(|(path, _)| path).collect();
        assert_eq!(
            paths,
            [
                "/a",
                "/b~1c~0d/type",
                "/e",
                "/f/order",
                "/f/maximum",
                "/f/enum/0",
                "/g",
                "/h/properties/i/type",
                "/k/enum/2",
                "/l/enum",
                "/j/required",
                "/j/enum/1",
                "/j/enum/2",
                "/j/pattern",
                "/j/default"
            ]
        );
    }

    #[test]
    fn a_default_must_be_a_value_that_the_field_can_have() {
        for (definition, message) in [
            (json!({"type": "email", "default": "nobody"}), "'default' must be of the type email"),
            (json!({"type": "date", "default": "2024-02-30"}), "'default' must be of the type date"),
            (json!({"type": "url", "default": "a b"}), "'default' must be of the type url"),
            (json!({"type": "integer", "default": 1.5}), "'default' must be of the type integer"),
            (json!({"type": "string", "enum": ["a"], "default": "b"}), "'default' must be one of 'enum'"),
            (json!({"type": "number", "enum": ["1", "2"], "default": 3}), "'default' must be one of 'enum'"),
            (json!({"type": "number", "minimum": 5, "default": 1}), "'default' must not be below 'minimum'"),
            (json!({"type": "integer", "maximum": 5, "default": 6}), "'default' must not be above 'maximum'"),
            (
                json!({"type": "string", "minLength": 3, "default": "öö"}),
                "'default' must not be below 'minLength'",
            ),
            (
                json!({"type": "string", "maxLength": 1, "default": "öö"}),
                "'default' must not be above 'maxLength'",
            ),
            (json!({"type": "string", "pattern": "^a", "default": "b"}), "'default' must match 'pattern'"),
            (
                json!({"type": "array", "items": {"type": "string"}, "minItems": 1, "default": []}),
                "'default' must not be below 'minItems'",
            ),
        ] {
            assert_eq!(found(json!({"x": definition})), [("/x/default".into(), message.into())]);
        }
        for definition in [
            json!({"type": "date", "default": "2024-02-29"}),
            json!({"type": "email", "default": ""}),
            json!({"type": "string", "enum": ["", "a"], "default": "a"}),
            json!({"type": "number", "enum": ["1", "2.50"], "default": 2.5}),
            json!({"type": "string", "pattern": "^a", "minLength": 2, "enum": ["ab"], "default": ""}),
            json!({"type": "string", "pattern": "b", "minLength": 2, "maxLength": 2, "default": "öb"}),
            json!({"type": "array", "items": {"type": "integer"}, "maxItems": 2, "default": [1, 2]}),
        ] {
            assert_eq!(found(json!({"x": definition})), []);
        }
        let rows = json!({"x": {"type": "array", "items": {"type": "number"}, "default": [1, "2", "3"]}});
        let message = "an item of 'default' must be of the type of 'items'";
        assert_eq!(found(rows), [("/x/default/1".into(), message.into())]);
    }

    #[test]
    fn a_missing_type_is_named_in_the_usual_words() {
        assert_eq!(found(json!({"a": {}})), [("/a".into(), "'type' is a required property".into())]);
    }

    #[test]
    fn seven_levels_are_taken_and_eight_refused() {
        let nested = |levels: usize| {
            let leaf = json!({"type": "string"});
            let inner =
                (1..levels).fold(leaf, |inner, _| json!({"type": "object", "properties": {"x": inner}}));
            json!({"x": inner})
        };
        assert_eq!(found(nested(7)), []);
        assert_eq!(found(nested(8)).len(), 1);
    }

    #[test]
    fn what_is_no_map_of_fields_or_too_large_is_refused_briefly() {
        for schema in [json!(null), json!([]), json!("x"), json!({})] {
            assert_eq!(found(schema).len(), 1);
        }
        let long = "n".repeat(1_000_000);
        let report = found(json!({ long: {"type": "string"} }));
        assert!(report.len() == 1 && report[0].0.len() < 300);
        let many: Map<String, Value> =
            (0..2_000).map(|n| (n.to_string(), json!({"type": "string"}))).collect();
        assert_eq!(found(Value::Object(many)).len(), 1);
        let bad: Map<String, Value> =
            (0..900).map(|n| (n.to_string(), json!({"order": "x", "format": 1}))).collect();
        assert_eq!(found(Value::Object(bad)).len(), MAX_VIOLATIONS);
    }
}
