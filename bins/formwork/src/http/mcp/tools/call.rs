//! What a call of a tool carries.

use serde_json::{Map, Value};

/// The parameters of `tools/call` besides the name.
pub(super) struct ToolCall {
    pub(super) arguments: Map<String, Value>,
    /// What the client's user has answered, by the keys of the questions.
    pub(super) responses: Map<String, Value>,
    /// What the client was told to send back.
    pub(super) state: Option<String>,
    /// Whether the client asks for a task.
    pub(super) is_task: bool,
}
