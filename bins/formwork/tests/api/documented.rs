//! What the description says of many operations alike, asked of each of them.

use reqwest::Method;
use serde_json::{Value, json};

use testkit::upstream::Upstream;

use crate::generate::kit::{before, said};
use crate::kit::{Home, Server, description, invoice_schema, operations};

/// The operations that document this status, with paths that can be called.
fn documenting(status: &str) -> Vec<(Method, String, &'static Value)> {
    // Secret keys are refused by the operations for public ones before anything else.
    let all = operations().filter(|(_, path, operation)| {
        !path.starts_with("/v1/public/") && operation["responses"].get(status).is_some()
    });
    let filled = all.map(|(method, path, operation)| {
        let path = path.replace("{resource}", "file").replace("{version}", "1");
        let path = path
            .replace("{note_id}", "1")
            .replace("{file_id}", "1")
            .replace("{sid}", "1")
            .replace(['{', '}'], "");
        (method, path, operation)
    });
    filled.collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn every_operation_that_needs_a_key_counts_its_requests() {
    let home = Home::new("");
    let server = home.start();
    let key = home.told(&["keys", "create", "--requests-per-minute", "1", "--scope", "admin"]);
    server.request(Method::GET, "/v1/me").key(&key).send().await.ok();
    let counted = documenting("429");
    for (method, path, _) in &counted {
        let answer = server.request(method.clone(), path).key(&key).send().await;
        answer.fails(429, "rate_limited");
        assert!(answer.header("retry-after").parse::<u64>().unwrap() <= 60, "{method} {path}");
    }
    assert!(counted.len() > 20);
}

#[tokio::test(flavor = "multi_thread")]
async fn every_operation_that_takes_json_refuses_a_body_over_the_limit() {
    let server = Server::with("[limits]\njson_body_bytes = 2000\ngroups_body_bytes = 2000");
    let key = server.home.told(&["keys", "create", "--scope", "admin"]);
    for (method, path, operation) in documenting("413") {
        if operation["requestBody"]["content"].get("application/json").is_some() {
            let body = format!("{{\"x\": \"{}\"}}", "x".repeat(2_000));
            let call = server.request(method, &path).key(&key).body("application/json", body);
            let answer = call.send().await;
            answer.fails(413, "body_too_large");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_operation_that_is_done_once_refuses_another_body_under_the_same_key() {
    let vendor = Upstream::start(|_| said("Four.")).unwrap();
    let server = before(&vendor);
    let file = server.files(&[("a.txt", "A")]).await.remove(0);
    let form = server.form(invoice_schema()).await;
    let store = server.post("/openai/v1/vector_stores", json!({})).await.ok();
    let store = format!("/openai/v1/vector_stores/{}", store["id"].as_str().unwrap());
    let bodies = [
        (
            "/v1/notes",
            json!({"content": "a", "role": "user", "resource": "file", "resource_id": file["id"].to_string()}),
        ),
        ("/v1/utilities/schema_generator", json!({"content": "a form with name and email"})),
        ("/v1/utilities/classifier", json!({"documents": [{"url": file["id"]}], "forms": [form]})),
        ("/v1/utilities/splitter", json!({"documents": [{"url": file["id"]}]})),
        ("/v1/utilities/schema_from_documents", json!({"urls": [file["id"]]})),
        ("/openai/v1/responses", json!({"model": "extractive@formwork", "input": "What is 2 + 2?"})),
        ("/openai/v1/responses/compact", json!({"model": "m@openai", "input": "What is 2 + 2?"})),
        ("/openai/v1/vector_stores", json!({"name": "Leases"})),
        (
            "/anthropic/v1/messages",
            json!({"model": "extractive@formwork", "messages": [{"role": "user", "content": "What is 2 + 2?"}]}),
        ),
        (&*format!("{store}/files"), json!({"file_id": file["id"].to_string()})),
    ];
    for (path, body) in bodies {
        let send = |body: Value| {
            server
                .request(Method::POST, path)
                .header("idempotency-key", path.replace('/', "-"))
                .json(&body)
                .send()
        };
        send(body.clone()).await.ok();
        let mut other = body;
        other["content"] = json!("another form with a phone number");
        send(other).await.fails(409, "idempotency_key_reused");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn content_is_read_in_parts_and_once_under_its_address_without_a_name_too() {
    let server = Server::start();
    let file = server.files(&[("a.txt", "ABCDEF")]).await.remove(0);
    let named = file["url"].as_str().unwrap().strip_prefix(&server.url).unwrap().to_owned();
    let path = named.strip_suffix("/a.txt").unwrap();
    let read = |name: &str, value: &str| server.request(Method::GET, path).open().header(name, value).send();
    let part = read("range", "bytes=1-2").await;
    assert_eq!((part.status, part.text()), (206, "BC"));
    read("range", "bytes=9-").await.fails(416, "range_not_satisfiable");
    let etag = part.header("etag");
    assert_eq!(read("if-none-match", etag).await.status, 304);
    assert!(description()["paths"].get("/files/{token}").is_some());
}
