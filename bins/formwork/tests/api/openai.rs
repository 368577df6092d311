//! `/openai/v1`: what clients of OpenAI's interface send and read.

use reqwest::Method;
use serde_json::{Value, json};
use testkit::upstream::{Reply, Upstream};

use crate::generate::kit::{PIXEL, before, each_vendor, playing, said, streamed};
use crate::kit::{Answer, Parts, Server, settle};

fn asks(model: &str, content: impl Into<Value>) -> Value {
    json!({"model": model, "messages": [{"role": "user", "content": content.into()}]})
}

async fn complete(server: &Server, body: Value) -> Answer {
    server.post("/openai/v1/chat/completions", body).await
}

/// The data of the events of a stream.
fn data(answer: &Answer) -> Vec<&str> {
    answer.text().split("\n\n").filter_map(|event| event.strip_prefix("data: ")).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_completion_passes_the_conversation_on_and_has_text_usage_and_warnings() {
    let (server, vendor) = playing([said("Twelve.")]);
    let body = json!({
        "model": "m@openai", "temperature": 0.5, "max_completion_tokens": 50, "max_tokens": 9, "top_p": 0.9, "user": "u",
        "seed": 7, "stop": "END", "logit_bias": {"1": 2},
        "messages": [
            {"role": "system", "content": "Be brief."}, {"role": "user", "content": "Hello"},
            {"role": "assistant", "content": "Hello."},
            {"role": "user", "content": [{"type": "text", "text": "How many"}, {"type": "text", "text": "crates?"}]}
        ]
    });
    let answer = complete(&server, body).await.ok();
    assert_eq!((&answer["object"], &answer["model"]), (&json!("chat.completion"), &json!("m@openai")));
    let choice = &answer["choices"][0];
    assert_eq!(
        (&choice["message"]["content"], &choice["finish_reason"]),
        (&json!("Twelve."), &json!("stop"))
    );
    let usage = json!({"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18,
        "prompt_tokens_details": {"cached_tokens": 4}});
    assert_eq!(answer["usage"], usage);
    assert_eq!(answer["warnings"], json!(["'logit_bias' has no effect here"]));
    let sent = vendor.requests()[0].json();
    assert_eq!((&sent["temperature"], &sent["max_completion_tokens"]), (&json!(0.5), &json!(50)));
    assert_eq!((&sent["top_p"], &sent["seed"], &sent["stop"]), (&json!(0.9), &json!(7), &json!(["END"])));
    let roles: Vec<&str> = sent["messages"]
        .as_array()
        .unwrap()
        .iter()
        .map(|message| message["role"].as_str().unwrap())
        .collect();
    assert_eq!(roles[1..], ["user", "assistant", "user"]);
    assert!(sent["messages"][3]["content"].as_str().unwrap().contains("How many\ncrates?"), "{sent}");
    assert!(sent["messages"][0]["content"].as_str().unwrap().contains("Be brief."), "{sent}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stream_has_chunks_a_reason_and_the_usage_that_was_asked_for() {
    let (server, _vendor) = playing([streamed(&["Twel", "ve."]), streamed(&["Twelve."])]);
    let mut body = asks("m@openai", "How many?");
    body["stream"] = json!(true);
    let plain = complete(&server, body.clone()).await;
    assert_eq!(plain.header("content-type"), "text/event-stream");
    let events = data(&plain);
    assert_eq!(events.last(), Some(&"[DONE]"));
    let chunks: Vec<Value> =
        events[..events.len() - 1].iter().map(|text| serde_json::from_str(text).unwrap()).collect();
    let text: String =
        chunks.iter().filter_map(|chunk| chunk["choices"][0]["delta"]["content"].as_str()).collect();
    assert_eq!(text, "Twelve.");
    assert_eq!(chunks[0]["choices"][0]["delta"]["role"], "assistant");
    assert_eq!(chunks.last().unwrap()["choices"][0]["finish_reason"], "stop");
    assert!(chunks.iter().all(|chunk| chunk["id"] == chunks[0]["id"] && chunk.get("usage").is_none()));

    body["stream_options"] = json!({"include_usage": true});
    let counted = complete(&server, body).await;
    let events = data(&counted);
    let usage: Value = serde_json::from_str(events[events.len() - 2]).unwrap();
    assert_eq!((&usage["choices"], &usage["usage"]["total_tokens"]), (&json!([]), &json!(18)));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_can_be_bound_to_a_schema_and_read_files() {
    let (server, vendor) = playing([said(r#"{"total": 12}"#)]);
    let parts = Parts::new().file("order.txt", b"Twelve crates of cod. Total: 12");
    let file = server.upload(parts).await.ok()[0]["id"].to_string();
    let content = json!([
        {"type": "text", "text": "What is the total?"},
        {"type": "file", "file": {"file_id": format!("file-{file}")}}
    ]);
    let mut body = asks("m@openai", content);
    let schema = json!({"type": "object", "properties": {"total": {"type": "number"}}, "required": ["total"],
        "additionalProperties": false});
    body["response_format"] =
        json!({"type": "json_schema", "json_schema": {"name": "order", "schema": schema}});
    let answer = complete(&server, body).await.ok();
    let said: Value =
        serde_json::from_str(answer["choices"][0]["message"]["content"].as_str().unwrap()).unwrap();
    assert_eq!(said, json!({"total": 12}));
    assert!(vendor.requests()[0].json().to_string().contains("Twelve crates of cod"));
    assert_eq!(answer["context"][0]["title"], "order.txt");
}

#[tokio::test(flavor = "multi_thread")]
async fn agents_and_knowledge_bases_are_models() {
    let server = Server::start();
    let base = server.post("/v1/knowledgebase", json!({"name": "Harbour rules"})).await.ok();
    let base = base["knowledgeId"].as_str().unwrap();
    let texts =
        json!({"texts": [{"title": "Berths", "content": "The lease of berth 4 ends on 30 June 2027."}]});
    let added = server.post(&format!("/v1/knowledgebase/{base}/files"), texts).await.ok();
    let item = format!("/v1/knowledgebase/files/{}", added["files"][0]["id"].as_str().unwrap());
    settle("the text", async || server.get(&item).await.ok()["status"] == "ready").await;
    server.post("/v1/agent", json!({"namespace": "pilot", "knowledge": [base]})).await.ok();
    let listed = server.get("/openai/v1/models").await.ok();
    for model in ["agent:pilot".to_owned(), format!("kb:{base}")] {
        assert!(listed["data"].as_array().unwrap().iter().any(|known| known["id"] == model), "{listed}");
        assert_eq!(server.get(&format!("/openai/v1/models/{model}")).await.ok()["id"], model);
        let answer = complete(&server, asks(&model, "When does the lease of berth 4 end?")).await.ok();
        let text = answer["choices"][0]["message"]["content"].as_str().unwrap();
        assert!(text.contains("30 June 2027"), "{model}: {text}");
        assert_eq!(answer["context"][0]["title"], "Berths", "{model}");
    }
    complete(&server, asks("agent:none", "x")).await.fails(404, "agent_not_found");
    complete(&server, asks("kb:kb_none", "x")).await.fails(400, "unknown_knowledge_base");
    server.get("/openai/v1/models/none").await.fails(404, "not_found");
}

#[tokio::test(flavor = "multi_thread")]
async fn texts_pictures_and_speech_are_made() {
    let vendor = Upstream::start(each_vendor).unwrap();
    let server = before(&vendor);
    let picture = json!({"model": "gpt-image-2@openai", "prompt": "A harbour"});
    let made = server.post("/openai/v1/images/generations", picture).await.ok();
    let bytes = base64::Engine::decode(
        &base64::prelude::BASE64_STANDARD,
        made["data"][0]["b64_json"].as_str().unwrap(),
    );
    assert_eq!(bytes.unwrap(), PIXEL);
    let speech = json!({"model": "gpt-4o-mini-tts@openai", "input": "Good morning.", "voice": "alloy"});
    let spoken = server.post("/openai/v1/audio/speech", speech).await;
    assert_eq!((spoken.status, spoken.header("content-type")), (200, "audio/mpeg"));
    assert!(spoken.body.starts_with(b"ID3"));
    let sent =
        vendor.requests().iter().find(|request| request.path.ends_with("/audio/speech")).unwrap().json();
    assert_eq!(sent["voice"], "alloy");
}

#[tokio::test(flavor = "multi_thread")]
async fn vectors_come_as_numbers_or_in_base64() {
    // 1.0 and 0.0 as 32-bit numbers.
    let data = json!([{"index": 0, "embedding": "AACAPwAAAAA="}, {"index": 1, "embedding": "AACAPwAAAAA="}]);
    let reply = Reply::json(200, &json!({"data": data, "usage": {"prompt_tokens": 3, "total_tokens": 3}}));
    let (server, _vendor) = playing([reply.clone(), reply]);
    let mut body = json!({"model": "text-embedding-3-small@openai", "input": ["a", "b"]});
    let made = server.post("/openai/v1/embeddings", body.clone()).await.ok();
    assert_eq!((&made["data"][1]["index"], &made["data"][1]["embedding"]), (&json!(1), &json!([1.0, 0.0])));
    assert_eq!(made["usage"], json!({"prompt_tokens": 3, "total_tokens": 3}));
    body["encoding_format"] = json!("base64");
    let made = server.post("/openai/v1/embeddings", body).await.ok();
    assert_eq!(made["data"][0]["embedding"], "AACAPwAAAAA=");
}

#[tokio::test(flavor = "multi_thread")]
async fn errors_have_the_form_of_openai_on_every_path_of_the_base() {
    let server = Server::start();
    let model = "extractive@formwork";
    let with = |key: &str, value: Value| {
        let mut body = asks(model, "x");
        body[key] = value;
        body
    };
    for (body, code, param) in [
        (asks("nope", "x"), "unknown_model", Some("model")),
        (with("max_tokens", json!(0)), "validation_failed", Some("max_tokens")),
        (with("n", json!(2)), "validation_failed", Some("n")),
        (with("tools", json!([{"type": "function"}])), "validation_failed", Some("tools.0")),
        (with("functions", json!([{"name": "a"}])), "validation_failed", Some("functions")),
        (with("response_format", json!({"type": "x"})), "validation_failed", Some("response_format.type")),
        (json!({"model": model, "messages": []}), "validation_failed", Some("messages")),
        (
            json!({"model": model, "messages": [{"role": "tool", "content": "x"}]}),
            "validation_failed",
            Some("messages.0.tool_call_id"),
        ),
        (
            asks(model, json!([{"type": "input_audio", "input_audio": {"data": "AA==", "format": "wav"}}])),
            "validation_failed",
            Some("messages.0.content.0"),
        ),
        (asks(model, ""), "validation_failed", Some("messages.0.content")),
    ] {
        let answer = complete(&server, body).await;
        answer.fails(400, code);
        let error = &answer.value()["error"];
        assert_eq!(
            (&error["type"], error["param"].as_str()),
            (&json!("invalid_request_error"), param),
            "{error}"
        );
    }
    let parts = Parts::new().file("broken.pdf", b"%PDF-1.7 nothing");
    let file = server.upload(parts).await.ok()[0]["id"].to_string();
    let unreadable = json!([{"type": "text", "text": "x"}, {"type": "file", "file": {"file_id": file}}]);
    assert_eq!(complete(&server, asks(model, unreadable)).await.status, 422);
    let spoken = json!({"model": model, "input": " "});
    server.post("/openai/v1/audio/speech", spoken).await.fails(400, "validation_failed");
    let drawn = json!({"model": model, "prompt": "a", "n": 2});
    server.post("/openai/v1/images/generations", drawn).await.fails(400, "validation_failed");
    let named = server.request(Method::POST, "/openai/v1/chat/completions").header("Idempotency-Key", "k");
    let named = named.json(&json!({"model": model, "messages": []})).send().await;
    named.fails(400, "validation_failed");
    assert_eq!(named.value()["error"]["param"], "messages");
    let other = server.request(Method::POST, "/openai/v1/chat/completions").header("Idempotency-Key", "k");
    other.json(&asks(model, "x")).send().await.fails(409, "idempotency_key_reused");
    let none = server.request(Method::GET, "/openai/v1/models").open().send().await;
    none.fails(401, "invalid_key");
    assert_eq!(none.value()["error"]["type"], "authentication_error");
    server.get("/openai/v1/assistants").await.fails(404, "unknown_route");
    server.get("/openai/v1/chat/completions").await.fails(405, "method_not_allowed");
    for input in [json!([]), json!(["a", 1]), json!([""]), json!({"a": 1}), json!(7)] {
        let body = json!({"model": "m@openai", "input": input});
        server.post("/openai/v1/embeddings", body).await.fails(400, "validation_failed");
    }
}
