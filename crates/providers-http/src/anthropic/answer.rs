//! The state of an answer, complete or streamed: its text, its tokens, and why it ends. No I/O.

use gen_core::{ChatEvent, Fault, Finish, MAX_TOOLS, ProviderError, ToolCallDelta, Usage};
use serde_json::value::RawValue;

use super::wire::{BlockDelta, BlockStart, Counts, StopDetails};

/// The string in `raw`; empty when there is none.
pub(super) fn string(raw: Option<Box<RawValue>>) -> Result<String, ProviderError> {
    let Some(raw) = raw else { return Ok(String::new()) };
    serde_json::from_str(raw.get()).map_err(|error| {
        ProviderError::new(Fault::Protocol, "the provider's answer has a text that is none")
            .with_source(error)
    })
}

/// The API counts cache reads and cache writes separately from the rest of the input.
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

/// Why a model stopped, in the vendor's terms.
#[derive(Debug, Default)]
pub(super) struct StopState {
    pub(super) reason: Option<String>,
    pub(super) details: Option<StopDetails>,
}

impl StopState {
    /// A refusal after some text ends the answer; a refusal without text is a failure.
    pub(super) fn finish(
        &self,
        has_text: bool,
        has_tools: bool,
        usage: Usage,
    ) -> Result<Finish, ProviderError> {
        let reason = self.reason.as_deref().ok_or_else(|| {
            let message = "the provider's answer ends without a stop reason";
            ProviderError { usage, ..ProviderError::new(Fault::Protocol, message) }
        })?;
        match reason {
            // A pause asks the client to continue. No request of this adapter leads to one.
            "max_tokens" | "model_context_window_exceeded" | "pause_turn" => Ok(Finish::Length),
            "refusal" if has_text => Ok(Finish::Refused),
            "refusal" => {
                let category = self.details.as_ref().and_then(|details| details.category.as_deref());
                let category = category.filter(|word| is_word(word));
                let because = category.map(|word| format!(" ({word})")).unwrap_or_default();
                let message = format!("the model refused to answer{because}");
                Err(ProviderError { usage, ..ProviderError::new(Fault::Refused, message) })
            }
            "tool_use" if has_tools => Ok(Finish::ToolCalls),
            "end_turn" | "stop_sequence" | "tool_use" => Ok(Finish::Stop),
            _ => Ok(Finish::Other),
        }
    }
}

/// Whether the text is a constant of the API. Constants hold no secrets.
fn is_word(text: &str) -> bool {
    // The longest constants have about half as many letters.
    text.len() <= 40 && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_')
}

/// The state of a streamed answer.
#[derive(Debug, Default)]
pub(super) struct MessageState {
    counts: Counts,
    ending: StopState,
    has_text: bool,
    /// Index of the block whose input is the answer.
    tool: Option<u64>,
    /// Whether tools were offered, without which calls are none.
    has_tools: bool,
    /// Indices of the blocks that are calls of tools.
    calls: Vec<u64>,
    warnings: Vec<String>,
}

impl MessageState {
    pub(super) fn new(has_tools: bool, warnings: Vec<String>) -> Self {
        Self { has_tools, warnings, ..Self::default() }
    }

    pub(super) fn usage(&self) -> Usage {
        usage(self.counts)
    }

    /// Adds token counts, which are totals so far.
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

    /// Starts a block, which is usually still empty.
    pub(super) fn begin_block(&mut self, start: BlockStart) -> Result<Option<ChatEvent>, ProviderError> {
        let BlockStart { index, content_block } = start;
        match content_block.kind.as_str() {
            "text" => Ok(self.text(string(content_block.text)?)),
            "tool_use" if self.has_tools && self.calls.len() < MAX_TOOLS => {
                self.calls.push(index);
                // Its arguments follow in pieces. Where they stand here, they are not an empty object.
                let input = content_block.input.map(|input| input.get().to_owned());
                let arguments = input.filter(|input| input != "{}" && input != "null").unwrap_or_default();
                let (id, name) =
                    (content_block.id.unwrap_or_default(), content_block.name.unwrap_or_default());
                let index = self.calls.len() - 1;
                Ok(Some(ChatEvent::ToolCall(ToolCallDelta { index, id, name, arguments })))
            }
            "tool_use" if self.has_tools => Ok(None),
            "tool_use" if !self.has_text && self.tool.is_none() => {
                self.tool = Some(index);
                Ok(None)
            }
            _ => Ok(None),
        }
    }

    /// Continues a block.
    pub(super) fn apply_delta(
        &mut self,
        BlockDelta { index, delta }: BlockDelta,
    ) -> Result<Option<ChatEvent>, ProviderError> {
        let call = self.calls.iter().position(|known| *known == index);
        match (delta.kind.as_str(), call) {
            ("text_delta", _) => Ok(self.text(string(delta.text)?)),
            ("input_json_delta", Some(index)) => {
                let arguments = string(delta.partial_json)?;
                let delta = ToolCallDelta { index, arguments, ..ToolCallDelta::default() };
                Ok((!delta.arguments.is_empty()).then_some(ChatEvent::ToolCall(delta)))
            }
            ("input_json_delta", None) if self.tool == Some(index) => {
                Ok(self.text(string(delta.partial_json)?))
            }
            _ => Ok(None),
        }
    }

    /// The text, if it is not empty.
    fn text(&mut self, text: String) -> Option<ChatEvent> {
        self.has_text |= !text.is_empty();
        Some(text).filter(|text| !text.is_empty()).map(ChatEvent::Text)
    }

    pub(super) fn stop(&mut self, reason: Option<String>, details: Option<StopDetails>) {
        self.ending.reason = reason.or(self.ending.reason.take());
        self.ending.details = details.or(self.ending.details.take());
    }

    pub(super) fn end(&mut self) -> Result<ChatEvent, ProviderError> {
        let usage = self.usage();
        let any = self.has_text || !self.calls.is_empty();
        let finish = self.ending.finish(any, self.has_tools, usage)?;
        Ok(ChatEvent::End { finish, usage, warnings: std::mem::take(&mut self.warnings) })
    }
}
