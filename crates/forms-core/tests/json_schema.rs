//! Forms from JSON Schema, and back.
#![allow(clippy::unwrap_used, reason = "helpers of tests assert, too")]

use forms_core::json_schema::{from_json_schema, to_json_schema};
use forms_core::validate_schema;
use serde_json::{Value, json};

/// The form and the warnings as `path: message`.
fn import(document: Value) -> (Value, Vec<String>) {
    let import = from_json_schema(&document).unwrap();
    assert_eq!(validate_schema(&Value::Object(import.schema.clone())), []);
    let warnings =
        import.warnings.into_iter().map(|warning| format!("{}: {}", warning.path, warning.message));
    (Value::Object(import.schema), warnings.collect())
}

fn failure(document: Value) -> (String, String) {
    let violations = from_json_schema(&document).unwrap_err();
    (violations[0].path.clone(), violations[0].message.clone())
}

#[test]
fn a_dump_of_pydantic_becomes_a_form() {
    // As `model_json_schema()` of Pydantic 2 writes it: optional fields, decimals, enums, nested models, dates.
    let (form, warnings) = import(json!({
        "$defs": {
            "Status": {"enum": ["open", "paid"], "title": "Status", "type": "string"},
            "Line": {
                "properties": {
                    "text": {"title": "Text", "type": "string"},
                    "amount": {"anyOf": [{"type": "number"}, {"type": "string", "pattern": "^(?!^[-+.]*$)[+-]?0*\\d*\\.?\\d*$"}], "title": "Amount"}
                },
                "required": ["text", "amount"], "title": "Line", "type": "object"
            }
        },
        "description": "An invoice.",
        "properties": {
            "number": {"description": "Number of the invoice", "minLength": 1, "title": "Number", "type": "string"},
            "issued": {"anyOf": [{"format": "date", "type": "string"}, {"type": "null"}], "default": null, "title": "Issued"},
            "status": {"$ref": "#/$defs/Status", "default": "open"},
            "lines": {"items": {"$ref": "#/$defs/Line"}, "title": "Lines", "type": "array"},
            "rates": {"additionalProperties": {"type": "number"}, "title": "Rates", "type": "object"},
            "rank": {"enum": [1, 2, 3], "title": "Rank", "type": "integer"},
            "age": {"exclusiveMinimum": 0, "title": "Age", "type": "integer"}
        },
        "required": ["number", "lines"], "title": "Invoice", "type": "object"
    }));
    assert_eq!(
        form,
        json!({
            "number": {"type": "string", "description": "Number of the invoice", "minLength": 1, "required": true},
            "issued": {"type": "date", "description": "Issued"},
            "status": {"type": "string", "description": "Status", "default": "open", "enum": ["open", "paid"]},
            "lines": {"type": "array", "items": {
                "type": "object", "properties": {
                    "text": {"type": "string", "description": "Text", "required": true},
                    "amount": {"type": "number", "description": "Amount", "required": true}
                }, "description": "Line"
            }, "description": "Lines", "required": true},
            "rates": {"type": "array", "items": {"type": "object", "properties": {
                "key": {"type": "string", "required": true}, "value": {"type": "number"}
            }}, "description": "Rates"},
            "rank": {"type": "integer", "description": "Rank", "enum": ["1", "2", "3"]},
            "age": {"type": "integer", "description": "Age", "minimum": 1}
        })
    );
    assert_eq!(warnings, ["/properties/rates: a map becomes a list of objects with 'key' and 'value'"]);
}

#[test]
fn what_is_required_and_may_be_null_is_not_required_of_a_form() {
    // As OpenAI's strict mode wants it: every property is required, and optional ones may be null.
    let (form, warnings) = import(json!({"type": "object", "properties": {
        "a": {"type": ["string", "null"]}, "b": {"anyOf": [{"type": "number"}, {"type": "null"}]},
        "c": {"enum": ["x", null]}, "d": {"type": "string", "nullable": true}, "e": {"type": "string"}
    }, "required": ["a", "b", "c", "d", "e"], "additionalProperties": false}));
    let required: Vec<_> = ["a", "b", "c", "d", "e"].map(|name| form[name].get("required").is_some()).into();
    assert_eq!(required, [false, false, false, false, true], "{form}");
    assert!(warnings.is_empty(), "{warnings:?}");
}

