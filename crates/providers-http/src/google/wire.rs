//! The JSON of the Gemini API, the same in `v1` and `v1beta`. Unknown fields are ignored; a known field of
//! another type is an error.

use std::borrow::Cow;

use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::lenient::first;

/// Maximum number of texts per embedding call. As Google's `batchEmbedContents` takes.
pub(super) const BATCH: usize = 100;

/// Maximum number of dimensions of a vector; the models have thousands. Bounds the memory.
pub(super) const DIMENSIONS: usize = 1 << 16;

/// Maximum number of parsed parts of an answer; an answer has a few. Bounds the memory.
const PARTS: usize = 1 << 16;

/// Body of `:generateContent` and `:streamGenerateContent`.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct GenerateRequest<'a> {
    pub(super) contents: Vec<ContentParam<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) system_instruction: Option<ContentParam<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) generation_config: Option<GenerationConfig<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) tools: Option<[ToolParam<'a>; 1]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) tool_config: Option<ToolConfig<'a>>,
}

#[derive(Debug, Serialize)]
pub(super) struct ContentParam<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) role: Option<&'static str>,
    pub(super) parts: Vec<PartParam<'a>>,
}

/// A part of a content; one of the first four fields is set.
#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct PartParam<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) text: Option<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) inline_data: Option<InlineDataParam<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) function_call: Option<FunctionCallParam<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) function_response: Option<FunctionResponseParam<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) thought_signature: Option<&'a str>,
}

/// A file in base64.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct InlineDataParam<'a> {
    pub(super) mime_type: &'a str,
    pub(super) data: String,
}

#[derive(Debug, Serialize)]
pub(super) struct FunctionCallParam<'a> {
    pub(super) name: &'a str,
    pub(super) args: Value,
}

#[derive(Debug, Serialize)]
pub(super) struct FunctionResponseParam<'a> {
    pub(super) name: &'a str,
    pub(super) response: Value,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ToolParam<'a> {
    pub(super) function_declarations: Vec<FunctionDeclaration<'a>>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct FunctionDeclaration<'a> {
    pub(super) name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) description: Option<&'a str>,
    pub(super) parameters_json_schema: &'a Value,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ToolConfig<'a> {
    pub(super) function_calling_config: FunctionCallingConfig<'a>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct FunctionCallingConfig<'a> {
    pub(super) mode: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) allowed_function_names: Option<[&'a str; 1]>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ThinkingConfig {
    pub(super) thinking_level: &'static str,
}

#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct GenerationConfig<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) temperature: Option<f32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) top_p: Option<f32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) seed: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) thinking_config: Option<ThinkingConfig>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    pub(super) stop_sequences: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) max_output_tokens: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) response_mime_type: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) response_json_schema: Option<&'a Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) response_format: Option<[ResponseFormat<'a>; 1]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) response_modalities: Option<&'static [&'static str]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) speech_config: Option<SpeechConfig<'a>>,
}

#[derive(Debug, Serialize)]
pub(super) struct ResponseFormat<'a> {
    pub(super) text: TextFormat<'a>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct TextFormat<'a> {
    pub(super) mime_type: &'static str,
    pub(super) schema: &'a Value,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SpeechConfig<'a> {
    pub(super) voice_config: VoiceConfig<'a>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct VoiceConfig<'a> {
    pub(super) prebuilt_voice_config: PrebuiltVoice<'a>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct PrebuiltVoice<'a> {
    pub(super) voice_name: &'a str,
}

/// Answer of `:generateContent`, and each record of `:streamGenerateContent`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct GenerateResponse {
    /// One candidate, unless more are requested.
    #[serde(default, deserialize_with = "first::<1, _, _>")]
    pub(super) candidates: Vec<Candidate>,
    #[serde(default)]
    pub(super) prompt_feedback: Option<PromptFeedback>,
    #[serde(default)]
    pub(super) usage_metadata: Option<UsageMetadata>,
    /// A failure within a stream.
    #[serde(default)]
    pub(super) error: Option<IgnoredAny>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Candidate {
    #[serde(default)]
    pub(super) content: Option<Content>,
    #[serde(default)]
    pub(super) finish_reason: Option<String>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Content {
    #[serde(default, deserialize_with = "first::<PARTS, _, _>")]
    pub(super) parts: Vec<Part>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Part {
    #[serde(default)]
    pub(super) text: Option<String>,
    /// Whether the part is a thought, which does not belong to the answer.
    #[serde(default)]
    pub(super) thought: Option<bool>,
    #[serde(default)]
    pub(super) inline_data: Option<InlineData>,
    #[serde(default)]
    pub(super) function_call: Option<FunctionCall>,
    /// What the model wants back with the call.
    #[serde(default)]
    pub(super) thought_signature: Option<String>,
}

#[derive(Debug, Deserialize)]
pub(super) struct FunctionCall {
    #[serde(default)]
    pub(super) name: String,
    #[serde(default)]
    pub(super) args: Option<Value>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct InlineData {
    pub(super) mime_type: String,
    /// Base64.
    pub(super) data: String,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct PromptFeedback {
    #[serde(default)]
    pub(super) block_reason: Option<String>,
}

#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct UsageMetadata {
    #[serde(default)]
    pub(super) prompt_token_count: Option<u64>,
    #[serde(default)]
    pub(super) tool_use_prompt_token_count: Option<u64>,
    #[serde(default)]
    pub(super) candidates_token_count: Option<u64>,
    #[serde(default)]
    pub(super) thoughts_token_count: Option<u64>,
    #[serde(default)]
    pub(super) cached_content_token_count: Option<u64>,
}

/// Body of `:batchEmbedContents`.
#[derive(Debug, Serialize)]
pub(super) struct BatchEmbedRequest<'a> {
    pub(super) requests: Vec<EmbedContentRequest<'a>>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct EmbedContentRequest<'a> {
    /// With the prefix `models/`.
    pub(super) model: &'a str,
    pub(super) content: ContentParam<'a>,
    pub(super) task_type: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) output_dimensionality: Option<u32>,
}

/// Answer of `:batchEmbedContents`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct BatchEmbedResponse {
    #[serde(deserialize_with = "first::<{ BATCH + 1 }, _, _>")]
    pub(super) embeddings: Vec<Embedding>,
    #[serde(default)]
    pub(super) usage_metadata: Option<UsageMetadata>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Embedding {
    #[serde(deserialize_with = "first::<{ DIMENSIONS + 1 }, _, _>")]
    pub(super) values: Vec<f32>,
}

/// Answer of `GET /models`. An empty list may be omitted.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ModelPage {
    #[serde(default, deserialize_with = "first::<1000, _, _>")]
    pub(super) models: Vec<ModelInfo>,
    #[serde(default)]
    pub(super) next_page_token: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ModelInfo {
    /// With the prefix `models/`.
    pub(super) name: String,
    #[serde(default)]
    pub(super) display_name: Option<String>,
    #[serde(default)]
    pub(super) input_token_limit: Option<u64>,
    #[serde(default)]
    pub(super) output_token_limit: Option<u64>,
    /// Empty when the server does not report them.
    #[serde(default, deserialize_with = "first::<64, _, _>")]
    pub(super) supported_generation_methods: Vec<String>,
}
