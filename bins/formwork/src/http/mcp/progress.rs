//! Messages of the server about a request: its progress, as the client asked for, and questions to the client's user.

use serde_json::{Map, Value, json};
use tokio::sync::mpsc::UnboundedSender;

/// Where the messages about a request are sent. A client that has gone away hears nothing.
pub(super) type Outbox = UnboundedSender<Value>;

/// The method of progress.
pub(super) const METHOD: &str = "notifications/progress";

/// Where the progress of a request is told.
#[derive(Clone, Debug)]
pub(super) struct Progress {
    /// What the client named its request.
    pub(super) token: Value,
    pub(super) outbox: Outbox,
}

impl Progress {
    /// Tells a step. `done` must grow with each.
    pub(super) fn tell(&self, done: u64, total: u64, message: impl Into<String>) {
        let mut step = notification(&self.token, done, &message.into());
        step["params"]["total"] = json!(total);
        self.outbox.send(step).unwrap_or_default();
    }
}

/// The notification of a step.
pub(super) fn notification(token: &Value, done: u64, message: &str) -> Value {
    let params = json!({"progressToken": token, "progress": done, "message": message});
    json!({"jsonrpc": "2.0", "method": METHOD, "params": params})
}

/// The token by which a client wants to hear of the progress of its request.
pub(super) fn token(params: &Map<String, Value>) -> Option<Value> {
    let token = params.get("_meta")?.get("progressToken")?;
    (token.is_string() || token.is_i64() || token.is_u64()).then(|| token.clone())
}
