//! JSON bodies: malformed, deep, large, of other types, and odd but valid.

use reqwest::Method;
use serde_json::{Value, json};

use crate::kit::{Answer, Server, invoice_schema};

/// Operations that take a JSON body.
pub(crate) const WITH_BODY: [(Method, &str); 7] = [
    (Method::POST, "/v1/form"),
    (Method::POST, "/v1/agent"),
    (Method::PUT, "/v1/agent/inv"),
    (Method::POST, "/v1/utilities/schema_validator"),
    (Method::POST, "/v1/utilities/schema_generator"),
    (Method::POST, "/v1/agent/inv/workflow/delta"),
    (Method::POST, "/v1/notes"),
];

pub(crate) async fn send(server: &Server, operation: &(Method, &str), body: impl Into<Vec<u8>>) -> Answer {
    server.request(operation.0.clone(), operation.1).body("application/json", body).send().await
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_not_json_is_refused_on_every_operation_that_takes_it() {
    let server = Server::start();
    server.agent("inv", invoice_schema()).await;
    let own: [&[u8]; 16] = [
        b"",
        b" ",
        b"{",
        b"{\"a\":1,}",
        b"[1,]",
        b"{'a':1}",
        b"nul",
        b"NaN",
        b"01",
        b"1.",
        b"\"\\x\"",
        b"\"\n\"",
        b"{} {}",
        b"{\"a\":\"\xff\"}",
        b"\xef\xbb\xbf{}",
        b"\xff\xfe{\0}\0",
    ];
    for operation in &WITH_BODY {
        for body in own {
            let answer = send(&server, operation, body).await;
            let told = answer.fails(400, "malformed_json");
            assert!(told["message"].as_str().unwrap().starts_with("the body is not valid JSON: "), "{told}");
        }
        let deep = "[".repeat(100_000) + &"]".repeat(100_000);
        send(&server, operation, deep).await.fails(400, "malformed_json");
        send(&server, operation, "{\"schema\":".repeat(100_000)).await.fails(400, "malformed_json");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn odd_but_valid_json_is_read_and_stored_as_sent() {
    let server = Server::start();
    let create = async |text: &str| {
        server.request(Method::POST, "/v1/form").body("application/json", text).send().await.ok()
    };
    // The last of two equal keys counts.
    let made = create(r#"{"title": "a", "title": "b", "schema": {"x": {"type": "string"}}}"#).await;
    assert_eq!(made["title"], "b");
    let made = create("\t{\"title\"\r:\"\\u00e9\\ud83d\\ude00\\/\\u0000\",\n\"schema\":{\" \":{\"type\":\"string\",\"big\":[9007199254740993,-9007199254740993,18446744073709551615,1e3,0.1,-0.0,1E-7]}}} ").await;
    assert_eq!(made["title"], "é😀/\0");
    let read = server.get(&format!("/v1/form/{}", made["form_id"].as_str().unwrap())).await;
    assert_eq!(read.ok(), made);
    assert!(
        read.text().contains("[9007199254740993,-9007199254740993,18446744073709551615,"),
        "{}",
        read.text()
    );
    let escaped = create(r#"{"titl\u0065": "x", "schema": {"a": {"typ\u0065": "string"}}}"#).await;
    assert_eq!(escaped["schema"], json!({"a": {"type": "string"}}));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_form_may_nest_as_deep_as_the_rules_say_and_no_deeper() {
    let server = Server::start();
    let nested = |levels: usize| {
        (1..levels)
            .fold(json!({"type": "string"}), |inner, _| json!({"type": "object", "properties": {"x": inner}}))
    };
    let create =
        async |levels| server.post("/v1/form", json!({"title": "t", "schema": {"x": nested(levels)}})).await;
    create(7).await.ok();
    for levels in [9, 30, 60] {
        create(levels).await.fails(400, "validation_failed");
    }
    // Deep values that no rule looks at come back as they went.
    let deep: Value = serde_json::from_str(&("[".repeat(100) + &"]".repeat(100))).unwrap();
    let schema = json!({"x": {"type": "string", "own": deep}});
    let id = server.form(schema.clone()).await;
    assert_eq!(server.get(&format!("/v1/form/{id}")).await.ok()["schema"], schema);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_body_over_the_limit_is_refused_before_it_is_read() {
    let server = Server::with("limits.json_body_bytes = 1000");
    let body = json!({"title": "x".repeat(1_000), "schema": {"a": {"type": "string"}}});
    let told = server.post("/v1/form", body).await.fails(413, "body_too_large");
    assert_eq!(told["message"], "the body may have at most 1000 bytes");
    // Only announced: the answer comes though the body never does.
    let head = |length: &str| {
        format!(
            "POST /v1/form HTTP/1.1\r\nhost: x\r\nx-service-key: {}\r\n{length}\r\nconnection: close\r\n\r\n",
            server.key
        )
    };
    let answer = server.raw(head("content-length: 1001").as_bytes());
    assert!(answer.starts_with("HTTP/1.1 413 "), "{answer}");
    let chunk = format!("3e9\r\n{}\r\n0\r\n\r\n", "x".repeat(1_001));
    let answer = server.raw((head("transfer-encoding: chunked") + &chunk).as_bytes());
    assert!(answer.starts_with("HTTP/1.1 413 ") && answer.contains("body_too_large"), "{answer}");
    let short = json!({"title": "x", "schema": {"a": {"type": "string"}}});
    server.post("/v1/form", short).await.ok();
}

#[tokio::test(flavor = "multi_thread")]
async fn the_content_type_decides_and_its_parameters_do_not() {
    let server = Server::start();
    let body = json!({"title": "x", "schema": {"a": {"type": "string"}}}).to_string();
    let create =
        async |kind: &str| server.request(Method::POST, "/v1/form").body(kind, body.clone()).send().await;
    for kind in [
        "application/json",
        "application/json; charset=utf-8",
        "APPLICATION/JSON;x=\"y\"",
        "application/problem+json",
    ] {
        create(kind).await.ok();
    }
    for kind in [
        "text/plain",
        "text/json",
        "application/x-www-form-urlencoded",
        "application/jsonx",
        "",
        "multipart/form-data; boundary=x",
    ] {
        create(kind).await.fails(415, "unsupported_content_type");
    }
    let gzip = server.request(Method::POST, "/v1/form").header("content-encoding", "gzip");
    gzip.body("application/json", body.clone()).send().await.fails(415, "unsupported_content_encoding");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_body_that_ends_early_is_refused() {
    let server = Server::start();
    let head = format!(
        "POST /v1/form HTTP/1.1\r\nhost: x\r\nx-service-key: {}\r\ncontent-length: 100\r\n\r\n{{\"title\"",
        server.key
    );
    let answer = server.half_closed(head.as_bytes());
    assert!(answer.is_empty() || answer.contains("incomplete_body"), "{answer}");
    assert_eq!(server.get("/v1/form").await.ok()["meta"]["total_items"], 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn strings_of_every_kind_are_stored_and_answered_as_sent() {
    texts(&Server::start()).await;
}

/// Texts that a store could stumble over.
pub(crate) async fn texts(server: &Server) {
    for text in [
        "'; DROP TABLE forms; --",
        "\" OR 1=1",
        "<script>alert(1)</script>",
        "${7*7} {{7*7}} %s %n %x",
        "../../etc/passwd",
        "\u{0}\u{1}\u{7f}",
        "e\u{301} \u{e9}",
        "\u{202e}rtl\u{202c}",
        "\u{feff}bom",
        "Z\u{364}\u{36f}algo",
        "👩‍👩‍👧‍👦",
        "\u{fffd}\u{ffff}",
        "\r\n\t",
        "ﷺ",
        "null",
        "0x10",
        "1e999",
        "\\u0000",
        "test\u{2028}\u{2029}",
    ] {
        round_trip(server, "texts", text).await;
    }
}

/// A text through the title, a field's name, its description and option, and the texts of an agent
/// that is made for it.
pub(crate) async fn round_trip(server: &Server, namespace: &str, text: &str) {
    let option = if text.trim().is_empty() { "x" } else { text };
    // Names have a limit, and are more than nothing.
    let field = if text.is_empty() || text.chars().count() > 256 { "x" } else { text };
    let schema =
        json!({field: {"type": "string", "description": text, "enum": ["", option], "examples": [text]}});
    let title = format!("t{text}");
    let made = server.post("/v1/form", json!({"title": title, "schema": schema})).await.ok();
    assert_eq!((&made["title"], &made["schema"]), (&json!(title), &schema));
    let id = made["form_id"].as_str().unwrap();
    assert_eq!(server.get(&format!("/v1/form/{id}")).await.ok(), made);
    let name: String = text.chars().take(255).collect();
    let texts = json!({"name": name, "description": text, "instructions": text});
    let mut agent = texts.clone();
    agent["namespace"] = json!(namespace);
    server.post("/v1/agent", agent).await.ok();
    let read = server.get(&format!("/v1/agent/{namespace}")).await.ok();
    for key in ["name", "description", "instructions"] {
        assert_eq!(read[key], texts[key]);
    }
    server.delete(&format!("/v1/agent/{namespace}")).await.ok();
    server.delete(&format!("/v1/form/{id}")).await.ok();
}