#[test]
fn alternatives_of_objects_become_fields_with_conditions() {
    // As Zod 4 writes a discriminated union, within OpenAI's `response_format`.
    let card = json!({"type": "object", "properties": {
        "kind": {"type": "string", "const": "card"}, "digits": {"type": "string"}, "total": {"type": "number"}
    }, "required": ["kind", "digits", "total"], "additionalProperties": false});
    let transfer = json!({"type": "object", "properties": {
        "kind": {"type": "string", "const": "transfer"}, "iban": {"type": "string"}, "total": {"type": "number"}
    }, "required": ["kind", "total"], "additionalProperties": false});
    let (form, warnings) =
        import(json!({"type": "json_schema", "json_schema": {"name": "order", "strict": true, "schema": {
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "type": "object",
            "properties": {"payment": {"oneOf": [card, transfer], "description": "How it is paid"}},
            "required": ["payment"], "additionalProperties": false
        }}}));
    assert_eq!(
        form,
        json!({"payment": {"type": "object", "properties": {
            "kind": {"type": "string", "enum": ["card", "transfer"], "required": true},
            "digits": {"type": "string", "when": {"kind": ["card"]}, "required": true},
            "total": {"type": "number", "required": true},
            "iban": {"type": "string", "when": {"kind": ["transfer"]}}
        }, "description": "How it is paid", "required": true}})
    );
    assert!(warnings.is_empty(), "{warnings:?}");
}

#[test]
fn alternatives_of_plain_types_become_a_union_and_are_one_again() {
    let union = |types: Value| json!({"type": "union", "types": types});
    let (form, warnings) = import(json!({"type": "object", "properties": {
        // As Pydantic writes `date | str | None`, and Zod a union.
        "due": {"anyOf": [{"format": "date", "type": "string"}, {"type": "string"}, {"type": "null"}], "default": null},
        "size": {"anyOf": [{"type": "number", "minimum": 0}, {"type": "string", "maxLength": 3}], "title": "Size"},
        "flag": {"type": ["boolean", "integer", "null"]},
        "number": {"type": ["integer", "number"]},
        "option": {"type": ["string", "integer"], "enum": ["a", 1]}
    }}));
    let mut size = union(json!(["number", "string"]));
    size["minimum"] = json!(0);
    size["maxLength"] = json!(3);
    size["description"] = json!("Size");
    assert_eq!(form["due"], union(json!(["date", "string"])));
    assert_eq!((&form["size"], &form["flag"]), (&size, &union(json!(["boolean", "integer"]))));
    assert_eq!(form["number"], json!({"type": "number"}));
    assert_eq!(form["option"], json!({"type": "string", "enum": ["a", "1"]}));
    assert_eq!(warnings.len(), 1, "the mixed options are read as texts: {warnings:?}");
    size["aliases"] = json!(["Groesse"]);
    let form = json!({"size": size});
    let exported = to_json_schema(form.as_object().unwrap());
    assert_eq!(
        exported["properties"]["size"]["anyOf"],
        json!([{"type": "number"}, {"type": "string"}, {"type": "null"}])
    );
    assert_eq!(import(exported), (form, Vec::new()));
}

#[test]
fn what_a_form_cannot_say_is_left_out_and_told() {
    let (form, warnings) = import(json!({
        "definitions": {"Node": {"type": "object", "properties": {
            "name": {"type": "string"}, "children": {"type": "array", "items": {"$ref": "#/definitions/Node"}}
        }}},
        "type": "object",
        "properties": {
            "tree": {"$ref": "#/definitions/Node"},
            "code": {"type": "string", "pattern": "^(?=.*[A-Z])", "default": 5},
            "price": {"type": "number", "exclusiveMinimum": 0, "multipleOf": 0.01},
            "place": {"type": "array", "prefixItems": [{"type": "number"}, {"type": "number"}]},
            "pair": {"type": "array", "prefixItems": [{"type": "string"}, {"type": "integer"}]},
            "any": true,
            "never": false,
            "by_pattern": {"type": "object", "patternProperties": {"^a/b": {"type": "money"}}},
            "mixed": {"type": ["string", "integer", "null"]},
            "one_or_more": {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]},
            "shape": {"anyOf": [
                {"type": "object", "properties": {"radius": {"type": "number"}}},
                {"type": "object", "properties": {"side": {"type": "number"}}}
            ]}
        }
    }));
    let of = |name: &str| form[name].clone();
    assert_eq!(of("tree"), json!({"type": "object", "properties": {"name": {"type": "string"}}}));
    assert_eq!(of("code"), json!({"type": "string"}));
    assert_eq!(of("price"), json!({"type": "number", "minimum": 0}));
    assert_eq!(
        of("place"),
        json!({"type": "array", "items": {"type": "number"}, "minItems": 2, "maxItems": 2})
    );
    assert_eq!(
        of("pair"),
        json!({"type": "object", "properties": {"item_1": {"type": "string"}, "item_2": {"type": "integer"}}})
    );
    assert_eq!(
        (of("any"), of("mixed"), of("never")),
        (json!({"type": "string"}), json!({"type": "union", "types": ["string", "integer"]}), Value::Null)
    );
    assert_eq!(of("one_or_more"), json!({"type": "array", "items": {"type": "string"}}));
    assert_eq!(
        of("shape"),
        json!({"type": "object", "properties": {"radius": {"type": "number"}, "side": {"type": "number"}}})
    );
    let at: Vec<&str> = warnings.iter().map(|warning| warning.split(": ").next().unwrap()).collect();
    assert_eq!(
        at,
        [
            "/definitions/Node/properties/children/items",
            "/properties/code/pattern",
            "/properties/code/default",
            "/properties/price/exclusiveMinimum",
            "/properties/price/multipleOf",
            "/properties/pair",
            "/properties/any",
            "/properties/never",
            "/properties/by_pattern/patternProperties/^a~1b",
            "/properties/by_pattern",
            "/properties/one_or_more",
            "/properties/shape"
        ],
        "{warnings:#?}"
    );
}

