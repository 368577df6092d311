//! The state of an answer, complete or streamed: its text and files, its tokens, and why it ends. No I/O.

use gen_core::{ChatEvent, Fault, Finish, MAX_TOOLS, ProviderError, ToolCall, Usage};

use super::tools;
use super::wire::{Candidate, GenerateResponse, InlineData, UsageMetadata};

/// Thoughts are output tokens that the API counts separately.
pub(super) fn usage(counts: UsageMetadata) -> Usage {
    let tools = counts.tool_use_prompt_token_count.unwrap_or_default();
    let reasoning_tokens = counts.thoughts_token_count.unwrap_or_default();
    let input_tokens = counts.prompt_token_count.unwrap_or_default().saturating_add(tools);
    Usage {
        input_tokens,
        output_tokens: counts.candidates_token_count.unwrap_or_default().saturating_add(reasoning_tokens),
        cached_tokens: counts.cached_content_token_count.unwrap_or_default().min(input_tokens),
        reasoning_tokens,
    }
}

/// The state of an answer, from one record or several.
#[derive(Debug, Default)]
pub(super) struct AnswerState {
    counts: UsageMetadata,
    finish: Option<String>,
    blocked: Option<String>,
    has_text: bool,
    pub(super) files: Vec<InlineData>,
    /// Whether tools were offered, without which calls are none.
    has_tools: bool,
    any_call: bool,
    /// Calls that were not yet taken.
    calls: Vec<ToolCall>,
    /// Calls that were taken before.
    taken: usize,
}

impl AnswerState {
    pub(super) fn new(has_tools: bool) -> Self {
        Self { has_tools, ..Self::default() }
    }

    /// The calls since the last time.
    pub(super) fn take_calls(&mut self) -> Vec<ToolCall> {
        self.taken += self.calls.len();
        std::mem::take(&mut self.calls)
    }

    pub(super) fn usage(&self) -> Usage {
        usage(self.counts)
    }

    /// Whether the model gave a finish reason.
    pub(super) fn has_finished(&self) -> bool {
        self.finish.is_some() || self.blocked.is_some()
    }

    /// The text of one record. Its token counts are totals so far.
    pub(super) fn read(&mut self, response: GenerateResponse) -> String {
        if let Some(counts) = response.usage_metadata {
            self.count(counts);
        }
        let blocked = response.prompt_feedback.and_then(|feedback| feedback.block_reason);
        self.blocked = blocked.filter(|reason| !reason.is_empty()).or(self.blocked.take());
        let mut text = String::new();
        if let Some(candidate) = response.candidates.into_iter().next() {
            self.candidate(candidate, &mut text);
        }
        self.has_text |= !text.is_empty();
        text
    }

    fn candidate(&mut self, candidate: Candidate, text: &mut String) {
        let unsaid = |reason: &String| reason.is_empty() || reason == "FINISH_REASON_UNSPECIFIED";
        if let Some(reason) = candidate.finish_reason.filter(|reason| !unsaid(reason)) {
            self.finish = Some(reason);
        }
        let parts = candidate.content.map(|content| content.parts).unwrap_or_default();
        for part in parts.into_iter().filter(|part| part.thought != Some(true)) {
            text.push_str(&part.text.unwrap_or_default());
            self.files.extend(part.inline_data);
            let room = self.has_tools && self.taken + self.calls.len() < MAX_TOOLS;
            if let Some(call) = part.function_call.filter(|_| room) {
                self.calls.push(tools::call(call, part.thought_signature));
                self.any_call = true;
            }
        }
    }

    fn count(&mut self, counts: UsageMetadata) {
        let before = self.counts;
        self.counts = UsageMetadata {
            prompt_token_count: counts.prompt_token_count.or(before.prompt_token_count),
            tool_use_prompt_token_count: counts
                .tool_use_prompt_token_count
                .or(before.tool_use_prompt_token_count),
            candidates_token_count: counts.candidates_token_count.or(before.candidates_token_count),
            thoughts_token_count: counts.thoughts_token_count.or(before.thoughts_token_count),
            cached_content_token_count: counts
                .cached_content_token_count
                .or(before.cached_content_token_count),
        };
    }

    /// Why the model stopped. A refusal after some content ends the answer; a refusal without content is a
    /// failure.
    pub(super) fn finish(&self) -> Result<Finish, ProviderError> {
        let has_content = self.has_text || self.any_call || !self.files.is_empty();
        if let Some(reason) = &self.blocked {
            return Err(self.failed(Fault::Refused, "the provider blocked the prompt", reason));
        }
        let Some(reason) = &self.finish else {
            let message = "the provider's answer ends without a finish reason";
            return Err(self.failed(Fault::Protocol, message, ""));
        };
        match reason.as_str() {
            "STOP" if self.any_call => Ok(Finish::ToolCalls),
            "STOP" => Ok(Finish::Stop),
            "MAX_TOKENS" | "CONTINUATION" => Ok(Finish::Length),
            reason if is_filter(reason) && has_content => Ok(Finish::Refused),
            reason if is_filter(reason) => {
                Err(self.failed(Fault::Refused, "the provider withheld the answer", reason))
            }
            // A call of a tool that was not offered, no picture, or no reason: a malfunction of the model.
            reason => Err(self.failed(Fault::Failed, "the model broke off", reason)),
        }
    }

    pub(super) fn failed(&self, fault: Fault, message: &str, reason: &str) -> ProviderError {
        let message = if is_word(reason) { format!("{message} ({reason})") } else { message.to_owned() };
        ProviderError { usage: self.usage(), ..ProviderError::new(fault, message) }
    }

    /// The last event of a stream.
    pub(super) fn end(&self) -> Result<ChatEvent, ProviderError> {
        Ok(ChatEvent::End { finish: self.finish()?, usage: self.usage(), warnings: Vec::new() })
    }
}

/// Whether the reason means that the answer was filtered for its content.
fn is_filter(reason: &str) -> bool {
    matches!(
        reason,
        "SAFETY"
            | "RECITATION"
            | "LANGUAGE"
            | "BLOCKLIST"
            | "PROHIBITED_CONTENT"
            | "SPII"
            | "IMAGE_SAFETY"
            | "IMAGE_PROHIBITED_CONTENT"
            | "IMAGE_RECITATION"
            | "ESCALATION"
            | "PUP_LIMITED_DISABLED"
            | "MODEL_ARMOR"
    )
}

/// Whether the text is a constant of the API. Constants hold no secrets.
fn is_word(text: &str) -> bool {
    // The longest constants have about half as many letters.
    (1..=40).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_')
}
