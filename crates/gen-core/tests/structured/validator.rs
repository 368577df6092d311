//! What a value breaks, and which schemas are refused before any call.

use gen_core::structured::{MAX_SCHEMA, Schema};
use serde_json::{Value, json};

use crate::common::schema;

fn broken(wanted: &Value, value: &Value) -> Vec<String> {
    schema(wanted).validate(value).into_iter().map(|v| format!("{}: {}", v.path, v.message)).collect()
}

#[test]
fn every_broken_rule_is_told_in_words_with_its_place() {
    let wanted = json!({"type": "object", "properties": {
        "age": {"type": "integer", "minimum": 0, "exclusiveMaximum": 150}, "code": {"type": "string", "pattern": "^[A-Z]{2}$"},
        "plan": {"enum": ["a", "b"]}, "tags": {"type": "array", "items": {"type": "string", "maxLength": 2}, "maxItems": 2, "uniqueItems": true},
        "day": {"type": "string", "format": "date"}, "half": {"type": "number", "multipleOf": 0.5}},
        "required": ["age", "gone"], "additionalProperties": false});
    let value = json!({"age": 150, "code": "abc", "plan": "c", "tags": ["x", "long", "x"], "day": "2024-02-30", "half": 1.2, "z/y": 1});
    assert_eq!(
        broken(&wanted, &value),
        [
            ": 'gone' is a required property",
            "/age: must be less than 150",
            "/code: must match the pattern ^[A-Z]{2}$, not 'abc'",
            "/plan: must be one of 'a', 'b', not 'c'",
            "/tags/1: must have at most 2 characters",
            "/tags: must have at most 2 entries",
            "/tags: must not have duplicate entries",
            "/day: must have the format date, not '2024-02-30'",
            "/half: must be a multiple of 0.5",
            "/z~1y: 'z/y' is not a property of the schema",
        ]
    );
    assert_eq!(broken(&wanted, &json!([])), [": must be an object, not a list"]);
    assert!(broken(&wanted, &json!({"age": 0, "gone": null})).iter().any(|line| line.starts_with("/gone")));
}

#[test]
fn of_alternatives_the_one_of_the_type_is_told_also_behind_a_reference() {
    let wanted = json!({
        "anyOf": [{"type": "array", "items": {"type": "string"}}, {"$ref": "#/$defs/named"}],
        "$defs": {"named": {"$ref": "#/$defs/object"}, "object": {"type": "object", "required": ["a", "b", "c"]}}
    });
    assert_eq!(
        broken(&wanted, &json!([1, 2])),
        ["/0: must be a string, not 1", "/1: must be a string, not 2"]
    );
    assert_eq!(broken(&wanted, &json!({})).len(), 3);
    assert_eq!(broken(&wanted, &json!("x")), [": must fit one of the alternatives of the schema"]);
}

#[test]
fn values_fit_as_json_schema_says() {
    for (wanted, fitting, not) in [
        (json!({"type": "integer"}), json!(1.0), json!(1.5)),
        (json!({"type": ["string", "null"]}), json!(null), json!(1)),
        (json!({"const": 1}), json!(1.0), json!("1")),
        (json!({"enum": [[1], {"a": 2}]}), json!({"a": 2.0}), json!([1, 1])),
        (json!({"anyOf": [{"type": "string"}, {"minimum": 3}]}), json!(3), json!(2)),
        (json!({"oneOf": [{"minimum": 1}, {"maximum": 5}]}), json!(6), json!(3)),
        (json!({"allOf": [{"minimum": 1}, {"maximum": 5}]}), json!(3), json!(6)),
        (json!({"not": {"type": "string"}}), json!(1), json!("x")),
        (
            json!({"if": {"properties": {"a": {"const": 1}}, "required": ["a"]}, "then": {"required": ["b"]}, "else": {"required": ["c"]}}),
            json!({"a": 1, "b": 2}),
            json!({"a": 2, "b": 2}),
        ),
        (
            json!({"prefixItems": [{"type": "string"}], "items": {"type": "number"}}),
            json!(["a", 1]),
            json!(["a", "b"]),
        ),
        (json!({"contains": {"const": 1}, "maxContains": 1}), json!([1, 2]), json!([1, 1])),
        (json!({"contains": {"const": 1}, "minContains": 0}), json!([]), json!(null)),
        (
            json!({"patternProperties": {"^n_": {"type": "number"}}, "additionalProperties": false}),
            json!({"n_a": 1}),
            json!({"a": 1}),
        ),
        (json!({"propertyNames": {"maxLength": 2}}), json!({"ab": 1}), json!({"abc": 1})),
        (json!({"dependentRequired": {"a": ["b"]}}), json!({"b": 1}), json!({"a": 1})),
        (json!({"dependentSchemas": {"a": {"required": ["b"]}}}), json!({"a": 1, "b": 1}), json!({"a": 1})),
        (json!({"minProperties": 1}), json!({"a": 1}), json!({})),
        (json!({"maxLength": 1}), json!("😀"), json!("ab")),
        (json!({"properties": {"a": false}}), json!({"b": 1}), json!({"a": 1})),
        (json!({"$ref": "#/$defs/a%20b~1c", "$defs": {"a b/c": {"type": "string"}}}), json!("x"), json!(1)),
        (
            json!({"type": "object", "properties": {"next": {"$ref": "#"}}, "additionalProperties": false}),
            json!({"next": {"next": {}}}),
            json!({"next": {"last": 1}}),
        ),
        (
            json!({"uniqueItems": true}),
            json!([1, "1", [1], {"a": 1}]),
            json!([{"a": 1, "b": 2}, {"b": 2.0, "a": 1}]),
        ),
        (json!({"format": "date-time"}), json!("2024-01-01T10:00:00Z"), json!("2024-01-01")),
        (json!({"format": "email"}), json!("a@b.example"), json!("a b@c")),
        (json!({"format": "uri"}), json!("mailto:x"), json!("no uri")),
        (json!({"format": "uuid"}), json!("123e4567-e89b-12d3-a456-426614174000"), json!("123")),
        (json!({"format": "ipv6"}), json!("::1"), json!("1.2.3.4")),
        (json!({"multipleOf": 0.01}), json!(19.99), json!(19.999)),
        (json!({"multipleOf": 0.123456789}), json!(0), json!(1e308)),
        (json!({"format": "of my own"}), json!("x"), json!(null)),
    ] {
        assert_eq!(broken(&wanted, &fitting), Vec::<String>::new(), "{wanted} and {fitting}");
        // A rule for one type says nothing of others, so the last word there is `null`.
        if !not.is_null() {
            assert!(!broken(&wanted, &not).is_empty(), "{wanted} and {not}");
        }
    }
}

