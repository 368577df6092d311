//! Sample values of public forms in the OpenAPI document.

use serde_json::{Value, json};

use crate::http::chat::guided_example;
use crate::http::examples::CREATED;

pub(super) fn form() -> Value {
    json!({"title": "Order", "description": "Crates for ships, delivered to the port."})
}

pub(super) fn message() -> Value {
    json!({
        "message": "12 crates, please", "session_id": guided_example()["session_id"],
        "files": [{"name": "order.txt", "content": "MTIgY3JhdGVz"}]
    })
}

pub(super) fn answer() -> Value {
    let mut guided = guided_example();
    json!({
        "session_id": guided["session_id"].take(), "text": guided["text"].take(), "form": guided["form"].take()
    })
}

pub(super) fn session() -> Value {
    let mut guided = guided_example();
    json!({
        "session_id": guided["session_id"].take(),
        "messages": [
            {"number": 1, "role": "user", "content": "12 crates, please", "timestamp": CREATED},
            {"number": 2, "role": "assistant", "content": guided["text"].take(), "timestamp": CREATED}
        ],
        "form": guided["form"].take()
    })
}
