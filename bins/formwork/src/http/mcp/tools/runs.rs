//! Runs of batch extraction: started as tasks, or followed to their end.

use delta_core::RunId;
use serde_json::{Map, Value, json};

use super::result::ToolOutcome;
use crate::http::ApiError;
use crate::http::mcp::catalogue;
use crate::http::mcp::exchange::Exchange;
use crate::http::mcp::tasks::{extension, follow, outcome, requested};

/// The argument by which a call waits for the end of the run.
const WAIT: &str = "wait";

/// The schema of the arguments.
pub(super) fn input(mut schema: Value) -> Value {
    schema["properties"][WAIT] = json!({
        "type": "boolean",
        "description": "Whether to wait for the end of the run; its progress is told to clients that ask for it."
    });
    schema
}

/// Starts a run. `is_task`: the client asks for a task.
///
/// # Errors
/// Those of the operations.
pub(super) async fn call(
    exchange: &Exchange,
    mut arguments: Map<String, Value>,
    is_task: bool,
) -> Result<ToolOutcome, ApiError> {
    let is_awaited = match arguments.remove(WAIT) {
        None | Some(Value::Null) => false,
        Some(Value::Bool(wait)) => wait,
        Some(_) => return Err(ApiError::invalid("/wait", "'wait' must be true or false")),
    };
    let namespace = arguments.get("namespace").and_then(Value::as_str).unwrap_or_default().to_owned();
    arguments.insert("async".to_owned(), json!(true));
    let run = catalogue::call(exchange, "run_delta", arguments).await?;
    let sid = run["sid"].as_i64().unwrap_or_default();
    if exchange.terms.has_tasks {
        return Ok(ToolOutcome::Task(extension::created(exchange, &namespace, &run)));
    }
    if is_task {
        return Ok(ToolOutcome::Task(requested::created(exchange, &namespace, &run)));
    }
    if !is_awaited {
        return Ok(ToolOutcome::Done(json!({"run": run})));
    }
    follow(exchange, &namespace, RunId(sid)).await?;
    Ok(ToolOutcome::Done(outcome(exchange, &namespace, sid).await?))
}
