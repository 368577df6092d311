//! The outcome of a request: the answer, the model that gave it, and the cost.

use crate::{ChatAnswer, Cost, Finish, GenError, ModelId, ToolCallDelta, ToolCalls, Usage};

/// An answer, with the usage of all attempts.
#[derive(Clone, Debug, PartialEq)]
pub struct ModelOutput<T> {
    /// The answer.
    pub answer: T,
    /// The model that answered.
    pub model: ModelId,
    /// Tokens of all attempts.
    pub usage: Usage,
    /// Cost of all attempts; `None` when a price is unknown.
    pub cost: Option<Cost>,
    /// One sentence for each part of the request that was ignored, and for each model that failed before.
    pub warnings: Vec<String>,
}

/// A piece of a streamed answer.
#[derive(Clone, Debug, PartialEq)]
pub enum GenEvent {
    /// Text to append.
    Text(String),
    /// A piece of a tool call.
    ToolCall(ToolCallDelta),
    /// The last event of a complete answer.
    End(StreamEnd),
}

/// The summary at the end of a streamed answer.
#[derive(Clone, Debug, PartialEq)]
pub struct StreamEnd {
    /// The model that answered.
    pub model: ModelId,
    /// Why it stopped.
    pub finish: Finish,
    /// Tokens of all attempts.
    pub usage: Usage,
    /// Cost of all attempts; `None` when a price is unknown.
    pub cost: Option<Cost>,
    /// One sentence for each part of the request that was ignored, and for each model that failed before.
    pub warnings: Vec<String>,
}

/// A streamed answer. Its last item is an error or [`GenEvent::End`]. Dropping it cancels the call, and
/// records an estimate of what was received.
pub type GenEvents = futures_util::stream::BoxStream<'static, Result<GenEvent, GenError>>;

/// Assembles a streamed answer to the complete one.
#[derive(Clone, Debug, Default)]
pub struct Transcript {
    text: String,
    calls: ToolCalls,
    end: Option<StreamEnd>,
}

impl Transcript {
    /// Adds the next event.
    pub fn push(&mut self, event: &GenEvent) {
        match event {
            GenEvent::Text(text) => self.text.push_str(text),
            GenEvent::ToolCall(delta) => self.calls.push(delta),
            GenEvent::End(end) => self.end = Some(end.clone()),
        }
    }

    /// The text so far.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The complete answer; `None` before [`GenEvent::End`].
    #[must_use]
    pub fn finish(self) -> Option<ModelOutput<ChatAnswer>> {
        let StreamEnd { model, finish, usage, cost, warnings } = self.end?;
        let answer = ChatAnswer {
            text: self.text,
            tool_calls: self.calls.into_vec(),
            finish,
            usage,
            warnings: warnings.clone(),
            ..ChatAnswer::default()
        };
        Some(ModelOutput { answer, model, usage, cost, warnings })
    }
}
