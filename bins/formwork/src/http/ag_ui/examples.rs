//! Sample values of AG-UI in the OpenAPI document.

use serde_json::{Value, json};

pub(super) fn input() -> Value {
    json!({
        "threadId": "order-7", "runId": "run-1", "state": {},
        "messages": [{"id": "1", "role": "user", "content": "12 crates, please"}],
        "tools": [], "context": [], "forwardedProps": {}
    })
}

/// A run of a guided conversation.
pub(super) const EVENTS: &str = "data: {\"type\":\"RUN_STARTED\",\"threadId\":\"order-7\",\"runId\":\"run-1\"}\n\n\
    data: {\"type\":\"TEXT_MESSAGE_START\",\"messageId\":\"message-run-1\",\"role\":\"assistant\"}\n\n\
    data: {\"type\":\"TEXT_MESSAGE_CONTENT\",\"messageId\":\"message-run-1\",\"delta\":\"Noted.\"}\n\n\
    data: {\"type\":\"TEXT_MESSAGE_END\",\"messageId\":\"message-run-1\"}\n\n\
    data: {\"type\":\"STATE_DELTA\",\"delta\":[{\"op\":\"replace\",\"path\":\"/form/values/crates\",\"value\":12}]}\n\n\
    data: {\"type\":\"RUN_FINISHED\",\"threadId\":\"order-7\",\"runId\":\"run-1\"}\n\n";
