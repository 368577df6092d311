//! Utilities on documents.

mod documents;
mod hostile;
mod pages;
pub(crate) mod thumbnails;

use reqwest::Method;
use serde_json::{Value, json};

use crate::kit::{Answer, Parts, Server};

/// The operations that take documents.
const OPERATIONS: [&str; 4] = ["docparser", "tables", "keyvalues", "thumbnail"];

/// Asks about documents by reference; the answer is still to be judged.
async fn ask(server: &Server, operation: &str, urls: Value) -> Answer {
    server.post(&format!("/v1/utilities/{operation}"), json!({"urls": urls})).await
}

/// Asks about uploads; the answer is still to be judged.
async fn ask_of(server: &Server, operation: &str, parts: Parts) -> Answer {
    server.request(Method::POST, &format!("/v1/utilities/{operation}")).multipart(parts).send().await
}

/// What only a successful item has.
fn content<'a>(operation: &str, item: &'a Value) -> &'a Value {
    match operation {
        "docparser" => &item["body"],
        "tables" => &item["tables"],
        "keyvalues" => &item["pairs"],
        _ => &item["thumbnail"],
    }
}

fn is_empty(value: &Value) -> bool {
    value == "" || value == &json!([])
}
