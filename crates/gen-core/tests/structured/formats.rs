//! `responseFormat` of a request.

use gen_core::structured::ResponseFormat;
use serde_json::{Value, json};

fn paths(format: &Value) -> Vec<String> {
    let violations = ResponseFormat::parse(format, "/responseFormat").unwrap_err();
    violations.into_iter().map(|violation| violation.path).collect()
}

#[test]
fn the_three_types_and_both_places_of_a_schema_are_read() {
    let schema = json!({"type": "object", "properties": {"a": {"type": "string"}}});
    for format in [
        json!({"type": "json_schema", "json_schema": {"name": "my-form_1", "schema": schema, "strict": true}}),
        json!({"type": "json_schema", "name": "my-form_1", "schema": schema}),
    ] {
        let Ok(ResponseFormat::Json(read)) = ResponseFormat::parse(&format, "") else { panic!("{format}") };
        assert_eq!((read.wanted().name.as_str(), &read.wanted().schema), ("my-form_1", &schema));
    }
    for format in [json!(null), json!({"type": "text"})] {
        assert!(matches!(ResponseFormat::parse(&format, ""), Ok(ResponseFormat::Text)));
    }
    let Ok(ResponseFormat::Json(any)) = ResponseFormat::parse(&json!({"type": "json_object"}), "") else {
        panic!()
    };
    assert!(any.validate(&json!({"what": "ever"})).is_empty() && !any.validate(&json!([])).is_empty());
}

#[test]
fn what_is_wrong_is_told_with_its_place() {
    assert_eq!(paths(&json!("json")), ["/responseFormat"]);
    assert_eq!(paths(&json!({})), ["/responseFormat/type"]);
    assert_eq!(paths(&json!({"type": "xml"})), ["/responseFormat/type"]);
    assert_eq!(paths(&json!({"type": "json_schema"})), ["/responseFormat"]);
    assert_eq!(paths(&json!({"type": "json_schema", "json_schema": 5})), ["/responseFormat/json_schema"]);
    assert_eq!(
        paths(
            &json!({"type": "json_schema", "json_schema": {"name": "no spaces", "strict": 1, "schema": {"type": "x"}}})
        ),
        [
            "/responseFormat/json_schema/strict",
            "/responseFormat/json_schema/name",
            "/responseFormat/json_schema/schema/type"
        ]
    );
    assert_eq!(
        paths(&json!({"type": "json_schema", "schema": {"properties": {"a": {"pattern": "("}}}})),
        ["/responseFormat/schema/properties/a/pattern"]
    );
}