#[test]
fn a_schema_that_is_none_is_refused_with_every_fault() {
    let refused = |wanted: Value| {
        let violations = Schema::new("answer", wanted, "/f").unwrap_err();
        violations.into_iter().map(|violation| violation.path).collect::<Vec<_>>()
    };
    let wanted = json!({"type": "thing", "properties": {"a": 5, "b": {"required": "x", "enum": []}}, "minItems": -1,
                        "items": [{"type": "string"}], "unevaluatedProperties": false});
    assert_eq!(
        refused(wanted),
        [
            "/f/type",
            "/f/minItems",
            "/f/unevaluatedProperties",
            "/f/properties/a",
            "/f/properties/b/required",
            "/f/properties/b/enum",
            "/f/items"
        ]
    );
    for wanted in [json!([]), json!("x"), json!(null)] {
        assert_eq!(refused(wanted), ["/f"]);
    }
    for pattern in ["(", "(?=a)b", r"(a)\1", "(a{900}){900}", "((((a{99}){99}){99}){99}){99}"] {
        assert_eq!(refused(json!({"pattern": pattern})), ["/f/pattern"], "{pattern}");
    }
    for reference in
        ["https://example.org/x", "other.json", "#/nowhere", "#/const", "#anchor", "file:///etc/passwd"]
    {
        assert_eq!(
            refused(json!({"$ref": reference, "const": {"pattern": "("}})),
            ["/f/$ref"],
            "{reference}"
        );
    }
    let deep = (0..100).fold(json!({}), |inner, _| json!({"items": inner}));
    assert_eq!(refused(deep).len(), 1);
    assert_eq!(refused(json!({"description": "x".repeat(MAX_SCHEMA)})), ["/f"]);
    let many = (0..11_000).map(|n| (format!("{n}"), json!({}))).collect();
    assert_eq!(refused(json!({"properties": Value::Object(many)})).len(), 1);
    assert!(Schema::new("bad name", json!({}), "/f").is_err());
}

#[test]
fn schemas_that_never_end_are_given_up_on() {
    for ring in [
        json!({"$ref": "#"}),
        json!({"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}}),
    ] {
        let refused = Schema::new("answer", ring, "").unwrap_err();
        assert!(refused[0].message.contains("leads back to itself"), "{refused:?}");
    }
    for endless in [
        json!({"anyOf": [{"$ref": "#"}, {"$ref": "#"}, {"$ref": "#"}]}),
        json!({"type": "object", "required": ["a"], "properties": {"a": {"$ref": "#"}}}),
    ] {
        let refused = Schema::new("answer", endless, "/schema").unwrap_err();
        assert!(refused[0].message.contains("without end"), "{refused:?}");
        assert_eq!(refused[0].path, "/schema");
    }
    assert!(!broken(&json!({"not": {"$ref": "#"}}), &json!({"a": 1})).is_empty());
    // Each level doubles the work.
    let mut definitions = serde_json::Map::new();
    for n in 0..40 {
        let next = json!({"$ref": format!("#/$defs/d{}", n + 1)});
        definitions.insert(format!("d{n}"), json!({"allOf": [next, next]}));
    }
    definitions.insert("d40".into(), json!({"type": "string"}));
    let lines = broken(&json!({"$ref": "#/$defs/d0", "$defs": definitions}), &json!("x"));
    assert_eq!(lines, [": the answer takes too long to check against the schema"]);
}

#[test]
fn a_long_text_under_a_costly_pattern_ends() {
    let wanted = json!({"type": "string", "pattern": "^(a|aa|aaa|b|ab)*$"});
    assert!(!broken(&wanted, &json!(format!("{}!", "a".repeat(200_000)))).is_empty());
}
