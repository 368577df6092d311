//! Answers in JSON.

use serde_json::{Value, json};

use super::kit::{ask, ask_streamed, playing, said, told};

fn asked() -> Value {
    let schema = json!({
        "type": "object", "additionalProperties": false, "required": ["number", "total"],
        "properties": {"number": {"type": "string", "pattern": "^N-[0-9]+$"}, "total": {"type": "number", "minimum": 0}}
    });
    json!({"modelId": "gpt-4.1@openai", "prompt": "N-1 costs 5", "responseFormat":
        {"type": "json_schema", "json_schema": {"name": "invoice", "schema": schema}}})
}

const GOOD: &str = r#"{"number": "N-1", "total": 5}"#;
const WRONG: &str = r#"{"number": "one", "total": -5}"#;

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_that_fits_its_schema_is_one_call() {
    let (server, vendor) = playing([said(GOOD)]);
    let answer = ask(&server, asked()).await.ok();
    let value: Value = serde_json::from_str(answer["text"].as_str().unwrap()).unwrap();
    assert_eq!(value, json!({"number": "N-1", "total": 5}));
    assert_eq!((vendor.count(), &answer["tokens"]), (1, &json!(18)));
    let sent = vendor.requests()[0].json();
    assert_eq!(sent["response_format"]["json_schema"]["name"], "invoice");
    assert_eq!(sent["response_format"]["json_schema"]["strict"], true);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_that_does_not_fit_is_asked_for_again_and_both_are_paid() {
    let (server, vendor) = playing([said(WRONG), said(GOOD)]);
    let answer = ask(&server, asked()).await.ok();
    assert_eq!(serde_json::from_str::<Value>(answer["text"].as_str().unwrap()).unwrap()["number"], "N-1");
    assert_eq!((vendor.count(), &answer["tokens"]), (2, &json!(36)));
    let again = vendor.requests()[1].json()["messages"].to_string();
    assert!(
        again.contains("/number") && again.contains("/total"),
        "the model is told what is wrong: {again}"
    );
    assert_eq!(super::kit::booked(&server, 2).await["total"]["requests"], 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_that_never_fits_is_an_error_with_its_places() {
    let (server, vendor) = playing([said(WRONG)]);
    let failed = ask(&server, asked()).await.fails(502, "schema_violation");
    let places = failed["errors"].to_string();
    assert!(places.contains("/number") && places.contains("/total"), "{failed}");
    let calls = vendor.count();
    assert!((2..=3).contains(&calls), "{calls}");
    assert_eq!(super::kit::booked(&server, calls).await["total"]["requests"], calls);
    let mut body = asked();
    body["stream"] = json!(true);
    ask(&server, body).await.fails(502, "schema_violation");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_streamed_json_answer_is_the_whole_answer() {
    let (server, _vendor) = playing([said(GOOD)]);
    let whole = ask(&server, asked()).await.ok();
    let events = ask_streamed(&server, asked()).await;
    let (text, last) = told(&events);
    assert_eq!(last, ("done", &whole));
    assert!(text.is_empty() || text == whole["text"].as_str().unwrap(), "{text}");
}

#[tokio::test(flavor = "multi_thread")]
async fn hostile_schemas_are_refused_with_their_place_or_answered_soon() {
    let (server, vendor) = playing([said("{\"a\": \"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!\"}")]);
    let of = |schema: Value| {
        json!({"modelId": "gpt-4.1@openai", "prompt": "x",
            "responseFormat": {"type": "json_schema", "json_schema": {"schema": schema}}})
    };
    let mut deep = json!({"type": "string"});
    for _ in 0..40 {
        deep = json!({"type": "object", "properties": {"a": deep}});
    }
    let wide: serde_json::Map<String, Value> =
        (0..20_000).map(|n| (format!("p{n}"), json!({"type": "null"}))).collect();
    for schema in [
        deep,
        json!({"type": "object", "properties": wide}),
        json!({"type": "object", "properties": {"a": {"type": "string", "pattern": "("}}}),
        json!({"type": "object", "properties": {"a": {"type": "string", "pattern": "a{1000}{1000}{1000}"}}}),
        json!({"type": "object", "properties": {"a": {"$ref": "http://127.0.0.1:1/schema"}}}),
        json!({"type": "object", "properties": {"a": {"$ref": "file:///etc/passwd"}}}),
        json!({"type": "object", "properties": {"a": {"$ref": "#/$defs/none"}}}),
        json!({"$ref": "#"}),
        json!("object"),
        json!({"type": 7}),
    ] {
        let answer = ask(&server, of(schema.clone())).await;
        let told = answer.fails(400, "validation_failed");
        let place = told["errors"][0]["path"].as_str().unwrap();
        assert!(place.starts_with("/responseFormat/json_schema/schema"), "{told}");
    }
    assert_eq!(vendor.count(), 0);
    // Patterns and references that are allowed take no time that grows with the text.
    for schema in [
        json!({"type": "object", "required": ["a"], "properties": {"a": {"type": "string", "pattern": "^(a+)+$"}}}),
        json!({"type": "object", "required": ["b"], "properties": {"b": {"$ref": "#/$defs/t"}},
            "$defs": {"t": {"type": "object", "required": ["t"], "properties": {"t": {"$ref": "#/$defs/t"}}}}}),
    ] {
        let answer = ask(&server, of(schema)).await;
        assert!([400, 502].contains(&answer.status), "{answer:?}");
    }
    // A schema that is too large for a body never gets that far.
    let huge = json!({"type": "object", "description": "x".repeat(300_000)});
    ask(&server, of(huge)).await.fails(400, "validation_failed");
}
