//! Upstreams that misbehave: every operation ends, with the right fault, having read no more than its
//! limit.

use std::io::Write as _;
use std::time::Duration;

use flate2::Compression;
use flate2::write::GzEncoder;
use gen_core::Fault;
use providers_http::{Limits, OpenAiCompatible};
use testkit::upstream::{Reply, Upstream};

use super::kit::{Operation, endpoint, hasty, small};

/// Bytes that the sockets between two processes may hold beside what was read.
const IN_FLIGHT: u64 = 24 << 20;

/// How every operation fails on `reply`.
async fn faults(reply: impl Fn(Operation) -> Reply, limits: Limits) -> Vec<(Operation, Fault)> {
    let mut all = Vec::new();
    for operation in Operation::ALL {
        let upstream = Upstream::start_replies([reply(operation)]).unwrap();
        all.push((operation, fault(operation, &upstream, limits).await));
        assert!(upstream.written() < IN_FLIGHT, "{operation:?} read {} bytes", upstream.written());
    }
    all
}

async fn fault(operation: Operation, upstream: &Upstream, limits: Limits) -> Fault {
    let client = OpenAiCompatible::openai(endpoint(&upstream.url(), limits));
    let call = tokio::time::timeout(Duration::from_secs(50), operation.call(&client));
    let error = call.await.expect("every call ends").unwrap_err();
    assert!(!error.message.is_empty() && error.message.chars().count() <= 500);
    error.fault
}

async fn all_are(expected: Fault, limits: Limits, reply: impl Fn(Operation) -> Reply) {
    for (operation, fault) in faults(reply, limits).await {
        assert_eq!(fault, expected, "{operation:?}");
    }
}

