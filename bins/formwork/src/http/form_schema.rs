//! The grammar of forms as JSON Schema. The service checks what a schema cannot express: the depth and number
//! of fields, the order of bounds, that a default is an option, that a pattern compiles, and that a condition
//! names another field with values of its type.

use std::borrow::Cow;

use forms_core::MAX_EXPRESSION;
use forms_core::schema::{
    MAX_ALIASES, MAX_CONDITION_VALUES, MAX_CONDITIONS, MAX_CURRENCIES, MAX_DESCRIPTION, MAX_ENUM, MAX_NAME,
    MAX_OPTION, MAX_PATTERN, MAX_RULES, TYPES, UNION_TYPES,
};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::{Map, Value, json};

use super::operation_parts::component;
use super::rules::NOT_BLANK;

/// Header of what the user should know of a generated schema. The body is the schema itself.
pub(super) const WARNING_HEADER: &str = "X-Schema-Warning";

/// The fields of a form by name.
pub(super) struct FormFields;

impl JsonSchema for FormFields {
    fn schema_name() -> Cow<'static, str> {
        "FormFields".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "Field name to field definition.",
            "type": "object",
            "minProperties": 1,
            "propertyNames": {"minLength": 1, "maxLength": MAX_NAME},
            "additionalProperties": generator.subschema_for::<FieldDefinition>()
        })
    }
}

/// The definition of one field: one schema for each type, told apart by `type`.
struct FieldDefinition;

impl JsonSchema for FieldDefinition {
    fn schema_name() -> Cow<'static, str> {
        "FieldDefinition".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let item = generator.subschema_for::<Self>();
        let fields = generator.subschema_for::<FormFields>();
        let when = conditions(generator);
        let mut mapping = Map::new();
        for kind in TYPES {
            let mut rules = common_rules(kind, &when);
            match kind {
                "array" => require(&mut rules, "items", item.as_value()),
                "object" => require(&mut rules, "properties", fields.as_value()),
                "map" => require(&mut rules, "values", item.as_value()),
                "money" => rules["properties"]["currencies"] = currencies(),
                "union" => require(&mut rules, "types", &union_types()),
                _ => {}
            }
            let variant = component(generator, &schema_name(kind), rules);
            mapping.insert(kind.to_owned(), variant["$ref"].clone());
        }
        let variants: Vec<Value> = mapping.values().map(|target| json!({"$ref": target})).collect();
        json_schema!({
            "oneOf": variants,
            "discriminator": {"propertyName": "type", "mapping": mapping}
        })
    }
}

/// The name of the schema of fields of this type, such as `UrlField`.
fn schema_name(kind: &str) -> String {
    let kind = if kind == "string" { "text" } else { kind };
    let mut letters = kind.chars();
    let first = letters.next().map(|letter| letter.to_ascii_uppercase());
    first.into_iter().chain(letters).chain("Field".chars()).collect()
}

/// The rules of a field of this type except those of nested fields.
fn common_rules(kind: &str, when: &Value) -> Value {
    let mut rules = json!({
        "type": "object",
        "required": ["type"],
        "properties": {
            "type": {"type": "string", "const": kind},
            "order": {"type": "integer", "description": "Position in the order of questions; fields without one come last."},
            "description": {"type": "string", "maxLength": MAX_DESCRIPTION, "description": "Description of the field for the model."},
            "instructions": {"type": "string", "maxLength": MAX_DESCRIPTION, "description": "Instructions for the model alone."},
            "aliases": {
                "type": "array", "maxItems": MAX_ALIASES, "description": "Other names under which documents print the value.",
                "items": {"type": "string", "minLength": 1, "maxLength": MAX_NAME, "pattern": NOT_BLANK}
            },
            "required": {"type": "boolean", "description": "Whether a missing value is an error."},
            "format": {"type": "string", "description": "Such as date-time; an unknown format has no effect on validation."},
            "pattern": {"type": "string", "maxLength": MAX_PATTERN, "description": "A regular expression without look-around and back-references."},
            "minimum": {"type": "number"},
            "maximum": {"type": "number"},
            "minLength": count(),
            "maxLength": count(),
            "minItems": count(),
            "maxItems": count(),
            "examples": {"type": "array"},
            "when": when,
            "rules": field_rules()
        }
    });
    if let Some((key, description)) = match kind {
        "number" | "integer" => {
            Some(("unit", "Unit of the value, such as kg; printed values of other units are converted."))
        }
        "date" => Some((
            "precision",
            "year, quarter, month or day: 2026, 2026-Q3, 2026-07 or 2026-07-14; day without it.",
        )),
        _ => None,
    } {
        rules["properties"][key] = json!({"description": description});
    }
    if !matches!(kind, "array" | "object" | "money" | "map") {
        rules["properties"]["computed"] = json!({
            "type": "string", "maxLength": MAX_EXPRESSION,
            "description": "Expression that gives the value, such as rows.sum(amount); it is then never asked for."
        });
    }
    rules["properties"]["default"] = json!({"type": match kind {
        "number" | "integer" | "boolean" | "array" | "object" => kind,
        "money" | "map" => "object",
        _ => "string",
    }});
    if kind == "union" {
        rules["properties"]["default"] = json!({"type": ["string", "number", "boolean"]});
    }
    if matches!(kind, "boolean" | "array" | "object" | "money" | "map" | "union") {
        rules["not"] = json!({"required": ["enum"]});
    } else {
        rules["properties"]["enum"] = json!({
            "description": "The options. A number is written as a string; the empty string permits leaving the field out.",
            "type": "array", "minItems": 1, "maxItems": MAX_ENUM, "uniqueItems": true,
            "items": {"type": "string", "maxLength": MAX_OPTION}
        });
    }
    rules
}

