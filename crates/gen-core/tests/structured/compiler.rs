//! From the neutral schema to each dialect and back.

use gen_core::structured::{CompiledSchema, Dialect, UnsupportedSchema, compile};
use gen_core::{Fault, ProviderError, ResponseSchema};
use serde_json::{Value, json};

use crate::common::{Chance, schema};
use crate::schemas;

fn compiled(wanted: &Value, dialect: Dialect) -> Result<CompiledSchema, UnsupportedSchema> {
    compile(&ResponseSchema { name: "answer".into(), schema: wanted.clone() }, dialect)
}

/// Calls `visit` with every schema in a compiled one.
fn walk(schema: &Value, visit: &mut impl FnMut(&Value)) {
    visit(schema);
    let inside = |keyword: &str| schema.get(keyword).and_then(Value::as_object).into_iter().flatten();
    inside("properties").for_each(|(_, inner)| walk(inner, visit));
    schema.get("items").into_iter().for_each(|inner| walk(inner, visit));
    schema.get("anyOf").and_then(Value::as_array).into_iter().flatten().for_each(|inner| walk(inner, visit));
}

#[test]
fn openai_gets_every_property_required_and_null_for_what_is_optional() {
    let wanted = json!({"type": "object", "title": "T", "properties": {
        "name": {"type": "string", "minLength": 2, "pattern": "^a", "description": "Full name"},
        "site": {"type": "string", "format": "uri"},
        "age": {"type": ["integer", "null"], "minimum": 0, "default": 3}}, "required": ["name"]});
    let compiled = compiled(&wanted, Dialect::OpenAi).unwrap();
    assert_eq!(
        compiled.schema(),
        &json!({"type": "object", "properties": {
            "name": {"type": "string", "pattern": "^a", "description": "Full name (at least 2 characters)"},
            "site": {"type": ["string", "null"], "description": "In the format uri"},
            "age": {"type": ["integer", "null"], "minimum": 0}},
            "required": ["name", "site", "age"], "additionalProperties": false})
    );
    assert_eq!(
        compiled.decode(json!({"name": "ab", "site": null, "age": null})),
        json!({"name": "ab", "age": null})
    );
}