fn begun(operation: Operation) -> Reply {
    Reply::chunked(200, &[("content-type", operation.content_type())])
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

#[tokio::test]
async fn nobody_listening_is_unreachable() {
    let gone = Upstream::start_closing().unwrap().url();
    for operation in Operation::ALL {
        let client = OpenAiCompatible::openai(endpoint(&gone, small()));
        assert_eq!(operation.call(&client).await.unwrap_err().fault, Fault::Unreachable, "{operation:?}");
    }
}

#[tokio::test]
async fn a_connection_closed_at_any_stage_is_unreachable() {
    let closing = Upstream::start_closing().unwrap();
    for operation in Operation::ALL {
        assert_eq!(fault(operation, &closing, small()).await, Fault::Unreachable, "{operation:?}");
    }
    all_are(Fault::Unreachable, small(), |_| Reply::raw().close()).await;
    all_are(Fault::Unreachable, small(), |_| Reply::raw().write("HTTP/1.1 200 OK\r\ncont").close()).await;
    all_are(Fault::Unreachable, small(), |operation| begun(operation).close()).await;
    all_are(Fault::Unreachable, small(), |operation| begun(operation).write("400\r\n{\"choi").close()).await;
    let short = |operation: Operation| {
        let kind = operation.content_type();
        let head = format!("HTTP/1.1 200 OK\r\ncontent-type: {kind}\r\ncontent-length: 9\r\n\r\n{{");
        Reply::raw().write(head).close()
    };
    all_are(Fault::Unreachable, small(), short).await;
}

#[tokio::test]
async fn silence_at_any_stage_is_a_timeout() {
    all_are(Fault::Timeout, hasty(), |_| Reply::raw().hold()).await;
    all_are(Fault::Timeout, hasty(), |_| Reply::raw().write("HTTP/1.1 200 OK\r\n").hold()).await;
    all_are(Fault::Timeout, hasty(), |operation| begun(operation).hold()).await;
    all_are(Fault::Timeout, hasty(), |operation| begun(operation).chunk("{\"a").hold()).await;
}

#[tokio::test]
async fn a_slow_drip_is_a_timeout() {
    let drip = |operation| {
        (0..10_000).fold(begun(operation), |reply, _| reply.chunk(" ").wait(Duration::from_millis(10)))
    };
    all_are(Fault::Timeout, hasty(), drip).await;
}

#[tokio::test]
async fn garbage_instead_of_http_is_a_breach_of_protocol() {
    all_are(Fault::Protocol, small(), |_| Reply::raw().write("\x16\x03\x01 what is this\r\n\r\n").close())
        .await;
}

#[tokio::test]
async fn garbage_instead_of_an_answer_is_a_breach_of_protocol() {
    for body in [&b"nonsense"[..], b"{\"choices\": [", b"\xff\xfe", b"", b"null"] {
        for operation in Operation::ALL {
            // Any bytes can be a sound.
            let fault_of_nothing = match operation {
                Operation::Speech if !body.is_empty() => continue,
                // What is no event is passed over, and then the end is missing.
                Operation::Stream if !body.starts_with(b"\xff") => Fault::Unreachable,
                _ => Fault::Protocol,
            };
            let body = [body, b"\n"].concat();
            let body = if body.len() == 1 { Vec::new() } else { body };
            let reply = Reply::whole(200, operation.content_type(), body.clone());
            let upstream = Upstream::start_replies([reply]).unwrap();
            assert_eq!(
                fault(operation, &upstream, small()).await,
                fault_of_nothing,
                "{operation:?} {body:?}"
            );
        }
    }
}

#[tokio::test]
async fn half_a_character_is_a_breach_of_protocol() {
    let half = |operation| match operation {
        Operation::Stream => begun(operation).chunk(b"data: {\"a\": \"\xf0\x9f\"}\n\n").end(),
        // A sound has no characters.
        Operation::Speech => Reply::whole(200, "application/json", &b"{\"audio_data\": \"\xf0\x9f\"}"[..]),
        _ => Reply::whole(200, operation.content_type(), &b"{\"a\": \"\xf0\x9f\"}"[..]),
    };
    all_are(Fault::Protocol, small(), half).await;
}

#[tokio::test]
async fn a_web_page_is_a_breach_of_protocol_that_says_so() {
    for operation in Operation::ALL {
        let page = Reply::whole(200, "text/html; charset=utf-8", "<!doctype html><title>Login</title>");
        let upstream = Upstream::start_replies([page]).unwrap();
        let client = OpenAiCompatible::openai(endpoint(&upstream.url(), small()));
        let error = operation.call(&client).await.unwrap_err();
        assert_eq!(error.fault, Fault::Protocol, "{operation:?}");
        assert_eq!(error.message, "the provider answered with a web page; its base URL may be wrong");
    }
}

#[tokio::test]
async fn a_wrong_content_type_is_a_breach_of_protocol() {
    let wrong = |operation| match operation {
        Operation::Speech => Reply::whole(200, "text/plain", "hello"),
        Operation::Stream => Reply::whole(200, "application/json", "{}"),
        _ => Reply::whole(200, "image/png", "{}"),
    };
    all_are(Fault::Protocol, small(), wrong).await;
}

#[tokio::test]
async fn an_endless_body_is_cut() {
    // One chunk that claims ten gigabytes; a body without an end; and endless chunks.
    let block = " ".repeat(64 << 10);
    all_are(Fault::Protocol, small(), |operation| {
        begun(operation).write("2540BE400\r\n").endless(block.clone())
    })
    .await;
    all_are(Fault::Protocol, small(), |operation| {
        let kind = operation.content_type();
        let head = format!("HTTP/1.1 200 OK\r\ncontent-type: {kind}\r\nconnection: close\r\n\r\n");
        Reply::raw().write(head).endless(block.clone())
    })
    .await;
    all_are(Fault::Protocol, small(), |operation| {
        begun(operation).endless(format!("1000\r\n{}\r\n", "\n".repeat(4096)))
    })
    .await;
}

#[tokio::test]
async fn a_body_that_announces_ten_gigabytes_is_not_begun() {
    all_are(Fault::Protocol, small(), |operation| {
        let kind = operation.content_type();
        let head = format!("HTTP/1.1 200 OK\r\ncontent-type: {kind}\r\ncontent-length: 10000000000\r\n\r\n");
        Reply::raw().write(head).endless(" ".repeat(64 << 10))
    })
    .await;
}

#[tokio::test]
async fn endless_headers_are_cut() {
    for (operation, fault) in faults(
        |_| Reply::raw().write("HTTP/1.1 200 OK\r\n").endless(format!("x-a: {}\r\n", "b".repeat(1000))),
        small(),
    )
    .await
    {
        assert!(matches!(fault, Fault::Protocol | Fault::Unreachable), "{operation:?} {fault:?}");
    }
}

#[tokio::test]
async fn a_bomb_of_compressed_nothing_is_cut() {
    let bomb = gzip(&vec![b' '; 64 << 20]);
    all_are(Fault::Protocol, small(), |operation| {
        let headers = [("content-type", operation.content_type()), ("content-encoding", "gzip")];
        Reply::whole_with(200, &headers, bomb.clone())
    })
    .await;
}

#[tokio::test]
async fn compression_that_is_none_is_a_breach_of_protocol() {
    all_are(Fault::Protocol, small(), |operation| {
        let headers = [("content-type", operation.content_type()), ("content-encoding", "gzip")];
        Reply::whole_with(200, &headers, "this was never compressed")
    })
    .await;
}

#[tokio::test]
async fn millions_of_empty_entries_are_read_over() {
    let limits = Limits { json_bytes: 8 << 20, ..small() };
    for (operation, key) in
        [(Operation::Chat, "choices"), (Operation::Embed, "data"), (Operation::Image, "data")]
    {
        let body = format!("{{\"{key}\": [{}{{}}]}}", "{},".repeat(2 << 20));
        let upstream = Upstream::start_replies([Reply::whole(200, "application/json", body)]).unwrap();
        let client = OpenAiCompatible::openai(endpoint(&upstream.url(), limits));
        // A choice may be empty; the others are wrong in number or content.
        match operation.call(&client).await {
            Ok(()) => assert_eq!(operation, Operation::Chat),
            Err(error) => assert_eq!(error.fault, Fault::Protocol, "{operation:?}"),
        }
    }
}

#[tokio::test]
async fn json_that_is_nested_too_deep_is_a_breach_of_protocol() {
    let deep = format!("{{\"choices\": {}", "[".repeat(200_000));
    for operation in [Operation::Chat, Operation::Embed, Operation::Image, Operation::List] {
        let reply = Reply::whole(200, "application/json", deep.clone());
        let upstream = Upstream::start_replies([reply]).unwrap();
        assert_eq!(fault(operation, &upstream, small()).await, Fault::Protocol, "{operation:?}");
    }
}

#[tokio::test]
async fn an_error_without_an_end_is_told_by_its_status() {
    all_are(Fault::Overloaded, small(), |_| {
        Reply::chunked(503, &[("content-type", "application/json")]).endless("5\r\nxxxxx\r\n")
    })
    .await;
    all_are(Fault::Overloaded, small(), |_| Reply::chunked(503, &[]).close()).await;
}

#[tokio::test]
async fn one_event_that_is_too_long_is_cut() {
    let limits = Limits { stream_bytes: usize::MAX, ..small() };
    for start in ["data: ", ": ", "event: "] {
        let reply = Reply::event_stream().chunk(start).endless(format!("1000\r\n{}\r\n", "x".repeat(4096)));
        let upstream = Upstream::start_replies([reply]).unwrap();
        assert_eq!(fault(Operation::Stream, &upstream, limits).await, Fault::Protocol, "{start}");
    }
    let reply = Reply::event_stream().endless(format!("1001\r\n{}\n\r\n", "data: x\n".repeat(512)));
    let upstream = Upstream::start_replies([reply]).unwrap();
    assert_eq!(fault(Operation::Stream, &upstream, limits).await, Fault::Protocol);
}
