//! Questions and whole answers.

use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::ProviderError;

/// A question to a chat model.
#[derive(Clone, Debug, Default)]
pub struct ChatRequest {
    /// The model's name, without its provider.
    pub model: String,
    /// Instructions that stand before the conversation.
    pub system: Option<String>,
    /// The conversation, oldest first.
    pub messages: Vec<Message>,
    /// When set, the answer must be one JSON value of this schema.
    pub response_schema: Option<ResponseSchema>,
    /// Upper bound of the answer's tokens.
    pub max_tokens: Option<u32>,
    /// How freely it words, from 0; left out where the model refuses it, which is a warning.
    pub temperature: Option<f32>,
}

/// One turn of a conversation.
#[derive(Clone, Debug)]
pub struct Message {
    /// Who speaks.
    pub role: Role,
    /// What is said, in order.
    pub parts: Vec<Part>,
}

/// Who speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The person, or the program in their place.
    User,
    /// The model.
    Assistant,
}

/// A piece of a message.
#[derive(Clone, Debug)]
pub enum Part {
    /// Text.
    Text(String),
    /// A document that the message speaks about. Adapters of text models write its name,
    /// description and text into the prompt; the built-in model reads it as it is.
    Document {
        /// Its display name.
        name: String,
        /// What the caller says about it.
        description: Option<String>,
        /// Its Markdown.
        text: Arc<str>,
    },
}

/// A schema that the answer must follow.
#[derive(Clone, Debug)]
pub struct ResponseSchema {
    /// A short name (letters, digits, `_` and `-`; at most 64).
    pub name: String,
    /// JSON Schema of an object; properties in the order of the form; the leaves may carry
    /// `description`, `enum`, `format`, and a union with `null`.
    pub schema: Value,
}

/// A model's answer.
#[derive(Clone, Debug, Default)]
pub struct ChatAnswer {
    /// The text, or the JSON text when a schema was asked for.
    pub text: String,
    /// Where the model says it found its values: a hint, to be checked against the text.
    pub citations: Vec<Citation>,
    /// Why it stopped.
    pub finish: Finish,
    /// What it cost.
    pub usage: Usage,
    /// What of the request was left out, one sentence each.
    pub warnings: Vec<String>,
}

/// Why a model stopped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Finish {
    /// It was done.
    #[default]
    Stop,
    /// It ran into a limit of tokens.
    Length,
    /// It would not answer, or its answer was filtered.
    Refused,
    /// It asked for a tool, which nobody offered.
    ToolCalls,
    /// Its provider gave a reason that is not known here.
    Other,
}

impl Finish {
    /// Every reason.
    pub const ALL: [Self; 5] = [Self::Stop, Self::Length, Self::Refused, Self::ToolCalls, Self::Other];

    /// The name in answers, after OpenAI's.
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

/// A place in one of the request's documents.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Citation {
    /// JSON pointer of the value in the answer.
    pub pointer: String,
    /// Index among the request's [`Part::Document`]s, from 0, over all messages.
    pub document: usize,
    /// First Unicode character.
    pub start: usize,
    /// After the last character.
    pub end: usize,
    /// How sure the model is, 0 to 1.
    pub confidence: f32,
}

/// Tokens spent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Usage {
    /// Tokens read.
    pub input_tokens: u64,
    /// Tokens written.
    pub output_tokens: u64,
    /// Tokens read from a vendor's cache (part of `input_tokens`).
    pub cached_tokens: u64,
    /// Tokens written that are not shown (part of `output_tokens`).
    #[serde(default)]
    pub reasoning_tokens: u64,
}

impl Usage {
    /// Input and output.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.input_tokens.saturating_add(self.output_tokens)
    }
}

impl Usage {
    /// What is left without `part`, which was counted in it; never below nothing.
    #[must_use]
    pub fn without(self, part: Self) -> Self {
        Self {
            input_tokens: self.input_tokens.saturating_sub(part.input_tokens),
            output_tokens: self.output_tokens.saturating_sub(part.output_tokens),
            cached_tokens: self.cached_tokens.saturating_sub(part.cached_tokens),
            reasoning_tokens: self.reasoning_tokens.saturating_sub(part.reasoning_tokens),
        }
    }
}

impl std::ops::AddAssign for Usage {
    fn add_assign(&mut self, other: Self) {
        self.input_tokens = self.input_tokens.saturating_add(other.input_tokens);
        self.output_tokens = self.output_tokens.saturating_add(other.output_tokens);
        self.cached_tokens = self.cached_tokens.saturating_add(other.cached_tokens);
        self.reasoning_tokens = self.reasoning_tokens.saturating_add(other.reasoning_tokens);
    }
}

/// Answers questions. Implementations must be cheap to call at the same time.
#[async_trait]
pub trait ChatModel: fmt::Debug + Send + Sync + 'static {
    /// Asks once, without retries. Dropping the future abandons the call.
    async fn chat(&self, request: ChatRequest) -> Result<ChatAnswer, ProviderError>;
}
