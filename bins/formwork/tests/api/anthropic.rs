//! `/anthropic/v1`: what clients of Anthropic's interface send and read.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use reqwest::Method;
use serde_json::{Value, json};
use testkit::upstream::{Reply, Upstream};

use crate::generate::kit::{PIXEL, before, events, piece, playing, said};
use crate::kit::{Answer, Parts, Server};
use crate::knowledge::kit::{base, ready_text};

async fn send(server: &Server, body: Value) -> Answer {
    server.post("/anthropic/v1/messages", body).await
}

fn asks(model: &str, content: impl Into<Value>) -> Value {
    json!({"model": model, "max_tokens": 50, "messages": [{"role": "user", "content": content.into()}]})
}

fn weather() -> Value {
    json!({"name": "weather", "description": "Weather of a city.",
        "input_schema": {"type": "object", "properties": {"city": {"type": "string"}}}})
}

#[tokio::test(flavor = "multi_thread")]
async fn a_message_passes_the_conversation_on_and_has_text_usage_and_warnings() {
    let (server, vendor) = playing([said("Twelve.")]);
    let picture = json!({"type": "base64", "media_type": "image/png", "data": BASE64_STANDARD.encode(PIXEL)});
    let body = json!({
        "model": "m@openai", "max_tokens": 50, "temperature": 0.5, "top_p": 0.9, "stop_sequences": ["END"], "top_k": 5,
        "system": [{"type": "text", "text": "Be brief.", "cache_control": {"type": "ephemeral"}}],
        "messages": [
            {"role": "user", "content": "Hello"},
            {"role": "assistant", "content": [{"type": "thinking", "thinking": "x", "signature": "y"},
                {"type": "text", "text": "Hello."}]},
            {"role": "user", "content": [{"type": "image", "source": picture}, {"type": "text", "text": "How many"},
                {"type": "text", "text": "crates?"}]}
        ]
    });
    let answer = send(&server, body).await.ok();
    assert!(answer["id"].as_str().unwrap().starts_with("msg_"), "{answer}");
    assert_eq!((&answer["type"], &answer["role"]), (&json!("message"), &json!("assistant")));
    assert_eq!(answer["content"], json!([{"type": "text", "text": "Twelve."}]));
    assert_eq!((&answer["stop_reason"], &answer["stop_sequence"]), (&json!("end_turn"), &Value::Null));
    let usage = json!({"input_tokens": 7, "cache_read_input_tokens": 4, "cache_creation_input_tokens": 0,
        "output_tokens": 7});
    assert_eq!(answer["usage"], usage);
    assert_eq!(answer["warnings"], json!(["'top_k' has no effect here"]));
    let sent = vendor.requests()[0].json();
    assert_eq!((&sent["temperature"], &sent["max_completion_tokens"]), (&json!(0.5), &json!(50)));
    assert_eq!(sent["stop"], json!(["END"]));
    let data = format!("data:image/png;base64,{}", BASE64_STANDARD.encode(PIXEL));
    assert_eq!(
        sent["messages"],
        json!([
            {"role": "system", "content": "Be brief."}, {"role": "user", "content": "Hello"},
            {"role": "assistant", "content": "Hello."},
            {"role": "user", "content": [{"type": "image_url", "image_url": {"url": data}},
                {"type": "text", "text": "How many\ncrates?"}]}
        ])
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_loop_of_calls_and_results_goes_through_the_base() {
    let call = json!({"id": "call_1", "type": "function", "function": {"name": "weather", "arguments": "{\"city\":\"Oslo\"}"}});
    let message = json!({"role": "assistant", "content": "Let me see.", "tool_calls": [call]});
    let calling = Reply::json(
        200,
        &json!({"choices": [{"message": message, "finish_reason": "tool_calls"}],
            "usage": {"prompt_tokens": 11, "completion_tokens": 7}}),
    );
    let (server, vendor) = playing([calling, said("Cold."), said("Bye.")]);
    let mut body = asks("m@openai", "Warm?");
    body["tools"] = json!([weather()]);
    body["tool_choice"] = json!({"type": "any", "disable_parallel_tool_use": true});
    let first = send(&server, body.clone()).await.ok();
    assert_eq!(first["stop_reason"], "tool_use");
    let content = json!([{"type": "text", "text": "Let me see."},
        {"type": "tool_use", "id": "call_1", "name": "weather", "input": {"city": "Oslo"}}]);
    assert_eq!(first["content"], content);
    let result = json!({"type": "tool_result", "tool_use_id": "call_1", "is_error": true,
        "content": [{"type": "text", "text": "no such city"}]});
    let messages = body["messages"].as_array_mut().unwrap();
    messages.push(json!({"role": "assistant", "content": content}));
    messages.push(json!({"role": "user", "content": [result]}));
    body["tool_choice"] = json!({"type": "tool", "name": "weather"});
    assert_eq!(send(&server, body.clone()).await.ok()["content"][0]["text"], "Cold.");
    // A text after the result is the next question.
    body["messages"][2]["content"].as_array_mut().unwrap().push(json!({"type": "text", "text": "Goodbye."}));
    body["tool_choice"] = json!({"type": "none"});
    send(&server, body).await.ok();
    let sent: Vec<Value> = vendor.requests().iter().map(|request| request.json()).collect();
    assert_eq!(
        (&sent[0]["tool_choice"], &sent[0]["parallel_tool_calls"]),
        (&json!("required"), &json!(false))
    );
    assert_eq!(sent[0]["tools"][0]["function"]["parameters"], weather()["input_schema"]);
    assert_eq!(sent[1]["tool_choice"]["function"]["name"], "weather");
    let told = json!({"role": "tool", "tool_call_id": "call_1", "content": "Error: no such city"});
    assert_eq!(sent[1]["messages"][1]["tool_calls"], json!([call]));
    assert_eq!(sent[1]["messages"][2], told);
    assert_eq!((&sent[2]["messages"][2], &sent[2]["messages"][3]["content"]), (&told, &json!("Goodbye.")));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stream_has_blocks_one_after_the_other() {
    let call = |value: Value| json!({"choices": [{"delta": {"tool_calls": [value]}}]}).to_string();
    let begun = |index: u32, id: &str| json!({"index": index, "id": id, "type": "function", "function": {"name": "weather", "arguments": ""}});
    let more = |index: u32, text: &str| json!({"index": index, "function": {"arguments": text}});
    let last = json!({"choices": [{"delta": {}, "finish_reason": "tool_calls"}]}).to_string();
    let calling = Reply::events([
        piece("Let me"),
        piece(" see."),
        call(begun(0, "a")),
        call(more(0, "{\"city\":")),
        call(more(0, "\"Oslo\"}")),
        call(begun(1, "b")),
        call(more(1, "{}")),
        last,
        "[DONE]".to_owned(),
    ]);
    let broken = Reply::event_stream().event(&piece("Twel")).close();
    let (server, _vendor) = playing([calling, broken]);
    let mut body = asks("m@openai", "Warm?");
    body["tools"] = json!([weather()]);
    body["stream"] = json!(true);
    let answer = send(&server, body.clone()).await;
    assert_eq!(answer.header("content-type"), "text/event-stream");
    let told = events(answer.text());
    for (name, data) in &told {
        assert_eq!(&data["type"], name);
    }
    let outline: Vec<(&str, &Value)> =
        told.iter().map(|(name, data)| (name.as_str(), &data["index"])).collect();
    let (none, zero, one, two) = (&Value::Null, &json!(0), &json!(1), &json!(2));
    assert_eq!(
        outline,
        [
            ("message_start", none),
            ("content_block_start", zero),
            ("content_block_delta", zero),
            ("content_block_delta", zero),
            ("content_block_stop", zero),
            ("content_block_start", one),
            ("content_block_delta", one),
            ("content_block_delta", one),
            ("content_block_stop", one),
            ("content_block_start", two),
            ("content_block_delta", two),
            ("content_block_stop", two),
            ("message_delta", none),
            ("message_stop", none),
        ]
    );
    assert_eq!(told[0].1["message"]["content"], json!([]));
    assert_eq!(told[2].1["delta"], json!({"type": "text_delta", "text": "Let me"}));
    let block = json!({"type": "tool_use", "id": "a", "name": "weather", "input": {}});
    assert_eq!(told[5].1["content_block"], block);
    assert_eq!(told[6].1["delta"], json!({"type": "input_json_delta", "partial_json": "{\"city\":"}));
    assert_eq!(told[12].1["delta"], json!({"stop_reason": "tool_use", "stop_sequence": null}));

    let answer = send(&server, body).await;
    let told = events(answer.text());
    let (name, data) = told.last().unwrap();
    assert_eq!(
        (name.as_str(), &data["type"], &data["error"]["type"]),
        ("error", &json!("error"), &json!("api_error"))
    );
    assert_eq!(data["error"]["code"], "provider_failed");
}

#[tokio::test(flavor = "multi_thread")]
async fn agents_knowledge_bases_and_documents_are_answered_from() {
    let server = Server::start();
    let base = base(&server).await;
    ready_text(&server, &base, "Berths", "The lease of berth 4 ends on 30 June 2027.").await;
    server.post("/v1/agent", json!({"namespace": "pilot", "knowledge": [base]})).await.ok();
    let question = "When does the lease of berth 4 end?";
    let text = json!({"type": "text", "media_type": "text/plain", "data": "The lease of berth 4 ends on 30 June 2027."});
    let documents =
        json!([{"type": "document", "title": "Berths", "source": text}, {"type": "text", "text": question}]);
    for (model, content) in [
        ("agent:pilot".to_owned(), json!(question)),
        (format!("kb:{base}"), json!(question)),
        ("extractive@formwork".to_owned(), documents),
    ] {
        let answer = send(&server, asks(&model, content)).await.ok();
        let text = answer["content"][0]["text"].as_str().unwrap();
        assert!(text.contains("30 June 2027"), "{model}: {text}");
        assert_eq!(answer["context"][0]["title"], "Berths", "{model}");
    }
    send(&server, asks("agent:none", "x")).await.fails(404, "agent_not_found");
    send(&server, asks("kb:kb_none", "x")).await.fails(400, "unknown_knowledge_base");
    let file =
        server.upload(Parts::new().file("broken.pdf", b"%PDF-1.7 nothing")).await.ok()[0]["id"].to_string();
    for (source, status) in [
        (json!({"type": "base64", "media_type": "application/pdf", "data": "JVBERi0xLjcgbm90aGluZw=="}), 400),
        (json!({"type": "file", "file_id": file}), 422),
    ] {
        let content =
            json!([{"type": "text", "text": "x"}, {"type": "document", "title": "a.pdf", "source": source}]);
        let unreadable = send(&server, asks("extractive@formwork", content)).await;
        assert_eq!(
            (unreadable.status, &unreadable.value()["error"]["param"]),
            (status, &json!("messages.0.content"))
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_can_be_bound_to_a_schema_and_an_effort() {
    let (server, vendor) = playing([said("{\"total\": 12}")]);
    let schema = json!({"type": "object", "properties": {"total": {"type": "number"}}, "required": ["total"],
        "additionalProperties": false});
    let mut body = asks("gpt-6-luna@openai", "How many?");
    body["output_config"] = json!({"effort": "low", "format": {"type": "json_schema", "schema": schema}});
    assert_eq!(send(&server, body).await.ok()["content"][0]["text"], "{\"total\":12}");
    let sent = vendor.requests()[0].json();
    assert_eq!(
        (&sent["reasoning_effort"], &sent["response_format"]["type"]),
        (&json!("low"), &json!("json_schema"))
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn tokens_are_estimated_without_a_call() {
    let vendor = Upstream::start(|_| said("Twelve.")).unwrap();
    let server = before(&vendor);
    let count = async |body: Value| server.post("/anthropic/v1/messages/count_tokens", body).await;
    let mut body =
        json!({"model": "m@openai", "messages": [{"role": "user", "content": "How many crates are there?"}]});
    let short = count(body.clone()).await.ok()["input_tokens"].as_u64().unwrap();
    assert!((3..20).contains(&short), "{short}");
    body["system"] = json!("Be brief. ".repeat(100));
    body["tools"] = json!([weather()]);
    let long = count(body).await.ok()["input_tokens"].as_u64().unwrap();
    assert!(long > short + 200, "{long}");
    count(asks("agent:none", "x")).await.fails(404, "agent_not_found");
    count(json!({"model": "m@openai", "messages": []})).await.fails_at(400, "validation_failed", "messages");
    let mut wrong = asks("m@openai", "x");
    wrong["stop_sequences"] = json!(["a", "b", "c", "d", "e"]);
    count(wrong).await.fails_at(400, "validation_failed", "stop_sequences");
    assert!(vendor.requests().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn keys_and_errors_have_the_form_of_anthropic_on_every_path_of_the_base() {
    let server = Server::start();
    let model = "extractive@formwork";
    let question = asks(model, "What is 2 + 2?");
    let keyed = |name: &str, key: &str| {
        server.request(Method::POST, "/anthropic/v1/messages").open().header(name, key).json(&question)
    };
    keyed("x-api-key", &server.key).send().await.ok();
    keyed("authorization", &format!("Bearer {}", server.key)).send().await.ok();
    let refused = keyed("x-api-key", "fw_wrong").send().await;
    refused.fails(401, "invalid_key");
    assert_eq!(refused.value()["type"], "error");
    assert_eq!(refused.value()["error"]["type"], "authentication_error");
    keyed("x-api-key", &server.key)
        .header("authorization", "Bearer fw_other")
        .send()
        .await
        .fails(401, "invalid_key");
    // Elsewhere the header is none of a key.
    let elsewhere = server.request(Method::GET, "/v1/me").open().header("x-api-key", &server.key);
    elsewhere.send().await.fails(401, "invalid_key");
    let with = |key: &str, value: Value| {
        let mut body = question.clone();
        body[key] = value;
        body
    };
    let content =
        |content: Value| json!({"model": model, "messages": [{"role": "user", "content": content}]});
    for (body, code, param) in [
        (asks("nope", "x"), "unknown_model", "model"),
        (with("max_tokens", json!(0)), "validation_failed", "max_tokens"),
        (with("temperature", json!(3)), "validation_failed", "temperature"),
        (with("stop_sequences", json!(["", "a"])), "validation_failed", "stop_sequences"),
        (with("mcp_servers", json!([{"url": "https://example.com"}])), "validation_failed", "mcp_servers"),
        (
            with("tools", json!([{"type": "web_search_20250305", "name": "web_search"}])),
            "validation_failed",
            "tools.0.type",
        ),
        (with("tool_choice", json!({"type": "tool"})), "validation_failed", "tool_choice.name"),
        (with("system", json!(5)), "validation_failed", "system"),
        (with("messages", json!([])), "validation_failed", "messages"),
        (
            with("messages", json!([{"role": "system", "content": "x"}])),
            "validation_failed",
            "messages.0.role",
        ),
        (with("messages", json!([{"role": "assistant", "content": "x"}])), "validation_failed", "messages"),
        (content(json!(7)), "validation_failed", "messages.0.content"),
        (content(json!([{"type": "text"}])), "validation_failed", "messages.0.content.0"),
        (
            content(json!([{"type": "text", "text": "x"}, {"type": "audio"}])),
            "validation_failed",
            "messages.0.content.1",
        ),
        (
            content(json!([{"type": "image", "source": {"type": "base64"}}])),
            "validation_failed",
            "messages.0.content.0",
        ),
        (content(json!([{"type": "image", "source": "x"}])), "validation_failed", "messages.0.content.0"),
        (content(json!([null])), "validation_failed", "messages.0.content.0"),
        (
            content(json!([{"type": "tool_result", "content": "x"}])),
            "validation_failed",
            "messages.0.content.0",
        ),
        (
            content(json!([{"type": "tool_result", "tool_use_id": "a", "content": "x"}])),
            "validation_failed",
            "messages.0.tool_use_id",
        ),
        (content(json!(" ")), "validation_failed", "messages.0.content"),
    ] {
        let answer = send(&server, body).await;
        answer.fails_at(400, code, param);
        assert_eq!(answer.value()["error"]["type"], "invalid_request_error");
    }
    server.get("/anthropic/v1/batches").await.fails(404, "unknown_route");
    let wrong = server.get("/anthropic/v1/messages").await;
    wrong.fails(405, "method_not_allowed");
    assert_eq!(wrong.value()["type"], "error");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_picture_in_base64_may_be_longer_than_other_bodies() {
    let vendor = Upstream::start(|_| said("A dot.")).unwrap();
    let server = before(&vendor);
    // Most readers of pictures ignore what follows.
    let large: Vec<u8> = PIXEL.iter().copied().chain(std::iter::repeat_n(0, 3 << 20)).collect();
    let picture = json!({"type": "base64", "media_type": "image/png", "data": BASE64_STANDARD.encode(large)});
    let content = json!([{"type": "image", "source": picture}, {"type": "text", "text": "What is it?"}]);
    assert_eq!(send(&server, asks("m@openai", content)).await.ok()["content"][0]["text"], "A dot.");
    send(&server, asks("m@openai", "x ".repeat(2 << 20))).await.fails(413, "body_too_large");
}
