//! Requests that are not as they should be.

use reqwest::Method;
use serde_json::{Value, json};

use super::{OPERATIONS, ask, ask_of};
use crate::kit::{Parts, Server};

#[tokio::test(flavor = "multi_thread")]
async fn bodies_that_break_a_rule_are_refused_with_its_place() {
    let server = Server::start();
    let many = vec!["1"; 101];
    let long = "x".repeat(4_097);
    for operation in OPERATIONS {
        for (urls, place) in [
            (json!([]), "/urls"),
            (json!(many), "/urls"),
            (json!([long]), "/urls/0"),
            (json!("1"), "/urls"),
            (json!({"0": "1"}), "/urls"),
            (json!(null), "/urls"),
            (json!([true]), "/urls/0"),
            (json!([null]), "/urls/0"),
            (json!(["1", ["1"]]), "/urls/1"),
            (json!([{"url": "1"}]), "/urls/0"),
            (json!([1.5]), "/urls/0"),
            (json!([-1]), "/urls/0"),
        ] {
            ask(&server, operation, urls).await.fails_at(400, "validation_failed", place);
        }
        let path = format!("/v1/utilities/{operation}");
        for (body, code) in [
            ("[]", "validation_failed"),
            ("{}", "validation_failed"),
            ("", "malformed_json"),
            ("{\"urls\": [", "malformed_json"),
        ] {
            let call = server.request(Method::POST, &path).body("application/json", body);
            call.send().await.fails(400, code);
        }
        ask_of(&server, operation, Parts::new().field("other", "x")).await.fails(400, "validation_failed");
        let cut =
            server.request(Method::POST, &path).body("multipart/form-data; boundary=x", "--x\r\nnothing");
        cut.send().await.fails(400, "malformed_multipart");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn references_that_lead_nowhere_are_errors_of_their_own_item() {
    let server = Server::start();
    let wrong = format!("{}/files/{}/a.txt", server.url, "x".repeat(32));
    let cases = [
        ("data:text/plain,hello", "invalid_url"),
        ("file:///etc/passwd", "invalid_url"),
        ("javascript:alert(1)", "invalid_url"),
        ("../../etc/passwd", "invalid_url"),
        ("ftp://example.com/a.pdf", "invalid_url"),
        ("http://ada:secret@example.com/", "invalid_url"),
        ("http://", "invalid_url"),
        ("0", "invalid_url"),
        ("", "invalid_url"),
        (" \t", "invalid_url"),
        ("999999999999999999999", "invalid_url"),
        ("42", "file_not_found"),
        (wrong.as_str(), "file_not_found"),
        ("http://169.254.169.254/latest/meta-data", "fetch_denied"),
        ("https://10.0.0.1/\u{202e}fdp.exe", "fetch_denied"),
        ("https://example.com/a b", "invalid_url"),
    ];
    let urls: Vec<&str> = cases.iter().map(|(url, _)| *url).collect();
    for operation in OPERATIONS {
        let answer = ask(&server, operation, json!(urls)).await.ok();
        for (item, (url, code)) in answer.as_array().unwrap().iter().zip(cases) {
            assert_eq!((&item["url"], &item["error"]["code"]), (&json!(url), &json!(code)), "{operation}");
            let message = item["error"]["message"].as_str().unwrap();
            assert!(!message.is_empty() && !message.contains("secret"), "{operation}: {message}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_picture_should_be_like_has_its_bounds() {
    let server = Server::start();
    let file = server.files(&[("a.txt", "Hull")]).await.remove(0);
    let path = "/v1/utilities/thumbnail";
    for (name, bad) in [
        ("width", json!(15)),
        ("width", json!(2_049)),
        ("width", json!(-1)),
        ("width", json!("320")),
        ("page", json!(0)),
        ("page", json!(1_000_001)),
        ("format", json!("gif")),
        ("format", json!(1)),
    ] {
        let mut body = json!({"urls": [file["id"]]});
        body[name] = bad.clone();
        server.post(path, body).await.fails_at(400, "validation_failed", &format!("/{name}"));
        if let Some(text) = bad.as_str().map(str::to_owned).or(bad.as_i64().map(|n| n.to_string()))
            && bad != "320"
            && bad != json!(1)
        {
            let path = format!("{path}?{name}={text}");
            let answer = server.post(&path, json!({"urls": [file["id"]]})).await;
            answer.fails_at(400, "validation_failed", &format!("?{name}"));
        }
    }
    let absent: Value = json!({"urls": [file["id"]], "width": null, "page": null, "format": null});
    server.post(path, absent).await.ok();
}
