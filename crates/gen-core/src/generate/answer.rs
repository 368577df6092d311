//! What comes of a request.

use futures_util::stream::BoxStream;

use super::{GenerateError, SourceCitation, Statement};
use crate::{ContextItem, Cost, Finish, ModelId, Usage};

/// An answer with all that belongs to it. The user's name is the shell's to add.
#[derive(Clone, Debug, PartialEq)]
pub struct GenerateAnswer {
    /// Markdown; pictures are `![alt](url)`; empty for speech.
    pub text: String,
    /// URL of the speech; empty when none.
    pub audio: String,
    /// What stood in the prompt, in order.
    pub context: Vec<ContextItem>,
    /// The statements of the text, where it was based on a context.
    pub statements: Vec<Statement>,
    /// The citations of the text, in order.
    pub citations: Vec<SourceCitation>,
    /// How likely it is that the answer is right, 0 to 1, where the model tells it.
    pub probability: Option<f64>,
    /// The model that answered.
    pub model: ModelId,
    /// The prompt.
    pub prompt: String,
    /// The request's `knowledgeId`; empty when none.
    pub knowledge_id: String,
    /// Why the model stopped.
    pub finish: Finish,
    /// Tokens of all attempts; `tokens` is their [`Usage::total`].
    pub usage: Usage,
    /// Money of all attempts; `None` when a price is not known.
    pub cost: Option<Cost>,
    /// What of the request was left out, and which models failed before, one sentence each.
    pub warnings: Vec<String>,
}

/// A piece of a streamed answer.
#[derive(Clone, Debug, PartialEq)]
pub enum GenerateEvent {
    /// Text that follows what came before.
    Text(String),
    /// The last event: the answer as it would have been in one piece.
    End(Box<GenerateAnswer>),
}

/// A streamed answer; an error is its last item. Dropping it abandons the call.
pub type GenerateEvents = BoxStream<'static, Result<GenerateEvent, GenerateError>>;