#[test]
fn a_list_becomes_a_form_with_one_field() {
    let (form, warnings) =
        import(json!({"type": "array", "items": {"type": "object", "properties": {"a": {"type": "Date"}}}}));
    assert_eq!(form["items"]["items"]["properties"], json!({"a": {"type": "string"}}));
    // One for the type that JSON Schema does not know, one for the list.
    assert_eq!(warnings.len(), 2, "{warnings:?}");
}

#[test]
fn what_is_no_schema_of_a_form_is_refused_with_its_place() {
    assert_eq!(failure(json!("text")).0, "");
    assert_eq!(
        failure(json!({"type": "string"})).1,
        "the JSON Schema must describe an object with properties, or a list"
    );
    assert_eq!(
        failure(json!({"type": "object", "properties": {"a": {"$ref": "other.json"}}})).0,
        "/properties/a"
    );
    let missing = failure(json!({"schema": {"type": "object", "properties": {"a": {"$ref": "#/$defs/A"}}}}));
    assert_eq!(
        missing,
        ("/schema/properties/a".to_owned(), "'$ref' leads to '#/$defs/A', where nothing stands".to_owned())
    );
    assert_eq!(failure(json!({"type": "object", "properties": {"a": 5}})).0, "/properties/a");
    let deep = (0..12)
        .fold(json!({"type": "string"}), |below, _| json!({"type": "object", "properties": {"a": below}}));
    assert!(failure(deep).1.contains("levels deep"));
    let wide: serde_json::Map<String, Value> =
        (0..1_100).map(|at| (format!("f{at}"), json!({"type": "string"}))).collect();
    assert!(failure(json!({"type": "object", "properties": wide})).1.contains("at most 1000 fields"));
    // Definitions that refer to each other do not grow without bound.
    let doubling: serde_json::Map<String, Value> = (0..40)
        .map(|at| {
            let next = json!({"$ref": format!("#/$defs/d{}", at + 1)});
            (format!("d{at}"), json!({"type": "object", "properties": {"a": next, "b": next}}))
        })
        .collect();
    let bomb = json!({"$defs": doubling, "$ref": "#/$defs/d0"});
    assert!(from_json_schema(&bomb).is_err());
    // Nor does what many of them repeat.
    let options: Vec<String> = (0..900).map(|at| format!("{at}{}", "x".repeat(900))).collect();
    let fields: serde_json::Map<String, Value> =
        (0..900).map(|at| (format!("f{at}"), json!({"$ref": "#/$defs/options"}))).collect();
    let repeated = json!({"$defs": {"options": {"enum": options}}, "type": "object", "properties": fields});
    assert_eq!(failure(repeated).1, "the form would have more than 2097152 bytes");
}

#[test]
fn a_form_is_the_same_after_the_way_to_json_schema_and_back() {
    let form = json!({
        "name": {"type": "string", "order": 2, "description": "Full name", "minLength": 1, "maxLength": 9,
                 "pattern": "^[A-Z]", "required": true, "examples": ["A"], "default": "B", "format": "x"},
        "contact": {"type": "string", "enum": ["", "phone", "email"], "own_key": {"kept": [1]}, "required": false},
        "mail": {"type": "email", "required": true}, "born": {"type": "date", "format": "dd.mm.yyyy"}, "site": {"type": "url"},
        "rank": {"type": "integer", "enum": ["1", "02"], "minimum": 0},
        "ok": {"type": "boolean", "default": false, "order": 1},
        "rows": {"type": "array", "minItems": 0, "maxItems": 3, "items": {"type": "object", "required": true, "properties": {
            "sum": {"type": "number", "order": 2, "required": true}, "more": {"type": "string", "when": {"sum": [1, 2]}, "required": true}
        }}},
        "lists": {"type": "array", "items": {"type": "array", "items": {"type": "string", "enum": ["a"]}}}
    });
    let document = to_json_schema(form.as_object().unwrap());
    assert_eq!(document["properties"]["rank"]["enum"], json!([1, 2, null]));
    assert_eq!(document["properties"]["mail"], json!({"type": "string", "format": "email"}));
    assert_eq!(document["properties"]["rows"]["items"]["required"], json!(["sum"]));
    assert_eq!(document["required"], json!(["name", "mail"]));
    let (again, warnings) = import(document);
    assert_eq!(again, form);
    assert!(warnings.is_empty(), "{warnings:?}");
    let plain =
        json!({"a": {"type": "string", "required": true}, "b": {"type": "array", "items": {"type": "date"}}});
    assert!(!to_json_schema(plain.as_object().unwrap()).to_string().contains("x-formwork"));
}
