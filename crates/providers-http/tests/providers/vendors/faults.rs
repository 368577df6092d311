//! Upstreams that misbehave: every operation of both vendors ends, with the right fault and a sentence
//! without the key. What is the same for every vendor is tested beside the transport.

use std::time::Duration;

use gen_core::Fault;
use providers_http::Limits;
use serde_json::json;
use testkit::upstream::{Reply, Upstream};

use super::kit::{KEY, Operation, hasty, small};

/// Bytes that the sockets between two processes may hold beside what was read.
const IN_FLIGHT: u64 = 24 << 20;

async fn all_are(expected: Fault, limits: Limits, reply: impl Fn(Operation) -> Reply) {
    for operation in Operation::ALL {
        let upstream = Upstream::start_replies([reply(operation)]).unwrap();
        let url = upstream.url();
        let call = tokio::time::timeout(Duration::from_secs(50), operation.call(&url, limits));
        let error = call.await.expect("every call ends").unwrap_err();
        assert_eq!(error.fault, expected, "{operation:?}: {error:?}");
        assert!(!error.message.is_empty() && error.message.chars().count() <= 500);
        assert!(!format!("{error:?}").contains(KEY), "{operation:?}");
        assert!(upstream.written() < IN_FLIGHT, "{operation:?} read {} bytes", upstream.written());
    }
}

fn begun(operation: Operation) -> Reply {
    Reply::chunked(200, &[("content-type", operation.content_type())])
}

/// `json` as a whole answer, or as the only event of one.
fn said(operation: Operation, json: &str) -> Reply {
    let body = if operation.is_stream() { format!("data: {json}\n\n") } else { json.to_owned() };
    Reply::whole(200, operation.content_type(), body)
}

#[tokio::test]
async fn a_connection_closed_at_any_stage_is_unreachable() {
    all_are(Fault::Unreachable, small(), |_| Reply::raw().close()).await;
    all_are(Fault::Unreachable, small(), |_| Reply::raw().write("HTTP/1.1 200 OK\r\ncont").close()).await;
    all_are(Fault::Unreachable, small(), |operation| begun(operation).close()).await;
    all_are(Fault::Unreachable, small(), |operation| begun(operation).write("400\r\n{\"can").close()).await;
}

#[tokio::test]
async fn silence_at_any_stage_is_a_timeout() {
    all_are(Fault::Timeout, hasty(), |_| Reply::raw().hold()).await;
    all_are(Fault::Timeout, hasty(), |operation| begun(operation).hold()).await;
    all_are(Fault::Timeout, hasty(), |operation| begun(operation).chunk("{\"a").hold()).await;
}

#[tokio::test]
async fn answers_that_are_none_are_a_breach_of_protocol() {
    let deep = "[".repeat(100_000);
    for json in ["{\"content\": [", "7", "\"text\"", "nonsense", "\u{7f}", &deep[..1_000], &deep[..50_000]] {
        all_are(Fault::Protocol, small(), |operation| said(operation, json)).await;
    }
}

#[tokio::test]
async fn wrong_types_in_any_field_are_a_breach_of_protocol() {
    for wrong in [json!(7), json!("x"), json!({"usage": 7}), json!([7]), json!(["x"])] {
        let body = json!({
            // Anthropic's answer, its records, and its list; Google's answer, vectors, and list.
            "type": "message_start", "message": wrong, "content": wrong, "data": wrong,
            "candidates": wrong, "embeddings": wrong, "models": wrong
        });
        all_are(Fault::Protocol, small(), |operation| said(operation, &body.to_string())).await;
    }
}

#[tokio::test]
async fn an_endless_answer_is_cut() {
    let endless = |operation: Operation| {
        let (begin, more) =
            if operation.is_stream() { ("data: ", "a".repeat(4096)) } else { ("[", "1,".repeat(2048)) };
        begun(operation).chunk(begin).endless(format!("1000\r\n{more}\r\n"))
    };
    all_are(Fault::Protocol, small(), endless).await;
}

#[tokio::test]
async fn a_failure_told_with_status_200_is_a_failure() {
    let anthropic = json!({"type": "error", "error": {"type": "overloaded_error", "message": "Busy"}});
    let google = json!({"error": {"code": 503, "message": "Busy", "status": "UNAVAILABLE"}});
    for body in [anthropic, google] {
        all_are(Fault::Overloaded, small(), |operation| {
            let body = body.to_string();
            let named = format!("event: error\ndata: {body}\n\n");
            match operation {
                Operation::AnthropicStream => Reply::whole(200, "text/event-stream", named),
                _ => said(operation, &body),
            }
        })
        .await;
    }
}
