//! Requests and answers of the ports to and from the Messages API. Pure.

use std::borrow::Cow;

use gen_core::{
    ChatAnswer, ChatEvent, ChatRequest, Fault, Finish, ListedModel, Message, ModelKind, Part, ProviderError,
    Role, Usage,
};
use serde_json::Value;
use serde_json::value::RawValue;

use super::wire::{
    BlockDelta, BlockStart, CacheControl, Counts, MessagesRequest, ModelInfo, OutputConfig, OutputFormat,
    StopDetails, TextParam, Turn,
};
use crate::prompt;

/// What is the same for every request.
#[derive(Clone, Copy, Debug)]
pub(super) struct Habits {
    /// `max_tokens`, which the interface demands, where the request has none.
    pub(super) max_tokens: u32,
    /// Whether the prefix up to the last document is to be cached.
    pub(super) cache_documents: bool,
}

/// The body that asks `request`, with the schema in the vendor's dialect.
pub(super) fn request<'a>(
    request: &'a ChatRequest,
    schema: Option<&'a Value>,
    habits: Habits,
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
    let mut text = String::new();
    for block in message.content {
        match block.kind.as_str() {
            "text" => text.push_str(&string(block.text)?),
            // Gateways that have no output format let the model call a tool with the answer.
            "tool_use" if text.is_empty() => {
                text = block.input.map(|input| input.get().to_owned()).unwrap_or_default();
            }
            _ => {}
        }
    }
    let usage = usage(message.usage);
    let ending = Ending { reason: message.stop_reason, details: message.stop_details };
    let finish = ending.finish(!text.is_empty(), usage)?;
    Ok(ChatAnswer { text, citations: Vec::new(), finish, usage, warnings })
}

/// The string that `raw` is; empty where there is none.
pub(super) fn string(raw: Option<Box<RawValue>>) -> Result<String, ProviderError> {
    let Some(raw) = raw else { return Ok(String::new()) };
    serde_json::from_str(raw.get()).map_err(|error| {
        ProviderError::new(Fault::Protocol, "the provider's answer has a text that is none").because(error)
    })
}

/// The interface counts what it read from and wrote to its cache apart from the rest of the input.
pub(super) fn usage(counts: Counts) -> Usage {
    let cached_tokens = counts.cache_read_input_tokens.unwrap_or_default();
    let written = counts.cache_creation_input_tokens.unwrap_or_default();
    let input = counts.input_tokens.unwrap_or_default();
    let output_tokens = counts.output_tokens.unwrap_or_default();
    let thinking = counts.output_tokens_details.and_then(|details| details.thinking_tokens);
    Usage {
        input_tokens: input.saturating_add(written).saturating_add(cached_tokens),
        output_tokens,
        cached_tokens,
        reasoning_tokens: thinking.unwrap_or_default().min(output_tokens),
    }
}

/// Why a model stopped, in the vendor's words.
#[derive(Debug, Default)]
struct Ending {
    reason: Option<String>,
    details: Option<StopDetails>,
}

impl Ending {
    /// A refusal after some text is an answer that ends so; one without any is a failure.
    fn finish(&self, has_text: bool, usage: Usage) -> Result<Finish, ProviderError> {
        let reason = self.reason.as_deref().ok_or_else(|| {
            let message = "the provider's answer ends without a stop reason";
            ProviderError { usage, ..ProviderError::new(Fault::Protocol, message) }
        })?;
        match reason {
            // A pause asks to be continued, which nothing that is asked here leads to.
            "max_tokens" | "model_context_window_exceeded" | "pause_turn" => Ok(Finish::Length),
            "refusal" if has_text => Ok(Finish::Refused),
            "refusal" => {
                let category = self.details.as_ref().and_then(|details| details.category.as_deref());
                let category = category.filter(|word| is_word(word));
                let because = category.map(|word| format!(" ({word})")).unwrap_or_default();
                let message = format!("the model refused to answer{because}");
                Err(ProviderError { usage, ..ProviderError::new(Fault::Refused, message) })
            }
            _ => Ok(Finish::Stop),
        }
    }
}

/// Whether it is one of the interface's constants, which hold no secrets.
fn is_word(text: &str) -> bool {
    text.len() <= 40 && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_')
}

/// What has come of a streamed answer.
#[derive(Debug, Default)]
pub(super) struct Answering {
    counts: Counts,
    ending: Ending,
    has_text: bool,
    /// Index of the block whose input is the answer.
    tool: Option<u64>,
    warnings: Vec<String>,
}

impl Answering {
    pub(super) fn new(warnings: Vec<String>) -> Self {
        Self { warnings, ..Self::default() }
    }

    pub(super) fn usage(&self) -> Usage {
        usage(self.counts)
    }

    /// Adds counts, which are totals so far.
    pub(super) fn count(&mut self, counts: Counts) {
        let before = self.counts;
        self.counts = Counts {
            input_tokens: counts.input_tokens.or(before.input_tokens),
            output_tokens: counts.output_tokens.or(before.output_tokens),
            cache_creation_input_tokens: counts
                .cache_creation_input_tokens
                .or(before.cache_creation_input_tokens),
            cache_read_input_tokens: counts.cache_read_input_tokens.or(before.cache_read_input_tokens),
            output_tokens_details: counts.output_tokens_details.or(before.output_tokens_details),
        };
    }

    /// A block begins; mostly it is still empty.
    pub(super) fn begin(&mut self, start: BlockStart) -> Result<Option<String>, ProviderError> {
        match start.content_block.kind.as_str() {
            "text" => Ok(self.text(string(start.content_block.text)?)),
            "tool_use" if !self.has_text && self.tool.is_none() => {
                self.tool = Some(start.index);
                Ok(None)
            }
            _ => Ok(None),
        }
    }

    /// A block goes on.
    pub(super) fn go_on(
        &mut self,
        BlockDelta { index, delta }: BlockDelta,
    ) -> Result<Option<String>, ProviderError> {
        match delta.kind.as_str() {
            "text_delta" => Ok(self.text(string(delta.text)?)),
            "input_json_delta" if self.tool == Some(index) => Ok(self.text(string(delta.partial_json)?)),
            _ => Ok(None),
        }
    }

    /// The text, where there is any.
    fn text(&mut self, text: String) -> Option<String> {
        self.has_text |= !text.is_empty();
        Some(text).filter(|text| !text.is_empty())
    }

    pub(super) fn stop(&mut self, reason: Option<String>, details: Option<StopDetails>) {
        self.ending.reason = reason.or(self.ending.reason.take());
        self.ending.details = details.or(self.ending.details.take());
    }

    pub(super) fn end(&mut self) -> Result<ChatEvent, ProviderError> {
        let usage = self.usage();
        let finish = self.ending.finish(self.has_text, usage)?;
        Ok(ChatEvent::End { finish, usage, warnings: std::mem::take(&mut self.warnings) })
    }
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