/// The rules between a field and others.
fn field_rules() -> Value {
    let check = json!({
        "type": "string", "minLength": 1, "maxLength": MAX_EXPRESSION,
        "description": "A condition, such as rows.sum(amount) == net."
    });
    json!({
        "description": "Conditions that the record must fulfil.",
        "type": "array",
        "maxItems": MAX_RULES,
        "items": {"anyOf": [check, {
            "type": "object",
            "required": ["check"],
            "properties": {
                "check": check,
                "tolerance": {"type": "number", "minimum": 0, "description": "Difference up to which numbers are equal."},
                "message": {"type": "string", "minLength": 1, "maxLength": 1_000, "pattern": NOT_BLANK}
            }
        }]}
    })
}

/// The types that a value of a union may have.
fn union_types() -> Value {
    json!({
        "description": "The types that a value may have. It has the first as which it can be read; text comes last.",
        "type": "array", "minItems": 2, "maxItems": UNION_TYPES.len(), "uniqueItems": true,
        "items": {"type": "string", "enum": UNION_TYPES}
    })
}

/// The codes that a field of money is limited to.
fn currencies() -> Value {
    json!({
        "description": "Codes of ISO 4217 of the only currencies; they decide what a sign such as $ means.",
        "type": "array", "minItems": 1, "maxItems": MAX_CURRENCIES, "uniqueItems": true,
        "items": {"type": "string", "pattern": "^[A-Z]{3}$"}
    })
}

/// Adds a required property.
fn require(rules: &mut Value, property: &str, schema: &Value) {
    rules["properties"][property] = schema.clone();
    rules["required"] = json!(["type", property]);
}

/// The conditions of a field on other fields.
fn conditions(generator: &mut SchemaGenerator) -> Value {
    let value = json!({"type": ["string", "number", "boolean"], "minLength": 1, "maxLength": MAX_OPTION});
    let value = json!({
        "description": "The value, or any of several values.",
        "anyOf": [
            value,
            {"type": "array", "minItems": 1, "maxItems": MAX_CONDITION_VALUES, "items": value}
        ]
    });
    let conditions = json!({
        "description": "The field applies only if each field named here has the value, or one of the values. They stand \
            beside it, else at the top of the form, and are no lists or objects.",
        "type": "object",
        "minProperties": 1,
        "maxProperties": MAX_CONDITIONS,
        "additionalProperties": component(generator, "ConditionValue", value)
    });
    component(generator, "FieldConditions", conditions)
}

fn count() -> Value {
    json!({"type": "integer", "minimum": 0, "maximum": u64::MAX})
}

#[cfg(test)]
mod tests {
    use forms_core::validate_schema;

    use super::*;