#[test]
fn anthropic_gets_texts_that_may_be_empty_and_no_ranges() {
    let wanted = json!({"type": "object", "properties": {
        "when": {"type": ["string", "null"], "format": "date"},
        "mail": {"type": "string", "format": "email"},
        "plan": {"type": ["string", "null"], "enum": ["Basic", null]},
        "sum": {"type": ["number", "null"], "minimum": 1},
        "tags": {"type": "array", "items": {"type": "string", "maxLength": 9}, "minItems": 2}},
        "required": ["when", "mail", "plan", "sum", "tags"]});
    let compiled = compiled(&wanted, Dialect::Anthropic).unwrap();
    let properties = &compiled.schema()["properties"];
    assert_eq!(
        properties["when"],
        json!({"type": "string", "description": "In the format date; \"\" when there is none"})
    );
    assert_eq!(properties["mail"], json!({"type": "string", "format": "email"}));
    assert_eq!(properties["plan"]["enum"], json!(["Basic", ""]));
    assert_eq!(properties["sum"], json!({"type": ["number", "null"], "description": "At least 1"}));
    assert_eq!(properties["tags"]["description"], "At least 2 entries");
    assert_eq!(properties["tags"]["items"]["description"], "At most 9 characters");
    let text = r#"{"when": "", "mail": "", "plan": "", "sum": null, "tags": []}"#;
    assert_eq!(compiled.decode_text(text), r#"{"when":null,"mail":"","plan":null,"sum":null,"tags":[]}"#);
    assert_eq!(
        compiled.decode_text("{\"when\": \"\", \"ma"),
        "{\"when\": \"\", \"ma",
        "what is cut stays for the caller"
    );
}

#[test]
fn anthropics_numbers_use_the_unions_then_the_optional_ones_and_then_are_too_many() {
    let numbers = |count: usize| {
        let properties: serde_json::Map<_, _> =
            (0..count).map(|n| (format!("n{n}"), json!({"type": ["number", "null"]}))).collect();
        let required: Vec<_> = properties.keys().cloned().collect();
        json!({"type": "object", "properties": properties, "required": required, "additionalProperties": false})
    };
    let full = compiled(&numbers(40), Dialect::Anthropic).unwrap();
    assert_eq!(full.schema()["required"].as_array().unwrap().len(), 16);
    let only_required = (0..16).map(|n| (format!("n{n}"), json!(n))).collect();
    let decoded = full.decode(Value::Object(only_required));
    assert_eq!((&decoded["n15"], &decoded["n39"]), (&json!(15), &Value::Null));
    assert!(schema(&numbers(40)).validate(&decoded).is_empty());
    let error = compiled(&numbers(41), Dialect::Anthropic).unwrap_err();
    assert!(matches!(error, UnsupportedSchema::TooWide { limit: 16, found: 17, .. }), "{error}");
    assert_eq!(ProviderError::from(error).fault, Fault::Unsupported);
}

#[test]
fn gemini_keeps_what_is_optional_and_tells_formats_in_words() {
    let wanted = json!({"type": "object", "properties": {
        "day": {"type": "string", "format": "date"}, "at": {"type": "string", "format": "date-time"},
        "n": {"type": "integer", "minimum": 1, "exclusiveMaximum": 5}}, "required": ["day"]});
    let compiled = compiled(&wanted, Dialect::Gemini).unwrap();
    assert_eq!(
        compiled.schema(),
        &json!({"type": "object", "properties": {
            "day": {"type": "string", "description": "In the format date"},
            "at": {"type": "string", "format": "date-time"},
            "n": {"type": "integer", "minimum": 1, "description": "Less than 5"}}, "required": ["day"]})
    );
    let list = json!({"type": "array", "items": {"type": "string"}});
    assert_eq!(self::compiled(&list, Dialect::Gemini).unwrap().schema(), &list);
}

#[test]
fn own_servers_get_the_whole_schema_less_what_grammars_refuse() {
    let wanted = json!({"type": "object", "properties": {
        "a": {"type": "string", "pattern": "^x+$", "minLength": 3}, "b": {"type": "string", "pattern": "x", "maxLength": 5000},
        "pattern": {"const": {"pattern": "x"}}}, "minProperties": 1});
    let compiled = compiled(&wanted, Dialect::Lenient).unwrap();
    let mut expected = wanted.clone();
    expected["properties"]["b"] =
        json!({"type": "string", "description": "Matches the pattern x; at most 5000 characters"});
    assert_eq!(compiled.schema(), &expected);
    assert_eq!(self::compiled(&wanted, Dialect::Native).unwrap().schema(), &wanted);
}

#[test]
fn a_root_that_is_no_object_is_wrapped_and_taken_out_again() {
    for (wanted, answer) in [
        (json!({"type": "array", "items": {"type": "integer"}}), json!([1, 2])),
        (json!({"type": ["string", "null"]}), Value::Null),
        (json!({"anyOf": [{"type": "string"}, {"type": "boolean"}]}), json!(true)),
        (json!({"enum": ["a", 1]}), json!(1)),
    ] {
        for dialect in [Dialect::OpenAi, Dialect::Mistral, Dialect::Anthropic] {
            let compiled = compiled(&wanted, dialect).unwrap();
            assert_eq!(compiled.schema()["type"], "object");
            assert_eq!(compiled.decode(json!({"value": answer})), answer);
        }
    }
}

#[test]
fn references_and_combined_rules_are_unfolded() {
    let wanted = json!({"type": "object", "properties": {
        "from": {"$ref": "#/$defs/place", "description": "Start"},
        "to": {"allOf": [{"$ref": "#/$defs/place"}]},
        "via": {"anyOf": [{"$ref": "#/$defs/place"}, {"type": "null"}]}},
        "required": ["from", "to", "via"],
        "$defs": {"place": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}}});
    let compiled = compiled(&wanted, Dialect::OpenAi).unwrap();
    let properties = &compiled.schema()["properties"];
    let place = json!({"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"],
                       "additionalProperties": false});
    assert_eq!(properties["to"], place);
    assert_eq!(properties["from"]["description"], "Start");
    assert_eq!(properties["via"]["type"], json!(["object", "null"]));
    assert!(compiled.schema().get("$defs").is_none());
}

