//! Tasks that the client of revision 2025-11-25 asks for with its request.

use delta_core::RunId;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use shared_core::ErrorKind;

use super::{TaskRef, follow, result_of, run, state, unknown};
use crate::http::ApiError;
use crate::http::json_rpc::{Request, RpcError};
use crate::http::mcp::catalogue;
use crate::http::mcp::exchange::Exchange;

/// The key of a task's id in metadata.
const RELATED: &str = "io.modelcontextprotocol/related-task";
/// Agents of a page of tasks at most, so that a page ends where agents have no runs.
const MAX_AGENTS: usize = 20;

/// Whether the answer to the request waits for the end of a task.
pub(in crate::http::mcp) fn awaits(exchange: &Exchange, request: &Request) -> bool {
    exchange.terms.has_requested_tasks && request.method == "tasks/result"
}

/// Whether a call asks for a task.
///
/// # Errors
/// When the parameter is not an object.
pub(in crate::http::mcp) fn is_requested(
    exchange: &Exchange,
    params: &Map<String, Value>,
) -> Result<bool, RpcError> {
    match params.get("task").filter(|_| exchange.terms.has_requested_tasks) {
        None | Some(Value::Null) => Ok(false),
        Some(Value::Object(_)) => Ok(true),
        Some(_) => Err(RpcError::invalid_params("'task' must be an object")),
    }
}

/// The result of a call that started a run. Every task begins as working.
pub(in crate::http::mcp) fn created(exchange: &Exchange, namespace: &str, run: &Value) -> Value {
    json!({"task": state(exchange, &TaskRef::started(namespace, run), run, "working", WORDS)})
}

/// The answer to `tasks/get`.
///
/// # Errors
/// When the workspace has no such task.
pub(in crate::http::mcp) async fn get(
    exchange: &Exchange,
    params: &Map<String, Value>,
) -> Result<Value, RpcError> {
    let task = TaskRef::of(params)?;
    Ok(described(exchange, &task, &run(exchange, &task).await?))
}

/// The answer to `tasks/result`, at the end of the run.
///
/// # Errors
/// When the workspace has no such task, or the server stops before its end.
pub(in crate::http::mcp) async fn result(
    exchange: &Exchange,
    params: &Map<String, Value>,
) -> Result<Value, RpcError> {
    let task = TaskRef::of(params)?;
    run(exchange, &task).await?;
    follow(exchange, &task.namespace, RunId(task.sid)).await.map_err(RpcError::failed)?;
    if status(&run(exchange, &task).await?) == WORKING {
        return Err(RpcError::failed(ApiError::server_stopping()));
    }
    let mut result = result_of(exchange, &task).await.map_err(RpcError::failed)?;
    result["_meta"] = json!({RELATED: {"taskId": task.id()}});
    Ok(result)
}

/// The answer to `tasks/cancel`.
///
/// # Errors
/// When the workspace has no such task, it has ended, or the key may not cancel it.
pub(in crate::http::mcp) async fn cancel(
    exchange: &Exchange,
    params: &Map<String, Value>,
) -> Result<Value, RpcError> {
    let task = TaskRef::of(params)?;
    match catalogue::call(exchange, "cancel_delta_run", task.arguments()).await {
        Ok(_) => get(exchange, params).await,
        Err(error) if error.is(ErrorKind::NotFound) => Err(unknown()),
        Err(error) => Err(RpcError::failed(error)),
    }
}

/// Where a page of tasks begins: cursors of the lists of agents and of the agent's runs.
#[derive(Default, Deserialize, Serialize)]
struct Place {
    agents: Option<String>,
    runs: Option<String>,
}

/// The answer to `tasks/list`: the runs of the workspace's agents, of one agent a page.
///
/// # Errors
/// For an invalid cursor, and a key that may not list them.
pub(in crate::http::mcp) async fn list(
    exchange: &Exchange,
    params: &Map<String, Value>,
) -> Result<Value, RpcError> {
    let invalid = || RpcError::invalid_params("'cursor' is not one of this list");
    let mut place = match params.get("cursor") {
        None | Some(Value::Null) => Some(Place::default()),
        Some(cursor) => {
            Some(cursor.as_str().and_then(|text| serde_json::from_str(text).ok()).ok_or_else(invalid)?)
        }
    };
    let (mut tasks, mut left) = (Vec::new(), MAX_AGENTS);
    while let Some(here) = place.take_if(|_| tasks.is_empty() && left > 0) {
        left -= 1;
        (tasks, place) = tasks_at(exchange, here).await?;
    }
    let mut result = json!({"tasks": tasks});
    if let Some(next) = place {
        result["nextCursor"] = json!(json!(next).to_string());
    }
    Ok(result)
}

/// The tasks at a place, and the next place.
async fn tasks_at(exchange: &Exchange, place: Place) -> Result<(Vec<Value>, Option<Place>), RpcError> {
    let agents = page(exchange, "list_agents", json!({"limit": 1, "cursor": place.agents})).await?;
    let Some(namespace) = agents["agents"][0]["namespace"].as_str() else { return Ok((Vec::new(), None)) };
    let asked = json!({"namespace": namespace, "cursor": place.runs});
    let runs = page(exchange, "list_delta_runs", asked).await?;
    let rows = runs["runs"].as_array().into_iter().flatten();
    let tasks = rows.map(|run| described(exchange, &TaskRef::started(namespace, run), run)).collect();
    let next = match (cursor(&runs), cursor(&agents)) {
        (Some(runs), _) => Some(Place { runs: Some(runs), ..place }),
        (None, Some(agents)) => Some(Place { agents: Some(agents), runs: None }),
        (None, None) => None,
    };
    Ok((tasks, next))
}

async fn page(exchange: &Exchange, operation: &str, arguments: Value) -> Result<Value, RpcError> {
    let arguments = arguments.as_object().cloned().unwrap_or_default();
    catalogue::call(exchange, operation, arguments).await.map_err(RpcError::failed)
}

fn cursor(page: &Value) -> Option<String> {
    page["meta"]["next_cursor"].as_str().filter(|cursor| !cursor.is_empty()).map(str::to_owned)
}

const WORKING: &str = "working";
/// What this revision calls the lifetime and the interval.
const WORDS: (&str, &str) = ("ttl", "pollInterval");

fn described(exchange: &Exchange, task: &TaskRef, run: &Value) -> Value {
    state(exchange, task, run, status(run), WORDS)
}

/// The status of a run's task. It has failed where its result is an error.
fn status(run: &Value) -> &'static str {
    match run["state"].as_str() {
        Some("running") => WORKING,
        Some("cancelled") => "cancelled",
        Some("failed" | "stopped") => "failed",
        _ => "completed",
    }
}
