//! Streamed answers.

use std::io::Read as _;

use serde_json::{Value, json};
use testkit::upstream::{Reply, Upstream};

use super::kit::{
    ask, ask_streamed, before, booked, call, events, piece, playing, refused, said, settings, streamed, told,
};
use crate::kit::Server;

const PIECES: [&str; 4] = ["Zwölf ", "Bir", "nen 🍐", "."];

fn question() -> Value {
    json!({"modelId": "gpt-4.1@openai", "prompt": "How many?"})
}

#[tokio::test(flavor = "multi_thread")]
async fn the_pieces_are_the_text_and_the_last_event_is_the_whole_answer() {
    let (server, vendor) = playing([streamed(&PIECES), said(&PIECES.concat())]);
    let events = ask_streamed(&server, question()).await;
    let whole = ask(&server, question()).await.ok();
    let (text, last) = told(&events);
    assert_eq!((text.as_str(), last), (PIECES.concat().as_str(), ("done", &whole)));
    assert_eq!(events.len(), 5, "each piece is passed on by itself");
    assert_eq!(vendor.requests()[0].json()["stream"], true);
    booked(&server, 2).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stream_that_breaks_after_its_first_text_ends_with_an_error_and_is_not_begun_anew() {
    let cut = || Reply::event_stream().event(&piece("Zwölf ")).close();
    let (server, vendor) = playing([cut(), streamed(&PIECES)]);
    let mut body = question();
    body["fallbackModels"] = json!(["other@mistral"]);
    let events = ask_streamed(&server, body).await;
    let (text, (last, error)) = told(&events);
    assert_eq!((text.as_str(), last, vendor.count()), ("Zwölf ", "error", 1));
    assert_eq!((&error["status"], &error["code"]), (&json!("failure"), &json!("provider_failed")), "{error}");
    let report = booked(&server, 1).await;
    assert!(report["total"]["inputTokens"].as_u64().unwrap() > 0, "what was read is estimated: {report}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stream_that_breaks_before_its_first_text_is_taken_to_the_next_model() {
    let (server, vendor) = playing([Reply::event_stream().close(), streamed(&PIECES)]);
    let mut body = question();
    body["fallbackModels"] = json!(["other@mistral"]);
    let events = ask_streamed(&server, body).await;
    let (text, (last, answer)) = told(&events);
    assert_eq!((text, last, vendor.count()), (PIECES.concat(), "done", 2));
    assert_eq!((&answer["provider"], &answer["model"]), (&json!("Mistral"), &json!("other")));
    assert!(answer["warnings"].to_string().contains("gpt-4.1@openai"), "{answer}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stream_that_falls_silent_is_cut() {
    let vendor = Upstream::start_replies([Reply::event_stream().event(&piece("Zwölf ")).hold()]).unwrap();
    let server = Server::with(&settings(&vendor.url(), "idle_seconds = 1"));
    let events = ask_streamed(&server, question()).await;
    let (text, (last, error)) = told(&events);
    assert_eq!((text.as_str(), last, &error["code"]), ("Zwölf ", "error", &json!("provider_timeout")));
    vendor.wait_for_closed(1).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn rules_and_missing_keys_are_told_by_a_status_before_a_stream_begins() {
    let server = Server::start();
    let mut body = question();
    body["stream"] = json!(true);
    ask(&server, body.clone()).await.fails(503, "provider_not_configured");
    body["prompt"] = json!("");
    ask(&server, body).await.fails_at(400, "validation_failed", "/prompt");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_vendor_is_let_go_and_paid_when_the_client_of_a_whole_answer_goes_away() {
    let vendor = Upstream::start_replies([Reply::raw().hold()]).unwrap();
    let server = before(&vendor);
    let stream = server.send_json("/v2/generate", &question());
    vendor.wait_for_requests(1).await;
    drop(stream);
    vendor.wait_for_closed(1).await;
    let report = booked(&server, 1).await;
    assert!(report["total"]["inputTokens"].as_u64().unwrap() > 0, "{report}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_vendor_is_let_go_and_paid_when_the_client_goes_away() {
    let vendor = Upstream::start_replies([Reply::event_stream().event(&piece("Zwölf ")).hold()]).unwrap();
    let server = before(&vendor);
    let mut body = question();
    body["stream"] = json!(true);
    let mut stream = server.send_json("/v2/generate", &body);
    let mut seen = Vec::new();
    while !String::from_utf8_lossy(&seen).contains("event: delta") {
        let mut part = [0; 1024];
        let length = stream.read(&mut part).unwrap();
        assert!(length > 0, "the first text is passed on at once");
        seen.extend_from_slice(&part[..length]);
    }
    drop(stream);
    vendor.wait_for_closed(1).await;
    let report = booked(&server, 1).await;
    assert!(report["total"]["inputTokens"].as_u64().unwrap() > 0, "{report}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stream_that_is_longer_than_the_end_of_the_server_may_take_says_so() {
    let vendor = Upstream::start_replies([Reply::event_stream().event(&piece("Zwölf ")).hold()]).unwrap();
    let mut server = Server::with(&format!("limits.drain_seconds = 1\n{}", settings(&vendor.url(), "")));
    let mut body = question();
    body["stream"] = json!(true);
    let mut stream = server.send_json("/v2/generate", &body);
    vendor.wait_for_requests(1).await;
    server.terminate();
    let mut seen = String::new();
    stream.read_to_string(&mut seen).unwrap();
    let last = seen.rsplit("event: ").next().unwrap();
    assert!(last.starts_with("error\ndata: ") && last.contains(r#""code":"server_stopping""#), "{seen}");
    assert_eq!(server.wait().code(), Some(0));
    let report = booked(&server.home.start(), 1).await;
    assert!(report["total"]["inputTokens"].as_u64().unwrap() > 0, "{report}");
}

#[tokio::test(flavor = "multi_thread")]
async fn with_an_idempotency_key_an_answer_is_made_once_whole_or_streamed() {
    let (server, vendor) = playing([said("Twelve."), streamed(&PIECES), said("unasked")]);
    let once = |key: &'static str, body: Value| {
        let call = call(&server, &body).header("idempotency-key", key);
        async move { call.send().await }
    };
    let first = once("whole", question()).await;
    let again = once("whole", question()).await;
    assert_eq!((first.ok(), again.header("idempotency-replayed")), (again.ok(), "true"));
    let mut body = question();
    body["stream"] = json!(true);
    let first = once("streamed", body.clone()).await;
    let again = once("streamed", body.clone()).await;
    assert_eq!((first.text(), again.header("content-type")), (again.text(), "text/event-stream"));
    let events = events(first.text());
    assert_eq!(told(&events).0, PIECES.concat());
    assert_eq!(vendor.count(), 2);
    once("whole", body).await.fails(409, "idempotency_key_reused");
    booked(&server, 2).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_failure_is_not_kept_under_an_idempotency_key_whole_or_streamed() {
    let failing = refused(500, "server_error", "out of order");
    let cut = Reply::event_stream().event(&piece("Zwölf ")).close();
    let (server, vendor) = playing([failing, said("Twelve."), cut, streamed(&PIECES)]);
    let once = |key: &'static str, stream: bool| {
        let mut body = question();
        body["stream"] = json!(stream);
        let call = call(&server, &body).header("idempotency-key", key);
        async move { call.send().await }
    };
    once("whole", false).await.fails(502, "provider_failed");
    assert_eq!(once("whole", false).await.ok()["text"], "Twelve.");
    let failed = once("streamed", true).await;
    assert_eq!(told(&events(failed.text())).1.0, "error");
    let done = once("streamed", true).await;
    assert_eq!(told(&events(done.text())).1.0, "done", "a failure is tried again, not replayed");
    assert_eq!(vendor.count(), 4);
}
