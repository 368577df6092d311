//! What whole and streamed completions share.

use gen_core::{Finish, Usage};
use schemars::JsonSchema;
use serde::Serialize;
use shared_core::Timestamp;

/// Tokens of an answer.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct CompletionUsage {
    /// Input.
    prompt_tokens: u64,
    /// Output.
    completion_tokens: u64,
    /// Both.
    total_tokens: u64,
    /// Of the input.
    prompt_tokens_details: PromptTokens,
}

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "CompletionPromptTokens")]
struct PromptTokens {
    /// From the provider's cache.
    cached_tokens: u64,
}

impl From<Usage> for CompletionUsage {
    fn from(usage: Usage) -> Self {
        Self {
            prompt_tokens: usage.input_tokens,
            completion_tokens: usage.output_tokens,
            total_tokens: usage.total(),
            prompt_tokens_details: PromptTokens { cached_tokens: usage.cached_tokens },
        }
    }
}

/// Seconds since 1970, as OpenAI's interface tells times.
pub(super) fn unix_seconds(time: Timestamp) -> i64 {
    time.micros() / 1_000_000
}

/// What all parts of an answer repeat.
#[derive(Clone, Debug)]
pub(super) struct Heading {
    pub(super) id: String,
    pub(super) created: i64,
    pub(super) model: String,
}

/// The reason in the words of OpenAI's interface, which has none for unknown ones.
pub(super) fn finish_reason(finish: Finish) -> &'static str {
    match finish.name() {
        "other" => "stop",
        known => known,
    }
}
