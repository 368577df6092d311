//! Messages to the agent.

use agents_core::AgentsError;
use agents_core::chat::{AgentChatAnswer, AgentChatRequest, ChatReply, Session, Turn};
use serde_json::{Map, Value, json};
use shared_core::Timestamp;

use super::A2aCall;
use super::input::{self, JSON, MessageBody, SendParams};
use super::task::{TaskRecord, agent_message, history, is_over};
use super::task_id::TaskId;
use crate::http::ApiError;
use crate::http::chat::{FormRecord, answer};
use crate::http::json_rpc::RpcError;

/// What a message was answered with.
enum Reply {
    /// The task after it, its id, and the events that lead to it.
    Task {
        id: TaskId,
        task: Value,
        events: Vec<Value>,
    },
    Message(Value),
}

/// `SendMessage`: the task after the message, or the agent's message where it fills no form.
///
/// # Errors
/// As the protocol defines them.
pub(super) async fn send(call: &A2aCall, params: Map<String, Value>) -> Result<Value, RpcError> {
    let params: SendParams = input::read(params)?;
    let most = params.configuration.history();
    match reply(call, params).await? {
        Reply::Message(message) => Ok(json!({"message": message})),
        Reply::Task { id, mut task, .. } => {
            if most > 0 {
                let (_, turns) = call.session_with_turns(&id.session).await?;
                task["history"] = json!(history(&id, &turns, most));
            }
            Ok(json!({"task": task}))
        }
    }
}

/// `SendStreamingMessage`: the task at work, its record where there is one, and its status after the message.
///
/// # Errors
/// As [`send`].
pub(super) async fn stream(call: &A2aCall, params: Map<String, Value>) -> Result<Vec<Value>, RpcError> {
    Ok(match reply(call, input::read(params)?).await? {
        Reply::Message(message) => vec![json!({"message": message})],
        Reply::Task { events, .. } => events,
    })
}

async fn reply(call: &A2aCall, params: SendParams) -> Result<Reply, RpcError> {
    let SendParams { message, configuration } = params;
    configuration.check()?;
    let (state, scope) = (&call.state, &call.caller.0.scope);
    let (session_id, context) = place(call, &message).await?;
    let parts = message.parts().map_err(RpcError::failed)?;
    let request = parts.into_request(state, scope).await.map_err(RpcError::failed)?;
    let wants_record = configuration.wants_record() && call.agent.form_id.is_some();
    let request = AgentChatRequest { session_id, json: wants_record, ..request };
    let said =
        state.chat.chat(&call.caller.payer(), &call.caller.0.author, &call.agent.namespace, request).await;
    let said = said.map_err(|error| RpcError::failed(error.into()))?;
    Ok(told(said, context, state.clock.now()))
}

fn told(said: AgentChatAnswer, context: Option<String>, now: Timestamp) -> Reply {
    let id = TaskId::new(&said.session, context.as_deref());
    let reply = match &said.reply {
        ChatReply::Guided(reply) => reply.clone(),
        ChatReply::Text { text, .. } => {
            let mut message = agent_message(&id.context, now, json!([{"text": text}]));
            let whole = json!(answer(said, false));
            message["metadata"] = json!({"citations": whole["citations"], "warnings": whole["warnings"]});
            return Reply::Message(message);
        }
        ChatReply::Record(_) => {
            let whole = json!(answer(said, true));
            let parts = json!([{"data": whole["record"], "mediaType": JSON}]);
            let mut message = agent_message(&id.context, now, parts);
            message["metadata"] = json!({
                "evidence": whole["evidence"], "conflicts": whole["conflicts"], "errors": whole["errors"],
                "warnings": whole["warnings"]
            });
            return Reply::Message(message);
        }
    };
    let phase = reply.form_view.view.phase;
    let form = FormRecord::of(reply.form_view, reply.submission);
    // Nothing is said where a person answers in place of the agent.
    let text = Some(reply.text.as_str()).filter(|text| !text.is_empty());
    let record = TaskRecord { id: &id, phase, text, form: Some(&form), updated: now };
    let (task_id, context_id) = (id.to_string(), &id.context);
    let working = json!({
        "id": task_id, "contextId": context_id,
        "status": {"state": "TASK_STATE_WORKING", "timestamp": now.rfc3339()}
    });
    let mut events = vec![json!({"task": working})];
    if let Some(artifact) = record.artifact() {
        let update =
            json!({"taskId": task_id, "contextId": context_id, "artifact": artifact, "lastChunk": true});
        events.push(json!({"artifactUpdate": update}));
    }
    let status = json!({
        "taskId": task_id, "contextId": context_id, "status": record.status(), "metadata": {"form": form}
    });
    events.push(json!({"statusUpdate": status}));
    Reply::Task { task: record.task(), events, id: id.clone() }
}

/// The session that a message continues, and its context where that has another id.
async fn place(call: &A2aCall, message: &MessageBody) -> Result<(Option<String>, Option<String>), RpcError> {
    let (task, context) = message.place();
    if let Some(task) = task {
        let id = TaskId::parse(&task);
        if context.is_some_and(|context| context != id.context) {
            return Err(RpcError::invalid_params("'contextId' is not that of the task"));
        }
        let session = call.session(&id.session).await?;
        if session.form.as_ref().is_some_and(|form| is_over(form.phase)) {
            let reason = "the task has ended; a message without 'taskId' begins another one";
            return Err(RpcError::unsupported_operation(reason));
        }
        return Ok((Some(id.session), Some(id.context)));
    }
    let Some(context) = context else { return Ok((None, None)) };
    let unknown =
        |_| RpcError::invalid_params("'contextId' is not known; a message without it begins a new context");
    let session = call.session(&context).await.map_err(unknown)?;
    let is_over = session.form.as_ref().is_some_and(|form| is_over(form.phase));
    Ok((Some(context.clone()).filter(|_| !is_over), Some(context)))
}

impl A2aCall {
    /// A session.
    ///
    /// # Errors
    /// When there is none.
    pub(super) async fn session(&self, id: &str) -> Result<Session, RpcError> {
        let found = self.state.sessions.find(&self.caller.0.scope, &self.agent.namespace, id).await;
        found.map_err(failure)
    }

    /// A session with its last turns.
    ///
    /// # Errors
    /// When there is none.
    pub(super) async fn session_with_turns(&self, id: &str) -> Result<(Session, Vec<Turn>), RpcError> {
        let found = self.state.sessions.get(&self.caller.0.scope, &self.agent.namespace, id).await;
        found.map_err(failure)
    }
}

fn failure(error: AgentsError) -> RpcError {
    match error {
        AgentsError::SessionNotFound => RpcError::task_not_found(),
        other => RpcError::failed(ApiError::from(other)),
    }
}
