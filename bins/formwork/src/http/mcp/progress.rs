//! Progress of a request, as its client asked for.

use serde_json::{Map, Value, json};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

/// Where the progress of a request is told.
#[derive(Clone, Debug)]
pub(super) struct Progress(UnboundedSender<Step>);

/// A step of the progress.
#[derive(Debug)]
pub(super) struct Step {
    /// How much is done; it grows with each step.
    pub(super) done: u64,
    /// How much there is to do, if that is known.
    pub(super) total: Option<u64>,
    /// What is done.
    pub(super) message: String,
}

impl Progress {
    pub(super) fn channel() -> (Self, UnboundedReceiver<Step>) {
        let (sender, receiver) = unbounded_channel();
        (Self(sender), receiver)
    }

    /// Tells a step. A client that has gone away hears nothing.
    pub(super) fn tell(&self, done: u64, total: u64, message: impl Into<String>) {
        let step = Step { done, total: Some(total), message: message.into() };
        self.0.send(step).unwrap_or_default();
    }
}

impl Step {
    /// The notification of this step.
    pub(super) fn notification(&self, token: &Value) -> Value {
        let Self { done, total, message } = self;
        let mut params = json!({"progressToken": token, "progress": done, "message": message});
        if let Some(total) = total {
            params["total"] = json!(total);
        }
        json!({"jsonrpc": "2.0", "method": "notifications/progress", "params": params})
    }
}

/// The token by which a client wants to hear of the progress of its request.
pub(super) fn token(params: &Map<String, Value>) -> Option<Value> {
    let token = params.get("_meta")?.get("progressToken")?;
    (token.is_string() || token.is_i64() || token.is_u64()).then(|| token.clone())
}
