//! The results of tools.

use serde_json::{Value, json};

use crate::http::ApiError;
use crate::http::mcp::schema::LIST;

/// What a call of a tool gives.
pub(super) enum ToolOutcome {
    /// A result.
    Done(Value),
    /// A question to the client's user, as a result of its own.
    Question(Value),
    /// A task, as a result of its own.
    Task(Value),
}

impl ToolOutcome {
    pub(super) fn into_result(self) -> Value {
        match self {
            Self::Done(value) => tool_result(value),
            Self::Question(result) | Self::Task(result) => result,
        }
    }
}

/// The result of a tool: structured, and the same as text. A list becomes an object.
pub(in crate::http::mcp) fn tool_result(value: Value) -> Value {
    let value = if value.is_object() { value } else { json!({LIST: value}) };
    json!({
        "content": [{"type": "text", "text": value.to_string()}],
        "structuredContent": value,
        "isError": false
    })
}

/// The result of a call that failed: what the agent can correct.
pub(super) fn failed(error: ApiError) -> Value {
    let body = error.log_and_body();
    let mut text = format!("{}: {}", body.code, body.message);
    for item in &body.errors {
        match item.path.as_str() {
            "" if item.message == body.message => {}
            "" => text.push_str(&format!("\n{}", item.message)),
            path => text.push_str(&format!("\n{path}: {}", item.message)),
        }
    }
    json!({"content": [{"type": "text", "text": text}], "isError": true})
}
