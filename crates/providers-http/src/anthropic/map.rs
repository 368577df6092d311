//! Maps requests and answers between the ports and the Messages API. No I/O.

use std::borrow::Cow;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use gen_core::{
    ChatAnswer, ChatRequest, Effort, ListedModel, MAX_TOOLS, Media, Message, ModelKind, Part, ProviderError,
    Role, ToolCall,
};
use serde_json::Value;

use super::answer::{StopState, string, usage};
use super::tools::{call_id, tools};
use super::wire::{
    BlockParam, CacheControl, ImageSource, MessagesRequest, ModelInfo, OutputConfig, OutputFormat, Turn,
};
use crate::prompt::DocumentNumbers;

/// Values shared by all requests.
#[derive(Clone, Copy, Debug)]
pub(super) struct RequestDefaults {
    /// Default `max_tokens`, which the API requires.
    pub(super) max_tokens: u32,
    /// Whether to cache the prefix up to the last document.
    pub(super) cache_documents: bool,
}

/// The body of `request`, with the schema in the vendor's dialect.
pub(super) fn request<'a>(
    request: &'a ChatRequest,
    schema: Option<&'a Value>,
    habits: RequestDefaults,
    stream: bool,
) -> Result<MessagesRequest<'a>, ProviderError> {
    let messages = turns(&request.messages, habits.cache_documents);
    match messages.last() {
        None => return Err(ProviderError::unsupported("the request has no message with text")),
        Some(last) if last.role != "user" => {
            let message = "Anthropic's models continue no answer: the last message must be the user's";
            return Err(ProviderError::unsupported(message));
        }
        Some(_) => {}
    }
    let (tools, tool_choice) = tools(&request.tools);
    let format = schema.map(|schema| OutputFormat { kind: "json_schema", schema });
    let effort = request.effort.map(Effort::name);
    Ok(MessagesRequest {
        model: &request.model,
        max_tokens: request.max_tokens.unwrap_or(habits.max_tokens),
        system: request.system.as_deref().filter(|text| !text.trim().is_empty()),
        messages,
        output_config: (format.is_some() || effort.is_some()).then_some(OutputConfig { format, effort }),
        stop_sequences: &request.stop,
        tools,
        tool_choice,
        stream,
    })
}

/// Warnings on dropped parts of `request`. Sampling parameters give status 400 even at their default values.
pub(super) fn warnings(request: &ChatRequest) -> Vec<String> {
    let given = [
        ("temperature", request.temperature.is_some()),
        ("topP", request.top_p.is_some()),
        ("seed", request.seed.is_some()),
    ];
    let dropped = given.into_iter().filter(|(_, given)| *given);
    dropped.map(|(name, _)| format!("'{name}' was left out: Anthropic's models do not take it")).collect()
}

/// The conversation without empty texts, which the API rejects.
fn turns(messages: &[Message], cache_documents: bool) -> Vec<Turn<'_>> {
    let mut numbers = DocumentNumbers::default();
    let mut last_document = None;
    let mut turns: Vec<Turn<'_>> = Vec::with_capacity(messages.len());
    for message in messages {
        let mut content = Vec::with_capacity(message.parts.len());
        for part in &message.parts {
            let text = |text| BlockParam::Text { text, cache_control: None };
            content.push(match part {
                Part::Text(text) if text.trim().is_empty() => continue,
                Part::Text(content) => text(Cow::Borrowed(content.as_str())),
                Part::Document { name, description, text: content_of } => {
                    last_document = Some((turns.len(), content.len()));
                    text(Cow::Owned(numbers.document(name, description.as_deref(), content_of)))
                }
                Part::Picture(Media { bytes, content_type }) => {
                    let data = STANDARD.encode(bytes);
                    BlockParam::Image {
                        source: ImageSource { kind: "base64", media_type: content_type, data },
                    }
                }
                Part::ToolCall(call) => BlockParam::ToolUse {
                    id: call_id(&call.id),
                    name: &call.name,
                    input: call.arguments_object(),
                },
                Part::ToolResult { id, text, .. } => {
                    BlockParam::ToolResult { tool_use_id: call_id(id), content: text }
                }
            });
        }
        if !content.is_empty() {
            turns.push(Turn { role: role(message.role), content });
        }
    }
    // Text after the last document differs between questions. Text before it, with the instructions, is
    // shared by all questions about the same documents.
    if let Some((turn, block)) = last_document.filter(|_| cache_documents)
        && let Some(BlockParam::Text { cache_control, .. }) =
            turns.get_mut(turn).and_then(|turn| turn.content.get_mut(block))
    {
        *cache_control = Some(CacheControl { kind: "ephemeral" });
    }
    turns
}

fn role(role: Role) -> &'static str {
    match role {
        Role::User => "user",
        Role::Assistant => "assistant",
    }
}

/// The answer in `message`. `has_tools`: whether tools were offered, without which calls are none.
pub(super) fn answer(
    message: super::wire::Message,
    has_tools: bool,
    warnings: Vec<String>,
) -> Result<ChatAnswer, ProviderError> {
    let usage = usage(message.usage);
    let mut text = String::new();
    let mut tool_calls = Vec::new();
    for block in message.content {
        match block.kind.as_str() {
            "text" => {
                let more = string(block.text).map_err(|error| ProviderError { usage, ..error })?;
                text.push_str(&more);
            }
            "tool_use" if has_tools && tool_calls.len() < MAX_TOOLS => tool_calls.push(ToolCall {
                id: block.id.unwrap_or_default(),
                name: block.name.unwrap_or_default(),
                arguments: block.input.map(|input| input.get().to_owned()).unwrap_or_default(),
            }),
            // Gateways without an output format let the model call a tool with the answer.
            "tool_use" if !has_tools && text.is_empty() => {
                text = block.input.map(|input| input.get().to_owned()).unwrap_or_default();
            }
            _ => {}
        }
    }
    let ending = StopState { reason: message.stop_reason, details: message.stop_details };
    let finish = ending.finish(!text.is_empty() || !tool_calls.is_empty(), has_tools, usage)?;
    Ok(ChatAnswer { text, tool_calls, finish, usage, warnings, ..ChatAnswer::default() })
}

/// A callable model; `None` for a retired one.
pub(super) fn model(info: ModelInfo) -> Option<ListedModel> {
    if info.lifecycle.as_deref() == Some("retired") {
        return None;
    }
    let tokens = |count: Option<u64>| count.filter(|count| *count > 0)?.try_into().ok();
    Some(ListedModel {
        model: info.id,
        name: info.display_name,
        // Every listed model generates text.
        kind: Some(ModelKind::TextToText),
        context_tokens: tokens(info.max_input_tokens),
        output_tokens: tokens(info.max_tokens),
    })
}
