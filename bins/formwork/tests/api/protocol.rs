//! What holds for every request: ids, methods, unknown paths, odd requests.

use std::io::{Read as _, Write as _};

use reqwest::Method;
use serde_json::json;

use crate::kit::{Server, operations};

#[tokio::test(flavor = "multi_thread")]
async fn a_request_id_is_taken_over_when_it_is_plain_and_made_otherwise() {
    let server = Server::start();
    let id = async |sent: &str| {
        let answer = server.request(Method::GET, "/health").header("x-request-id", sent).send().await;
        answer.header("x-request-id").to_owned()
    };
    let longest = "a".repeat(128);
    for plain in ["a", "7b0e-41_x.y:z", &longest] {
        assert_eq!(id(plain).await, plain);
    }
    let too_long = "a".repeat(129);
    for odd in ["", "a b", "a\tb", "é", "<x>", "a\"b", &too_long] {
        let made = id(odd).await;
        assert!(made.len() == 16 && made != odd, "{made}");
    }
    assert_ne!(id("").await, id("").await);
}

#[tokio::test(flavor = "multi_thread")]
async fn unknown_paths_are_answered_like_every_other_error() {
    let server = Server::start();
    for path in [
        "/v1",
        "/v1/",
        "/v1/nothing",
        "/v1/form/a/b",
        "/V1/form",
        "/v1//form",
        "/v1/form/",
        "/files",
        "/files/a/b/c",
        "/%2e%2e/etc/passwd",
        "/v1/form%2Fx",
        "/v1%2fform",
    ] {
        for method in [Method::GET, Method::POST, Method::DELETE, Method::from_bytes(b"BREW").unwrap()] {
            let answer = server.request(method.clone(), path).open().send().await;
            assert_eq!(
                (answer.status, &answer.value()["code"]),
                (404, &json!("unknown_route")),
                "{method} {path}"
            );
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_path_tells_the_methods_it_has_to_those_it_has_not() {
    let server = Server::start();
    let mut paths: Vec<&str> = operations().map(|(_, path, _)| path).collect();
    paths.dedup();
    for shape in paths {
        let path = shape.replace(['{', '}'], "");
        let mut has: Vec<String> = operations()
            .filter(|(_, other, _)| *other == shape)
            .map(|(method, ..)| method.to_string())
            .collect();
        if has.contains(&"GET".to_owned()) {
            has.push("HEAD".to_owned());
        }
        has.push("OPTIONS".to_owned());
        has.sort();
        for method in ["GET", "POST", "PUT", "DELETE", "PATCH", "TRACE", "BREW", "OPTIONS"] {
            let known = has.contains(&method.to_owned());
            if known && method != "OPTIONS" {
                continue;
            }
            let answer =
                server.request(Method::from_bytes(method.as_bytes()).unwrap(), &path).open().send().await;
            let mut allowed: Vec<&str> = answer.header("allow").split(", ").collect();
            allowed.sort_unstable();
            assert_eq!(allowed, has, "{method} {path}");
            if known {
                assert_eq!((answer.status, answer.body.len()), (204, 0));
            } else {
                answer.fails(405, "method_not_allowed");
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn odd_segments_name_nothing_and_break_nothing() {
    let server = Server::start();
    let long = "x".repeat(20_000);
    for segment in [
        "%00",
        "%FF%FE",
        "%",
        "%zz",
        "%2e%2e%2f",
        "..%5C",
        "%F0%9F%98%80",
        "e%CC%81",
        "a%20b",
        "%2B",
        "'%20OR%201=1",
        ":",
        "@",
        "~",
        ";a=b",
        "a+b",
        &long,
    ] {
        for path in [
            format!("/v1/form/{segment}"),
            format!("/v1/agent/{segment}"),
            format!("/v1/files/{segment}"),
            format!("/files/{segment}"),
            format!("/v1/agent/{segment}/workflow/delta"),
        ] {
            let answer = server.get(&path).await;
            assert_eq!(answer.status, 404, "{path:.100}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn bytes_that_are_no_request_end_their_own_connection_alone() {
    let server = Server::start();
    let long_header = format!("GET /health HTTP/1.1\r\nhost: x\r\nx: {}\r\n\r\n", "a".repeat(1 << 20));
    let many_headers = format!("GET /health HTTP/1.1\r\nhost: x\r\n{}\r\n", "a: b\r\n".repeat(5_000));
    let long_path = format!("GET /{} HTTP/1.1\r\nhost: x\r\n\r\n", "a".repeat(1 << 20));
    for bytes in [
        b"nonsense\r\n\r\n".as_slice(),
        b"\0\0\0\0\0\0\0\0\0\0",
        b"GET /health\r\n\r\n",
        b"GET /health HTTP/9.9\r\nhost: x\r\n\r\n",
        b"GET /health HTTP/1.1\r\nbad header\r\n\r\n",
        b"GET /health HTTP/1.1\r\nhost: x\r\nx: a\0b\r\n\r\n",
        b"POST /v1/form HTTP/1.1\r\nhost: x\r\ncontent-length: -1\r\n\r\n",
        b"POST /v1/form HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab",
        b"POST /v1/form HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n",
        b"POST /v1/form HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n",
        b"POST /v1/form HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\nffffffffffffffffff\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
        long_header.as_bytes(),
        many_headers.as_bytes(),
        long_path.as_bytes(),
    ] {
        let answer = server.half_closed(bytes);
        let status = answer.get(9..12).unwrap_or_default();
        assert!(answer.is_empty() || status.starts_with('4') || status.starts_with('5') && status == "505", "{:?}: {answer}", &bytes[..bytes.len().min(60)]);
        server.get("/health").await.ok();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn requests_that_come_together_are_answered_in_their_order() {
    let server = Server::start();
    let one = |path: &str, id: &str| format!("GET {path} HTTP/1.1\r\nhost: x\r\nx-request-id: {id}\r\n\r\n");
    let mut together =
        one("/health", "r1") + &one("/v1/me", "r2") + &one("/nothing", "r3") + &one("/health", "r4");
    together.push_str("GET /health HTTP/1.1\r\nhost: x\r\nx-request-id: r5\r\nconnection: close\r\n\r\n");
    let answers = server.raw(together.as_bytes());
    let lines: Vec<&str> = answers.lines().filter(|l| l.starts_with("x-request-id")).collect();
    assert_eq!(lines, ["r1", "r2", "r3", "r4", "r5"].map(|id| format!("x-request-id: {id}")));
    // A body that was not wanted does not become the next request.
    let unread = "POST /v1/form HTTP/1.1\r\nhost: x\r\ncontent-length: 43\r\n\r\nGET /health HTTP/1.1\r\nhost: x\r\nx: smuggled\r\n\r\n";
    let answer = server.raw(unread.as_bytes());
    assert_eq!(answer.matches("HTTP/1.1 ").count(), 1, "{answer}");
}

#[tokio::test(flavor = "multi_thread")]
async fn many_idle_and_slow_connections_leave_room_for_others() {
    let server = Server::start();
    let mut slow: Vec<_> = (0..300).map(|_| server.connect()).collect();
    for (index, stream) in slow.iter_mut().enumerate() {
        let begun = [
            "",
            "G",
            "GET /health HTTP/1.1\r\nho",
            "POST /v1/form HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\n{",
        ];
        stream.write_all(begun[index % begun.len()].as_bytes()).unwrap();
    }
    for _ in 0..20 {
        server.get("/health").await.ok();
    }
    let stream = &mut slow[2];
    stream.write_all(b"st: x\r\nconnection: close\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 200 OK"), "{answer}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_that_does_not_arrive_is_given_up() {
    let server = Server::with("limits.request_seconds = 1");
    let head = format!(
        "POST /v1/form HTTP/1.1\r\nhost: x\r\nx-service-key: {}\r\ncontent-length: 9\r\n\r\n{{",
        server.key
    );
    let upload = format!(
        "POST /v1/files HTTP/1.1\r\nhost: x\r\nx-service-key: {}\r\ncontent-length: 999\r\n\
         content-type: multipart/form-data; boundary=b\r\n\r\n--b\r\ncontent-disposition: form-data; name=\"files\"; filename=\"a\"\r\n\r\nabc",
        server.key
    );
    let begun = ["GET /health HTTP/1.1\r\nho", &head, &upload].map(|begun| {
        let mut stream = server.connect();
        stream.write_all(begun.as_bytes()).unwrap();
        stream
    });
    for mut stream in begun {
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        assert!(answer.starts_with("HTTP/1.1 4"), "{answer}");
    }
    assert_eq!(server.stored("blobs").len(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn health_and_readiness_need_no_key() {
    let server = Server::start();
    for path in ["/health", "/ready"] {
        let answer = server.request(Method::GET, path).open().send().await.ok();
        assert_eq!((&answer["status"], answer["version"].is_string()), (&json!("ok"), true));
    }
}
