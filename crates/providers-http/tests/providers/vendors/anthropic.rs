//! What Anthropic answers, whole, in pieces and refused.

use std::error::Error as _;
use std::time::Duration;

use gen_core::{ChatEvent, ChatModel as _, ChatRequest, Fault, Finish, ModelList as _, ProviderError, Usage};
use providers_http::{Anthropic, AnthropicSettings, EndpointError};
use serde_json::{Value, json};
use testkit::upstream::{Reply, Upstream};

use super::kit::{
    KEY, anthropic, endpoint, question, same_wherever_it_is_cut, small, stream, streamed, text,
};

fn event(name: &str, body: &Value) -> String {
    let mut body = body.clone();
    body["type"] = json!(name);
    format!("event: {name}\ndata: {body}\n\n")
}

fn delta(index: u64, delta: Value) -> String {
    event("content_block_delta", &json!({"index": index, "delta": delta}))
}

fn started() -> String {
    let usage = json!({"input_tokens": 10, "cache_creation_input_tokens": 3, "cache_read_input_tokens": 7,
        "output_tokens": 1});
    event("message_start", &json!({"message": {"id": "msg_1", "content": [], "usage": usage}}))
}

fn stopped(reason: &str) -> String {
    event("message_delta", &json!({"delta": {"stop_reason": reason}, "usage": {"output_tokens": 9}}))
        + &event("message_stop", &json!({}))
}

/// A whole stream with everything in it that is to be passed over.
fn whole() -> String {
    [
        started(),
        event("ping", &json!({})),
        event(
            "content_block_start",
            &json!({"index": 0, "content_block": {"type": "thinking", "thinking": ""}}),
        ),
        delta(0, json!({"type": "thinking_delta", "thinking": "hm"})),
        delta(0, json!({"type": "signature_delta", "signature": "x"})),
        event("content_block_stop", &json!({"index": 0})),
        event("content_block_start", &json!({"index": 1, "content_block": {"type": "text", "text": ""}})),
        delta(1, json!({"type": "text_delta", "text": "Zwölf "})),
        event("from_the_future", &json!({"delta": 7})),
        "event: odd\ndata: this is no JSON\n\n".to_owned(),
        delta(1, json!({"type": "from_the_future", "text": {"x": 1}})),
        delta(1, json!({"type": "text_delta", "text": "🍐."})),
        stopped("end_turn"),
    ]
    .concat()
}

fn end(finish: Finish) -> ChatEvent {
    let usage = Usage { input_tokens: 20, output_tokens: 9, cached_tokens: 7, reasoning_tokens: 0 };
    ChatEvent::End { finish, usage, warnings: Vec::new() }
}

async fn play(reply: Reply) -> (Vec<ChatEvent>, Result<(), ProviderError>) {
    let upstream = Upstream::start_replies([reply]).unwrap();
    streamed(&anthropic(&upstream.url(), small()), question()).await
}

#[tokio::test]
async fn a_stream_is_the_same_wherever_its_bytes_are_cut() {
    let told = ("Zwölf 🍐.", end(Finish::Stop));
    same_wherever_it_is_cut(&whole(), |url| anthropic(url, small()), question(), told).await;
}

#[tokio::test]
async fn a_stream_ends_as_the_whole_answer_would() {
    let body = json!({
        "content": [{"type": "text", "text": "Zwölf 🍐."}], "stop_reason": "max_tokens",
        "usage": {"input_tokens": 10, "cache_creation_input_tokens": 3, "cache_read_input_tokens": 7,
            "output_tokens": 9}
    });
    let upstream = Upstream::start_replies([Reply::json(200, &body)]).unwrap();
    let request = ChatRequest { temperature: Some(0.2), ..question() };
    let answer = anthropic(&upstream.url(), small()).chat(request.clone()).await.unwrap();
    let script = whole().replace("end_turn", "max_tokens");
    let upstream = Upstream::start_replies([stream(&script)]).unwrap();
    let (events, outcome) = streamed(&anthropic(&upstream.url(), small()), request).await;
    outcome.unwrap();
    assert_eq!(text(&events), answer.text);
    let (finish, usage, warnings) = (answer.finish, answer.usage, answer.warnings);
    assert_eq!((finish, warnings.len()), (Finish::Length, 1));
    assert_eq!(events.last(), Some(&ChatEvent::End { finish, usage, warnings }));
}

#[tokio::test]
async fn the_input_of_a_tool_is_streamed_as_the_answer() {
    let begin = |index: u64, block: Value| {
        event("content_block_start", &json!({"index": index, "content_block": block}))
    };
    let tool = json!({"type": "tool_use", "id": "t", "name": "form", "input": {}});
    let piece =
        |index: u64, json: &str| delta(index, json!({"type": "input_json_delta", "partial_json": json}));
    let script = [
        started(),
        begin(0, tool.clone()),
        piece(0, ""),
        piece(0, "{\"total\""),
        piece(0, ": 5}"),
        begin(1, tool),
        piece(1, "{}"),
        stopped("tool_use"),
    ]
    .concat();
    let (events, outcome) = play(stream(&script)).await;
    outcome.unwrap();
    assert_eq!(text(&events), "{\"total\": 5}");
}

