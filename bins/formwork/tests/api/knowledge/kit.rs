//! Bases with something in them.

use reqwest::Method;
use serde_json::{Value, json};

use crate::kit::{Answer, Parts, Server, settle};

/// Makes a base and gives its id.
pub(crate) async fn base(server: &Server) -> String {
    base_with(server, json!({"name": "Harbour"})).await
}

pub(super) async fn base_with(server: &Server, body: Value) -> String {
    let made = server.post("/knowledgebase", body).await.ok();
    made["knowledgeId"].as_str().unwrap().to_owned()
}

/// Adds data; the answer is still to be judged.
pub(super) async fn add(server: &Server, base: &str, body: Value) -> Answer {
    server.post(&format!("/knowledgebase/{base}/files"), body).await
}

/// Adds data, and gives its records.
pub(super) async fn added(server: &Server, base: &str, body: Value) -> Vec<Value> {
    add(server, base, body).await.ok()["files"].as_array().unwrap().clone()
}

/// Uploads into a base; the answer is still to be judged.
pub(super) async fn upload(server: &Server, base: &str, parts: Parts) -> Answer {
    let path = format!("/knowledgebase/{base}/files");
    server.request(Method::POST, &path).multipart(parts).send().await
}

/// A text to be added.
pub(super) fn text(title: &str, content: &str) -> Value {
    json!({"title": title, "content": content})
}

/// Adds a text, waits until the work on it is over, and gives its id.
pub(crate) async fn ready_text(server: &Server, base: &str, title: &str, content: &str) -> String {
    let item = added(server, base, json!({"texts": [text(title, content)]})).await.remove(0);
    let id = item["id"].as_str().unwrap().to_owned();
    assert_eq!(done(server, &id).await["status"], "ready");
    id
}

/// The record of an item once the work on it is over.
pub(super) async fn done(server: &Server, id: &str) -> Value {
    let path = format!("/knowledgebase/files/{id}");
    let over = async || {
        let item = server.get(&path).await.ok();
        item["status"] == "ready" || item["status"] == "failed"
    };
    settle("the end of the work on a file", over).await;
    server.get(&path).await.ok()
}

/// The record of a base once nothing is left to do.
pub(super) async fn settled(server: &Server, base: &str) -> Value {
    let path = format!("/knowledgebase/{base}");
    let idle = async || {
        let status = server.get(&path).await.ok()["status"].clone();
        status["queued"] == 0 && status["processing"] == 0
    };
    settle("the end of the work on a base", idle).await;
    server.get(&path).await.ok()
}

/// Searches; the answer is still to be judged.
pub(super) async fn search(server: &Server, base: &str, body: Value) -> Answer {
    server.post(&format!("/knowledgebase/{base}/search"), body).await
}

/// The results of a search by words.
pub(super) async fn found(server: &Server, base: &str, query: &str) -> Vec<Value> {
    let answer = search(server, base, json!({"query": query})).await.ok();
    answer["results"].as_array().unwrap().clone()
}

/// The titles of what a search finds, best first.
pub(super) async fn titles(server: &Server, base: &str, query: &str) -> Vec<String> {
    found(server, base, query).await.iter().map(|hit| hit["title"].as_str().unwrap().to_owned()).collect()
}

/// The keys of an object, in order.
pub(super) fn keys(value: &Value) -> Vec<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

/// How many items the base has.
pub(super) async fn count(server: &Server, base: &str) -> u64 {
    let list = server.get(&format!("/knowledgebase/files?knowledgeId={base}")).await.ok();
    list["meta"]["total_items"].as_u64().unwrap()
}
