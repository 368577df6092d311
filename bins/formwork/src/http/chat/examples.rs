//! Sample values of conversations in the OpenAPI document.

use serde_json::{Value, json};

use crate::http::examples::{CREATED, FORM, list_meta};

const SESSION: &str = "session_019c9e47a1b27d3e8f10b2c4d6e8fa0c";

pub(super) fn message() -> Value {
    json!({"message": "12 crates, please", "session_id": SESSION})
}

/// A turn of the guided conversation.
pub(in crate::http) fn guided() -> Value {
    json!({
        "session_id": SESSION,
        "text": "Noted: crates – 12.\n\nPlease tell me the port of delivery.",
        "form": {
            "status": "filling",
            "values": {"crates": 12, "port": null},
            "next": {
                "field": "port", "path": "/port", "choices": [],
                "definition": {"type": "string", "order": 2, "description": "Port of delivery", "required": true},
                "question": "Please tell me the port of delivery."
            },
            "missing": ["port"], "errors": [], "complete": false,
            "progress": {"filled": 1, "total": 2}, "submission_id": null
        },
        "context": [], "statements": [], "citations": [],
        "finishReason": "stop",
        "usage": {"inputTokens": 0, "outputTokens": 0, "cachedTokens": 0, "cost": 0.0},
        "warnings": []
    })
}

/// A streamed answer of a free conversation.
pub(super) const EVENTS: &str = "event: delta\ndata: {\"text\":\"Gladly.\"}\n\n\
    event: done\ndata: {\"session_id\":\"session_019c9e47a1b27d3e8f10b2c4d6e8fa0c\",\"text\":\"Gladly.\",\"context\":[],\
    \"statements\":[],\"citations\":[],\"finishReason\":\"stop\",\
    \"usage\":{\"inputTokens\":12,\"outputTokens\":3,\"cachedTokens\":0,\"cost\":0.0},\"warnings\":[]}\n\n";

fn summary() -> Value {
    json!({
        "id": SESSION, "title": "I want to order 12 crates", "status": "filling", "form_id": FORM,
        "progress": {"filled": 1, "total": 2}, "taken_over_by": null, "turns": 2,
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
        {"number": 1, "role": "user", "content": "I want to order 12 crates",
         "changes": [{"path": "/crates", "value": 12, "source": "said"}], "timestamp": CREATED,
         "finishReason": null, "usage": null},
        {"number": 2, "role": "assistant", "content": "Where shall they go?", "timestamp": "2026-03-14 09:26:54",
         "finishReason": "stop", "usage": {"inputTokens": 0, "outputTokens": 0, "cachedTokens": 0, "cost": 0.0}}
    ]);
    session["form"] = guided()["form"].take();
    session["sources"] = json!({"/crates": {"source": "said"}});
    session
}

/// A session that a person has taken over.
pub(super) fn taken_over() -> Value {
    let mut session = summary();
    session["taken_over_by"] =
        json!({"userName": "Ada", "userEmail": "ada@harbour.example", "since": "2026-03-14 09:26:54"});
    session
}

/// A session that the agent has again.
pub(super) fn given_back() -> Value {
    let mut session = summary();
    session["turns"] = json!(3);
    session
}

/// A message of a person.
pub(super) fn person_message() -> Value {
    json!({
        "number": 3, "role": "assistant", "content": "I am Ada. Which port is it, please?", "author": "Ada",
        "timestamp": CREATED, "finishReason": null, "usage": null
    })
}

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