#[tokio::test]
async fn a_stream_without_its_last_event_is_broken_and_what_it_cost_is_told() {
    let whole = whole();
    let cut = whole.find("event: message_stop").unwrap();
    let (events, outcome) = play(stream(&whole[..cut])).await;
    let error = outcome.unwrap_err();
    assert_eq!((error.fault, text(&events).as_str()), (Fault::Unreachable, "Zwölf 🍐."));
    assert_eq!((error.usage.input_tokens, error.usage.output_tokens), (20, 9));
    let (_, outcome) = play(stream("")).await;
    let error = outcome.unwrap_err();
    assert_eq!((error.fault, error.usage.total()), (Fault::Unreachable, 0));
}

#[tokio::test]
async fn nothing_after_the_last_event_is_read() {
    let (events, outcome) = play(stream(&(whole() + "data: nonsense\n\n" + &whole()))).await;
    outcome.unwrap();
    assert_eq!(text(&events), "Zwölf 🍐.");
    assert_eq!(events.iter().filter(|event| matches!(event, ChatEvent::End { .. })).count(), 1);
}

#[tokio::test]
async fn an_error_in_the_middle_ends_a_stream_by_its_type() {
    for (kind, fault) in [
        ("overloaded_error", Fault::Overloaded),
        ("rate_limit_error", Fault::RateLimited),
        ("api_error", Fault::Failed),
        ("timeout_error", Fault::Failed),
        ("billing_error", Fault::Billing),
        ("from_the_future", Fault::Failed),
    ] {
        let error = json!({"error": {"type": kind, "message": "Sorry"}, "request_id": "req_9"});
        let script =
            started() + &delta(0, json!({"type": "text_delta", "text": "A word"})) + &event("error", &error);
        let (events, outcome) = play(stream(&script)).await;
        let error = outcome.unwrap_err();
        assert_eq!((error.fault, error.message.as_str()), (fault, "Sorry"), "{kind}");
        assert_eq!((text(&events).as_str(), error.usage.input_tokens), ("A word", 20));
        assert!(error.source().unwrap().to_string().contains("req_9"));
    }
}

#[tokio::test]
async fn a_stream_that_breaks_its_own_rules_is_a_breach_of_protocol() {
    let open = started();
    for (script, name) in [
        (open.clone() + "event: content_block_delta\ndata: {\n\n", "half a record"),
        (open.clone() + "data: 7\n\n", "no record"),
        (open.clone() + &event("content_block_delta", &json!({"index": -1, "delta": {}})), "index"),
        (open.clone() + &delta(0, json!({"type": "text_delta", "text": 7})), "text"),
        (open.clone() + &event("message_delta", &json!({"delta": {"stop_reason": 7}})), "reason"),
        (open.clone() + &event("message_stop", &json!({})), "no reason"),
        (event("message_start", &json!({"message": {"usage": {"input_tokens": "many"}}})), "count"),
    ] {
        assert_eq!(play(stream(&script)).await.1.unwrap_err().fault, Fault::Protocol, "{name}");
    }
}

#[tokio::test]
async fn a_refusal_after_some_text_ends_the_stream_and_one_before_it_fails() {
    let word = delta(0, json!({"type": "text_delta", "text": "Well"}));
    let (events, outcome) = play(stream(&(started() + &word + &stopped("refusal")))).await;
    outcome.unwrap();
    assert_eq!(events, [ChatEvent::Text("Well".into()), end(Finish::Refused)]);
    let (events, outcome) = play(stream(&(started() + &stopped("refusal")))).await;
    let error = outcome.unwrap_err();
    assert_eq!((events.len(), error.fault, error.usage.input_tokens), (0, Fault::Refused, 20));
}

async fn refused(status: u16, headers: &[(&str, &str)], error: Value) -> ProviderError {
    let body = json!({"type": "error", "error": error, "request_id": "req_7"}).to_string();
    let headers: Vec<_> = headers.iter().copied().chain([("content-type", "application/json")]).collect();
    let upstream = Upstream::start_replies([Reply::whole_with(status, &headers, body)]).unwrap();
    anthropic(&upstream.url(), small()).chat(question()).await.unwrap_err()
}

#[tokio::test]
async fn each_type_of_error_has_its_fault_whatever_it_says() {
    // What is said would tell another fault to a reader of words.
    let said = "prompt is too long, and your credit balance is too low";
    for (status, kind, fault) in [
        (400, "invalid_request_error", Fault::InvalidRequest),
        (401, "authentication_error", Fault::Auth),
        (402, "billing_error", Fault::Billing),
        (403, "permission_error", Fault::Auth),
        (404, "not_found_error", Fault::InvalidRequest),
        (409, "conflict_error", Fault::Failed),
        (413, "request_too_large", Fault::InvalidRequest),
        (429, "rate_limit_error", Fault::RateLimited),
        (500, "api_error", Fault::Failed),
        (504, "timeout_error", Fault::Failed),
        (529, "overloaded_error", Fault::Overloaded),
    ] {
        let error = refused(status, &[], json!({"type": kind, "message": said})).await;
        assert_eq!((error.fault, error.message.as_str()), (fault, said), "{kind}");
        assert!(error.source().unwrap().to_string().contains("req_7"), "{error:?}");
    }
}

