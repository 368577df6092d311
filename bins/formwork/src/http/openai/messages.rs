//! The messages of a chat completion, and the conversation that they are.

use gen_core::{HistoryMessage, ToolCall};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::super::ApiError;
use super::content::{AttachedFile, ContentPart, file_id, read_content};
use super::conversation::Conversation;
use super::tools::CallEntry;

/// A message of the conversation.
#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(rename = "ChatCompletionMessage")]
pub(super) struct MessageBody {
    /// `system`, `developer`, `user`, `assistant` or `tool`.
    role: String,
    /// The text, or parts: `{"type": "text", "text"}` and, from the user, `{"type": "image_url", "image_url": {"url"}}` and
    /// `{"type": "file", "file": {"file_id"}}`, or with `filename` and `file_data`, a data URL. Null beside `tool_calls`.
    #[serde(default)]
    #[schemars(with = "Option<Value>")]
    content: Value,
    /// Calls of tools in a message of the assistant.
    #[serde(default)]
    tool_calls: Option<Vec<CallEntry>>,
    /// The id of the call that a tool's message answers.
    #[serde(default)]
    tool_call_id: Option<String>,
}

/// The conversation of a chat completion.
pub(super) fn conversation(messages: Vec<MessageBody>) -> Result<Conversation, ApiError> {
    let mut read = Conversation::default();
    for (at, message) in messages.into_iter().enumerate() {
        let path = format!("/messages/{at}");
        let message = read_message(message, &mut read.files, (at, &path))?;
        match message.role.as_str() {
            "system" | "developer" => read.system.push(message.content),
            "user" | "assistant" | "tool" => read.spoken.push((at, message)),
            _ => {
                let rule = "'role' must be system, developer, user, assistant or tool";
                return Err(ApiError::invalid(format!("{path}/role"), rule));
            }
        }
    }
    Ok(read)
}

/// A message. Its files are added to the documents of the request.
fn read_message(
    message: MessageBody,
    files: &mut Vec<(usize, AttachedFile)>,
    (at, path): (usize, &str),
) -> Result<HistoryMessage, ApiError> {
    let MessageBody { role, content, tool_calls, tool_call_id } = message;
    let tool_calls: Vec<ToolCall> = tool_calls.unwrap_or_default().into_iter().map(ToolCall::from).collect();
    let mut message = HistoryMessage { role, tool_calls, tool_call_id, ..HistoryMessage::default() };
    if content.is_null() && !message.tool_calls.is_empty() {
        return Ok(message);
    }
    let rule = "a part must be {\"type\": \"text\", \"text\": …}, {\"type\": \"image_url\", \"image_url\": \
                {\"url\": …}} or {\"type\": \"file\", \"file\": {\"file_id\": …}}, or with filename and file_data";
    read_content(content, &mut message, files, (at, &format!("{path}/content")), (read_part, rule))?;
    Ok(message)
}

fn read_part(mut part: Value) -> Option<ContentPart> {
    let text = |value: &mut Value| match value.take() {
        Value::String(text) => Some(text),
        _ => None,
    };
    match part["type"].as_str()? {
        "text" => text(&mut part["text"]).map(ContentPart::Text),
        "image_url" => {
            let url = match &mut part["image_url"] {
                // Some clients leave out the object around it.
                Value::String(url) => Some(std::mem::take(url)),
                image => text(&mut image["url"]),
            };
            url.map(|url| ContentPart::Picture(file_id(&url).to_owned()))
        }
        "file" => AttachedFile::read(&part["file"]).map(ContentPart::File),
        _ => None,
    }
}
