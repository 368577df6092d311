//! Tools and pictures at `/openai/v1` and `/v2/generate`.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde_json::{Value, json};
use testkit::upstream::{Reply, Upstream};

use crate::generate::kit::{PIXEL, ask, ask_streamed, before, playing, said};
use crate::kit::{Answer, Parts, Server};

fn weather() -> Value {
    json!({"type": "function", "function": {
        "name": "weather", "description": "Weather of a city.",
        "parameters": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}}})
}

async fn complete(server: &Server, body: Value) -> Answer {
    server.post("/openai/v1/chat/completions", body).await
}

fn called() -> Value {
    json!({"id": "call_1", "type": "function", "function": {"name": "weather", "arguments": "{\"city\":\"Oslo\"}"}})
}

fn calling() -> Reply {
    let message = json!({"role": "assistant", "content": null, "tool_calls": [called()]});
    Reply::json(
        200,
        &json!({"choices": [{"message": message, "finish_reason": "tool_calls"}],
            "usage": {"prompt_tokens": 11, "completion_tokens": 7}}),
    )
}

#[tokio::test(flavor = "multi_thread")]
async fn a_loop_of_calls_and_results_goes_through_the_base() {
    let (server, vendor) = playing([calling(), said("Cold.")]);
    let mut body = json!({
        "model": "m@openai", "tools": [weather()], "tool_choice": "required", "parallel_tool_calls": false,
        "messages": [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Warm?"}]
    });
    let first = complete(&server, body.clone()).await.ok();
    let choice = &first["choices"][0];
    assert_eq!(
        (&choice["finish_reason"], &choice["message"]["content"]),
        (&json!("tool_calls"), &Value::Null)
    );
    assert_eq!(choice["message"]["tool_calls"], json!([called()]));
    assert_eq!(first["warnings"], json!([]));
    let messages = body["messages"].as_array_mut().unwrap();
    messages.push(choice["message"].clone());
    messages.push(json!({"role": "tool", "tool_call_id": "call_1", "content": "3 degrees"}));
    body["tool_choice"] = json!("auto");
    let second = complete(&server, body).await.ok();
    assert_eq!(second["choices"][0]["message"]["content"], "Cold.");
    assert!(second["choices"][0]["message"].get("tool_calls").is_none(), "{second}");
    let sent: Vec<Value> = vendor.requests().iter().map(|request| request.json()).collect();
    assert_eq!((&sent[0]["tools"], &sent[0]["tool_choice"]), (&json!([weather()]), &json!("required")));
    assert_eq!(sent[0]["parallel_tool_calls"], false);
    assert_eq!(
        sent[1]["messages"],
        json!([
            {"role": "system", "content": "Be brief."}, {"role": "user", "content": "Warm?"},
            {"role": "assistant", "tool_calls": [called()]},
            {"role": "tool", "tool_call_id": "call_1", "content": "3 degrees"}
        ])
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn the_calls_of_a_stream_are_chunks_in_openai_s_form() {
    let begun = json!({"index": 0, "id": "call_1", "type": "function", "function": {"name": "weather", "arguments": ""}});
    let more = |text: &str| json!({"index": 0, "function": {"arguments": text}});
    let chunk = |call: &Value| json!({"choices": [{"delta": {"tool_calls": [call]}}]}).to_string();
    let last = json!({"choices": [{"delta": {}, "finish_reason": "tool_calls"}]}).to_string();
    let pieces = [begun.clone(), more("{\"city\":"), more("\"Oslo\"}")];
    let script = || {
        let begun = pieces.iter().fold(Reply::event_stream(), |reply, piece| reply.event(&chunk(piece)));
        begun.event(&last).event("[DONE]").end()
    };
    let (server, _vendor) = playing([script(), script()]);
    let body = json!({"model": "m@openai", "tools": [weather()], "stream": true,
        "messages": [{"role": "user", "content": "Warm?"}]});
    let answer = complete(&server, body).await;
    let events = answer.text().split("\n\n").filter_map(|event| event.strip_prefix("data: "));
    let chunks: Vec<Value> = events.filter_map(|text| serde_json::from_str(text).ok()).collect();
    let calls: Vec<&Value> = chunks
        .iter()
        .map(|chunk| &chunk["choices"][0]["delta"]["tool_calls"][0])
        .filter(|call| !call.is_null())
        .collect();
    assert_eq!(calls, pieces.iter().collect::<Vec<_>>());
    assert_eq!(chunks.last().unwrap()["choices"][0]["finish_reason"], "tool_calls");

    let tool = json!({"name": "weather", "parameters": weather()["function"]["parameters"]});
    let body = json!({"modelId": "m@openai", "prompt": "Warm?", "tools": [tool]});
    let events = ask_streamed(&server, body).await;
    let (name, record) = events.last().unwrap();
    assert_eq!((events.len(), name.as_str()), (1, "done"));
    let call = json!({"id": "call_1", "name": "weather", "arguments": "{\"city\":\"Oslo\"}"});
    assert_eq!((&record["toolCalls"], &record["finishReason"]), (&json!([call]), &json!("tool_calls")));
}

#[tokio::test(flavor = "multi_thread")]
async fn generation_passes_tools_on_in_its_own_form() {
    let (server, vendor) = playing([calling(), said("Cold.")]);
    let tool = json!({"name": "weather", "strict": true});
    let mut body =
        json!({"modelId": "m@openai", "prompt": "Warm?", "tools": [tool], "toolChoice": {"name": "weather"}});
    let first = ask(&server, body.clone()).await.ok();
    let call = json!({"id": "call_1", "name": "weather", "arguments": "{\"city\":\"Oslo\"}"});
    assert_eq!((&first["toolCalls"], &first["text"]), (&json!([call]), &json!("")));
    body["toolMessages"] = json!([
        {"role": "assistant", "toolCalls": [call]}, {"role": "tool", "toolCallId": "call_1", "content": "3 degrees"}
    ]);
    let second = ask(&server, body).await.ok();
    assert_eq!((&second["text"], second.get("toolCalls")), (&json!("Cold."), None));
    let sent = vendor.requests()[1].json();
    assert_eq!(sent["tools"][0]["function"]["parameters"], json!({"type": "object", "properties": {}}));
    assert_eq!(sent["tools"][0]["function"]["strict"], true);
    assert_eq!(
        sent["messages"][2],
        json!({"role": "tool", "tool_call_id": "call_1", "content": "3 degrees"})
    );
}

fn pixel() -> String {
    format!("data:image/gif;base64,{}", BASE64_STANDARD.encode(PIXEL))
}

#[tokio::test(flavor = "multi_thread")]
async fn pictures_reach_a_model_from_data_urls_files_and_the_web() {
    let site = Upstream::start(|_| Reply::whole(200, "image/png", PIXEL)).unwrap();
    let vendor = Upstream::start(|_| said("A dot.")).unwrap();
    let server = before(&vendor);
    let file = server.upload(Parts::new().file("dot.png", PIXEL)).await.ok()[0]["id"].to_string();
    let picture = |url: &str| json!({"type": "image_url", "image_url": {"url": url, "detail": "low"}});
    let body = json!({"model": "m@openai", "messages": [{"role": "user", "content": [
        {"type": "text", "text": "What is it?"}, picture(&pixel()), picture(&format!("file-{file}"))]}]});
    assert_eq!(complete(&server, body).await.ok()["choices"][0]["message"]["content"], "A dot.");
    let sent = vendor.requests()[0].json();
    // The type is that of the bytes, whatever the URL says.
    let data = format!("data:image/png;base64,{}", BASE64_STANDARD.encode(PIXEL));
    let told = json!({"type": "image_url", "image_url": {"url": data}});
    assert_eq!(sent["messages"][0]["content"], json!([told, told, {"type": "text", "text": "What is it?"}]));
    let body =
        json!({"modelId": "m@openai", "prompt": "What is it?", "images": [file.parse::<u64>().unwrap()]});
    ask(&server, body).await.ok();
    assert_eq!(vendor.requests()[1].json()["messages"][0]["content"][0], told);
    // The guard of the fetcher stands before pictures too.
    let inner = json!({"modelId": "m@openai", "prompt": "What is it?", "images": [format!("{}/dot.png", site.url())]});
    let refused = ask(&server, inner).await;
    assert_eq!((refused.status, refused.value()["errors"][0]["path"].as_str()), (400, Some("/images/0")));
    assert!(site.requests().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_no_picture_or_too_large_is_refused_with_its_place() {
    let vendor = Upstream::start(|_| said("A dot.")).unwrap();
    let server = before(&vendor);
    let asks = |picture: &str| {
        json!({"model": "m@openai", "messages": [
            {"role": "system", "content": "Be brief."},
            {"role": "user", "content": [{"type": "image_url", "image_url": {"url": picture}}]}]})
    };
    for (picture, code) in [
        ("data:image/png;base64,AAAA".to_owned(), "unsupported_picture"),
        ("data:image/png;base64,!".to_owned(), "unsupported_picture"),
        ("data:image/png,AAAA".to_owned(), "unsupported_picture"),
        ("file-999999".to_owned(), "file_not_found"),
    ] {
        let answer = complete(&server, asks(&picture)).await;
        answer.fails(400, code);
        assert_eq!(answer.value()["error"]["param"], "messages.1.content", "{picture}");
    }
    let mut large = PIXEL.to_vec();
    large.resize(3 << 20, 0);
    let large = format!("data:image/png;base64,{}", BASE64_STANDARD.encode(&large));
    complete(&server, asks(&large)).await.ok();
    let text = json!({"model": "m@openai", "messages": [{"role": "user", "content": "x".repeat(3 << 20)}]});
    complete(&server, text).await.fails(413, "body_too_large");
    let small = Server::with("[limits]\npictures_body_bytes = 3000000");
    complete(&small, asks(&large)).await.fails(413, "body_too_large");
    assert_eq!(vendor.requests().len(), 1);
    let file = server.upload(Parts::new().file("dot.txt", b"a text")).await.ok()[0]["id"].to_string();
    complete(&server, asks(&format!("file-{file}"))).await.fails(400, "unsupported_picture");
}
