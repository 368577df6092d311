//! Notes over HTTP, on the real binary.

mod deletion;
mod hostile;
mod list;
mod records;
mod refusals;

use reqwest::Method;
use serde_json::{Value, json};

use crate::kit::{Answer, Server};

/// A fresh server with an agent called `a`.
async fn start() -> Server {
    let server = Server::start();
    server.post("/v1/agent", json!({"namespace": "a"})).await.ok();
    server
}

async fn send(server: &Server, method: Method, path: &str, key: &str, body: Option<&Value>) -> Answer {
    let call = server.request(method, path).key(key);
    if let Some(body) = body { call.json(body).send().await } else { call.send().await }
}

async fn delete(server: &Server, path: &str, body: Value) -> Answer {
    send(server, Method::DELETE, path, &server.key, Some(&body)).await
}

/// Uploads a file and gives its id as text.
async fn file(server: &Server) -> String {
    server.files(&[("a.txt", "x")]).await[0]["id"].to_string()
}

/// Adds a note and gives its id.
async fn note(server: &Server, resource: &str, id: &str, content: &str) -> String {
    let body = json!({"content": content, "role": "user", "resource": resource, "resource_id": id});
    server.post("/v1/notes", body).await.ok()["noteId"].as_str().unwrap().to_owned()
}

async fn count(server: &Server, resource: &str, id: &str) -> u64 {
    let list = server.get(&format!("/v1/notes/{resource}/{id}")).await.ok();
    list["meta"]["total_items"].as_u64().unwrap()
}

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}
