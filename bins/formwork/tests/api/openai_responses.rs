//! `/openai/v1/responses`: whole, streamed, with functions and knowledge bases.

use reqwest::Method;
use serde_json::{Value, json};
use testkit::upstream::Reply;

use crate::generate::kit::{before, events, piece, playing, said, streamed};
use crate::kit::{Answer, Parts, Server};
use crate::knowledge::kit::{base, ready_text};

async fn respond(server: &Server, body: Value) -> Answer {
    server.post("/openai/v1/responses", body).await
}

fn weather() -> Value {
    json!({"type": "function", "name": "weather", "description": null, "strict": null,
        "parameters": {"type": "object", "properties": {"city": {"type": "string"}}}})
}

#[tokio::test(flavor = "multi_thread")]
async fn an_effort_reaches_the_vendor_from_every_interface() {
    let (server, vendor) = playing([said("One."), said("Two."), said("Three.")]);
    let model = "gpt-6-luna@openai";
    let body = json!({"model": model, "input": "Hello", "reasoning": {"effort": "low"}});
    assert_eq!(respond(&server, body).await.ok()["warnings"], json!([]));
    let body = json!({"model": model, "messages": [{"role": "user", "content": "Hello"}], "reasoning_effort": "high"});
    assert_eq!(server.post("/openai/v1/chat/completions", body).await.ok()["warnings"], json!([]));
    let body = json!({"modelId": model, "prompt": "Hello", "effort": "medium"});
    server.post("/v2/generate", body).await.ok();
    let efforts: Vec<Value> =
        vendor.requests().iter().map(|sent| sent.json()["reasoning_effort"].clone()).collect();
    assert_eq!(efforts, ["low", "high", "medium"]);
    let body = json!({"modelId": model, "prompt": "Hello", "effort": "much"});
    server.post("/v2/generate", body).await.fails_at(400, "validation_failed", "/effort");
    assert_eq!(vendor.requests().len(), 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_response_has_its_text_usage_and_the_settings_of_the_request() {
    let (server, vendor) = playing([said("Twelve.")]);
    let body = json!({
        "model": "m@openai", "instructions": "Be brief.", "max_output_tokens": 50, "temperature": 0.5, "store": true,
        "reasoning": {"effort": "minimal"}, "metadata": {"a": "b"},
        "input": [
            {"role": "developer", "content": "Count."},
            {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "How"}, {"type": "input_text", "text": "many?"}]}
        ]
    });
    let answer = respond(&server, body).await.ok();
    assert_eq!(
        (&answer["object"], &answer["status"], &answer["store"]),
        (&json!("response"), &json!("completed"), &json!(false))
    );
    let output = &answer["output"];
    assert_eq!(
        output,
        &json!([{"type": "message", "id": output[0]["id"], "status": "completed", "role": "assistant",
            "content": [{"type": "output_text", "text": "Twelve.", "annotations": [], "logprobs": []}]}])
    );
    assert_eq!(
        answer["usage"],
        json!({"input_tokens": 11, "input_tokens_details": {"cached_tokens": 4}, "output_tokens": 7,
            "output_tokens_details": {"reasoning_tokens": 0}, "total_tokens": 18})
    );
    assert_eq!((&answer["instructions"], &answer["metadata"]), (&json!("Be brief."), &json!({"a": "b"})));
    assert_eq!(
        (&answer["tool_choice"], &answer["text"]),
        (&json!("auto"), &json!({"format": {"type": "text"}}))
    );
    assert_eq!(answer["warnings"], json!(["'reasoning' has no effect here"]));
    let sent = vendor.requests()[0].json();
    assert_eq!(
        sent["messages"],
        json!([{"role": "system", "content": "Be brief.\n\nCount."}, {"role": "user", "content": "How\nmany?"}])
    );
    assert_eq!(sent["max_completion_tokens"], 50);
}

