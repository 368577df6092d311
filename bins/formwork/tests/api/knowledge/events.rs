//! The work on a base, followed by server-sent events.

use reqwest::Method;
use serde_json::{Value, json};
use testkit::upstream::{Reply, Upstream};

use super::kit::{add, base, base_with, ready_text, text};
use crate::generate::kit::settings;
use crate::kit::Server;

/// The events of a text: their names and data.
fn events(text: &str) -> Vec<(String, Value)> {
    let blocks = text.split("\n\n").filter(|block| !block.is_empty() && !block.starts_with(':'));
    let event = |block: &str| {
        let field = |name: &str| block.lines().find_map(|line| line.strip_prefix(name)).unwrap();
        (field("event: ").to_owned(), serde_json::from_str(field("data: ")).unwrap())
    };
    blocks.map(event).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_work_on_a_base_is_followed_to_its_end() {
    let server = Server::with("[knowledge]\nconcurrency = 1");
    let base = base(&server).await;
    let texts: Vec<Value> = (0..60).map(|n| text("t", &format!("Words number {n}."))).collect();
    add(&server, &base, json!({"texts": texts, "urls": ["https://example.com/"]})).await.ok();
    let answer = server.get(&format!("/knowledgebase/{base}/events")).await;
    assert_eq!((answer.status, answer.header("content-type")), (200, "text/event-stream"));
    let events = events(answer.text());
    let (name, end) = events.last().unwrap();
    assert_eq!((name.as_str(), &end["knowledgeId"]), ("end", &json!(base)));
    assert_eq!(end["status"], json!({"queued": 0, "processing": 0, "ready": 60, "failed": 1}));
    let (progress, last) = events.split_at(events.len() - 1);
    assert!(progress.iter().all(|(name, _)| name == "progress") && last.len() == 1);
    let ready: Vec<u64> = events.iter().map(|(_, base)| base["status"]["ready"].as_u64().unwrap()).collect();
    assert!(ready.is_sorted(), "{ready:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_base_at_rest_is_told_at_once() {
    let server = Server::start();
    let base = base(&server).await;
    ready_text(&server, &base, "t", "Words.").await;
    let path = format!("/v1/knowledgebase/{base}/events");
    let told = events(server.get(&path).await.text());
    assert_eq!((told.len(), told[0].0.as_str(), &told[0].1["files"]), (1, "end", &json!(1)));
    let head = server.request(Method::HEAD, &path).send().await;
    assert_eq!((head.status, head.body.len()), (200, 0));
    server.get("/knowledgebase/kb_none/events").await.fails(404, "knowledge_base_not_found");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reader_of_events_does_not_keep_the_server_from_stopping_and_goes_on_with_the_next() {
    // Work that waits for its vendor.
    let vendor = Upstream::playing([Reply::json(503, &json!({"error": {"message": "busy"}}))]).unwrap();
    let mut server = Server::with(&settings(&vendor.url(), ""));
    let wanted = json!({"name": "Harbour", "embeddingModel": "text-embedding-3-small@openai"});
    let base = base_with(&server, wanted).await;
    add(&server, &base, json!({"texts": [text("t", "Words.")]})).await.ok();
    let path = format!("/knowledgebase/{base}/events");
    let call = server.client.get(format!("{}{path}", server.url)).header("x-service-key", &server.key);
    let mut reader = call.send().await.unwrap();
    let first = reader.chunk().await.unwrap().unwrap();
    assert!(first.starts_with(b"event: progress\n"), "{first:?}");
    server.terminate();
    while let Some(more) = reader.chunk().await.unwrap() {
        assert!(!more.starts_with(b"event: end"), "the work is not over");
    }
    assert_eq!(server.wait().code(), Some(0));
    let server = server.home.clone().start();
    server.put(&format!("/knowledgebase/{base}"), json!({"embeddingModel": null})).await.ok();
    let told = events(server.get(&path).await.text());
    assert_eq!(told.last().unwrap().0, "end", "{told:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_base_that_is_deleted_meanwhile_is_told_of_by_an_error() {
    let vendor = Upstream::playing([Reply::json(503, &json!({"error": {"message": "busy"}}))]).unwrap();
    let server = Server::with(&settings(&vendor.url(), ""));
    let wanted = json!({"name": "Harbour", "embeddingModel": "text-embedding-3-small@openai"});
    let base = base_with(&server, wanted).await;
    add(&server, &base, json!({"texts": [text("t", "Words.")]})).await.ok();
    let path = format!("/knowledgebase/{base}");
    let followed = format!("{path}/events");
    let (told, deleted) = futures_util::join!(server.get(&followed), async {
        vendor.until_received(1).await;
        server.delete(&path).await
    });
    deleted.ok();
    if told.status == 200 {
        let told = events(told.text());
        let (name, error) = told.last().unwrap();
        assert_eq!((name.as_str(), &error["code"]), ("error", &json!("knowledge_base_not_found")));
    }
}
