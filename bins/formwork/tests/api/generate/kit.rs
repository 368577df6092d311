//! Servers before scripted vendors, and the vendors' answers.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use reqwest::Method;
use serde_json::{Value, json};
use testkit::upstream::{ReceivedRequest, Reply, Upstream};

use crate::kit::{Answer, Server, settle};

/// The key of every vendor; it must stand in nothing that is shown.
pub(crate) const KEY: &str = "Zq8vN3kTw5LpXy7RbMdHc2";

/// A picture of one pixel.
pub(crate) const PIXEL: &[u8] = &[
    0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1a, b'\n', 0, 0, 0, 0x0d, b'I', b'H', b'D', b'R', 0, 0, 0, 1, 0,
    0, 0, 1, 8, 0, 0, 0, 0, 0x3a, 0x7e, 0x9b, 0x55, 0, 0, 0, 0x0a, b'I', b'D', b'A', b'T', 0x78, 0x9c, 0x63,
    0x60, 0, 0, 0, 2, 0, 1, 0x48, 0xaf, 0xa4, 0x71, 0, 0, 0, 0, b'I', b'E', b'N', b'D', 0xae, 0x42, 0x60,
    0x82,
];

/// Every vendor at this address, and the own server `lab`, with no retries and these settings of models.
pub(crate) fn settings(url: &str, models: &str) -> String {
    let retries = if models.contains("retries") { "" } else { "retries = 0\n" };
    let mut text = format!("[models]\n{retries}{models}\n");
    for vendor in ["openai", "anthropic", "google", "mistral"] {
        text.push_str(&format!("[models.{vendor}]\nkey = \"{KEY}\"\nbase_url = \"{url}\"\n"));
    }
    text + &own("lab", url)
}

/// An own server.
pub(crate) fn own(name: &str, url: &str) -> String {
    format!("[[models.own]]\nname = \"{name}\"\nbase_url = \"{url}/v1\"\n")
}

/// A server whose vendors are all the one scripted here.
pub(crate) fn before(vendor: &Upstream) -> Server {
    Server::with(&settings(&vendor.url(), ""))
}

/// A server before a vendor that plays these replies.
pub(crate) fn playing(replies: impl IntoIterator<Item = Reply>) -> (Server, Upstream) {
    let vendor = Upstream::start_replies(replies).unwrap();
    (before(&vendor), vendor)
}

/// A whole answer in OpenAI's words.
pub(crate) fn said(text: &str) -> Reply {
    Reply::json(200, &completion(text))
}

/// The body of [`said`].
pub(crate) fn completion(text: &str) -> Value {
    json!({
        "id": "c1", "object": "chat.completion", "model": "m",
        "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text}}],
        "usage": {"prompt_tokens": 11, "completion_tokens": 7, "prompt_tokens_details": {"cached_tokens": 4}}
    })
}

/// A piece of a streamed answer in OpenAI's words.
pub(crate) fn piece(text: &str) -> String {
    json!({"choices": [{"index": 0, "delta": {"content": text}, "finish_reason": null}]}).to_string()
}

/// A whole stream in OpenAI's words.
pub(crate) fn streamed(pieces: &[&str]) -> Reply {
    let begun = pieces.iter().fold(Reply::event_stream(), |reply, text| reply.event(&piece(text)));
    begun.event(&last_piece()).event(&counts()).event("[DONE]").end()
}

fn last_piece() -> String {
    json!({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}).to_string()
}

fn counts() -> String {
    let usage = &completion("")["usage"];
    json!({"choices": [], "usage": usage}).to_string()
}

/// A refusal in OpenAI's words.
pub(crate) fn refused(status: u16, code: &str, message: &str) -> Reply {
    Reply::json(status, &refusal(code, message))
}

/// The body of [`refused`].
pub(crate) fn refusal(code: &str, message: &str) -> Value {
    json!({"error": {"message": message, "type": code, "code": code}})
}

/// Answers each vendor's request in that vendor's own words.
pub(crate) fn each_vendor(request: &ReceivedRequest) -> Reply {
    let path = request.path.as_str();
    let encoded = |bytes: &[u8]| BASE64_STANDARD.encode(bytes);
    if path.ends_with("/images/generations") {
        let usage = json!({"input_tokens": 5, "output_tokens": 100});
        return Reply::json(200, &json!({"data": [{"b64_json": encoded(PIXEL)}], "usage": usage}));
    }
    if path.ends_with("/audio/speech") {
        return Reply::whole(200, "audio/mpeg", &b"ID3 some sound"[..]);
    }
    if path.ends_with("/messages") {
        let usage = json!({"input_tokens": 11, "output_tokens": 7});
        let content = json!([{"type": "text", "text": "Twelve."}]);
        return Reply::json(
            200,
            &json!({"type": "message", "role": "assistant", "content": content,
            "stop_reason": "end_turn", "usage": usage}),
        );
    }
    if path.contains(":generateContent") {
        let sound = json!({"inlineData": {"mimeType": "audio/L16;codec=pcm;rate=24000", "data": encoded(&[1, 0, 2, 0])}});
        let part = if path.contains("tts") { sound } else { json!({"text": "Twelve."}) };
        return Reply::json(
            200,
            &json!({
                "candidates": [{"content": {"role": "model", "parts": [part]}, "finishReason": "STOP"}],
                "usageMetadata": {"promptTokenCount": 11, "candidatesTokenCount": 7}
            }),
        );
    }
    said("Twelve.")
}

/// Asks.
pub(crate) async fn ask(server: &Server, body: Value) -> Answer {
    server.post("/v2/generate", body).await
}

/// Asks a model one plain question.
pub(crate) async fn ask_plainly(server: &Server, model: &str) -> Answer {
    ask(server, json!({"modelId": model, "prompt": "How many?"})).await
}

/// Asks for a stream, and gives its events.
pub(crate) async fn ask_streamed(server: &Server, mut body: Value) -> Vec<(String, Value)> {
    body["stream"] = json!(true);
    let answer = ask(server, body).await;
    assert_eq!((answer.status, answer.header("content-type")), (200, "text/event-stream"), "{answer:?}");
    events(answer.text())
}

/// The events of a stream: each a name and a JSON value on one line; comments are passed over.
pub(crate) fn events(text: &str) -> Vec<(String, Value)> {
    assert!(text.ends_with("\n\n"), "the stream ends between events: {text}");
    let blocks = text.split_terminator("\n\n").filter(|block| *block != ":");
    let event = |block: &str| {
        let (name, data) = block.split_once('\n').unwrap();
        let data = serde_json::from_str(data.strip_prefix("data: ").unwrap()).unwrap();
        (name.strip_prefix("event: ").unwrap().to_owned(), data)
    };
    blocks.map(event).collect()
}

/// The text of all `delta` events, and the last event.
pub(crate) fn told(events: &[(String, Value)]) -> (String, (&str, &Value)) {
    let ((last, value), deltas) = events.split_last().unwrap();
    let text = deltas.iter().map(|(name, data)| {
        assert_eq!(name, "delta");
        data["text"].as_str().unwrap()
    });
    (text.collect(), (last.as_str(), value))
}

/// Waits until so many calls of models are booked, and gives the report.
pub(crate) async fn booked(server: &Server, calls: u64) -> Value {
    let report = async || server.get("/v1/usage").await.ok();
    settle("the booking", async || report().await["total"]["requests"] == calls).await;
    report().await
}

/// A call of `POST /v2/generate` that is put together further.
pub(crate) fn call(server: &Server, body: &Value) -> crate::kit::Call {
    server.request(Method::POST, "/v2/generate").json(body)
}
