//! The parameters of requests.

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::http::ApiError;
use crate::http::body::deserialize_at;
use crate::http::json_rpc::RpcError;
use crate::http::message_parts::MessageParts;

/// Media type of records.
pub(super) const JSON: &str = "application/json";
/// Maximum number of messages of a history.
const MAX_HISTORY: usize = 1_000;

/// Parameters of `SendMessage` and `SendStreamingMessage`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SendParams {
    pub(super) message: MessageBody,
    #[serde(default)]
    pub(super) configuration: Configuration,
}

/// A message to the agent.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct MessageBody {
    message_id: String,
    role: String,
    parts: Vec<Part>,
    context_id: Option<String>,
    task_id: Option<String>,
}

#[derive(Deserialize)]
struct Part {
    text: Option<String>,
    raw: Option<String>,
    url: Option<String>,
    data: Option<Value>,
    filename: Option<String>,
}

/// How the client wants its answer.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Configuration {
    #[serde(default)]
    accepted_output_modes: Vec<String>,
    history_length: Option<usize>,
    task_push_notification_config: Option<Value>,
}

/// Parameters of requests about a task.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct TaskParams {
    pub(super) id: String,
    history_length: Option<usize>,
}

impl TaskParams {
    /// Number of messages of the history; all where the client does not say.
    pub(super) fn history(&self) -> usize {
        self.history_length.unwrap_or(MAX_HISTORY).min(MAX_HISTORY)
    }
}

/// Parameters of `ListTasks`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ListParams {
    pub(super) context_id: Option<String>,
    pub(super) status: Option<String>,
    pub(super) status_timestamp_after: Option<String>,
    pub(super) page_size: Option<u32>,
    pub(super) page_token: Option<String>,
    #[serde(default)]
    pub(super) include_artifacts: bool,
}

/// Reads parameters.
///
/// # Errors
/// When one is missing or breaks a rule.
pub(super) fn read<T: DeserializeOwned>(params: Map<String, Value>) -> Result<T, RpcError> {
    deserialize_at(Value::Object(params)).map_err(RpcError::failed)
}

impl Configuration {
    /// Whether the client takes nothing but JSON.
    pub(super) fn wants_record(&self) -> bool {
        !self.accepted_output_modes.is_empty() && self.accepted_output_modes.iter().all(|mode| mode == JSON)
    }

    /// Number of messages of the history; none where the client does not say, since it has them.
    pub(super) fn history(&self) -> usize {
        self.history_length.unwrap_or_default().min(MAX_HISTORY)
    }

    /// # Errors
    /// When it asks for push notifications.
    pub(super) fn check(&self) -> Result<(), RpcError> {
        match &self.task_push_notification_config {
            Some(config) if !config.is_null() => Err(RpcError::no_push_notifications()),
            _ => Ok(()),
        }
    }
}

impl MessageBody {
    /// The ids of the task and of the context that the message belongs to.
    pub(super) fn place(&self) -> (Option<String>, Option<String>) {
        let named = |id: &Option<String>| id.clone().filter(|id| !id.is_empty());
        (named(&self.task_id), named(&self.context_id))
    }

    /// The content.
    ///
    /// # Errors
    /// When the message is not a user's, or a part breaks a rule.
    pub(super) fn parts(self) -> Result<MessageParts, ApiError> {
        if self.message_id.trim().is_empty() {
            return Err(ApiError::invalid("/message/messageId", "'messageId' must not be empty"));
        }
        if self.role != "ROLE_USER" {
            return Err(ApiError::invalid("/message/role", "'role' must be ROLE_USER"));
        }
        let mut message = MessageParts::default();
        for (place, part) in self.parts.into_iter().enumerate() {
            let path = format!("/message/parts/{place}");
            match (part.text, part.raw, part.url, part.data) {
                (Some(text), None, None, None) => message.texts.push(text),
                (None, Some(raw), None, None) => {
                    message.push_base64(part.filename.as_deref(), &raw, &format!("{path}/raw"))?;
                }
                (None, None, Some(url), None) => message.urls.push(url),
                (None, None, None, Some(data)) => message.texts.push(data.to_string()),
                _ => {
                    return Err(ApiError::invalid(
                        path,
                        "a part must have one of 'text', 'raw', 'url' and 'data'",
                    ));
                }
            }
        }
        Ok(message)
    }
}
