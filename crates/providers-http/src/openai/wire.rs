//! The JSON of OpenAI's API as far as it is used. It is written exactly and read leniently.

use gen_core::MAX_TOOLS;
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::messages::ChatMessage;
use super::tools::{ToolCallEntry, ToolParams};
use super::vector::Vector;
use crate::lenient::{Count, Scalar, Text, first};

/// Body of `POST /chat/completions`.
#[derive(Debug, Serialize)]
pub(super) struct ChatBody<'a> {
    pub(super) model: &'a str,
    pub(super) messages: Vec<ChatMessage<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) max_completion_tokens: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) max_tokens: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) temperature: Option<f32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) top_p: Option<f32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) seed: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) random_seed: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) reasoning_effort: Option<&'static str>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    pub(super) stop: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) response_format: Option<ResponseFormat<'a>>,
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub(super) tools: Option<ToolParams<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) stream: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) stream_options: Option<StreamOptions>,
}

#[derive(Debug, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(super) enum ResponseFormat<'a> {
    JsonSchema { json_schema: JsonSchema<'a> },
}

#[derive(Debug, Serialize)]
pub(super) struct JsonSchema<'a> {
    pub(super) name: &'a str,
    pub(super) strict: bool,
    pub(super) schema: &'a Value,
}

#[derive(Debug, Serialize)]
pub(super) struct StreamOptions {
    pub(super) include_usage: bool,
}

/// Answer of `POST /chat/completions`.
#[derive(Debug, Default, Deserialize)]
pub(super) struct ChatCompletion {
    #[serde(default, deserialize_with = "first::<1, _, _>")]
    pub(super) choices: Vec<Choice>,
    #[serde(default)]
    pub(super) usage: Option<TokenUsage>,
}

#[derive(Debug, Default, Deserialize)]
pub(super) struct Choice {
    #[serde(default)]
    pub(super) message: Option<AssistantMessage>,
    #[serde(default)]
    pub(super) finish_reason: Scalar,
}

#[derive(Debug, Default, Deserialize)]
pub(super) struct AssistantMessage {
    #[serde(default)]
    pub(super) content: Text,
    #[serde(default, deserialize_with = "first::<MAX_TOOLS, _, _>")]
    pub(super) tool_calls: Vec<ToolCallEntry>,
    #[serde(default)]
    pub(super) refusal: Scalar,
}

/// One event of a streamed answer.
#[derive(Debug, Default, Deserialize)]
pub(super) struct Chunk {
    #[serde(default, deserialize_with = "first::<1, _, _>")]
    pub(super) choices: Vec<ChunkChoice>,
    #[serde(default)]
    pub(super) usage: Option<TokenUsage>,
    #[serde(default)]
    pub(super) error: Option<IgnoredAny>,
}

#[derive(Debug, Default, Deserialize)]
pub(super) struct ChunkChoice {
    #[serde(default)]
    pub(super) delta: Option<AssistantMessage>,
    #[serde(default)]
    pub(super) finish_reason: Scalar,
}

/// Token counts, under the names of chat and embeddings and under those of images.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
pub(super) struct TokenUsage {
    #[serde(default, alias = "input_tokens")]
    pub(super) prompt_tokens: Count,
    #[serde(default, alias = "output_tokens")]
    pub(super) completion_tokens: Count,
    #[serde(default)]
    pub(super) prompt_tokens_details: Option<InputDetails>,
    #[serde(default)]
    pub(super) completion_tokens_details: Option<OutputDetails>,
}

#[derive(Clone, Copy, Debug, Default, Deserialize)]
pub(super) struct InputDetails {
    #[serde(default)]
    pub(super) cached_tokens: Count,
}

#[derive(Clone, Copy, Debug, Default, Deserialize)]
pub(super) struct OutputDetails {
    #[serde(default)]
    pub(super) reasoning_tokens: Count,
}

/// Body of `POST /embeddings`.
#[derive(Debug, Serialize)]
pub(super) struct EmbedBody<'a> {
    pub(super) model: &'a str,
    pub(super) input: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) dimensions: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) output_dimension: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) encoding_format: Option<&'static str>,
}

/// Answer of `POST /embeddings`.
#[derive(Debug, Deserialize)]
pub(super) struct EmbedAnswer {
    #[serde(default, deserialize_with = "first::<2048, _, _>")]
    pub(super) data: Vec<EmbedEntry>,
    #[serde(default)]
    pub(super) usage: Option<TokenUsage>,
}

#[derive(Debug, Deserialize)]
pub(super) struct EmbedEntry {
    #[serde(default)]
    pub(super) index: Count,
    pub(super) embedding: Vector,
}

/// Body of `POST /images/generations`.
#[derive(Debug, Serialize)]
pub(super) struct ImageBody<'a> {
    pub(super) model: &'a str,
    pub(super) prompt: &'a str,
    /// Such as `1024x1024`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) size: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) response_format: Option<&'static str>,
}

/// Answer of `POST /images/generations`.
#[derive(Debug, Deserialize)]
pub(super) struct Images {
    #[serde(default, deserialize_with = "first::<16, _, _>")]
    pub(super) data: Vec<Image>,
    #[serde(default)]
    pub(super) usage: Option<TokenUsage>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Image {
    #[serde(default)]
    pub(super) b64_json: Scalar,
    #[serde(default)]
    pub(super) revised_prompt: Scalar,
}

/// Body of `POST /audio/speech`.
#[derive(Debug, Serialize)]
pub(super) struct SpeechBody<'a> {
    pub(super) model: &'a str,
    pub(super) input: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) voice: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) voice_id: Option<&'a str>,
    pub(super) response_format: &'static str,
}

/// Answer of `POST /audio/speech` where it is JSON.
#[derive(Debug, Deserialize)]
pub(super) struct SpeechJson {
    #[serde(default)]
    pub(super) audio_data: Scalar,
}
