//! What an AG-UI client sends.

use gen_core::MAX_REFERENCE;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::http::ApiError;
use crate::http::lists::AnyObject;
use crate::http::message_parts::MessageParts;

/// The input of a run. What is not named here, such as the tools of the page, is ignored.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "AgUiRun")]
pub(super) struct RunInput {
    /// The thread: a name of the client's, or the id of a session.
    #[schemars(length(min = 1, max = MAX_REFERENCE))]
    pub(super) thread_id: String,
    /// Identifier of the run, which its events repeat.
    #[schemars(length(min = 1, max = MAX_REFERENCE))]
    pub(super) run_id: String,
    /// The state that the client has. `form` in it is what the changes are told against.
    #[serde(default)]
    #[schemars(with = "Option<AnyObject>")]
    pub(super) state: Option<Map<String, Value>>,
    /// The messages of the thread. The last one is sent to the agent if it is the user's; the agent remembers the
    /// others.
    #[schemars(with = "Vec<AnyObject>")]
    messages: Vec<Map<String, Value>>,
}

impl RunInput {
    /// The user's message; none where the last message is not the user's.
    ///
    /// # Errors
    /// When an id or the content of the message breaks a rule.
    pub(super) fn message(&mut self) -> Result<Option<MessageParts>, ApiError> {
        for (name, id) in [("threadId", &self.thread_id), ("runId", &self.run_id)] {
            if id.is_empty() || id.chars().nth(MAX_REFERENCE).is_some() {
                let rule = format!("'{name}' must have 1 to {MAX_REFERENCE} characters");
                return Err(ApiError::invalid(format!("/{name}"), rule));
            }
        }
        let place = self.messages.len().saturating_sub(1);
        match self.messages.pop() {
            Some(mut message) if message.get("role").is_some_and(|role| role == "user") => {
                let parts = message.remove("content").unwrap_or_default();
                content(parts, &format!("/messages/{place}/content")).map(Some)
            }
            _ => Ok(None),
        }
    }
}

fn content(content: Value, path: &str) -> Result<MessageParts, ApiError> {
    let parts = match content {
        Value::String(text) => return Ok(MessageParts { texts: vec![text], ..MessageParts::default() }),
        Value::Array(parts) => parts,
        _ => return Err(ApiError::invalid(path, "'content' must be a text or a list of parts")),
    };
    let mut message = MessageParts::default();
    for (place, part) in parts.iter().enumerate() {
        let path = format!("{path}/{place}");
        let source = &part["source"];
        let value = source["value"].as_str();
        match (part["type"].as_str(), part["text"].as_str(), source["type"].as_str(), value) {
            (Some("text"), Some(text), ..) => message.texts.push(text.to_owned()),
            (Some("document" | "image"), _, Some("data"), Some(content)) => {
                let name = part["metadata"]["filename"].as_str();
                message.push_base64(name, content, &format!("{path}/source/value"))?;
            }
            // A file of this server is a handle that its provider issued.
            (Some("document" | "image"), _, Some("url" | "file"), Some(url)) => {
                message.urls.push(url.to_owned())
            }
            _ => {
                let rule =
                    "a part must be a text, or a document or image whose source is data, a url or a file";
                return Err(ApiError::invalid(path, rule));
            }
        }
    }
    Ok(message)
}