#[tokio::test(flavor = "multi_thread")]
async fn calls_and_outputs_are_items_of_the_input() {
    let (server, vendor) = playing([said("Cold.")]);
    let call = |id: &str| json!({"type": "function_call", "id": "fc_1", "call_id": id, "name": "weather", "arguments": "{}"});
    let body = json!({
        "model": "m@openai", "tools": [weather()], "tool_choice": {"type": "function", "name": "weather"},
        "input": [
            {"role": "user", "content": "Warm?"},
            {"type": "reasoning", "id": "rs_1", "summary": []},
            {"role": "assistant", "content": [{"type": "output_text", "text": "Let me see.", "annotations": []}]},
            call("a"), call("b"),
            {"type": "function_call_output", "call_id": "a", "output": "3"},
            {"type": "function_call_output", "call_id": "b", "output": [{"type": "input_text", "text": "4"}]}
        ]
    });
    let answer = respond(&server, body).await.ok();
    assert_eq!(answer["output"][0]["content"][0]["text"], "Cold.");
    assert_eq!(
        (&answer["tools"], &answer["tool_choice"]),
        (&json!([weather()]), &json!({"type": "function", "name": "weather"}))
    );
    let messages = &vendor.requests()[0].json()["messages"];
    assert_eq!((messages.as_array().unwrap().len(), &messages[1]["content"]), (4, &json!("Let me see.")));
    assert_eq!(messages[1]["tool_calls"].as_array().unwrap().len(), 2);
    assert_eq!((&messages[2]["tool_call_id"], &messages[3]["content"]), (&json!("a"), &json!("4")));
}

