//! The JSON of the Messages API, version 2026-10-21. Unknown fields, blocks and events are left out;
//! a known field of another type is an error.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use serde_json::Value;

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
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(super) stream: bool,
}

#[derive(Debug, Serialize)]
pub(super) struct Turn<'a> {
    pub(super) role: &'static str,
    pub(super) content: Vec<TextParam<'a>>,
}

/// A block of text, tagged `text`.
#[derive(Debug, Serialize)]
pub(super) struct TextParam<'a> {
    #[serde(rename = "type")]
    pub(super) kind: &'static str,
    pub(super) text: Cow<'a, str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) cache_control: Option<CacheControl>,
}

#[derive(Debug, Serialize)]
pub(super) struct CacheControl {
    #[serde(rename = "type")]
    pub(super) kind: &'static str,
}

#[derive(Debug, Serialize)]
pub(super) struct OutputConfig<'a> {
    pub(super) format: OutputFormat<'a>,
}

#[derive(Debug, Serialize)]
pub(super) struct OutputFormat<'a> {
    #[serde(rename = "type")]
    pub(super) kind: &'static str,
    pub(super) schema: Cow<'a, Value>,
}

/// Answer of `POST /v1/messages`.
#[derive(Debug, Deserialize)]
pub(super) struct Message {
    pub(super) content: Vec<Block>,
    pub(super) stop_reason: Option<String>,
    #[serde(default)]
    pub(super) stop_details: Option<StopDetails>,
    pub(super) usage: Counts,
}

#[derive(Debug, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(super) enum Block {
    Text {
        text: String,
    },
    ToolUse {
        #[serde(default)]
        input: Value,
    },
    #[serde(other)]
    Other,
}

#[derive(Debug, Deserialize)]
pub(super) struct StopDetails {
    #[serde(default)]
    pub(super) category: Option<String>,
}

/// Token counts. In a stream each record repeats the totals so far, and may leave some out.
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

/// A record of a streamed answer.
#[derive(Debug, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(super) enum StreamEvent {
    MessageStart {
        message: StartedMessage,
    },
    ContentBlockStart {
        index: u64,
        content_block: Block,
    },
    ContentBlockDelta {
        index: u64,
        delta: Delta,
    },
    MessageDelta {
        delta: MessageEnd,
        #[serde(default)]
        usage: Option<Counts>,
    },
    MessageStop,
    Error,
    /// `content_block_stop`, `ping`, and what is not known.
    #[serde(other)]
    Other,
}

#[derive(Debug, Deserialize)]
pub(super) struct StartedMessage {
    #[serde(default)]
    pub(super) usage: Option<Counts>,
}

#[derive(Debug, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(super) enum Delta {
    TextDelta {
        text: String,
    },
    InputJsonDelta {
        partial_json: String,
    },
    /// Reasoning, signatures, citations, and what is not known.
    #[serde(other)]
    Other,
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
