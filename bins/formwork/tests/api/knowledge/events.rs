//! The work on a base, followed by server-sent events.

use reqwest::Method;
use serde_json::{Value, json};

use super::kit::{add, base, ready_text, text};
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
