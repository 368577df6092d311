//! Bodies and records written for these tests, in both directions.

use gen_core::{
    ChatAnswer, ChatEvent, ChatRequest, Fault, Finish, Message, ModelKind, Part, ProviderError, Role, Usage,
};
use serde_json::{Value, json};

use super::answer::{MessageState, usage};
use super::map::{self, RequestDefaults};
use super::wire;

const HABITS: RequestDefaults = RequestDefaults { max_tokens: 8_192, cache_documents: true };

fn user(parts: Vec<Part>) -> Message {
    Message { role: Role::User, parts }
}

fn text(text: &str) -> Part {
    Part::Text(text.to_owned())
}

fn document(text: &str) -> Part {
    Part::Document { name: "bill".into(), description: None, text: text.into() }
}

fn ask(messages: Vec<Message>) -> ChatRequest {
    ChatRequest { model: "m".into(), messages, ..ChatRequest::default() }
}

fn body(request: &ChatRequest) -> Value {
    serde_json::to_value(map::request(request, None, HABITS, false).unwrap()).unwrap()
}

fn answer(message: Value) -> Result<ChatAnswer, ProviderError> {
    map::answer(serde_json::from_value(message).unwrap(), false, Vec::new())
}

#[test]
fn a_request_always_has_a_bound_and_never_a_temperature() {
    let mut request = ask(vec![user(vec![text("Hello")])]);
    request.temperature = Some(1.0);
    request.top_p = Some(0.5);
    request.seed = Some(7);
    assert_eq!(
        body(&request),
        json!({"model": "m", "max_tokens": 8192, "messages": [
            {"role": "user", "content": [{"type": "text", "text": "Hello"}]}
        ]})
    );
    let dropped = ["temperature", "topP", "seed"];
    let told = dropped.map(|name| format!("'{name}' was left out: Anthropic's models do not take it"));
    assert_eq!(map::warnings(&request), told);
    (request.temperature, request.top_p, request.seed) = (None, None, None);
    request.max_tokens = Some(5);
    request.stop = vec!["END".to_owned()];
    assert_eq!(body(&request)["stop_sequences"], json!(["END"]));
    assert_eq!(body(&request)["max_tokens"], 5);
    assert!(map::warnings(&request).is_empty());
}

#[test]
fn the_cache_mark_stands_on_the_last_document_and_only_where_there_is_one() {
    let request = ask(vec![
        user(vec![document("one"), document("two"), text("What is it?")]),
        Message { role: Role::Assistant, parts: vec![text("A bill.")] },
        user(vec![text("Sure?")]),
    ]);
    let marks = |body: &Value| body.to_string().matches("cache_control").count();
    let marked = body(&request);
    assert_eq!(marked["messages"][0]["content"][1]["cache_control"], json!({"type": "ephemeral"}));
    assert_eq!(marks(&marked), 1);
    assert!(marked["messages"][0]["content"][1]["text"].as_str().unwrap().contains("number=\"2\""));
    let habits = RequestDefaults { cache_documents: false, ..HABITS };
    let unmarked = serde_json::to_value(map::request(&request, None, habits, false).unwrap()).unwrap();
    assert_eq!(marks(&unmarked), 0);
    assert_eq!(marks(&body(&ask(vec![user(vec![text("Hello")])]))), 0);
}

#[test]
fn empty_texts_are_left_out_with_the_turns_that_have_nothing_else() {
    let mut request = ask(vec![user(vec![text(" ")]), user(vec![text(""), document("x"), text("Why?")])]);
    request.system = Some("\n".into());
    let body = body(&request);
    assert_eq!(body["messages"].as_array().unwrap().len(), 1);
    assert_eq!(body["messages"][0]["content"].as_array().unwrap().len(), 2);
    assert_eq!(body["messages"][0]["content"][0]["cache_control"], json!({"type": "ephemeral"}));
    assert_eq!(body.get("system"), None);
}

#[test]
fn a_request_that_no_model_can_serve_is_told_before_it_is_sent() {
    let last = Message { role: Role::Assistant, parts: vec![text("It is")] };
    for request in [ask(vec![]), ask(vec![user(vec![text("")])]), ask(vec![user(vec![text("What?")]), last])]
    {
        assert_eq!(map::request(&request, None, HABITS, false).unwrap_err().fault, Fault::Unsupported);
    }
}

#[test]
fn a_schema_is_the_output_format() {
    let schema = json!({"type": "object", "properties": {"b": {"type": "string"}, "a": {"type": "string"}}});
    let request = ask(vec![user(vec![text("Read")])]);
    let body = serde_json::to_value(map::request(&request, Some(&schema), HABITS, true).unwrap()).unwrap();
    let format = &body["output_config"]["format"];
    assert_eq!(*format, json!({"type": "json_schema", "schema": schema}));
    assert_eq!(format["schema"].to_string(), schema.to_string());
    assert_eq!(body["stream"], true);
}

#[test]
fn texts_are_put_together_and_other_blocks_left_out() {
    let answer = answer(json!({
        "id": "msg_1", "type": "message", "role": "assistant", "model": "m",
        "content": [
            {"type": "thinking", "thinking": "hm", "signature": "x"},
            {"type": "text", "text": "One, ", "citations": null},
            {"type": "from_the_future", "text": {"not": "a string"}},
            {"type": "text", "text": "two."}
        ],
        "stop_reason": "end_turn", "stop_sequence": null,
        "usage": {"input_tokens": 10, "output_tokens": 7, "cache_creation_input_tokens": 20,
            "cache_read_input_tokens": 30, "output_tokens_details": {"thinking_tokens": 3}, "new": {}}
    }))
    .unwrap();
    assert_eq!((answer.text.as_str(), answer.finish), ("One, two.", Finish::Stop));
    let usage = Usage { input_tokens: 60, output_tokens: 7, cached_tokens: 30, reasoning_tokens: 3 };
    assert_eq!(answer.usage, usage);
}

