//! The built-in model: fills schemas and answers questions from documents by rules, without a key and a network.

use async_trait::async_trait;
use gen_core::{
    ChatAnswer, ChatEvent, ChatEvents, ChatModel, ChatRequest, ProviderError, StreamingChatModel,
};

use crate::answer::{answer_events, answer_probability, answer_question};
use crate::extract::extract;

/// The built-in model. It is CPU-bound: servers call [`answer`] on threads for such work.
#[derive(Clone, Copy, Debug, Default)]
pub struct Extractive;

#[async_trait]
impl ChatModel for Extractive {
    async fn chat(&self, request: ChatRequest) -> Result<ChatAnswer, ProviderError> {
        answer(&request)
    }

    fn probability(&self, request: &ChatRequest) -> Option<f64> {
        probability(request)
    }
}

#[async_trait]
impl StreamingChatModel for Extractive {
    async fn stream(&self, request: ChatRequest) -> Result<ChatEvents, ProviderError> {
        stream(&request)
    }
}

/// Fills the request's schema from its documents; without a schema, answers the last message from them. The
/// nth [`Part::Document`](gen_core::Part::Document) of the request is cited as `[n]`.
///
/// # Errors
/// [`Fault::Unsupported`](gen_core::Fault::Unsupported) for a schema that is not of an object, and for requests
/// of images and speech.
pub fn answer(request: &ChatRequest) -> Result<ChatAnswer, ProviderError> {
    match &request.response_schema {
        Some(wanted) => extract(request, wanted),
        None => answer_question(request),
    }
}

/// Streams [`answer`]: answers to questions by sentence, a filled schema as a whole.
///
/// # Errors
/// As [`answer`].
pub fn stream(request: &ChatRequest) -> Result<ChatEvents, ProviderError> {
    let Some(wanted) = &request.response_schema else { return answer_events(request) };
    let ChatAnswer { text, finish, usage, warnings, .. } = extract(request, wanted)?;
    let events = [ChatEvent::Text(text), ChatEvent::End { finish, usage, warnings }];
    Ok(Box::pin(futures_util::stream::iter(events.map(Ok))))
}

/// The probability that the answer to a request is correct, 0 to 1; `None` if the request is not a question
/// about documents.
#[must_use]
pub fn probability(request: &ChatRequest) -> Option<f64> {
    answer_probability(request)
}
