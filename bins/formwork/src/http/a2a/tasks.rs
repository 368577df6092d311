//! Tasks: read, listed, cancelled.

use agents_core::AgentsError;
use agents_core::chat::{ChatError, Session, Speaker, Turn};
use serde_json::{Map, Value, json};
use shared_core::{Cursor, PageRequest, Position};

use super::A2aCall;
use super::input::{self, ListParams, TaskParams};
use super::task::{TaskRecord, history, is_over};
use super::task_id::TaskId;
use crate::http::ApiError;
use crate::http::chat::form_record;
use crate::http::json_rpc::RpcError;

/// Name of the list in its cursors.
const LIST: &str = "a2a_tasks";
/// Default and maximum number of tasks of a page, as the protocol sets them.
const PAGE: (u32, u32) = (50, 100);

/// `GetTask`.
///
/// # Errors
/// When there is no such task.
pub(super) async fn get(call: &A2aCall, params: Map<String, Value>) -> Result<Value, RpcError> {
    let params: TaskParams = input::read(params)?;
    let id = TaskId::parse(&params.id);
    let (session, turns) = call.session_with_turns(&id.session).await?;
    let mut task = stored(call, &id, session, &turns, true).await?;
    let most = params.history();
    if most > 0 {
        task["history"] = json!(history(&id, &turns, most));
    }
    Ok(task)
}

/// `CancelTask`: ends the filling of the form.
///
/// # Errors
/// When there is no such task, or it has ended.
pub(super) async fn cancel(call: &A2aCall, params: Map<String, Value>) -> Result<Value, RpcError> {
    let params: TaskParams = input::read(params)?;
    let id = TaskId::parse(&params.id);
    let (scope, namespace) = (&call.caller.0.scope, &call.agent.namespace);
    match call.state.chat.cancel_form(scope, namespace, &id.session).await {
        Ok(true) => {}
        Ok(false) => return Err(RpcError::task_not_cancelable()),
        Err(ChatError::Agents(AgentsError::SessionNotFound)) => return Err(RpcError::task_not_found()),
        Err(error) => return Err(RpcError::failed(error.into())),
    }
    let (session, turns) = call.session_with_turns(&id.session).await?;
    stored(call, &id, session, &turns, true).await
}

/// `SubscribeToTask`: the task as it is. It changes with messages alone, so nothing follows.
///
/// # Errors
/// When there is no such task, or it has ended.
pub(super) async fn subscribe(call: &A2aCall, params: Map<String, Value>) -> Result<Vec<Value>, RpcError> {
    let params: TaskParams = input::read(params)?;
    let id = TaskId::parse(&params.id);
    let (session, turns) = call.session_with_turns(&id.session).await?;
    if session.form.as_ref().is_some_and(|form| is_over(form.phase)) {
        return Err(RpcError::unsupported_operation("the task has ended; GetTask reads it"));
    }
    Ok(vec![json!({"task": stored(call, &id, session, &turns, true).await?})])
}

/// `ListTasks`: newest first.
///
/// # Errors
/// When a filter is not supported, or the token is not one of this list.
pub(super) async fn list(call: &A2aCall, params: Map<String, Value>) -> Result<Value, RpcError> {
    let params: ListParams = input::read(params)?;
    if params.status.is_some() || params.status_timestamp_after.is_some() {
        let reason = "tasks cannot be filtered by status or time";
        return Err(RpcError::unsupported_operation(reason));
    }
    let size = params.page_size.filter(|size| *size > 0).unwrap_or(PAGE.0);
    if size > PAGE.1 {
        return Err(RpcError::invalid_params(format!("'pageSize' must be at most {}", PAGE.1)));
    }
    let (sessions, next, total) = match params.context_id.as_deref().filter(|id| !id.is_empty()) {
        Some(context) => {
            let found = call.session(context).await.ok();
            let total = u64::from(found.is_some());
            (found.into_iter().collect(), None, total)
        }
        None => page(call, size, params.page_token.as_deref().unwrap_or_default()).await?,
    };
    let mut tasks = Vec::new();
    for session in sessions {
        let id = TaskId::new(&session.id, None);
        if session.form.is_some() {
            tasks.push(stored(call, &id, session, &[], params.include_artifacts).await?);
        }
    }
    let next = next.map_or_else(String::new, |cursor| cursor.encode(LIST));
    Ok(json!({"tasks": tasks, "nextPageToken": next, "pageSize": size, "totalSize": total}))
}

async fn page(
    call: &A2aCall,
    limit: u32,
    token: &str,
) -> Result<(Vec<Session>, Option<Cursor>, u64), RpcError> {
    let position = match token {
        "" => Position::Number(1),
        token => {
            let cursor = Cursor::decode(LIST, token);
            Position::After(
                cursor.map_err(|_foreign| RpcError::invalid_params("'pageToken' is not of this list"))?,
            )
        }
    };
    let request = PageRequest { position, limit };
    let page = call.state.sessions.list(&call.caller.0.scope, &call.agent.namespace, None, &request).await;
    let page = page.map_err(|error| RpcError::failed(ApiError::from(error)))?;
    Ok((page.items, page.next, page.total))
}

/// A stored task. A session without a form is none.
async fn stored(
    call: &A2aCall,
    id: &TaskId,
    session: Session,
    turns: &[Turn],
    with_form: bool,
) -> Result<Value, RpcError> {
    let Some(phase) = session.form.as_ref().map(|form| form.phase) else {
        return Err(RpcError::task_not_found());
    };
    let updated = session.updated;
    let (scope, namespace) = (&call.caller.0.scope, &call.agent.namespace);
    let form = match with_form {
        true => form_record(&call.state, scope, namespace, session).await.map_err(RpcError::failed)?,
        false => None,
    };
    let last = turns.iter().rev().find(|turn| turn.speaker == Speaker::Assistant);
    let text = last.map(|turn| turn.text.as_str());
    Ok(TaskRecord { id, phase, text, form: form.as_ref(), updated }.task())
}
