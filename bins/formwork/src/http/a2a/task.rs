//! Tasks and messages as the protocol writes them.

use agents_core::chat::{Phase, Speaker, Turn};
use serde_json::{Value, json};
use shared_core::Timestamp;

use super::input::JSON;
use super::task_id::TaskId;
use crate::http::chat::FormRecord;

/// Identifier of the artifact with the record.
const RECORD: &str = "record";

/// The state of a task as the protocol names it.
pub(super) fn task_state(phase: Phase) -> &'static str {
    match phase {
        Phase::Filling | Phase::Confirming | Phase::Cancelling => "TASK_STATE_INPUT_REQUIRED",
        Phase::Submitted => "TASK_STATE_COMPLETED",
        Phase::Cancelled => "TASK_STATE_CANCELED",
    }
}

/// Whether a task takes no more messages.
pub(super) fn is_over(phase: Phase) -> bool {
    matches!(phase, Phase::Submitted | Phase::Cancelled)
}

/// A task, and what its last reply says.
pub(super) struct TaskRecord<'a> {
    pub(super) id: &'a TaskId,
    pub(super) phase: Phase,
    /// The last reply; none where it is not told.
    pub(super) text: Option<&'a str>,
    /// The state of the form.
    pub(super) form: Option<&'a FormRecord>,
    pub(super) updated: Timestamp,
}

impl TaskRecord<'_> {
    pub(super) fn status(&self) -> Value {
        let mut status = json!({"state": task_state(self.phase), "timestamp": self.updated.rfc3339()});
        if let Some(text) = self.text {
            let mut message = agent_message(&self.id.context, self.updated, json!([{"text": text}]));
            message["taskId"] = json!(self.id.to_string());
            status["message"] = message;
        }
        status
    }

    /// The record, where the form is submitted.
    pub(super) fn artifact(&self) -> Option<Value> {
        let form = self.form.filter(|_| self.phase == Phase::Submitted)?;
        Some(record_artifact(&json!(form)["values"]))
    }

    /// The task without its history.
    pub(super) fn task(&self) -> Value {
        let mut task = json!({
            "id": self.id.to_string(), "contextId": self.id.context, "status": self.status(),
            "artifacts": self.artifact().into_iter().collect::<Vec<_>>()
        });
        if let Some(form) = self.form {
            task["metadata"] = json!({"form": form});
        }
        task
    }
}

fn record_artifact(record: &Value) -> Value {
    json!({"artifactId": RECORD, "name": RECORD, "parts": [{"data": record, "mediaType": JSON}]})
}

/// A message of the agent in a context.
pub(super) fn agent_message(context: &str, at: Timestamp, parts: Value) -> Value {
    json!({
        "messageId": format!("{context}-{}", at.micros()), "contextId": context, "role": "ROLE_AGENT", "parts": parts
    })
}

/// The last turns as the history of a task, oldest first.
pub(super) fn history(id: &TaskId, turns: &[Turn], most: usize) -> Vec<Value> {
    let last = turns.get(turns.len().saturating_sub(most)..).unwrap_or_default();
    let message = |turn: &Turn| {
        let role = match turn.speaker {
            Speaker::User => "ROLE_USER",
            Speaker::Assistant => "ROLE_AGENT",
        };
        json!({
            "messageId": format!("{}-{}", id.session, turn.number), "contextId": id.context,
            "taskId": id.to_string(), "role": role, "parts": [{"text": turn.text}]
        })
    };
    last.iter().map(message).collect()
}
