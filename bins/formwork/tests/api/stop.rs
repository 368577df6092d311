//! Stopping: what is under way is brought to its end.

use std::io::{Read as _, Write as _};

use reqwest::Method;
use serde_json::json;

use crate::kit::{Server, invoice, invoice_schema, settle};

#[tokio::test(flavor = "multi_thread")]
async fn a_request_that_is_under_way_is_answered_before_the_server_ends() {
    let mut server = Server::start();
    server.agent("inv", invoice_schema()).await;
    let body = br#"{"title": "late", "schema": {"a": {"type": "string"}}}"#;
    let head = format!(
        "POST /v1/form HTTP/1.1\r\nhost: x\r\nx-service-key: {}\r\ncontent-length: {}\r\nexpect: 100-continue\r\n\r\n",
        server.key,
        body.len()
    );
    let mut stream = server.connect();
    stream.write_all(head.as_bytes()).unwrap();
    // The server has the request in work once it asks for the body.
    let mut asked = [0; 25];
    stream.read_exact(&mut asked).unwrap();
    assert!(asked.starts_with(b"HTTP/1.1 100 Continue"));
    server.terminate();
    let address = server.address().to_owned();
    settle("no new connections", async || std::net::TcpStream::connect(&address).is_err()).await;
    assert!(server.process.try_wait().unwrap().is_none(), "it must wait for the open request");
    stream.write_all(body).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 200 OK"), "{answer}");
    assert_eq!(server.wait().code(), Some(0));
    let again = server.home.start();
    assert_eq!(again.get("/v1/form?title=late").await.ok()["meta"]["total_items"], 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_batch_that_is_under_way_is_answered_whole_before_the_server_ends() {
    const GROUPS: usize = 120;
    let mut server = Server::with("workers.model_threads = 1\nlimits.run_concurrency = 2");
    server.agent("inv", invoice_schema()).await;
    let text = invoice("N-1", "5.00") + &"A line of a longer paper.\n".repeat(100);
    let file = server.files(&[("a.txt", &text)]).await.remove(0);
    let path = "/v1/agent/inv/workflow/delta";
    let groups = json!(vec![json!([{"url": file["id"]}]); GROUPS]);
    let call = server.request(Method::POST, path).json(&groups);
    let answer = tokio::spawn(call.send());
    settle("some progress", async || server.get(path).await.header("x-total-count") != "0").await;
    server.terminate();
    let answer = answer.await.unwrap().ok();
    assert_eq!(answer["results"].as_array().unwrap().len(), GROUPS);
    assert_eq!(server.wait().code(), Some(0));
    let again = server.home.start();
    assert_eq!(again.get(path).await.header("x-total-count"), GROUPS.to_string());
}

#[tokio::test(flavor = "multi_thread")]
async fn an_idle_connection_does_not_hold_up_the_end() {
    let mut server = Server::start();
    let mut idle = server.connect();
    idle.write_all(b"GET /health HTTP/1.1\r\nhost: x\r\n\r\n").unwrap();
    let mut some = [0; 12];
    idle.read_exact(&mut some).unwrap();
    server.terminate();
    assert_eq!(server.wait().code(), Some(0));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_that_never_arrives_holds_up_the_end_no_longer_than_the_settings_say() {
    let mut server = Server::with("limits.drain_seconds = 1");
    let mut stuck = server.connect();
    let head = format!(
        "POST /v1/form HTTP/1.1\r\nhost: x\r\nx-service-key: {}\r\ncontent-length: 9\r\n\r\n",
        server.key
    );
    stuck.write_all(head.as_bytes()).unwrap();
    server.terminate();
    assert_eq!(server.wait().code(), Some(0));
}
