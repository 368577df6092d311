//! The conversation with an agent as AG-UI events.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde_json::{Value, json};
use testkit::upstream::Reply;

use crate::a2a::ordering;
use crate::generate::kit::{piece, playing, streamed};
use crate::kit::{Answer, Server, encrypted_pdf};

const PATH: &str = "/v1/agent/order/ag-ui";

fn input(run: &str, state: Value, messages: Value) -> Value {
    json!({"threadId": "order-7", "runId": run, "state": state, "messages": messages, "tools": [], "context": [],
        "forwardedProps": null})
}

fn user(content: Value) -> Value {
    json!([{"id": "0", "role": "assistant", "content": "Hello"}, {"id": "1", "role": "user", "content": content}])
}

fn events(answer: &Answer) -> Vec<Value> {
    assert_eq!((answer.status, answer.header("content-type")), (200, "text/event-stream"));
    let data = answer.text().split("\n\n").filter_map(|event| event.strip_prefix("data: "));
    data.map(|text| serde_json::from_str(text).unwrap()).collect()
}

fn named<'a>(events: &'a [Value], name: &str) -> Vec<&'a Value> {
    events.iter().filter(|event| event["type"] == name).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_thread_is_one_session_and_its_state_is_the_form() {
    let server = ordering().await;
    let first = server.post(PATH, input("r1", json!({"tab": 2}), user(json!("12 crates, please")))).await;
    let first = events(&first);
    assert_eq!(first[0], json!({"type": "RUN_STARTED", "threadId": "order-7", "runId": "r1"}));
    assert_eq!(first.last().unwrap(), &json!({"type": "RUN_FINISHED", "threadId": "order-7", "runId": "r1"}));
    let text: String =
        named(&first, "TEXT_MESSAGE_CONTENT").iter().map(|event| event["delta"].as_str().unwrap()).collect();
    let whole = &named(&first, "CUSTOM")[0]["value"];
    assert_eq!(whole["text"], text);
    let state = &named(&first, "STATE_DELTA")[0]["delta"];
    assert_eq!((&state[0]["op"], &state[0]["path"]), (&json!("add"), &json!("/form")));
    let form = state[0]["value"].clone();
    assert_eq!(form["values"], json!({"crates": 12, "port": null}));
    let second = server.post(PATH, input("r2", json!({"form": form}), user(json!("Hull")))).await;
    let second = events(&second);
    assert_eq!(named(&second, "CUSTOM")[0]["value"]["session_id"], whole["session_id"]);
    let changes = named(&second, "STATE_DELTA")[0]["delta"].as_array().unwrap().clone();
    let port = json!({"op": "replace", "path": "/form/values/port", "value": "Hull"});
    assert!(changes.contains(&port), "{changes:?}");
    assert!(changes.iter().all(|change| change["path"] != "/form"), "{changes:?}");
    // Who connects again gets what was said. The session's own id names the thread, too.
    for thread in [json!("order-7"), whole["session_id"].clone()] {
        let mut empty = input("r3", Value::Null, json!([]));
        empty["threadId"] = thread;
        let restored = events(&server.post(PATH, empty).await);
        assert_eq!(named(&restored, "MESSAGES_SNAPSHOT")[0]["messages"].as_array().unwrap().len(), 4);
        assert_eq!(named(&restored, "STATE_SNAPSHOT")[0]["snapshot"]["form"]["values"]["port"], "Hull");
    }
    let sessions = server.get("/v1/agent/order/sessions").await.ok();
    assert_eq!(sessions["sessions"].as_array().unwrap().len(), 1);
    let mut other = input("r4", Value::Null, json!([]));
    other["threadId"] = json!("order-8");
    assert_eq!(
        named(&events(&server.post(PATH, other).await), "MESSAGES_SNAPSHOT")[0]["messages"],
        json!([])
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_document_in_a_message_fills_the_form() {
    let server = ordering().await;
    let text = BASE64_STANDARD.encode("Number of crates: 40\nPort of delivery: Bergen\n");
    let source = json!({"type": "data", "value": text, "mimeType": "text/plain"});
    let parts = json!([{"type": "text", "text": "Here it is"}, {"type": "document", "source": source}]);
    let told = events(&server.post(PATH, input("r1", Value::Null, user(parts))).await);
    let form = &named(&told, "STATE_SNAPSHOT")[0]["snapshot"]["form"];
    assert_eq!(form["values"], json!({"crates": 40, "port": "Bergen"}));
    for (parts, place) in [
        (json!([{"type": "audio", "source": source}]), "/messages/1/content/0"),
        (
            json!([{"type": "document", "source": {"type": "data", "value": "?"}}]),
            "/messages/1/content/0/source/value",
        ),
        (json!(7), "/messages/1/content"),
    ] {
        server.post(PATH, input("r1", Value::Null, user(parts))).await.fails_at(
            400,
            "validation_failed",
            place,
        );
    }
    server.post(PATH, input("", Value::Null, json!([]))).await.fails_at(400, "validation_failed", "/runId");
    server.post(PATH, input("r", Value::Null, user(json!(" ")))).await.fails(400, "validation_failed");
    server
        .post("/v1/agent/none/ag-ui", input("r", Value::Null, json!([])))
        .await
        .fails(404, "agent_not_found");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_document_that_cannot_be_read_is_422() {
    let server = Server::start();
    server.post("/v1/agent", json!({"namespace": "order"})).await.ok();
    let source = json!({"type": "data", "value": BASE64_STANDARD.encode(encrypted_pdf())});
    let document = json!({"type": "document", "source": source, "metadata": {"filename": "locked.pdf"}});
    let parts = json!([{"type": "text", "text": "What is it?"}, document]);
    let refused = server.post(PATH, input("r1", Value::Null, user(parts))).await;
    refused.fails(422, "document_encrypted");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_free_conversation_is_streamed_and_a_failure_ends_its_run() {
    let broken = Reply::event_stream().event(&piece("Good ")).event("no json").end();
    let (server, _vendor) = playing([streamed(&["Good ", "morning."]), broken]);
    server.post("/v1/agent", json!({"namespace": "order", "modelId": "m@openai"})).await.ok();
    let told = events(&server.post(PATH, input("r1", json!({}), user(json!("Hello")))).await);
    let pieces: Vec<&Value> =
        named(&told, "TEXT_MESSAGE_CONTENT").into_iter().map(|event| &event["delta"]).collect();
    assert_eq!(pieces, ["Good ", "morning."]);
    assert!(named(&told, "STATE_DELTA").is_empty() && named(&told, "STATE_SNAPSHOT").is_empty());
    let told = events(&server.post(PATH, input("r2", json!({}), user(json!("Again")))).await);
    let error = told.last().unwrap();
    assert_eq!((&error["type"], &error["code"]), (&json!("RUN_ERROR"), &json!("provider_protocol")));
    assert!(error["message"].is_string());
}
