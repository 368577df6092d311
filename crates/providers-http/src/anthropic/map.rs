//! Requests and answers of the ports to and from the Messages API. Pure.

use std::borrow::Cow;

use gen_core::{ChatAnswer, ChatRequest, ListedModel, Message, ModelKind, Part, ProviderError, Role};
use serde_json::Value;

use super::answer::{StopState, string, usage};
use super::wire::{CacheControl, MessagesRequest, ModelInfo, OutputConfig, OutputFormat, TextParam, Turn};
use crate::prompt;

/// What is the same for every request.
#[derive(Clone, Copy, Debug)]
pub(super) struct RequestDefaults {
    /// `max_tokens`, which the interface demands, where the request has none.
    pub(super) max_tokens: u32,
    /// Whether the prefix up to the last document is to be cached.
    pub(super) cache_documents: bool,
}

/// The body that asks `request`, with the schema in the vendor's dialect.
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
    let format = |schema| OutputFormat { kind: "json_schema", schema };
    Ok(MessagesRequest {
        model: &request.model,
        max_tokens: request.max_tokens.unwrap_or(habits.max_tokens),
        system: request.system.as_deref().filter(|text| !text.trim().is_empty()),
        messages,
        output_config: schema.map(|schema| OutputConfig { format: format(schema) }),
        stream,
    })
}

/// What of `request` is left out. Sampling parameters give status 400 even at their default values.
pub(super) fn warnings(request: &ChatRequest) -> Vec<String> {
    let temperature = request
        .temperature
        .map(|_| "'temperature' was left out: Anthropic's models do not take it".to_owned());
    temperature.into_iter().collect()
}

/// The conversation without empty texts, which the interface refuses.
fn turns(messages: &[Message], cache_documents: bool) -> Vec<Turn<'_>> {
    let mut number = 1;
    let mut last_document = None;
    let mut turns: Vec<Turn<'_>> = Vec::with_capacity(messages.len());
    for message in messages {
        let mut content = Vec::with_capacity(message.parts.len());
        for part in &message.parts {
            let text = match part {
                Part::Text(text) if text.trim().is_empty() => continue,
                Part::Text(text) => Cow::Borrowed(text.as_str()),
                Part::Document { name, description, text } => {
                    last_document = Some((turns.len(), content.len()));
                    number += 1;
                    Cow::Owned(prompt::document(number - 1, name, description.as_deref(), text))
                }
            };
            content.push(TextParam { kind: "text", text, cache_control: None });
        }
        if !content.is_empty() {
            turns.push(Turn { role: role(message.role), content });
        }
    }
    // What stands after the last document differs from question to question; what stands before it,
    // the instructions included, is what questions about the same documents share.
    if let Some((turn, block)) = last_document.filter(|_| cache_documents)
        && let Some(block) = turns.get_mut(turn).and_then(|turn| turn.content.get_mut(block))
    {
        block.cache_control = Some(CacheControl { kind: "ephemeral" });
    }
    turns
}

fn role(role: Role) -> &'static str {
    match role {
        Role::User => "user",
        Role::Assistant => "assistant",
    }
}

/// The answer that `message` is.
pub(super) fn answer(
    message: super::wire::Message,
    warnings: Vec<String>,
) -> Result<ChatAnswer, ProviderError> {
    let usage = usage(message.usage);
    let mut text = String::new();
    for block in message.content {
        match block.kind.as_str() {
            "text" => {
                let more = string(block.text).map_err(|error| ProviderError { usage, ..error })?;
                text.push_str(&more);
            }
            // Gateways that have no output format let the model call a tool with the answer.
            "tool_use" if text.is_empty() => {
                text = block.input.map(|input| input.get().to_owned()).unwrap_or_default();
            }
            _ => {}
        }
    }
    let ending = StopState { reason: message.stop_reason, details: message.stop_details };
    let finish = ending.finish(!text.is_empty(), usage)?;
    Ok(ChatAnswer { text, citations: Vec::new(), finish, usage, warnings })
}

/// A model that can be called; `None` for a retired one.
pub(super) fn model(info: ModelInfo) -> Option<ListedModel> {
    if info.lifecycle.as_deref() == Some("retired") {
        return None;
    }
    let tokens = |count: Option<u64>| count.filter(|count| *count > 0)?.try_into().ok();
    Some(ListedModel {
        model: info.id,
        name: info.display_name,
        // Every model of the list answers in words.
        kind: Some(ModelKind::TextToText),
        context_tokens: tokens(info.max_input_tokens),
        output_tokens: tokens(info.max_tokens),
    })
}
