//! A generate request.

use serde_json::Value;

use crate::{BaseQuery, ContextOptions, Effort, IndexWait, SourceDocument, ToolCall, ToolSet};

/// A message of the conversation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HistoryMessage {
    /// `user`, `assistant` or `tool`.
    pub role: String,
    /// The text of the message; of a tool, its result.
    pub content: String,
    /// Pictures of a user's message: file ids, URLs, or data URLs.
    pub pictures: Vec<String>,
    /// The calls that an assistant's message asks for.
    pub tool_calls: Vec<ToolCall>,
    /// The id of the call that a tool's message answers.
    pub tool_call_id: Option<String>,
}

impl HistoryMessage {
    /// A message of text alone.
    pub fn text(role: impl Into<String>, content: impl Into<String>) -> Self {
        Self { role: role.into(), content: content.into(), ..Self::default() }
    }
}

/// The request as the caller sent it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GenerateRequest {
    /// `model@provider`.
    pub model_id: String,
    /// The question, or what to draw or speak.
    pub prompt: String,
    /// The system prompt.
    pub system: Option<String>,
    /// The conversation before the prompt, oldest first.
    pub messages: Vec<HistoryMessage>,
    /// What followed the prompt: the calls of tools that the model asked for, and their results.
    pub tool_messages: Vec<HistoryMessage>,
    /// A knowledge base; repeated in the answer.
    pub knowledge_id: Option<String>,
    /// The entries of `knowledge`.
    pub knowledge: Vec<BaseQuery>,
    /// The changes of knowledge bases that the search waits for; `None`: all that concern the named bases.
    pub wait: Option<IndexWait>,
    /// File ids and URLs.
    pub urls: Vec<String>,
    /// Documents by value.
    pub documents: Vec<SourceDocument>,
    /// The sampling temperature, 0 to 2.
    pub temperature: Option<f64>,
    /// The share of the probability that tokens are sampled from, 0 to 1.
    pub top_p: Option<f64>,
    /// The seed of the sampling.
    pub seed: Option<i64>,
    /// How much the model may reason; the vendor's default when `None`.
    pub effort: Option<Effort>,
    /// Texts before which the answer ends, at most [`MAX_STOPS`].
    pub stop: Vec<String>,
    /// Pictures of the prompt: file ids, URLs, or data URLs.
    pub pictures: Vec<String>,
    /// Tools that the model may call.
    pub tools: ToolSet,
    /// Maximum tokens of the answer, 1 to [`MAX_ANSWER_TOKENS`].
    pub max_tokens: Option<u64>,
    /// Raw `responseFormat`.
    pub response_format: Option<Value>,
    /// Limits of the context.
    pub context: ContextOptions,
    /// Ids of the fallbacks, in order.
    pub fallback_models: Vec<String>,
}

/// Limits of requests; settings of the operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GenerateLimits {
    /// Characters of the prompt, of the system prompt, and of all messages together.
    pub text_chars: usize,
    /// Messages before the prompt.
    pub messages: usize,
    /// Documents; also knowledge bases.
    pub sources: usize,
    /// Tokens of context, regardless of the model's window.
    pub context_tokens: usize,
    /// The assumed context window of models that do not report one, in tokens.
    pub window_tokens: usize,
}

impl Default for GenerateLimits {
    fn default() -> Self {
        Self {
            // About 100,000 tokens of text. They bound memory and cost. Chosen by hand; no measurement is
            // recorded.
            text_chars: 400_000,
            messages: 200,
            sources: 50,
            context_tokens: 32_000,
            window_tokens: 32_000,
        }
    }
}

/// Upper bound of `maxTokens`. No model of the catalogue writes as many.
pub const MAX_ANSWER_TOKENS: u64 = 1_000_000;
/// Maximum number of `stop`, as OpenAI takes; Google takes five.
pub const MAX_STOPS: usize = 4;
/// Maximum characters of one of `stop`. Longer texts are no marks. Chosen by hand.
pub const MAX_STOP: usize = 256;
/// Maximum number of pictures of a request. Vendors take between eight and some hundreds. Bounds the memory.
pub const MAX_PICTURES: usize = 32;
/// Maximum characters of the id or URL of a document, and of the id of a knowledge base. Bounds the memory.
pub const MAX_REFERENCE: usize = 4_096;
