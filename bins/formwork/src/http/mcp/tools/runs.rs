//! Runs of batch extraction: started as tasks, or followed to their end.

use delta_core::{RunEvent, RunId};
use futures_util::StreamExt as _;
use serde_json::{Map, Value, json};

use super::result::ToolOutcome;
use crate::http::ApiError;
use crate::http::mcp::catalogue;
use crate::http::mcp::exchange::Exchange;
use crate::http::mcp::tasks;
use crate::shutdown::ServerPhase;

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

/// Starts a run.
///
/// # Errors
/// Those of the operations.
pub(super) async fn call(
    exchange: &Exchange,
    mut arguments: Map<String, Value>,
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
        return Ok(ToolOutcome::Task(tasks::created(exchange, &namespace, &run)));
    }
    if !is_awaited {
        return Ok(ToolOutcome::Done(json!({"run": run})));
    }
    follow(exchange, &namespace, RunId(sid)).await?;
    Ok(ToolOutcome::Done(tasks::outcome(exchange, &namespace, sid).await?))
}

/// Follows a run to its end, or until the server stops.
async fn follow(exchange: &Exchange, namespace: &str, sid: RunId) -> Result<(), ApiError> {
    let (state, scope) = (&exchange.state, &exchange.caller.0.scope);
    let run = state.runs.get(scope, namespace, sid).await?;
    let events = state.runs.events(scope, &run, 0);
    let mut events = events.take_until(Box::pin(state.shutdown.reached(ServerPhase::Draining)));
    let mut last = None;
    while let Some(event) = events.next().await {
        let (RunEvent::Progress(run) | RunEvent::End(run)) = event? else { continue };
        let done = run.successful.saturating_add(run.failed);
        // Progress must grow with each notification.
        if let Some(progress) = exchange.progress.as_ref().filter(|_| last.is_none_or(|last| last < done)) {
            progress.tell(done.into(), run.total.into(), format!("{done} of {} groups", run.total));
            last = Some(done);
        }
    }
    Ok(())
}