    #[test]
    fn the_grammar_refuses_what_the_service_refuses_and_takes_the_rest() {
        let whole = SchemaGenerator::default().into_root_schema_for::<FormFields>();
        let grammar = jsonschema::draft202012::new(whole.as_value()).unwrap();
        let long = |length: usize| "x".repeat(length);
        for (definition, valid) in [
            (json!({"type": "string"}), true),
            (json!({}), false),
            (json!([]), false),
            (json!({"type": "text"}), false),
            (json!({"type": ["string"]}), false),
            (json!({"type": "string", "unknown": {"kept": 1}, "items": 5, "properties": []}), true),
            (json!({"type": "string", "order": 1}), true),
            (json!({"type": "string", "order": 1.0}), true),
            (json!({"type": "string", "order": 1.5}), false),
            (json!({"type": "string", "required": null}), false),
            (json!({"type": "string", "description": long(MAX_DESCRIPTION)}), true),
            (json!({"type": "string", "description": long(MAX_DESCRIPTION + 1)}), false),
            (json!({"type": "string", "pattern": long(MAX_PATTERN)}), true),
            (json!({"type": "string", "pattern": long(MAX_PATTERN + 1)}), false),
            (json!({"type": "string", "minLength": -1}), false),
            (json!({"type": "string", "maxLength": u64::MAX}), true),
            (json!({"type": "string", "minimum": "1"}), false),
            (json!({"type": "string", "examples": {}}), false),
            (json!({"type": "string", "when": []}), false),
            (json!({"type": "string", "when": {}}), false),
            (json!({"type": "string", "when": {"other": null}}), false),
            (json!({"type": "string", "when": {"other": {"is": "x"}}}), false),
            (json!({"type": "string", "when": {"other": "x"}}), true),
            (
                json!({"type": "string", "when": {"other": ["x", long(MAX_OPTION)], "flag": true, "count": 1}}),
                true,
            ),
            (json!({"type": "string", "when": {"other": ""}}), false),
            (json!({"type": "string", "when": {"other": [long(MAX_OPTION + 1)]}}), false),
            (json!({"type": "string", "when": {"other": []}}), false),
            (json!({"type": "string", "when": {"other": [["x"]]}}), false),
            (json!({"type": "string", "aliases": ["A", "B b"], "instructions": ""}), true),
            (json!({"type": "string", "aliases": [" "]}), false),
            (json!({"type": "string", "aliases": [long(MAX_NAME + 1)]}), false),
            (json!({"type": "string", "instructions": 1}), false),
            (json!({"type": "number", "rules": ["count > 1", {"check": "flag", "tolerance": 0.5}]}), true),
            (json!({"type": "number", "rules": [{"tolerance": 0}]}), false),
            (json!({"type": "number", "rules": [{"check": "flag", "tolerance": -1}]}), false),
            (json!({"type": "number", "rules": [{"check": "flag", "message": " "}]}), false),
            (json!({"type": "number", "rules": vec!["flag"; 21]}), false),
            (json!({"type": "number", "computed": "count * 2"}), true),
            (json!({"type": "number", "computed": 2}), false),
            (json!({"type": "string", "format": 1}), false),
            (json!({"type": "string", "enum": []}), false),
            (json!({"type": "string", "enum": ["", "a"]}), true),
            (json!({"type": "string", "enum": ["a", "a"]}), false),
            (json!({"type": "string", "enum": [1]}), false),
            (json!({"type": "string", "enum": [long(MAX_OPTION + 1)]}), false),
            (json!({"type": "date", "enum": ["any"], "default": ""}), true),
            (json!({"type": "email", "default": 1}), false),
            (json!({"type": "number", "enum": ["", "1.5"], "default": 1.5}), true),
            (json!({"type": "number", "default": "1"}), false),
            (json!({"type": "integer", "default": 1.5}), false),
            (json!({"type": "integer", "default": 2.0}), true),
            (json!({"type": "boolean", "default": true}), true),
            (json!({"type": "boolean", "enum": ["true"]}), false),
            (json!({"type": "array"}), false),
            (json!({"type": "array", "items": {"type": "string"}, "default": []}), true),
            (json!({"type": "array", "items": {}}), false),
            (json!({"type": "array", "items": {"type": "string"}, "enum": ["a"]}), false),
            (json!({"type": "object"}), false),
            (json!({"type": "object", "properties": {}}), false),
            (json!({"type": "object", "properties": {"": {"type": "string"}}}), false),
            (json!({"type": "object", "properties": {"a": {"type": "date"}}, "default": {}}), true),
            (json!({"type": "money", "currencies": ["EUR", "USD"], "minimum": 0, "default": {}}), true),
            (json!({"type": "money", "currencies": []}), false),
            (json!({"type": "money", "currencies": ["EUR", "EUR"]}), false),
            (json!({"type": "money", "currencies": ["Euro"]}), false),
            (json!({"type": "money", "enum": ["EUR"]}), false),
            (json!({"type": "money", "default": 1}), false),
            (json!({"type": "union", "types": ["number", "string"], "default": 1}), true),
            (json!({"type": "union", "types": ["number", "string"], "default": []}), false),
            (json!({"type": "union", "types": ["number"]}), false),
            (json!({"type": "union", "types": ["number", "money"]}), false),
            (json!({"type": "union"}), false),
            (json!({"type": "map", "values": {"type": "number"}}), true),
            (json!({"type": "map", "values": {}}), false),
            (json!({"type": "map"}), false),
            (json!({"type": "number", "unit": "kg"}), true),
            (json!({"type": "number", "unit": "bags"}), true),
            (json!({"type": "date", "precision": "month", "default": "2026-07"}), true),
        ] {
            let schema = json!({
                "field": definition, "other": {"type": "string"}, "flag": {"type": "boolean"}, "count": {"type": "integer"}
            });
            assert_eq!(validate_schema(&schema).is_empty(), valid, "the service: {schema:.200}");
            assert_eq!(grammar.is_valid(&schema), valid, "the grammar: {schema:.200}");
        }
        for (schema, valid) in [
            (json!({}), false),
            (json!(null), false),
            (json!({"": {"type": "string"}}), false),
            (json!({long(MAX_NAME): {"type": "string"}}), true),
            (json!({long(MAX_NAME + 1): {"type": "string"}}), false),
        ] {
            assert_eq!((validate_schema(&schema).is_empty(), grammar.is_valid(&schema)), (valid, valid));
        }
    }
}
