//! Passes each request to the server, and what it answers back. Requests do not wait for each other.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::task::{AbortHandle, JoinSet};

use super::standard_streams::{self, Line, Output};
use super::upstream::Upstream;

/// How long requests in flight are awaited after the end of the input.
const PATIENCE: Duration = Duration::from_secs(5);
/// Maximum number of requests in flight.
const MAX_OPEN: usize = 64;

/// Passes messages until standard input ends or standard output is closed.
pub(super) async fn run(upstream: Upstream) -> anyhow::Result<()> {
    let mut lines = standard_streams::lines();
    let (output, mut closed) = standard_streams::output();
    let mut bridge =
        Bridge { upstream: Arc::new(upstream), output, open: HashMap::new(), tasks: JoinSet::new() };
    loop {
        tokio::select! {
            _ = closed.recv() => return Ok(()),
            line = lines.recv(), if bridge.tasks.len() < MAX_OPEN => match line {
                Some(line) => bridge.take(line),
                None => break,
            },
            Some(_ended) = bridge.tasks.join_next(), if !bridge.tasks.is_empty() => {}
        }
    }
    let rest = async { while bridge.tasks.join_next().await.is_some() {} };
    tokio::time::timeout(PATIENCE, rest).await.unwrap_or_default();
    drop(bridge);
    // Until all is written.
    closed.recv().await;
    Ok(())
}

struct Bridge {
    upstream: Arc<Upstream>,
    output: Output,
    /// The requests in flight by their ids.
    open: HashMap<String, AbortHandle>,
    tasks: JoinSet<()>,
}

impl Bridge {
    fn take(&mut self, line: Line) {
        let message = match &line {
            Line::Text(text) if text.trim_ascii().is_empty() => return,
            Line::Text(text) => serde_json::from_slice::<Value>(text),
            Line::TooLong => return self.refuse(-32_600, "the message is too long"),
        };
        match message {
            Ok(message) if message["method"] == "notifications/cancelled" => self.cancel(&message),
            // Its end is what cancels a request; the server needs no other notification.
            Ok(message) if message.is_object() && message.get("id").is_none() => {}
            Ok(message) => self.pass(message),
            Err(error) => self.refuse(-32_700, &format!("the message is not valid JSON: {error}")),
        }
    }

    fn refuse(&self, code: i64, message: &str) {
        let error = json!({"jsonrpc": "2.0", "error": {"code": code, "message": message}});
        self.output.send(error).unwrap_or_default();
    }

    fn cancel(&mut self, notification: &Value) {
        if let Some(request) = self.open.remove(&notification["params"]["requestId"].to_string()) {
            request.abort();
        }
    }

    fn pass(&mut self, message: Value) {
        self.open.retain(|_, request| !request.is_finished());
        let id = message["id"].to_string();
        let (upstream, output) = (Arc::clone(&self.upstream), self.output.clone());
        let request = self.tasks.spawn(async move { upstream.pass(message, &output).await });
        self.open.insert(id, request);
    }
}