#[test]
fn what_a_dialect_has_no_words_for_is_an_error_that_names_the_place() {
    let inside = |inner: Value| json!({"type": "object", "properties": {"x": inner}, "required": ["x"]});
    for wanted in [
        json!({"type": "object"}),
        inside(json!({})),
        inside(json!({"type": "object", "additionalProperties": {"type": "string"}})),
        inside(json!({"type": "array"})),
        inside(json!({"type": "array", "prefixItems": [{"type": "string"}]})),
        inside(json!({"enum": [{"a": 1}]})),
        inside(json!({"$ref": "#"})),
        inside(json!({"$ref": "https://example.org/s.json"})),
    ] {
        for dialect in [Dialect::OpenAi, Dialect::Anthropic] {
            let error = compiled(&wanted, dialect).unwrap_err();
            assert!(matches!(error, UnsupportedSchema::Inexpressible { .. }), "{wanted} gave {error}");
        }
        assert!(compiled(&wanted, Dialect::Lenient).is_ok());
    }
    let deep = (0..12).fold(json!({"type": "string"}), |inner, _| inside(inner));
    assert!(compiled(&deep, Dialect::OpenAi).is_err());
    assert!(compiled(&deep, Dialect::Anthropic).is_ok());
}

#[test]
fn what_unfolds_without_end_is_refused_quickly() {
    let mut definitions = serde_json::Map::new();
    for n in 0..30 {
        let next = json!({"$ref": format!("#/$defs/d{}", n + 1)});
        definitions.insert(format!("d{n}"), json!({"type": "object", "properties": {"a": next, "b": next}}));
    }
    definitions.insert("d30".into(), json!({"type": "string"}));
    let bomb = json!({"$ref": "#/$defs/d0", "$defs": definitions});
    for dialect in [Dialect::OpenAi, Dialect::Anthropic, Dialect::Gemini] {
        assert!(matches!(compiled(&bomb, dialect), Err(UnsupportedSchema::Inexpressible { .. })));
    }
}

#[test]
fn whatever_a_held_model_may_answer_decodes_to_a_value_that_fits() {
    let mut tried = 0;
    for seed in 0..600 {
        let mut chance = Chance::new(seed);
        let wanted =
            if chance.is(4) { schemas::any(&mut chance, 2) } else { schemas::object(&mut chance, 2) };
        let checked = schema(&wanted);
        for dialect in
            [Dialect::OpenAi, Dialect::Mistral, Dialect::Anthropic, Dialect::Gemini, Dialect::Lenient]
        {
            let Ok(compiled) = compiled(&wanted, dialect) else { continue };
            for _ in 0..4 {
                let answer = schemas::value(&mut chance, compiled.schema());
                let decoded = compiled.decode(answer.clone());
                let broken = checked.validate(&decoded);
                assert!(
                    broken.is_empty(),
                    "{dialect:?} {seed}: {wanted}\n{}\n{answer}\n{decoded}\n{broken:?}",
                    compiled.schema()
                );
                assert_eq!(compiled.decode_text(&answer.to_string()), decoded.to_string());
                tried += 1;
            }
        }
    }
    assert!(tried > 8_000, "{tried}");
}

#[test]
fn compiled_schemas_keep_to_the_vendors_rules() {
    for seed in 0..300 {
        let mut chance = Chance::new(seed);
        let wanted = schemas::any(&mut chance, 3);
        for dialect in [Dialect::OpenAi, Dialect::Anthropic] {
            let Ok(compiled) = compiled(&wanted, dialect) else { continue };
            assert_eq!(compiled.schema()["type"], "object");
            let (mut optional, mut unions) = (0, 0);
            walk(compiled.schema(), &mut |schema| {
                let keywords = [
                    "type",
                    "properties",
                    "required",
                    "additionalProperties",
                    "items",
                    "enum",
                    "anyOf",
                    "description",
                ];
                assert!(
                    schema.as_object().unwrap().keys().all(|keyword| keywords.contains(&keyword.as_str())),
                    "{schema}"
                );
                unions += usize::from(schema["type"].is_array() || schema.get("anyOf").is_some());
                if let Some(properties) = schema.get("properties").and_then(Value::as_object) {
                    assert_eq!(schema["additionalProperties"], false);
                    optional += properties.len() - schema["required"].as_array().unwrap().len();
                }
            });
            match dialect {
                Dialect::Anthropic => assert!(optional <= 24 && unions <= 16, "{wanted}"),
                _ => assert_eq!(optional, 0, "{wanted}"),
            }
        }
    }
}
