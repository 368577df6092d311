//! The methods of the extension for tasks.

use serde_json::{Map, Value, json};
use shared_core::ErrorKind;

use super::{TaskRef, result_of, run, state, unknown};
use crate::http::json_rpc::RpcError;
use crate::http::mcp::catalogue;
use crate::http::mcp::exchange::Exchange;

/// The result of a call that started a run.
pub(in crate::http::mcp) fn created(exchange: &Exchange, namespace: &str, run: &Value) -> Value {
    let mut task = described(exchange, &TaskRef::started(namespace, run), run);
    task["resultType"] = json!("task");
    task
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
    let run = run(exchange, &task).await?;
    let mut told = described(exchange, &task, &run);
    if told["status"] == "completed" {
        let mut result = result_of(exchange, &task).await.map_err(RpcError::failed)?;
        result["resultType"] = json!("complete");
        told["result"] = result;
    }
    Ok(told)
}

/// The answer to `tasks/update`. A run asks for nothing, so that every answer is superfluous.
///
/// # Errors
/// When the workspace has no such task.
pub(in crate::http::mcp) async fn update(
    exchange: &Exchange,
    params: &Map<String, Value>,
) -> Result<Value, RpcError> {
    run(exchange, &TaskRef::of(params)?).await.map(|_| json!({}))
}

/// The answer to `tasks/cancel`.
///
/// # Errors
/// When the workspace has no such task, or the key may not cancel it.
pub(in crate::http::mcp) async fn cancel(
    exchange: &Exchange,
    params: &Map<String, Value>,
) -> Result<Value, RpcError> {
    let task = TaskRef::of(params)?;
    match catalogue::call(exchange, "cancel_delta_run", task.arguments()).await {
        Ok(_) => Ok(json!({})),
        Err(error) if error.is(ErrorKind::NotFound) => Err(unknown()),
        // It has ended already.
        Err(error) if error.is(ErrorKind::Conflict) => Ok(json!({})),
        Err(error) => Err(RpcError::failed(error)),
    }
}

/// A task in the words of the extension, where a run that failed is a task that is completed with an error.
fn described(exchange: &Exchange, task: &TaskRef, run: &Value) -> Value {
    let status = match run["state"].as_str() {
        Some("running") => "working",
        Some("cancelled") => "cancelled",
        _ => "completed",
    };
    state(exchange, task, run, status, ("ttlMs", "pollIntervalMs"))
}
