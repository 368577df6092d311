//! Retries, fallbacks and time limits.

use serde_json::json;
use testkit::upstream::{ReceivedRequest, Reply, Upstream};

use super::kit::{KEY, ask, ask_plainly, booked, own, refusal, refused, said, settings};
use crate::kit::Server;

const MODEL: &str = "gpt-4.1@openai";

/// A server that tries again twice, before a vendor that plays these replies.
fn patient(replies: impl IntoIterator<Item = Reply>) -> (Server, Upstream) {
    let vendor = Upstream::start_replies(replies).unwrap();
    (Server::with(&settings(&vendor.url(), "retries = 2")), vendor)
}

fn limited(headers: &[(&str, &str)]) -> Reply {
    let body = refusal("rate_limit_exceeded", "Rate limit reached for requests").to_string();
    let headers: Vec<_> = headers.iter().copied().chain([("content-type", "application/json")]).collect();
    Reply::whole_with(429, &headers, body)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_vendor_that_is_busy_for_now_is_asked_again() {
    let (server, vendor) = patient([limited(&[("retry-after", "1")]), said("Twelve.")]);
    let answer = ask_plainly(&server, MODEL).await.ok();
    assert_eq!((&answer["text"], vendor.count()), (&json!("Twelve."), 2));
    assert_eq!(
        booked(&server, 2).await["total"]["inputTokens"],
        11,
        "an attempt that was refused cost nothing"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_used_up_quota_is_not_tried_again() {
    let (server, vendor) = patient([refused(429, "insufficient_quota", "You exceeded your current quota")]);
    let failed = ask_plainly(&server, MODEL).await.fails(502, "provider_billing");
    let message = failed["message"].as_str().unwrap();
    assert!(message.contains("OpenAI") && message.contains("exceeded your current quota"), "{message}");
    assert_eq!(vendor.count(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_vendor_that_keeps_failing_is_named_with_what_it_said() {
    let (server, vendor) = patient([refused(500, "server_error", "The engine is on fire")]);
    let failed = ask_plainly(&server, MODEL).await.fails(502, "provider_failed");
    assert_eq!(failed["message"], "OpenAI: The engine is on fire");
    assert_eq!(vendor.count(), 3);
    booked(&server, 3).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wait_that_is_longer_than_it_is_worth_is_told_to_the_caller() {
    let (server, vendor) = patient([limited(&[("retry-after", "3600")])]);
    let answer = ask_plainly(&server, MODEL).await;
    answer.fails(502, "provider_rate_limited");
    assert_eq!((answer.header("retry-after"), vendor.count()), ("3600", 1));
}

#[tokio::test(flavor = "multi_thread")]
async fn requests_that_the_vendor_finds_wrong_are_not_tried_again() {
    for (status, code, expected) in [
        (400, "invalid_request_error", "provider_invalid_request"),
        (401, "invalid_api_key", "provider_auth"),
        (403, "forbidden", "provider_auth"),
        (400, "context_length_exceeded", "context_too_long"),
    ] {
        let (server, vendor) = patient([refused(status, code, "No, thank you")]);
        let failed = ask_plainly(&server, MODEL).await.fails(502, expected);
        assert_eq!(failed["message"], "OpenAI: No, thank you");
        assert_eq!(vendor.count(), 1, "{code}");
    }
}

/// Answers by the name of the model: `bad…` fails, others answer with their name.
fn by_model(request: &ReceivedRequest) -> Reply {
    let body = request.json();
    let model = body["model"].as_str().unwrap_or_default();
    if model.starts_with("bad") { refused(500, "server_error", "out of order") } else { said(model) }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_models_of_the_request_are_asked_in_order_until_one_answers() {
    let vendor = Upstream::start(by_model).unwrap();
    let server = Server::with(&settings(&vendor.url(), ""));
    let body = json!({"modelId": "bad-1@openai", "prompt": "x",
        "fallbackModels": ["bad-2@mistral", "lab/good@formwork", "never@openai"]});
    let answer = ask(&server, body).await.ok();
    let found = (&answer["text"], &answer["model"], &answer["provider"]);
    assert_eq!(found, (&json!("good"), &json!("lab/good"), &json!("Formwork")));
    let warnings = answer["warnings"].to_string();
    assert!(warnings.contains("bad-1@openai") && warnings.contains("bad-2@mistral"), "{warnings}");
    let asked: Vec<_> = vendor.requests().iter().map(|request| request.json()["model"].clone()).collect();
    assert_eq!(asked, ["bad-1", "bad-2", "good"]);
    let report = booked(&server, 3).await;
    assert_eq!(report["usage"].as_array().unwrap().len(), 3, "{report}");
    let none = json!({"modelId": "bad-1@openai", "prompt": "x", "fallbackModels": ["bad-2@mistral"]});
    let failed = ask(&server, none).await.fails(502, "provider_failed");
    assert!(failed["message"].as_str().unwrap().contains("out of order"), "{failed}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_vendor_that_never_answers_is_given_up_in_time() {
    let vendor = Upstream::start_replies([Reply::raw().hold()]).unwrap();
    let server = Server::with(&settings(&vendor.url(), "call_seconds = 1"));
    let failed = ask_plainly(&server, MODEL).await.fails(504, "provider_timeout");
    assert!(failed["message"].as_str().unwrap().starts_with("OpenAI: "), "{failed}");
    vendor.wait_for_closed(1).await;
    booked(&server, 1).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_vendor_that_keeps_failing_is_left_alone_for_a_while_and_others_are_not() {
    let vendor = Upstream::start(by_model).unwrap();
    let server = Server::with(&settings(&vendor.url(), ""));
    for _ in 0..5 {
        ask_plainly(&server, "bad@openai").await.fails(502, "provider_failed");
    }
    let paused = ask_plainly(&server, "good@openai").await;
    paused.fails(503, "provider_paused");
    assert!((1..=10).contains(&paused.header("retry-after").parse::<u64>().unwrap()));
    assert_eq!(vendor.count(), 5);
    ask_plainly(&server, "good@mistral").await.ok();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_is_not_there_is_a_plain_failure() {
    let gone = Upstream::start_closing().unwrap();
    let address = gone.url();
    drop(gone);
    let server = Server::with(
        &(own("lab", &address) + "headers = {x-extra = \"" + KEY + "\"}\n[models]\nretries = 0"),
    );
    let failed = ask_plainly(&server, "lab/m@formwork").await.fails(502, "provider_failed");
    assert!(failed["message"].as_str().unwrap().contains("lab"), "{failed}");
}
