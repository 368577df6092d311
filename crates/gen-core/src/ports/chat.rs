//! Chat requests and complete answers.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Media, ProviderError, ToolCall, ToolSet, Usage};

/// A chat request.
#[derive(Clone, Debug, Default)]
pub struct ChatRequest {
    /// The model's name, without its provider.
    pub model: String,
    /// The system prompt.
    pub system: Option<String>,
    /// The conversation, oldest first.
    pub messages: Vec<Message>,
    /// If set, the answer must be one JSON value that matches this schema.
    pub response_schema: Option<ResponseSchema>,
    /// Maximum tokens of the answer.
    pub max_tokens: Option<u32>,
    /// The sampling temperature, from 0. For models that do not support it, it is ignored with a warning.
    pub temperature: Option<f32>,
    /// The share of the probability that tokens are sampled from, 0 to 1; treated as the temperature is.
    pub top_p: Option<f32>,
    /// The seed of the sampling. Where a vendor does not take one, it is ignored with a warning.
    pub seed: Option<i64>,
    /// Texts before which the answer ends; treated as the temperature is.
    pub stop: Vec<String>,
    /// Tools that the model may call.
    pub tools: ToolSet,
    /// How much the model may reason before it answers; the vendor's default when `None`. For models that do not
    /// support it, it is ignored with a warning.
    pub effort: Option<Effort>,
    /// Limit of one attempt, where it is shorter than that of the provider.
    pub timeout: Option<Duration>,
}

/// How much a model may reason before it answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Effort {
    /// Little.
    Low,
    /// Some.
    Medium,
    /// Much.
    High,
}

impl Effort {
    /// All degrees, ascending.
    pub const ALL: [Self; 3] = [Self::Low, Self::Medium, Self::High];

    /// The effort with this name.
    #[must_use]
    pub fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|effort| effort.name() == name)
    }

    /// The name in requests, which all vendors share.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
        }
    }
}

/// One message of a conversation.
#[derive(Clone, Debug)]
pub struct Message {
    /// The author.
    pub role: Role,
    /// The content, in order.
    pub parts: Vec<Part>,
}

/// The author of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The user, or a program that acts for one.
    User,
    /// The model.
    Assistant,
}

/// A piece of a message.
#[derive(Clone, Debug)]
pub enum Part {
    /// Text.
    Text(String),
    /// A document that the message refers to. Adapters of text models write its name, description and text
    /// into the prompt. The built-in model reads it directly.
    Document {
        /// Its display name.
        name: String,
        /// The caller's description.
        description: Option<String>,
        /// Its text as Markdown.
        text: Arc<str>,
    },
    /// A picture for models that see, of a type in [`PICTURE_TYPES`].
    Picture(Media),
    /// A call of a tool, in a message of the model.
    ToolCall(ToolCall),
    /// The result of a call, in a message of the user.
    ToolResult {
        /// Identifier of the call.
        id: String,
        /// Name of the tool.
        name: String,
        /// What the tool gave.
        text: String,
    },
}

/// Media types of pictures that models see: those that OpenAI, Anthropic and own servers take. Google does not list
/// GIF.
pub const PICTURE_TYPES: [&str; 4] = ["image/png", "image/jpeg", "image/webp", "image/gif"];

/// A schema for structured output.
#[derive(Clone, Debug)]
pub struct ResponseSchema {
    /// A short name (letters, digits, `_` and `-`; at most 64).
    pub name: String,
    /// JSON Schema of an object, with the properties in the order of the form. Leaves may have `description`,
    /// `enum`, `format`, and a union with `null`.
    pub schema: Value,
}

/// A complete answer.
#[derive(Clone, Debug, Default)]
pub struct ChatAnswer {
    /// The text; with a response schema its JSON.
    pub text: String,
    /// The calls of tools that the model asks for, in order.
    pub tool_calls: Vec<ToolCall>,
    /// Where the model claims to have found its values. They must be checked against the text.
    pub citations: Vec<Citation>,
    /// Why the answer ended.
    pub finish: Finish,
    /// Tokens used.
    pub usage: Usage,
    /// One sentence for each part of the request that was ignored.
    pub warnings: Vec<String>,
}

/// Why an answer ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Finish {
    /// It is complete.
    #[default]
    Stop,
    /// It reached a token limit.
    Length,
    /// The model refused, or a filter removed the answer.
    Refused,
    /// The model asks for calls of tools.
    ToolCalls,
    /// The provider gave an unknown reason.
    Other,
}

impl Finish {
    /// All reasons.
    pub const ALL: [Self; 5] = [Self::Stop, Self::Length, Self::Refused, Self::ToolCalls, Self::Other];

    /// The serialized name, as OpenAI calls it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Stop => "stop",
            Self::Length => "length",
            Self::Refused => "content_filter",
            Self::ToolCalls => "tool_calls",
            Self::Other => "other",
        }
    }
}

/// A span in one of the request's documents.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Citation {
    /// JSON pointer of the value in the answer.
    pub pointer: String,
    /// Index among the request's [`Part::Document`]s, from 0, over all messages.
    pub document: usize,
    /// Start, in Unicode characters.
    pub start: usize,
    /// End (exclusive), in Unicode characters.
    pub end: usize,
    /// Confidence of the model, 0 to 1.
    pub confidence: f32,
}

/// Answers chat requests. Implementations must allow concurrent calls.
#[async_trait]
pub trait ChatModel: fmt::Debug + Send + Sync + 'static {
    /// Makes one call, without retries. Dropping the future cancels it.
    async fn chat(&self, request: ChatRequest) -> Result<ChatAnswer, ProviderError>;

    /// The probability that the answer to a request is correct, 0 to 1, computed on the calling thread; `None`
    /// for a model that does not estimate it.
    fn probability(&self, request: &ChatRequest) -> Option<f64> {
        let _ = request;
        None
    }
}
