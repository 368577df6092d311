//! Answers of models as text, as JSON and as a stream.

use serde_json::{Value, json};
use testkit::vendor::{Fault, ForcedFault, Vendor, delivery_note};

use super::kit::{GROUP, MODEL, assert_named, charged, each, one_field};
use crate::generate::kit::{ask, booked, events, told};
use crate::kit::Server;

fn question() -> Value {
    json!({"modelId": MODEL, "prompt": format!("What does this say?\n\n{}", delivery_note::text(GROUP))})
}

/// Whether a plain text cannot tell that something is wrong: it is what the vendor said.
fn is_said(fault: Fault) -> bool {
    matches!(
        fault,
        Fault::Prose
            | Fault::NearlyJson
            | Fault::CutSilently
            | Fault::Late
            | Fault::CutFirstValue
            | Fault::Echo
            | Fault::RepeatedRows
            | Fault::EmptyObject
            | Fault::WrongKinds
            | Fault::NoUsage
    )
}

/// A whole answer of a text, or the failure.
fn assert_text(fault: Fault, status: u16, body: &Value) {
    match body["text"].as_str() {
        Some(text) if is_said(fault) => {
            assert!(!text.is_empty(), "{body}");
            assert_eq!(body["finishReason"], "stop", "{body}");
        }
        Some(_) => {
            let reasons: &[&str] = match fault {
                Fault::CutAtLimit | Fault::CutFirstValueAtLimit => &["length"],
                Fault::ContentFilter => &["content_filter", "refused"],
                Fault::Refusal => &["refused", "refusal", "content_filter"],
                // An answer without text is none of a failure, and says so.
                Fault::EmptyContent => {
                    assert!(body["warnings"][0].is_string(), "{body}");
                    &["stop"]
                }
                other => panic!("{other:?}: {body}"),
            };
            let reason = body["finishReason"].as_str().unwrap_or_default();
            assert!(reasons.contains(&reason), "{body}");
        }
        None => {
            assert!(!is_said(fault) && status != 200, "{body}");
            assert_named(fault, body, body["code"].as_str().unwrap());
        }
    }
}

/// What was charged is booked; where the vendor counts nothing, it is estimated.
async fn assert_booked(fault: Fault, vendor: &Vendor, server: &Server) {
    // Names of models are asked for too, where one is unknown; that is no call of a model.
    let calls = u64::from(vendor.ledger().calls(GROUP));
    let booked = booked(server, calls).await["total"].clone();
    let booked = (booked["inputTokens"].as_u64().unwrap(), booked["outputTokens"].as_u64().unwrap());
    match fault {
        Fault::NoUsage => assert!(booked.0 > 0 && booked.1 > 0, "{booked:?}"),
        // What a call without an answer costs is estimated.
        _ if fault.is_free() => {}
        _ => assert_eq!(booked, charged(vendor)),
    }
}

async fn text(fault: Fault, vendor: &Vendor, server: &Server) {
    let answer = ask(server, question()).await;
    assert_text(fault, answer.status, &answer.value());
    assert_booked(fault, vendor, server).await;
}

async fn stream(fault: Fault, vendor: &Vendor, server: &Server) {
    let mut body = question();
    body["stream"] = json!(true);
    let answer = ask(server, body).await;
    if answer.header("content-type") == "text/event-stream" {
        let events = events(answer.text());
        let (pieces, (last, value)) = told(&events);
        let status = if last == "done" { 200 } else { 502 };
        assert_text(fault, status, value);
        if last == "done" {
            assert_eq!(value["text"], pieces);
        }
    } else if fault == Fault::CutConnection {
        // This vendor's answer breaks off before it is known to be a stream.
        answer.fails(502, "provider_protocol");
    } else {
        assert_text(fault, answer.status, &answer.value());
    }
    assert_booked(fault, vendor, server).await;
}

async fn json_value(fault: Fault, vendor: &Vendor, server: &Server) {
    let mut body = question();
    body["responseFormat"] = one_field();
    let answer = ask(server, body).await;
    let value = answer.value();
    match value["text"].as_str() {
        Some(text) => {
            let record: Value = serde_json::from_str(text).unwrap();
            assert_eq!(record, json!({"number": delivery_note::number(GROUP)}), "{value}");
        }
        None => assert_named(fault, &value, value["code"].as_str().unwrap()),
    }
    assert_booked(fault, vendor, server).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_text_of_a_vendor_that_fails_says_how_it_ended_or_is_a_failure_that_is_named() {
    each(ForcedFault::always, &[], text).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stream_of_a_vendor_that_fails_ends_with_the_reason_or_the_failure() {
    each(ForcedFault::always, &[], stream).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn json_of_a_vendor_that_fails_is_right_or_a_failure_that_is_named() {
    each(ForcedFault::always, &[], json_value).await;
}
