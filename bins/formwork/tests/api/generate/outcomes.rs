//! How answers end, and what vendors do not tell: finish reasons, refusals, unknown models, no counts.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde_json::{Value, json};
use testkit::upstream::{ReceivedRequest, Reply, Upstream};

use super::kit::{
    PIXEL, ask, ask_plainly, ask_streamed, before, booked, completion, each_vendor, playing, refused,
    settings, told,
};
use crate::kit::Server;

const MODEL: &str = "gpt-4.1@openai";

/// A completion that ends so.
fn ended(text: &str, reason: &str) -> Value {
    let mut body = completion(text);
    body["choices"][0]["finish_reason"] = json!(reason);
    body
}

/// The same, streamed in one piece.
fn ended_stream(text: &str, reason: &str) -> Reply {
    let piece = json!({"choices": [{"index": 0, "delta": {"content": text}, "finish_reason": null}]});
    let last = json!({"choices": [{"index": 0, "delta": {}, "finish_reason": reason}]});
    Reply::events([piece.to_string(), last.to_string(), "[DONE]".to_owned()])
}

/// Answers a stream where one is asked for, and a whole answer else.
fn either(text: &'static str, reason: &'static str) -> impl Fn(&ReceivedRequest) -> Reply {
    move |request| match request.json()["stream"] == true {
        true => ended_stream(text, reason),
        false => Reply::json(200, &ended(text, reason)),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_answer_says_why_it_ends_whole_and_streamed() {
    for (reason, finish, warning) in [
        ("stop", "stop", None),
        ("length", "length", None),
        ("content_filter", "content_filter", Some("filtered")),
        ("tool_calls", "tool_calls", Some("asked for a tool")),
        ("moon_phase", "other", Some("unknown reason")),
    ] {
        let vendor = Upstream::start(either("Twelve", reason)).unwrap();
        let server = before(&vendor);
        let whole = ask_plainly(&server, MODEL).await.ok();
        let events = ask_streamed(&server, json!({"modelId": MODEL, "prompt": "How many?"})).await;
        let (_, (last, end)) = told(&events);
        assert_eq!(last, "done");
        for answer in [&whole, end] {
            assert_eq!(
                (&answer["finishReason"], &answer["text"]),
                (&json!(finish), &json!("Twelve")),
                "{reason}"
            );
            let warnings = answer["warnings"].to_string();
            assert_eq!(answer["warnings"].as_array().unwrap().is_empty(), warning.is_none(), "{warnings}");
            assert!(warnings.contains(warning.unwrap_or_default()), "{warnings}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_vendor_and_the_built_in_model_say_why_an_answer_ends() {
    let vendor = Upstream::start(each_vendor).unwrap();
    let server = before(&vendor);
    for model in [
        MODEL,
        "claude-opus-5@anthropic",
        "gemini-2.5-pro@google",
        "mistral-medium-latest@mistral",
        "lab/m@formwork",
        "extractive@formwork",
    ] {
        assert_eq!(ask_plainly(&server, model).await.ok()["finishReason"], "stop", "{model}");
    }
    let short = json!({"modelId": "extractive@formwork", "prompt": "How many?", "maxTokens": 1});
    assert_eq!(ask(&server, short).await.ok()["finishReason"], "length");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refusal_is_told_as_one_and_never_as_an_empty_success() {
    let mut refusal = ended("", "stop");
    refusal["choices"][0]["message"]["refusal"] = json!("I cannot help with that.");
    let (server, _vendor) = playing([Reply::json(200, &refusal)]);
    let answer = ask_plainly(&server, MODEL).await.ok();
    let found = (&answer["finishReason"], &answer["text"]);
    assert_eq!(found, (&json!("content_filter"), &json!("I cannot help with that.")));
    assert!(answer["warnings"].to_string().contains("refused"), "{answer}");
    let structured = json!({"modelId": MODEL, "prompt": "x", "responseFormat": {"type": "json_object"}});
    ask(&server, structured).await.fails(502, "model_refused");
    // Filtered to nothing: there is no answer.
    let (server, _vendor) = playing([Reply::json(200, &ended("", "content_filter"))]);
    ask_plainly(&server, MODEL).await.fails(502, "provider_refused");
    booked(&server, 1).await;
    // An empty text is said to be one.
    let (server, _vendor) = playing([Reply::json(200, &ended("", "stop"))]);
    let empty = ask_plainly(&server, MODEL).await.ok();
    assert!(empty["warnings"].to_string().contains("empty text"), "{empty}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_that_its_vendor_does_not_know_is_unknown_with_the_nearest_names() {
    let listed = json!({"object": "list", "data": [
        {"id": "gpt-6-luna", "object": "model"}, {"id": "gpt-6-sol", "object": "model"},
        {"id": "text-embedding-3-small", "object": "model"}
    ]});
    let vendor = Upstream::start(move |request: &ReceivedRequest| match request.method.as_str() {
        "GET" => Reply::json(200, &listed),
        _ => refused(404, "model_not_found", "The model `gpt-6-lnua` does not exist"),
    })
    .unwrap();
    let server = before(&vendor);
    let asked = json!({"modelId": "gpt-6-lnua@openai", "prompt": "x"});
    let mut streamed = asked.clone();
    streamed["stream"] = json!(true);
    let mut structured = asked.clone();
    structured["responseFormat"] = json!({"type": "json_object"});
    for body in [asked, streamed, structured] {
        let failed = ask(&server, body).await.fails(400, "unknown_model");
        let message = failed["message"].as_str().unwrap();
        assert!(
            message.contains("does not exist; the nearest names: gpt-6-luna@openai, gpt-6-sol@openai"),
            "{message}"
        );
    }
    // In the words of others, whose lists cannot be had: names of the catalogue.
    for (model, body, nearest) in [
        (
            "claude-opus-55@anthropic",
            json!({"type": "error", "error": {"type": "not_found_error",
            "message": "model: claude-opus-55"}}),
            "claude-opus-5-5@anthropic",
        ),
        (
            "gemini-2.5-pr@google",
            json!({"error": {"code": 404, "status": "NOT_FOUND",
            "message": "models/gemini-2.5-pr is not found for API version v1"}}),
            "gemini-2.5-pro@google",
        ),
        (
            "mistral-embd@mistral",
            json!({"object": "error", "type": "invalid_model",
            "message": "Invalid model: mistral-embd", "code": "1500"}),
            "mistral-embed@mistral",
        ),
    ] {
        let (server, _vendor) = playing([Reply::json(404, &body)]);
        let failed = ask_plainly(&server, model).await.fails(400, "unknown_model");
        assert!(failed["message"].as_str().unwrap().contains(nearest), "{failed}");
    }
    let own = ask_plainly(&server, "extractve@formwork").await.fails(400, "unknown_model");
    assert!(own["message"].as_str().unwrap().contains("extractive@formwork"), "{own}");
    // A path that is not there is not a model.
    let (server, _vendor) = playing([refused(404, "not_found", "no such route")]);
    ask_plainly(&server, MODEL).await.fails(502, "provider_invalid_request");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_vendor_does_not_count_is_booked_by_estimate_and_priced() {
    let mut silent = completion("Twelve of them, as far as I can see.");
    silent["usage"] = json!(null);
    let vendor =
        Upstream::start(move |request: &ReceivedRequest| match request.path.ends_with("/audio/speech") {
            true => Reply::whole(200, "audio/mpeg", &b"ID3 some sound"[..]),
            false if request.path.ends_with("/images/generations") => {
                Reply::json(200, &json!({"data": [{"b64_json": BASE64_STANDARD.encode(PIXEL)}]}))
            }
            false => Reply::json(200, &silent),
        })
        .unwrap();
    let prices = "[models.prices.\"tts-1@openai\"]\ninput = 10.0\noutput = 20.0\n\
                  [models.prices.\"gpt-image-2@openai\"]\npicture = 0.04\n";
    let server = Server::with(&(settings(&vendor.url(), "") + prices));
    let text = ask_plainly(&server, MODEL).await.ok();
    assert!(
        text["usage"]["outputTokens"].as_u64().unwrap() >= 9 && text["usage"]["cost"].as_f64().unwrap() > 0.0
    );
    // 300 characters: 20 seconds of speech.
    let speech = ask(&server, json!({"modelId": "tts-1@openai", "prompt": "a".repeat(300)})).await.ok();
    let usage = &speech["usage"];
    assert_eq!(
        (&usage["inputTokens"], &usage["outputTokens"], &usage["cost"]),
        (&json!(75), &json!(500), &json!(0.01075))
    );
    assert!(speech["warnings"].to_string().contains("an estimate"), "{speech}");
    let picture = ask(&server, json!({"modelId": "gpt-image-2@openai", "prompt": "a pear"})).await.ok();
    assert_eq!(picture["usage"]["cost"], 0.04, "{picture}");
    assert!(picture["usage"]["outputTokens"].as_u64().unwrap() > 1_000);
    let report = booked(&server, 3).await;
    assert!(report["total"]["cost"].as_f64().unwrap() > 0.05, "{report}");
    // A budget of tokens bounds speech.
    let key = server.home.told(&["keys", "create", "--tokens-per-day", "600"]);
    let speak = || async {
        let body = json!({"modelId": "tts-1@openai", "prompt": "a".repeat(300)});
        super::kit::call(&server, &body).key(&key).send().await
    };
    speak().await.ok();
    speak().await.fails(429, "limit_reached");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_model_makes_no_use_of_is_told_and_a_schema_that_it_cannot_keep_is_refused() {
    let vendor = Upstream::start(each_vendor).unwrap();
    let server = before(&vendor);
    let given = json!({"prompt": "a pear", "system": "s", "messages": [{"role": "user", "content": "m"}],
        "temperature": 1, "maxTokens": 5, "responseFormat": {"type": "text"}, "urls": ["1"], "knowledge": [{"id": "k"}]});
    for model in ["gpt-image-1@openai", "gpt-4o-mini-tts@openai"] {
        let mut body = given.clone();
        body["modelId"] = json!(model);
        let answer = ask(&server, body.clone()).await.ok();
        let warnings = answer["warnings"].to_string();
        for name in ["system", "messages", "temperature", "maxTokens", "responseFormat", "urls", "knowledge"]
        {
            assert!(warnings.contains(&format!("'{name}' was ignored: {model}")), "{name}: {warnings}");
        }
        body["responseFormat"] =
            json!({"type": "json_schema", "json_schema": {"schema": {"type": "object"}}});
        ask(&server, body).await.fails(400, "model_cannot");
    }
    let built_in =
        json!({"modelId": "extractive@formwork", "prompt": "Hello", "system": "s", "temperature": 0.5});
    let warnings = ask(&server, built_in).await.ok()["warnings"].to_string();
    assert!(
        warnings.contains("'system' was ignored") && warnings.contains("'temperature' was ignored"),
        "{warnings}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_vendor_that_hangs_is_given_up_in_time_whatever_is_asked_of_it() {
    let vendor = Upstream::start_replies([Reply::raw().hold()]).unwrap();
    let server = Server::with(&settings(&vendor.url(), "call_seconds = 1"));
    let text = json!({"modelId": MODEL, "prompt": "How many?"});
    let (mut structured, mut streamed) = (text.clone(), text.clone());
    structured["responseFormat"] = json!({"type": "json_object"});
    streamed["stream"] = json!(true);
    for body in [text, structured, streamed] {
        ask(&server, body).await.fails(504, "provider_timeout");
    }
    // What hangs in the middle of a stream ends it with an error.
    let begun = Reply::event_stream().event(&super::kit::piece("Tw")).hold();
    let vendor = Upstream::start_replies([begun]).unwrap();
    let server = Server::with(&settings(&vendor.url(), "call_seconds = 1"));
    let events = ask_streamed(&server, json!({"modelId": MODEL, "prompt": "How many?"})).await;
    let (text, (last, error)) = told(&events);
    assert_eq!((text.as_str(), last, &error["code"]), ("Tw", "error", &json!("provider_timeout")));
}