/// The names of the events, each once in a row, and the last event.
fn outline(events: &[(String, Value)]) -> (Vec<&str>, &Value) {
    let mut names: Vec<&str> = events.iter().map(|(name, _)| name.trim_start_matches("response.")).collect();
    names.dedup();
    for (at, (name, data)) in events.iter().enumerate() {
        assert_eq!((&data["type"], &data["sequence_number"]), (&json!(name), &json!(at)));
    }
    (names, &events.last().unwrap().1)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_streamed_response_is_told_item_by_item() {
    let call = |value: Value| json!({"choices": [{"delta": {"tool_calls": [value]}}]}).to_string();
    let begun = json!({"index": 0, "id": "call_1", "type": "function", "function": {"name": "weather", "arguments": ""}});
    let more = json!({"index": 0, "function": {"arguments": "{\"city\":\"Oslo\"}"}});
    let last = json!({"choices": [{"delta": {}, "finish_reason": "tool_calls"}]}).to_string();
    let calling = [piece("Let me"), piece(" see."), call(begun), call(more), last, "[DONE]".to_owned()];
    let (server, _vendor) = playing([streamed(&["Twel", "ve."]), Reply::events(calling)]);
    let body = |stream: bool| json!({"model": "m@openai", "input": "How many?", "stream": stream, "tools": [weather()]});
    let answer = respond(&server, body(true)).await;
    assert_eq!(answer.header("content-type"), "text/event-stream");
    let told = events(answer.text());
    let (names, last) = outline(&told);
    let text = [
        "created",
        "in_progress",
        "output_item.added",
        "content_part.added",
        "output_text.delta",
        "output_text.done",
        "content_part.done",
        "output_item.done",
        "completed",
    ];
    assert_eq!(names, text);
    assert_eq!(last["response"]["output"][0]["content"][0]["text"], "Twelve.");
    assert_eq!(
        (&last["response"]["status"], &last["response"]["usage"]["total_tokens"]),
        (&json!("completed"), &json!(18))
    );
    assert_eq!(told[0].1["response"]["status"], "in_progress");

    let answer = respond(&server, body(true)).await;
    let told = events(answer.text());
    let (names, last) = outline(&told);
    let both = [
        "created",
        "in_progress",
        "output_item.added",
        "content_part.added",
        "output_text.delta",
        "output_item.added",
        "function_call_arguments.delta",
        "output_text.done",
        "content_part.done",
        "output_item.done",
        "function_call_arguments.done",
        "output_item.done",
        "completed",
    ];
    assert_eq!(names, both);
    let output = &last["response"]["output"];
    assert_eq!(
        output[1],
        json!({"type": "function_call", "id": output[1]["id"], "status": "completed", "call_id": "call_1",
            "name": "weather", "arguments": "{\"city\":\"Oslo\"}"})
    );
    assert_ne!(output[0]["id"], output[1]["id"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stream_that_breaks_ends_with_a_failed_response_and_a_cut_one_is_incomplete() {
    let cut = json!({"choices": [{"delta": {"content": "Twel"}, "finish_reason": "length"}]}).to_string();
    let broken = Reply::event_stream().event(&piece("Twel")).close();
    let (server, _vendor) = playing([broken, Reply::events([cut, "[DONE]".to_owned()])]);
    let body = json!({"model": "m@openai", "input": "How many?", "stream": true});
    let answer = respond(&server, body.clone()).await;
    let told = events(answer.text());
    let (name, data) = told.last().unwrap();
    assert_eq!((name.as_str(), &data["response"]["status"]), ("response.failed", &json!("failed")));
    assert_eq!(data["response"]["error"]["code"], "provider_failed");
    let answer = respond(&server, body).await;
    let told = events(answer.text());
    let (name, data) = told.last().unwrap();
    assert_eq!(name, "response.incomplete");
    assert_eq!(data["response"]["incomplete_details"], json!({"reason": "max_output_tokens"}));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_search_of_files_is_one_of_knowledge_bases_with_its_citations() {
    let vendor = testkit::upstream::Upstream::start(|_| said("The lease ends in 2031. [1]")).unwrap();
    let server = before(&vendor);
    let base = base(&server).await;
    ready_text(&server, &base, "lease", "The lease of berth 4 ends in 2031.").await;
    let body = json!({
        "model": "m@openai", "input": "When does the lease end?",
        "tools": [{"type": "file_search", "vector_store_ids": [base], "max_num_results": 3}]
    });
    let answer = respond(&server, body).await.ok();
    let cited = &answer["output"][0]["content"][0]["annotations"][0];
    assert_eq!((&cited["type"], &cited["filename"]), (&json!("file_citation"), &json!("lease")));
    let unknown = json!({"model": "m@openai", "input": "x", "tools": [{"type": "file_search", "vector_store_ids": ["none"]}]});
    let refused = respond(&server, unknown).await;
    assert_eq!((refused.status, &refused.value()["error"]["param"]), (400, &json!("tools")));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_response_cannot_be_is_refused_with_its_parameter() {
    let server = Server::start();
    let with = |key: &str, value: Value| {
        let mut body = json!({"model": "extractive@formwork", "input": "What is 2 + 2?"});
        body[key] = value;
        body
    };
    for (body, param) in [
        (with("previous_response_id", json!("resp_1")), "previous_response_id"),
        (with("background", json!(true)), "background"),
        (with("input", json!([])), "input"),
        (with("input", json!(7)), "input"),
        (with("input", json!([{"role": "assistant", "content": "x"}])), "input"),
        (with("input", json!([{"role": "tool", "content": "x"}])), "input.0.role"),
        (with("input", json!([{"type": "item_reference", "id": "x"}])), "input.0.type"),
        (with("input", json!([{"role": "user", "content": [{"type": "x"}]}])), "input.0.content.0"),
        (
            with(
                "input",
                json!([{"role": "user", "content": "x"}, {"type": "function_call_output", "call_id": "a", "output": "b"}]),
            ),
            "input.1.call_id",
        ),
        (
            with("input", json!([{"role": "system", "content": "x"}, {"role": "user", "content": " "}])),
            "input.1.content",
        ),
        (with("tools", json!([{"type": "web_search"}])), "tools.0.type"),
        (with("tools", json!([weather()])), "tools"),
        (with("text", json!({"format": {"type": "x"}})), "text.format.type"),
        (with("max_output_tokens", json!(0)), "max_output_tokens"),
    ] {
        let answer = respond(&server, body).await;
        assert_eq!(
            (answer.status, answer.value()["error"]["param"].as_str()),
            (400, Some(param)),
            "{answer:?}"
        );
    }
    respond(&server, with("model", json!("agent:none"))).await.fails(404, "agent_not_found");
    let parts = Parts::new().file("broken.pdf", b"%PDF-1.7 nothing");
    let file = server.upload(parts).await.ok()[0]["id"].to_string();
    let content = json!([{"type": "input_text", "text": "x"}, {"type": "input_file", "file_id": file}]);
    let unreadable = respond(&server, with("input", json!([{"role": "user", "content": content}]))).await;
    assert_eq!((unreadable.status, &unreadable.value()["error"]["param"]), (422, &json!("input.0.content")));
    let told = respond(&server, with("input", json!({"a": 1}))).await;
    assert_eq!(told.value()["error"]["message"], "'input' must be a text or a list of items");
    let told = respond(&server, with("tool_choice", json!("sometimes"))).await;
    let message = told.value()["error"]["message"].as_str().unwrap().to_owned();
    assert!(message.starts_with("'tool_choice' must be auto, none, required"), "{message}");
    let good = respond(&server, with("stream", json!(false))).await.ok();
    assert_eq!(good["output"][0]["type"], "message");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_conversation_goes_on_from_its_summary() {
    let (server, vendor) = playing([said("The launch is on Tuesday."), said("On Tuesday.")]);
    let compact = async |body: Value| server.post("/openai/v1/responses/compact", body).await;
    let body = json!({"model": "m@openai", "instructions": "Be brief.", "input": [
        {"role": "user", "content": "We launch on Tuesday."}, {"role": "assistant", "content": "Understood."}]});
    let compacted = compact(body).await.ok();
    assert_eq!(
        (&compacted["object"], &compacted["usage"]["total_tokens"]),
        (&json!("response.compaction"), &json!(18))
    );
    let item = compacted["output"][0].clone();
    assert_eq!(item["type"], "compaction");
    let body = json!({"model": "m@openai", "input": [item, {"role": "user", "content": "When?"}]});
    respond(&server, body).await.ok();
    let sent: Vec<Value> =
        vendor.requests().iter().map(|request| request.json()["messages"].clone()).collect();
    let last = sent[0].as_array().unwrap().last().unwrap();
    assert_eq!((sent[0].as_array().unwrap().len(), &last["role"]), (4, &json!("user")));
    assert!(last["content"].as_str().unwrap().starts_with("Summarize the conversation"), "{last}");
    let told = sent[1][0]["content"].as_str().unwrap();
    assert!(told.ends_with("The launch is on Tuesday.") && sent[1].as_array().unwrap().len() == 2, "{told}");
    for (body, param) in [
        (json!({"model": "m@openai", "input": []}), "input"),
        (json!({"model": "extractive@formwork", "input": "x"}), "model"),
        (
            json!({"model": "m@openai", "input": "x", "previous_response_id": "resp_1"}),
            "previous_response_id",
        ),
    ] {
        compact(body).await.fails_at(400, "validation_failed", param);
    }
    for content in ["x", "AAAA", "////"] {
        let item = json!({"type": "compaction", "encrypted_content": content});
        let body = json!({"model": "m@openai", "input": [item, {"role": "user", "content": "When?"}]});
        respond(&server, body).await.fails_at(400, "validation_failed", "input.0.encrypted_content");
    }
    compact(json!({"input": "x"})).await.fails(400, "validation_failed");
    compact(json!({"model": "agent:none", "input": "x"})).await.fails(404, "agent_not_found");
    let file =
        server.upload(Parts::new().file("broken.pdf", b"%PDF-1.7 nothing")).await.ok()[0]["id"].to_string();
    let content = json!([{"type": "input_text", "text": "x"}, {"type": "input_file", "file_id": file}]);
    let body = json!({"model": "m@openai", "input": [{"role": "user", "content": content}]});
    assert_eq!(compact(body.clone()).await.status, 422);
    let stranger = server.stranger();
    let theirs = server.request(Method::POST, "/openai/v1/responses/compact").key(&stranger).json(&body);
    theirs.send().await.fails_at(400, "file_not_found", "input.0.content");
    assert_eq!(vendor.requests().len(), 2);
}
