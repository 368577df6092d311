//! The extension for tasks: a run of batch extraction is a task. Its state is that of the stored run, so that any
//! server knows it, and none of another workspace.

use serde_json::{Map, Value, json};
use shared_core::ErrorKind;

use super::catalogue;
use super::exchange::Exchange;
use super::tools::tool_result;
use crate::http::ApiError;
use crate::http::json_rpc::RpcError;

/// The begin of the ids of tasks.
const PREFIX: &str = "run-";
/// How often a client should ask, in milliseconds.
const POLL_INTERVAL: u32 = 1_000;

/// A task's run.
struct TaskRef {
    namespace: String,
    sid: i64,
}

impl TaskRef {
    fn id(namespace: &str, sid: i64) -> String {
        format!("{PREFIX}{sid}-{namespace}")
    }

    fn of(params: &Map<String, Value>) -> Result<Self, RpcError> {
        let id = params.get("taskId").and_then(Value::as_str).unwrap_or_default();
        let parts = id.strip_prefix(PREFIX).and_then(|rest| rest.split_once('-'));
        let found = parts.and_then(|(sid, namespace)| {
            Some(Self { namespace: namespace.to_owned(), sid: sid.parse().ok()? })
        });
        found.ok_or_else(unknown)
    }

    fn arguments(&self) -> Map<String, Value> {
        let named = [("namespace".to_owned(), json!(self.namespace)), ("sid".to_owned(), json!(self.sid))];
        Map::from_iter(named)
    }
}

/// The result of a call that started a run.
pub(super) fn created(exchange: &Exchange, namespace: &str, run: &Value) -> Value {
    let sid = run["sid"].as_i64().unwrap_or_default();
    let mut task = state(exchange, &TaskRef::id(namespace, sid), run);
    task["resultType"] = json!("task");
    task
}

/// The answer to `tasks/get`.
///
/// # Errors
/// When the workspace has no such task.
pub(super) async fn get(exchange: &Exchange, params: &Map<String, Value>) -> Result<Value, RpcError> {
    let task = TaskRef::of(params)?;
    let run = run(exchange, &task).await?;
    let mut told = state(exchange, &TaskRef::id(&task.namespace, task.sid), &run);
    if told["status"] == "completed" {
        let outcome = outcome(exchange, &task.namespace, task.sid).await.map_err(RpcError::failed)?;
        let mut result = tool_result(outcome);
        result["resultType"] = json!("complete");
        result["isError"] = json!(matches!(run["state"].as_str(), Some("failed" | "stopped")));
        told["result"] = result;
    }
    Ok(told)
}

/// The answer to `tasks/update`. A run asks for nothing, so that every answer is superfluous.
///
/// # Errors
/// When the workspace has no such task.
pub(super) async fn update(exchange: &Exchange, params: &Map<String, Value>) -> Result<Value, RpcError> {
    run(exchange, &TaskRef::of(params)?).await.map(|_| json!({}))
}

/// The answer to `tasks/cancel`.
///
/// # Errors
/// When the workspace has no such task, or the key may not cancel it.
pub(super) async fn cancel(exchange: &Exchange, params: &Map<String, Value>) -> Result<Value, RpcError> {
    let task = TaskRef::of(params)?;
    match catalogue::call(exchange, "cancel_delta_run", task.arguments()).await {
        Ok(_) => Ok(json!({})),
        Err(error) if error.is(ErrorKind::NotFound) => Err(unknown()),
        // It has ended already.
        Err(error) if error.is(ErrorKind::Conflict) => Ok(json!({})),
        Err(error) => Err(RpcError::failed(error)),
    }
}

/// A run with its records and their evidence.
///
/// # Errors
/// Those of the operations.
pub(super) async fn outcome(exchange: &Exchange, namespace: &str, sid: i64) -> Result<Value, ApiError> {
    let mut arguments = TaskRef { namespace: namespace.to_owned(), sid }.arguments();
    let run = catalogue::call(exchange, "get_delta_run", arguments.clone()).await?;
    arguments.insert("evidence".to_owned(), json!(true));
    let responses = catalogue::call(exchange, "list_delta_responses", arguments).await?;
    Ok(json!({"run": run, "responses": responses}))
}

async fn run(exchange: &Exchange, task: &TaskRef) -> Result<Value, RpcError> {
    catalogue::call(exchange, "get_delta_run", task.arguments())
        .await
        .map_err(|error| if error.is(ErrorKind::NotFound) { unknown() } else { RpcError::failed(error) })
}

/// The task of a run.
fn state(exchange: &Exchange, id: &str, run: &Value) -> Value {
    let status = match run["state"].as_str() {
        Some("running") => "working",
        Some("cancelled") => "cancelled",
        _ => "completed",
    };
    let done = run["successful"].as_u64().unwrap_or_default() + run["failed"].as_u64().unwrap_or_default();
    let updated = match run["finished_timestamp"].as_str() {
        Some(finished) => rfc3339(finished),
        None => exchange.state.clock.now().rfc3339(),
    };
    json!({
        "taskId": id,
        "status": status,
        "statusMessage": format!("{done} of {} groups", run["total"]),
        "createdAt": rfc3339(run["created_timestamp"].as_str().unwrap_or_default()),
        "lastUpdatedAt": updated,
        "ttlMs": null,
        "pollIntervalMs": POLL_INTERVAL
    })
}

/// The time of a record, `YYYY-MM-DD hh:mm:ss`, in RFC 3339.
fn rfc3339(record: &str) -> String {
    format!("{}Z", record.replace(' ', "T"))
}

fn unknown() -> RpcError {
    RpcError::invalid_params("Unknown task")
}
