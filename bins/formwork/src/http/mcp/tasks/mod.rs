//! Tasks: a run of batch extraction is one. Its state is that of the stored run, so that any server knows it, and none of
//! another workspace.

pub(super) mod extension;
pub(super) mod requested;

use delta_core::{RunEvent, RunId};
use futures_util::StreamExt as _;
use serde_json::{Map, Value, json};
use shared_core::ErrorKind;

use super::catalogue;
use super::exchange::Exchange;
use super::tools::tool_result;
use crate::http::ApiError;
use crate::http::json_rpc::RpcError;
use crate::shutdown::ServerPhase;

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
    /// The task of a run.
    fn started(namespace: &str, run: &Value) -> Self {
        Self { namespace: namespace.to_owned(), sid: run["sid"].as_i64().unwrap_or_default() }
    }

    fn of(params: &Map<String, Value>) -> Result<Self, RpcError> {
        let id = params.get("taskId").and_then(Value::as_str).unwrap_or_default();
        let parts = id.strip_prefix(PREFIX).and_then(|rest| rest.split_once('-'));
        let found = parts.and_then(|(sid, namespace)| {
            Some(Self { namespace: namespace.to_owned(), sid: sid.parse().ok()? })
        });
        found.ok_or_else(unknown)
    }

    fn id(&self) -> String {
        format!("{PREFIX}{}-{}", self.sid, self.namespace)
    }

    fn arguments(&self) -> Map<String, Value> {
        let named = [("namespace".to_owned(), json!(self.namespace)), ("sid".to_owned(), json!(self.sid))];
        Map::from_iter(named)
    }
}

/// Follows a run to its end, or until the server stops.
///
/// # Errors
/// When the workspace has no such run, or the store fails.
pub(super) async fn follow(exchange: &Exchange, namespace: &str, sid: RunId) -> Result<(), ApiError> {
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

/// The result of the call that started a run that has ended.
async fn result_of(exchange: &Exchange, task: &TaskRef) -> Result<Value, ApiError> {
    let outcome = outcome(exchange, &task.namespace, task.sid).await?;
    let is_error = matches!(outcome["run"]["state"].as_str(), Some("failed" | "stopped"));
    let mut result = tool_result(outcome);
    result["isError"] = json!(is_error);
    Ok(result)
}

async fn run(exchange: &Exchange, task: &TaskRef) -> Result<Value, RpcError> {
    catalogue::call(exchange, "get_delta_run", task.arguments())
        .await
        .map_err(|error| if error.is(ErrorKind::NotFound) { unknown() } else { RpcError::failed(error) })
}

/// The task of a run, with the words that a revision has for lifetime and interval.
fn state(
    exchange: &Exchange,
    task: &TaskRef,
    run: &Value,
    status: &str,
    (lifetime, interval): (&str, &str),
) -> Value {
    let done = run["successful"].as_u64().unwrap_or_default() + run["failed"].as_u64().unwrap_or_default();
    let updated = match run["finished_timestamp"].as_str() {
        Some(finished) => rfc3339(finished),
        None => exchange.state.clock.now().rfc3339(),
    };
    json!({
        "taskId": task.id(),
        "status": status,
        "statusMessage": format!("{done} of {} groups", run["total"]),
        "createdAt": rfc3339(run["created_timestamp"].as_str().unwrap_or_default()),
        "lastUpdatedAt": updated,
        lifetime: null,
        interval: POLL_INTERVAL
    })
}

/// The time of a record, `YYYY-MM-DD hh:mm:ss`, in RFC 3339.
fn rfc3339(record: &str) -> String {
    format!("{}Z", record.replace(' ', "T"))
}

fn unknown() -> RpcError {
    RpcError::invalid_params("Unknown task")
}
