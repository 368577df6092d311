//! A form that is filled with the client's user: each question of the agent is put to the user, in the stateless revision
//! as the result of a call that is repeated with the answer, and in those with a handshake within the call.

use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::call::ToolCall;
use super::result::ToolOutcome;
use crate::http::ApiError;
use crate::http::mcp::exchange::Exchange;
use crate::http::mcp::{catalogue, elicitation};

/// The operation of a message.
const CHAT: &str = "chat";
/// The key of the question, and the name of its answer.
const ANSWER: &str = "answer";
/// Most questions of a call, so that it ends. Chosen by hand; no measurement is recorded.
const MAX_QUESTIONS: usize = 200;

/// What the client sends back with an answer. It is no more than the arguments `namespace` and `session_id`, which
/// every caller may choose, and the session is looked up in the caller's workspace: changing it gains nothing.
#[derive(Deserialize, Serialize)]
struct FormState {
    namespace: String,
    session: String,
}

/// Sends a message, and asks the user the agent's question where the client can.
///
/// # Errors
/// Those of the operation, and when the state is not one of this tool's.
pub(super) async fn call(exchange: &Exchange, call: ToolCall) -> Result<ToolOutcome, ApiError> {
    let ToolCall { mut arguments, responses, state, .. } = call;
    if let Some(state) = state {
        let state = FormState::read(&state)
            .filter(|state| arguments.get("namespace") == Some(&json!(state.namespace)));
        let invalid = || ApiError::invalid("/requestState", "'requestState' is not of this call");
        let FormState { namespace, session } = state.ok_or_else(invalid)?;
        let Some(answer) = answer(&responses) else {
            return Ok(ToolOutcome::Done(left(exchange, &namespace, &session).await?));
        };
        arguments.retain(|name, _| name == "namespace");
        arguments.insert("session_id".to_owned(), json!(session));
        arguments.insert("message".to_owned(), json!(answer));
    }
    let namespace = arguments.get("namespace").cloned().unwrap_or_default();
    let mut reply = catalogue::call(exchange, CHAT, arguments).await?;
    if exchange.terms.is_stateless {
        return Ok(match exchange.terms.can_elicit && is_open(&reply) {
            true => ToolOutcome::Question(question(&namespace, &reply)),
            false => ToolOutcome::Done(reply),
        });
    }
    let asks = exchange.terms.can_elicit && exchange.outbox.is_some();
    for _ in 0..MAX_QUESTIONS {
        if !asks || !is_open(&reply) {
            break;
        }
        let response = elicitation::ask(exchange, &asked(&reply)).await?;
        let Some(answer) = response.as_ref().and_then(answer_of) else {
            let (namespace, session) = (text(&namespace), text(&reply["session_id"]));
            return Ok(ToolOutcome::Done(left(exchange, namespace, session).await?));
        };
        let next = json!({"namespace": namespace, "session_id": reply["session_id"], "message": answer});
        reply = catalogue::call(exchange, CHAT, next.as_object().cloned().unwrap_or_default()).await?;
    }
    Ok(ToolOutcome::Done(reply))
}

/// Whether the form waits for an answer. While a person answers in place of the agent, there is no question.
fn is_open(reply: &Value) -> bool {
    reply.get("taken_over_by").is_none()
        && matches!(reply["form"]["status"].as_str(), Some("filling" | "confirming" | "cancelling"))
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

/// The user's answer; none when the user declined.
fn answer(responses: &Map<String, Value>) -> Option<String> {
    answer_of(responses.get(ANSWER)?.as_object()?)
}

/// The answer in the result of the client; none when the user declined.
fn answer_of(response: &Map<String, Value>) -> Option<String> {
    let accepted = response.get("action").is_some_and(|action| action == "accept");
    match response.get("content")?.get(ANSWER)? {
        Value::String(text) if accepted && !text.trim().is_empty() => Some(text.clone()),
        value @ (Value::Number(_) | Value::Bool(_)) if accepted => Some(value.to_string()),
        _ => None,
    }
}

/// The conversation as the user left it.
async fn left(exchange: &Exchange, namespace: &str, session: &str) -> Result<Value, ApiError> {
    let named = json!({"namespace": namespace, "session_id": session});
    let named = named.as_object().cloned().unwrap_or_default();
    let stored = catalogue::call(exchange, "get_session", named).await?;
    Ok(json!({
        "session_id": session,
        "text": "The user gave no answer. A message with this session_id continues the conversation.",
        "form": stored["form"],
        "finishReason": "stop",
        "usage": {"inputTokens": 0, "outputTokens": 0, "cost": 0.0},
        "warnings": []
    }))
}

/// The parameters of the question.
fn asked(reply: &Value) -> Value {
    let next = &reply["form"]["next"];
    let title = next["question"].as_str().filter(|question| !question.is_empty()).unwrap_or("Answer");
    let mut field = json!({"type": "string", "title": title});
    if let Some(choices) = next["choices"].as_array().filter(|choices| !choices.is_empty()) {
        field["enum"] = json!(choices);
    }
    json!({
        "mode": "form",
        "message": reply["text"],
        "requestedSchema": {"type": "object", "properties": {ANSWER: field}, "required": [ANSWER]}
    })
}

/// The result that asks the user the agent's question.
fn question(namespace: &Value, reply: &Value) -> Value {
    let state =
        FormState { namespace: text(namespace).to_owned(), session: text(&reply["session_id"]).to_owned() };
    json!({
        "resultType": "input_required",
        "inputRequests": {
            ANSWER: {"method": elicitation::METHOD, "params": asked(reply)}
        },
        "requestState": state.write()
    })
}

impl FormState {
    fn read(text: &str) -> Option<Self> {
        serde_json::from_slice(&BASE64_URL_SAFE_NO_PAD.decode(text).ok()?).ok()
    }

    fn write(&self) -> String {
        BASE64_URL_SAFE_NO_PAD.encode(serde_json::to_vec(self).unwrap_or_default())
    }
}