#[test]
fn the_input_of_a_tool_is_the_answer_where_there_is_no_text() {
    let tool = json!({"type": "tool_use", "id": "t", "name": "form", "input": {"total": 1.50}});
    let usage = json!({"input_tokens": 1, "output_tokens": 1});
    let message = json!({"content": [tool], "stop_reason": "tool_use", "usage": usage});
    assert_eq!(answer(message).unwrap().text, r#"{"total":1.5}"#);
    let both = json!([{"type": "text", "text": "Wait."}, tool]);
    let message = json!({"content": both, "stop_reason": "tool_use", "usage": usage});
    assert_eq!(answer(message).unwrap().text, "Wait.");
}

#[test]
fn every_stop_reason_has_its_meaning() {
    let stopped = |reason: Value, text: &str| {
        answer(json!({"content": [{"type": "text", "text": text}], "stop_reason": reason,
            "stop_details": {"type": "refusal", "category": "bio", "explanation": null},
            "usage": {"input_tokens": 2, "output_tokens": 1}}))
    };
    for (reason, finish) in [
        ("end_turn", Finish::Stop),
        ("stop_sequence", Finish::Stop),
        ("tool_use", Finish::Stop),
        ("from_the_future", Finish::Other),
        ("max_tokens", Finish::Length),
        ("model_context_window_exceeded", Finish::Length),
        ("pause_turn", Finish::Length),
        ("refusal", Finish::Refused),
    ] {
        assert_eq!(stopped(json!(reason), "x").unwrap().finish, finish, "{reason}");
    }
    let refusal = stopped(json!("refusal"), "").unwrap_err();
    assert_eq!((refusal.fault, refusal.usage.input_tokens), (Fault::Refused, 2));
    assert_eq!(refusal.message, "the model refused to answer (bio)");
    assert_eq!(stopped(Value::Null, "x").unwrap_err().fault, Fault::Protocol);
}

#[test]
fn a_text_of_another_type_is_a_fault() {
    let usage = json!({"input_tokens": 3});
    let message =
        json!({"content": [{"type": "text", "text": 7}], "stop_reason": "end_turn", "usage": usage});
    let error = answer(message).unwrap_err();
    assert_eq!((error.fault, error.usage.input_tokens), (Fault::Protocol, 3));
}

#[test]
fn answers_with_other_types_are_not_read() {
    for message in [
        json!([]),
        json!({}),
        json!({"content": "text", "usage": {}}),
        json!({"content": [7], "usage": {}}),
        json!({"content": [{"text": "no type"}], "usage": {}}),
        json!({"content": [], "usage": {"input_tokens": -1}}),
        json!({"content": [], "usage": {"input_tokens": 1.5}}),
        json!({"content": [], "usage": {"input_tokens": "1"}}),
        json!({"content": [], "usage": {}, "stop_reason": 7}),
        json!({"content": [], "usage": 7}),
    ] {
        assert!(serde_json::from_value::<wire::Message>(message.clone()).is_err(), "{message}");
    }
}

#[test]
fn huge_counts_do_not_overflow() {
    let most = u64::MAX;
    let counts = json!({"input_tokens": most, "output_tokens": most, "cache_read_input_tokens": most,
        "cache_creation_input_tokens": most, "output_tokens_details": {"thinking_tokens": most}});
    let usage = usage(serde_json::from_value(counts).unwrap());
    assert_eq!((usage.input_tokens, usage.total()), (most, most));
}

#[test]
fn counts_of_a_stream_are_totals_that_later_records_replace() {
    let mut answering = MessageState::new(false, vec!["w".into()]);
    let counts = |value: Value| serde_json::from_value(value).unwrap();
    answering.count(counts(json!({"input_tokens": 10, "cache_read_input_tokens": 5, "output_tokens": 1})));
    answering.count(counts(json!({"output_tokens": 9})));
    answering.stop(Some("end_turn".into()), None);
    let usage = Usage { input_tokens: 15, output_tokens: 9, cached_tokens: 5, reasoning_tokens: 0 };
    let end = ChatEvent::End { finish: Finish::Stop, usage, warnings: vec!["w".into()] };
    assert_eq!(answering.end().unwrap(), end);
}

#[test]
fn retired_models_are_not_listed() {
    let model = |value: Value| map::model(serde_json::from_value(value).unwrap());
    let listed = model(json!({"id": "m", "type": "model", "display_name": "M", "lifecycle": "deprecated",
        "max_input_tokens": 200_000, "max_tokens": 64_000, "capabilities": {"batch": {"supported": true}}}))
    .unwrap();
    assert_eq!((listed.model.as_str(), listed.name.as_deref()), ("m", Some("M")));
    assert_eq!((listed.context_tokens, listed.output_tokens), (Some(200_000), Some(64_000)));
    assert_eq!(listed.kind, Some(ModelKind::TextToText));
    assert_eq!(model(json!({"id": "m", "lifecycle": "retired"})), None);
    let unsaid = model(json!({"id": "m", "max_input_tokens": 1_u64 << 40, "max_tokens": 0})).unwrap();
    assert_eq!((unsaid.context_tokens, unsaid.output_tokens), (None, None));
}