#[tokio::test]
async fn a_limit_of_money_is_told_from_a_limit_of_requests_by_its_code() {
    let wait = [("retry-after", "12"), ("x-should-retry", "true")];
    let limit =
        |code: &str| json!({"type": "rate_limit_error", "message": "No.", "details": {"error_code": code}});
    let error = refused(429, &wait, limit("ramp_limit_exceeded")).await;
    assert_eq!((error.fault, error.retry_after), (Fault::RateLimited, Some(Duration::from_secs(12))));
    assert!(error.is_retryable());
    for code in ["enforced_spend_limit_reached", "contract_spend_limit_reached"] {
        let error = refused(429, &wait, limit(code)).await;
        assert_eq!((error.fault, error.is_retryable()), (Fault::Billing, false), "{code}");
    }
}

#[tokio::test]
async fn an_error_never_shows_the_key() {
    let said = format!("the key {KEY} is not valid");
    let error = refused(401, &[], json!({"type": "authentication_error", "message": said})).await;
    assert!(!format!("{error:?} {error}").contains(KEY));
    let client = anthropic("http://127.0.0.1:9", small());
    assert!(!format!("{client:?}").contains(KEY));
}

#[tokio::test]
async fn a_list_is_read_page_by_page_without_retired_models() {
    let model = |id: &str, lifecycle: &str| {
        json!({"type": "model", "id": id, "display_name": id,
        "lifecycle": lifecycle, "max_input_tokens": 200_000, "max_tokens": 64_000})
    };
    let first =
        json!({"data": [model("a", "active"), model("b", "retired")], "has_more": true, "last_id": "b"});
    let last = json!({"data": [model("c", "deprecated")], "has_more": false, "last_id": "c"});
    let upstream = Upstream::start_replies([Reply::json(200, &first), Reply::json(200, &last)]).unwrap();
    let models = anthropic(&upstream.url(), small()).list().await.unwrap();
    let names: Vec<_> = models.iter().map(|model| model.model.as_str()).collect();
    assert_eq!(names, ["a", "c"]);
    assert_eq!((models[0].context_tokens, models[0].output_tokens), (Some(200_000), Some(64_000)));
    assert!(upstream.requests()[1].path.contains("after_id=b"));
}

#[tokio::test]
async fn a_list_that_never_ends_is_cut() {
    let page = json!({"data": [{"id": "a"}], "has_more": true, "last_id": "a"});
    let upstream = Upstream::start_replies([Reply::json(200, &page)]).unwrap();
    let error = anthropic(&upstream.url(), small()).list().await.unwrap_err();
    assert_eq!((error.fault, upstream.count()), (Fault::Protocol, 2));
}

#[tokio::test]
async fn the_name_of_a_model_stays_in_the_body() {
    let upstream = Upstream::start_replies([Reply::json(400, &json!({}))]).unwrap();
    let request = ChatRequest { model: "../x?y=\"z".into(), ..question() };
    anthropic(&upstream.url(), small()).chat(request).await.unwrap_err();
    let sent = &upstream.requests()[0];
    assert_eq!((sent.path.as_str(), sent.json()["model"].as_str()), ("/v1/messages", Some("../x?y=\"z")));
}

#[tokio::test]
async fn the_base_url_may_end_in_the_version_of_the_paths() {
    let upstream = Upstream::start_replies([Reply::json(400, &json!({}))]).unwrap();
    for (base, path) in [
        ("", "/v1/messages"),
        ("/", "/v1/messages"),
        ("/v1", "/v1/messages"),
        ("/a/v1/", "/a/v1/messages"),
        ("/a", "/a/v1/messages"),
    ] {
        let client = anthropic(&(upstream.url() + base), small());
        client.chat(question()).await.unwrap_err();
        assert_eq!(upstream.requests().pop().unwrap().path, path, "{base}");
    }
}

#[test]
fn a_version_or_key_that_cannot_be_sent_is_refused_without_showing_it() {
    let settings = AnthropicSettings { version: "2026\n".into(), ..AnthropicSettings::default() };
    let built = Anthropic::new(endpoint("http://127.0.0.1:9", small()), KEY.into(), settings);
    assert!(matches!(built.unwrap_err(), EndpointError::Header(name) if name == "anthropic-version"));
    let key = format!("{KEY}\r\nx: y").into();
    let built = Anthropic::new(endpoint("http://127.0.0.1:9", small()), key, AnthropicSettings::default());
    let error = built.unwrap_err();
    assert!(matches!(error, EndpointError::Key) && !format!("{error} {error:?}").contains(KEY));
}
