//! The response of a generate request.

use futures_util::stream::BoxStream;

use super::{GenerateError, SourceCitation, Statement};
use crate::{ContextItem, Cost, Finish, ModelId, ToolCall, ToolCallDelta, Usage};

/// An answer with its context and citations. The shell adds the user's name.
#[derive(Clone, Debug, PartialEq)]
pub struct GenerateAnswer {
    /// Markdown; images are `![alt](url)`; empty for speech.
    pub text: String,
    /// URL of the speech; empty for other answers.
    pub audio: String,
    /// The calls of tools that the model asks for, in order. The caller runs them.
    pub tool_calls: Vec<ToolCall>,
    /// The passages in the prompt, in order.
    pub context: Vec<ContextItem>,
    /// The statements of the text, if it is based on a context.
    pub statements: Vec<Statement>,
    /// The citations of the text, in order.
    pub citations: Vec<SourceCitation>,
    /// Estimated probability that the answer is correct, 0 to 1; `None` for models without such an estimate.
    pub probability: Option<f64>,
    /// The model that answered.
    pub model: ModelId,
    /// The prompt.
    pub prompt: String,
    /// The request's `knowledgeId`; empty without one.
    pub knowledge_id: String,
    /// Why the answer ended.
    pub finish: Finish,
    /// Tokens of all attempts; `tokens` is their [`Usage::total`].
    pub usage: Usage,
    /// Cost of all attempts; `None` when a price is unknown.
    pub cost: Option<Cost>,
    /// One sentence for each part of the request that was ignored, and for each model that failed before.
    pub warnings: Vec<String>,
}

/// An event of a streamed answer.
#[derive(Clone, Debug, PartialEq)]
pub enum GenerateEvent {
    /// Text to append.
    Text(String),
    /// A piece of a tool call.
    ToolCall(ToolCallDelta),
    /// The last event: the complete answer.
    End(Box<GenerateAnswer>),
}

/// A streamed answer; an error is its last item. Dropping it cancels the call.
pub type GenerateEvents = BoxStream<'static, Result<GenerateEvent, GenerateError>>;
