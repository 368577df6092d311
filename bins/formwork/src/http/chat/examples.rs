//! The sample values of conversations in the description.

use serde_json::{Value, json};

use crate::http::examples::{CREATED, FORM, list_meta};

const SESSION: &str = "session_019c9e47a1b27d3e8f10b2c4d6e8fa0c";

fn summary() -> Value {
    json!({
        "id": SESSION, "title": "I want to order 12 crates", "status": "filling", "form_id": FORM, "turns": 2,
        "language": "en", "created_timestamp": CREATED, "updated_timestamp": "2026-03-14 09:26:54",
        "userName": "Ada"
    })
}

/// A list of sessions.
pub(super) fn sessions() -> Value {
    json!({"sessions": [summary()], "meta": list_meta(50)})
}

/// A session with its messages.
pub(super) fn session() -> Value {
    let mut session = summary();
    session["messages"] = json!([
        {"role": "user", "content": "I want to order 12 crates", "timestamp": CREATED},
        {"role": "assistant", "content": "Where shall they go?", "timestamp": "2026-03-14 09:26:54"}
    ]);
    session["form"] = json!({"crates": 12});
    session
}

/// A form that was filled.
pub(super) fn submission() -> Value {
    json!({
        "id": "submission_019c9e4802f97c518a3be4d6c8fa0c2e", "session_id": SESSION, "form_id": FORM,
        "record": {"crates": 12, "port": "Hull"}, "created_timestamp": CREATED, "userName": "Ada"
    })
}

/// A list of submissions.
pub(super) fn submissions() -> Value {
    json!({"submissions": [submission()], "meta": list_meta(50)})
}

/// A table of submissions.
pub(super) const CSV: &str = "id,session_id,created_timestamp,crates,port\r\n\
    submission_019c9e4802f97c518a3be4d6c8fa0c2e,session_019c9e47a1b27d3e8f10b2c4d6e8fa0c,\
    2026-03-14 09:26:53,12,Hull\r\n";
