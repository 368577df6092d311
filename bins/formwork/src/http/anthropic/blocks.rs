//! The messages of a conversation: texts, or blocks of text, pictures, documents, and calls and results of tools.

use gen_core::{HistoryMessage, ToolCall};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::http::ApiError;
use crate::http::openai::{AttachedFile, ContentPart, Conversation};

/// A message of the conversation.
#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(rename = "AnthropicInputMessage")]
pub(super) struct MessageEntry {
    /// `user` or `assistant`.
    role: String,
    /// The text, or blocks: `text`, `image`, `document`, `tool_use` and `tool_result`. `thinking` is left out.
    content: Value,
}

const RULE: &str =
    "a block must be {\"type\": \"text\", \"text\": …}, or an image, a document, a tool_use or a tool_result";
const RESULT_RULE: &str = "a result must have \"tool_use_id\", and as \"content\" a text or blocks of text";

/// The conversation of these messages.
pub(super) fn conversation(messages: Vec<MessageEntry>) -> Result<Conversation, ApiError> {
    let mut read = Conversation::default();
    for (at, MessageEntry { role, content }) in messages.into_iter().enumerate() {
        if role != "user" && role != "assistant" {
            return Err(ApiError::invalid(
                format!("/messages/{at}/role"),
                "'role' must be user or assistant",
            ));
        }
        let mut message = HistoryMessage::text(role, "");
        match content {
            Value::String(text) => message.content = text,
            Value::Array(blocks) => {
                // Results answer what came before, and stand before the text of their message.
                if add_blocks(&mut read, &mut message, blocks, at)? {
                    continue;
                }
            }
            _ => {
                let rule = "'content' must be a text or a list of blocks";
                return Err(ApiError::invalid(format!("/messages/{at}/content"), rule));
            }
        }
        read.spoken.push((at, message));
    }
    Ok(read)
}

/// Adds the blocks to their message, and results of tools as messages of their own. Returns whether there is nothing
/// else.
fn add_blocks(
    read: &mut Conversation,
    message: &mut HistoryMessage,
    blocks: Vec<Value>,
    at: usize,
) -> Result<bool, ApiError> {
    let (mut texts, mut results) = (Vec::new(), 0);
    let count = blocks.len();
    for (number, mut block) in blocks.into_iter().enumerate() {
        let refused = |rule: &str| ApiError::invalid(format!("/messages/{at}/content/{number}"), rule);
        match (block["type"].as_str(), message.role.as_str()) {
            (Some("tool_result"), "user") => {
                read.spoken.push((at, result(block).ok_or_else(|| refused(RESULT_RULE))?));
                results += 1;
            }
            (Some("tool_use"), "assistant") => {
                let arguments = block.get("input").map_or_else(|| json!({}), Value::clone).to_string();
                let call = ToolCall {
                    id: take_text(&mut block, "id"),
                    name: take_text(&mut block, "name"),
                    arguments,
                };
                message.tool_calls.push(call);
            }
            (Some("thinking" | "redacted_thinking"), "assistant") => {}
            _ => {
                let part = part(&mut block).ok_or_else(|| refused(RULE))?;
                part.add(message, &mut texts, &mut read.files, at).map_err(refused)?;
            }
        }
    }
    message.content = texts.join("\n");
    Ok(results > 0 && results == count)
}

/// The text, picture or document of a block.
fn part(block: &mut Value) -> Option<ContentPart> {
    match block["type"].as_str()? {
        "text" => Some(ContentPart::Text(text(&mut block["text"])?)),
        "image" => {
            let source = &mut block["source"];
            let picture = match source["type"].as_str()? {
                "base64" => {
                    format!("data:{};base64,{}", source["media_type"].as_str()?, source["data"].as_str()?)
                }
                "url" => text(&mut source["url"])?,
                "file" => text(&mut source["file_id"])?,
                _ => return None,
            };
            Some(ContentPart::Picture(picture))
        }
        "document" => document(block),
        _ => None,
    }
}

/// The document of a block: a file, or a text.
fn document(block: &mut Value) -> Option<ContentPart> {
    let name = text(&mut block["title"]).filter(|name| !name.trim().is_empty());
    let source = &mut block["source"];
    let fields = match source["type"].as_str()? {
        "base64" => json!({"filename": name, "file_data": source["data"].take()}),
        "url" => json!({"file_url": source["url"].take()}),
        "file" => json!({"file_id": source["file_id"].take()}),
        "text" => {
            let name = name.unwrap_or_else(|| "document.txt".to_owned());
            return Some(ContentPart::File(AttachedFile::Inline(name, text(&mut source["data"])?.into())));
        }
        _ => return None,
    };
    AttachedFile::read(&fields).map(ContentPart::File)
}

/// The result of a tool as a message. A failure is told in its text.
fn result(mut block: Value) -> Option<HistoryMessage> {
    let id = text(&mut block["tool_use_id"])?;
    let mut content = match block["content"].take() {
        Value::String(text) => text,
        Value::Null => String::new(),
        Value::Array(parts) => {
            let texts = parts.into_iter().map(|mut part| match part["type"].as_str()? {
                "text" => text(&mut part["text"]),
                _ => None,
            });
            texts.collect::<Option<Vec<String>>>()?.join("\n")
        }
        _ => return None,
    };
    if block["is_error"] == true {
        content.insert_str(0, "Error: ");
    }
    Some(HistoryMessage { tool_call_id: Some(id), ..HistoryMessage::text("tool", content) })
}

fn text(value: &mut Value) -> Option<String> {
    match value.take() {
        Value::String(text) => Some(text),
        _ => None,
    }
}

fn take_text(block: &mut Value, name: &str) -> String {
    text(&mut block[name]).unwrap_or_default()
}
