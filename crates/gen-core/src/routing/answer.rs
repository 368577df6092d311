//! What comes of a request: the answer, who gave it, and what it cost.

use crate::{ChatAnswer, Cost, Finish, GenError, ModelId, Usage};

/// An answer over all attempts that it took.
#[derive(Clone, Debug, PartialEq)]
pub struct ModelOutput<T> {
    /// The answer.
    pub answer: T,
    /// The model that gave it.
    pub model: ModelId,
    /// Tokens of all attempts.
    pub usage: Usage,
    /// Money of all attempts; `None` when a price is not known.
    pub cost: Option<Cost>,
    /// What of the request was left out, and which models failed before, one sentence each.
    pub warnings: Vec<String>,
}

/// A piece of a streamed answer.
#[derive(Clone, Debug, PartialEq)]
pub enum GenEvent {
    /// Text that follows what came before.
    Text(String),
    /// The last event of a whole answer.
    End(StreamEnd),
}

/// What is known at the end of a streamed answer.
#[derive(Clone, Debug, PartialEq)]
pub struct StreamEnd {
    /// The model that answered.
    pub model: ModelId,
    /// Why it stopped.
    pub finish: Finish,
    /// Tokens of all attempts.
    pub usage: Usage,
    /// Money of all attempts; `None` when a price is not known.
    pub cost: Option<Cost>,
    /// What of the request was left out, and which models failed before, one sentence each.
    pub warnings: Vec<String>,
}

/// A streamed answer. An error is its last item; a stream that ends otherwise ends with
/// [`GenEvent::PeriodEnd`]. Dropping it abandons the call, and books what was received.
pub type GenEvents = futures_util::stream::BoxStream<'static, Result<GenEvent, GenError>>;

/// Puts a streamed answer together to what it would have been in one piece.
#[derive(Clone, Debug, Default)]
pub struct Transcript {
    text: String,
    end: Option<StreamEnd>,
}

impl Transcript {
    /// Takes the next event.
    pub fn push(&mut self, event: &GenEvent) {
        match event {
            GenEvent::Text(text) => self.text.push_str(text),
            GenEvent::End(end) => self.end = Some(end.clone()),
        }
    }

    /// The text so far.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The whole answer; `None` before its end.
    #[must_use]
    pub fn finish(self) -> Option<ModelOutput<ChatAnswer>> {
        let StreamEnd { model, finish, usage, cost, warnings } = self.end?;
        let answer = ChatAnswer {
            text: self.text,
            finish,
            usage,
            warnings: warnings.clone(),
            ..ChatAnswer::default()
        };
        Some(ModelOutput { answer, model, usage, cost, warnings })
    }
}
