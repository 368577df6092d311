//! The JSON of the Messages API, version 2026-10-21. Unknown fields, blocks and events are ignored; a known
//! field of another type is an error.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

use crate::lenient::first;

/// Maximum number of parsed blocks of an answer; an answer has a few. Bounds the memory of hostile answers.
const BLOCKS: usize = 1 << 16;

/// Body of `POST /v1/messages`.
#[derive(Debug, Serialize)]
pub(super) struct MessagesRequest<'a> {
    pub(super) model: &'a str,
    pub(super) max_tokens: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) system: Option<&'a str>,
    pub(super) messages: Vec<Turn<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) output_config: Option<OutputConfig<'a>>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    pub(super) stop_sequences: &'a [String],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) tools: Vec<ToolParam<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) tool_choice: Option<ToolChoiceParam<'a>>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(super) stream: bool,
}

#[derive(Debug, Serialize)]
pub(super) struct Turn<'a> {
    pub(super) role: &'static str,
    pub(super) content: Vec<BlockParam<'a>>,
}

/// A block of a message.
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(super) enum BlockParam<'a> {
    Text {
        text: Cow<'a, str>,
        #[serde(skip_serializing_if = "Option::is_none")]
        cache_control: Option<CacheControl>,
    },
    Image {
        source: ImageSource<'a>,
    },
    ToolUse {
        id: Cow<'a, str>,
        name: &'a str,
        input: Value,
    },
    ToolResult {
        tool_use_id: Cow<'a, str>,
        content: &'a str,
    },
}

/// A picture in base64.
#[derive(Debug, Serialize)]
pub(super) struct ImageSource<'a> {
    #[serde(rename = "type")]
    pub(super) kind: &'static str,
    pub(super) media_type: &'a str,
    pub(super) data: String,
}

#[derive(Debug, Serialize)]
pub(super) struct ToolParam<'a> {
    pub(super) name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) description: Option<&'a str>,
    pub(super) input_schema: Cow<'a, Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) strict: Option<bool>,
}

#[derive(Debug, Serialize)]
pub(super) struct ToolChoiceParam<'a> {
    #[serde(rename = "type")]
    pub(super) kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) name: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) disable_parallel_tool_use: Option<bool>,
}

#[derive(Debug, Serialize)]
pub(super) struct CacheControl {
    #[serde(rename = "type")]
    pub(super) kind: &'static str,
}

#[derive(Debug, Serialize)]
pub(super) struct OutputConfig<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) format: Option<OutputFormat<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) effort: Option<&'static str>,
}

#[derive(Debug, Serialize)]
pub(super) struct OutputFormat<'a> {
    #[serde(rename = "type")]
    pub(super) kind: &'static str,
    pub(super) schema: &'a Value,
}

/// Answer of `POST /v1/messages`.
#[derive(Debug, Deserialize)]
pub(super) struct Message {
    #[serde(deserialize_with = "first::<BLOCKS, _, _>")]
    pub(super) content: Vec<Block>,
    #[serde(default)]
    pub(super) stop_reason: Option<String>,
    #[serde(default)]
    pub(super) stop_details: Option<StopDetails>,
    pub(super) usage: Counts,
}

/// A block of any type. Its content is parsed once the type is known.
#[derive(Debug, Deserialize)]
pub(super) struct Block {
    #[serde(rename = "type")]
    pub(super) kind: String,
    /// A string where the type is `text`.
    #[serde(default)]
    pub(super) text: Option<Box<RawValue>>,
    /// Arguments of a tool call where the type is `tool_use`.
    #[serde(default)]
    pub(super) input: Option<Box<RawValue>>,
    /// Identifier of a tool call.
    #[serde(default)]
    pub(super) id: Option<String>,
    /// Name of a called tool.
    #[serde(default)]
    pub(super) name: Option<String>,
}

#[derive(Debug, Deserialize)]
pub(super) struct StopDetails {
    #[serde(default)]
    pub(super) category: Option<String>,
}

/// Token counts. In a stream, each record repeats the totals so far and may omit some.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
pub(super) struct Counts {
    #[serde(default)]
    pub(super) input_tokens: Option<u64>,
    #[serde(default)]
    pub(super) output_tokens: Option<u64>,
    #[serde(default)]
    pub(super) cache_creation_input_tokens: Option<u64>,
    #[serde(default)]
    pub(super) cache_read_input_tokens: Option<u64>,
    #[serde(default)]
    pub(super) output_tokens_details: Option<OutputDetails>,
}

#[derive(Clone, Copy, Debug, Deserialize)]
pub(super) struct OutputDetails {
    #[serde(default)]
    pub(super) thinking_tokens: Option<u64>,
}

/// The common fields of the records of a streamed answer; the type selects the others.
#[derive(Debug, Deserialize)]
pub(super) struct StreamRecord {
    #[serde(rename = "type")]
    pub(super) kind: String,
}

#[derive(Debug, Deserialize)]
pub(super) struct MessageStart {
    pub(super) message: StartedMessage,
}

#[derive(Debug, Deserialize)]
pub(super) struct StartedMessage {
    #[serde(default)]
    pub(super) usage: Option<Counts>,
}

#[derive(Debug, Deserialize)]
pub(super) struct BlockStart {
    pub(super) index: u64,
    pub(super) content_block: Block,
}

#[derive(Debug, Deserialize)]
pub(super) struct BlockDelta {
    pub(super) index: u64,
    pub(super) delta: Delta,
}

/// A delta of a block of any type.
#[derive(Debug, Deserialize)]
pub(super) struct Delta {
    #[serde(rename = "type")]
    pub(super) kind: String,
    /// A string where the type is `text_delta`.
    #[serde(default)]
    pub(super) text: Option<Box<RawValue>>,
    /// A string where the type is `input_json_delta`.
    #[serde(default)]
    pub(super) partial_json: Option<Box<RawValue>>,
}

#[derive(Debug, Deserialize)]
pub(super) struct MessageDelta {
    pub(super) delta: MessageEnd,
    #[serde(default)]
    pub(super) usage: Option<Counts>,
}

#[derive(Debug, Deserialize)]
pub(super) struct MessageEnd {
    #[serde(default)]
    pub(super) stop_reason: Option<String>,
    #[serde(default)]
    pub(super) stop_details: Option<StopDetails>,
}

/// Answer of `GET /v1/models`.
#[derive(Debug, Deserialize)]
pub(super) struct ModelPage {
    #[serde(deserialize_with = "first::<1000, _, _>")]
    pub(super) data: Vec<ModelInfo>,
    #[serde(default)]
    pub(super) has_more: Option<bool>,
    #[serde(default)]
    pub(super) last_id: Option<String>,
}

#[derive(Debug, Deserialize)]
pub(super) struct ModelInfo {
    pub(super) id: String,
    #[serde(default)]
    pub(super) display_name: Option<String>,
    #[serde(default)]
    pub(super) lifecycle: Option<String>,
    #[serde(default)]
    pub(super) max_input_tokens: Option<u64>,
    #[serde(default)]
    pub(super) max_tokens: Option<u64>,
}
