//! The input of a response: a text, or items.

use gen_core::{HistoryMessage, ToolCall};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::super::content::{AttachedFile, ContentPart, file_id, read_content};
use super::super::conversation::Conversation;
use super::compaction_text as compaction;
use crate::http::ApiError;

/// What is asked.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(untagged, expecting = "'input' must be a text or a list of items")]
#[schemars(rename = "ResponseInput")]
pub(super) enum InputBody {
    /// The question of the user.
    Text(String),
    /// The conversation.
    Items(Vec<InputItem>),
}

/// An item: a message, a `function_call`, a `function_call_output`, or a `compaction`.
#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(rename = "ResponseInputItem")]
pub(super) struct InputItem {
    /// `message`, which may be absent, `function_call`, `function_call_output` or `compaction`. Items of the type
    /// `reasoning` are left out.
    #[serde(rename = "type", default)]
    kind: Option<String>,
    /// Of a message: `user`, `assistant`, `system` or `developer`.
    #[serde(default)]
    role: Option<String>,
    /// Of a message: a text, or parts of the types `input_text`, `output_text`, `input_image` and `input_file`.
    #[serde(default)]
    #[schemars(with = "Option<Value>")]
    content: Value,
    /// Of a call and its output: the id of the call.
    #[serde(default)]
    call_id: Option<String>,
    /// Of a call: the name of the function.
    #[serde(default)]
    name: Option<String>,
    /// Of a call: its arguments, the text of a JSON object.
    #[serde(default)]
    arguments: Option<String>,
    /// Of an output: a text, or parts of text.
    #[serde(default)]
    #[schemars(with = "Option<Value>")]
    output: Value,
    /// Of a compaction: as this server made it.
    #[serde(default)]
    encrypted_content: Option<String>,
    /// Everything else.
    #[serde(flatten)]
    _others: Map<String, Value>,
}

/// The conversation of an input.
pub(super) fn conversation(input: InputBody) -> Result<Conversation, ApiError> {
    let mut read = Conversation::default();
    let items = match input {
        InputBody::Text(text) => {
            read.spoken.push((0, HistoryMessage::text("user", text)));
            return Ok(read);
        }
        InputBody::Items(items) => items,
    };
    for (at, item) in items.into_iter().enumerate() {
        let path = format!("/input/{at}");
        match item.kind.as_deref().unwrap_or("message") {
            "message" => read.message(item, at, &path)?,
            "function_call" => read.call(item, at),
            "function_call_output" => read.output(item, at, &path)?,
            "compaction" => {
                let summary = item.encrypted_content.as_deref().and_then(compaction::read);
                let rule = "'encrypted_content' must be that of a compaction by this server";
                let invalid = || ApiError::invalid(format!("{path}/encrypted_content"), rule);
                read.system.push(summary.ok_or_else(invalid)?);
            }
            "reasoning" => {}
            _ => {
                let rule =
                    "'type' must be message, function_call, function_call_output, compaction or reasoning";
                return Err(ApiError::invalid(format!("{path}/type"), rule));
            }
        }
    }
    Ok(read)
}

const RULE: &str = "a part must be {\"type\": \"input_text\", \"text\": …}, {\"type\": \"input_image\", \"image_url\": …} or \
                    {\"type\": \"input_file\", \"file_id\": …}, or with file_url, or filename and file_data";

impl Conversation {
    fn message(&mut self, item: InputItem, at: usize, path: &str) -> Result<(), ApiError> {
        let role = item.role.unwrap_or_default();
        let mut message = HistoryMessage::text(role, "");
        read_content(
            item.content,
            &mut message,
            &mut self.files,
            (at, &format!("{path}/content")),
            (read_part, RULE),
        )?;
        match message.role.as_str() {
            "system" | "developer" => self.system.push(message.content),
            "user" | "assistant" => self.spoken.push((at, message)),
            _ => {
                let rule = "'role' must be user, assistant, system or developer";
                return Err(ApiError::invalid(format!("{path}/role"), rule));
            }
        }
        Ok(())
    }

    /// The calls of one answer, and the text before them, are one message.
    fn call(&mut self, item: InputItem, at: usize) {
        let call = ToolCall {
            id: item.call_id.unwrap_or_default(),
            name: item.name.unwrap_or_default(),
            arguments: item.arguments.unwrap_or_default(),
        };
        match self.spoken.last_mut() {
            Some((_, last)) if last.role == "assistant" => last.tool_calls.push(call),
            _ => {
                let message =
                    HistoryMessage { tool_calls: vec![call], ..HistoryMessage::text("assistant", "") };
                self.spoken.push((at, message));
            }
        }
    }

    fn output(&mut self, item: InputItem, at: usize, path: &str) -> Result<(), ApiError> {
        let mut message = HistoryMessage { tool_call_id: item.call_id, ..HistoryMessage::text("tool", "") };
        read_content(
            item.output,
            &mut message,
            &mut self.files,
            (at, &format!("{path}/output")),
            (read_part, RULE),
        )?;
        self.spoken.push((at, message));
        Ok(())
    }
}

fn read_part(mut part: Value) -> Option<ContentPart> {
    let text = |value: &mut Value| match value.take() {
        Value::String(text) => Some(text),
        _ => None,
    };
    match part["type"].as_str()? {
        "input_text" | "output_text" => text(&mut part["text"]).map(ContentPart::Text),
        "refusal" => text(&mut part["refusal"]).map(ContentPart::Text),
        "input_image" => {
            let named = text(&mut part["image_url"]).or_else(|| text(&mut part["file_id"]));
            named.map(|reference| ContentPart::Picture(file_id(&reference).to_owned()))
        }
        "input_file" => AttachedFile::read(&part).map(ContentPart::File),
        _ => None,
    }
}
