//! The calls that a model can serve, behind one trait, so that one driver serves all of them.

use std::time::Duration;

use futures_util::future::BoxFuture;
use futures_util::stream::{self, StreamExt as _};

use super::backend::Target;
use super::optional_timer::OptionalTimer;
use super::token_estimate;
use crate::{
    ChatAnswer, ChatEvent, ChatEvents, ChatRequest, EmbedRequest, Embeddings, Fault, ImageAnswer,
    ImageRequest, ProviderError, RerankRequest, RerankScores, SpeechAnswer, SpeechRequest, ToolCalls, Usage,
    deltas,
};

/// One call, which may be attempted several times.
pub(crate) trait Operation: Send + Sync {
    /// The result.
    type Output: Send;
    /// Estimated input tokens.
    fn input_tokens(&self) -> u64;

    /// Maximum output tokens, where the request sets a limit.
    fn output_tokens(&self) -> Option<u32> {
        None
    }

    /// Limit of one attempt, where the request has one.
    fn attempt_limit(&self) -> Option<Duration> {
        None
    }

    /// Requested images.
    fn pictures(&self) -> u64 {
        0
    }

    /// Makes one attempt.
    fn call<'a>(&'a self, target: &'a Target) -> BoxFuture<'a, Result<Self::Output, ProviderError>>;
}

/// The error for a missing capability. Capabilities are checked before, so this does not happen; it is not
/// worth a panic.
fn missing_capability() -> ProviderError {
    ProviderError::unsupported("the model cannot do this")
}

#[derive(Debug)]
pub(crate) struct ChatOperation {
    request: ChatRequest,
    input: u64,
}

impl ChatOperation {
    pub(crate) fn new(request: ChatRequest) -> Self {
        Self { input: token_estimate::input(&request), request }
    }

    fn request_for(&self, target: &Target) -> ChatRequest {
        ChatRequest { model: target.model.clone(), ..self.request.clone() }
    }
}

impl Operation for ChatOperation {
    type Output = ChatAnswer;

    fn input_tokens(&self) -> u64 {
        self.input
    }

    fn output_tokens(&self) -> Option<u32> {
        self.request.max_tokens
    }

    fn attempt_limit(&self) -> Option<Duration> {
        self.request.timeout
    }

    fn call<'a>(&'a self, target: &'a Target) -> BoxFuture<'a, Result<ChatAnswer, ProviderError>> {
        let backend = &target.route.backend;
        Box::pin(async move {
            if let Some(model) = &backend.chat {
                return model.chat(self.request_for(target)).await;
            }
            let model = backend.stream.as_ref().ok_or_else(missing_capability)?;
            collect(model.stream(self.request_for(target)).await?).await
        })
    }
}

/// Collects the answer of a backend that only streams.
async fn collect(mut events: ChatEvents) -> Result<ChatAnswer, ProviderError> {
    let mut answer = ChatAnswer::default();
    let mut calls = ToolCalls::default();
    loop {
        match events.next().await.unwrap_or_else(|| Err(broken_stream()))? {
            ChatEvent::Text(text) => answer.text.push_str(&text),
            ChatEvent::ToolCall(delta) => calls.push(&delta),
            ChatEvent::End { finish, usage, warnings } => {
                return Ok(ChatAnswer { tool_calls: calls.into_vec(), finish, usage, warnings, ..answer });
            }
        }
    }
}

/// A streamed chat request. It succeeds with the first event.
#[derive(Debug)]
pub(crate) struct StreamOperation {
    pub(crate) ask: ChatOperation,
    pub(crate) pace: OptionalTimer,
}

/// A stream that has had its first event.
pub(crate) struct OpenedStream {
    pub(crate) first: ChatEvent,
    pub(crate) rest: ChatEvents,
}

impl Operation for StreamOperation {
    type Output = OpenedStream;

    fn input_tokens(&self) -> u64 {
        self.ask.input_tokens()
    }

    fn output_tokens(&self) -> Option<u32> {
        self.ask.output_tokens()
    }

    fn attempt_limit(&self) -> Option<Duration> {
        self.ask.attempt_limit()
    }

    fn call<'a>(&'a self, target: &'a Target) -> BoxFuture<'a, Result<OpenedStream, ProviderError>> {
        Box::pin(async move {
            let begin = async {
                let mut rest = self.begin(target).await?;
                let first = rest.next().await.unwrap_or_else(|| Err(broken_stream()))?;
                Ok(OpenedStream { first, rest })
            };
            let limit = target.route.backend.timeouts.first_token;
            self.pace.run_within(limit, begin).await.unwrap_or_else(|| Err(ProviderError::timeout()))
        })
    }
}

impl StreamOperation {
    async fn begin(&self, target: &Target) -> Result<ChatEvents, ProviderError> {
        if let Some(model) = &target.route.backend.stream {
            return model.stream(self.ask.request_for(target)).await;
        }
        let ChatAnswer { text, tool_calls, finish, usage, warnings, .. } = self.ask.call(target).await?;
        let text = (!text.is_empty()).then_some(ChatEvent::Text(text));
        let calls = deltas(tool_calls).map(ChatEvent::ToolCall);
        let end = ChatEvent::End { finish, usage, warnings };
        Ok(stream::iter(text.into_iter().chain(calls).chain([end]).map(Ok)).boxed())
    }
}

/// The error of a stream that ended without [`ChatEvent::End`].
pub(crate) fn broken_stream() -> ProviderError {
    ProviderError::new(Fault::Unreachable, "the provider's stream broke off in the middle of the answer")
}

#[derive(Debug)]
pub(crate) struct ImageOperation(pub(crate) ImageRequest);

impl Operation for ImageOperation {
    type Output = ImageAnswer;

    fn input_tokens(&self) -> u64 {
        token_estimate::tokens(token_estimate::chars(&self.0.prompt))
    }

    fn pictures(&self) -> u64 {
        1
    }

    fn call<'a>(&'a self, target: &'a Target) -> BoxFuture<'a, Result<ImageAnswer, ProviderError>> {
        Box::pin(async move {
            let model = target.route.backend.image.as_ref().ok_or_else(missing_capability)?;
            model.image(ImageRequest { model: target.model.clone(), ..self.0.clone() }).await
        })
    }
}

#[derive(Debug)]
pub(crate) struct SpeechOperation(pub(crate) SpeechRequest);

impl Operation for SpeechOperation {
    type Output = SpeechAnswer;

    fn input_tokens(&self) -> u64 {
        token_estimate::tokens(token_estimate::chars(&self.0.text))
    }

    fn output_tokens(&self) -> Option<u32> {
        Some(u32::try_from(token_estimate::speech_tokens(&self.0.text)).unwrap_or(u32::MAX))
    }

    fn call<'a>(&'a self, target: &'a Target) -> BoxFuture<'a, Result<SpeechAnswer, ProviderError>> {
        Box::pin(async move {
            let model = target.route.backend.speech.as_ref().ok_or_else(missing_capability)?;
            model.speech(SpeechRequest { model: target.model.clone(), ..self.0.clone() }).await
        })
    }
}

#[derive(Debug)]
pub(crate) struct EmbedOperation(pub(crate) EmbedRequest);

impl Operation for EmbedOperation {
    type Output = Embeddings;

    fn input_tokens(&self) -> u64 {
        self.0.texts.iter().map(|text| token_estimate::tokens(token_estimate::chars(text))).sum()
    }

    fn output_tokens(&self) -> Option<u32> {
        Some(0)
    }

    fn call<'a>(&'a self, target: &'a Target) -> BoxFuture<'a, Result<Embeddings, ProviderError>> {
        Box::pin(async move {
            let model = target.route.backend.embed.as_ref().ok_or_else(missing_capability)?;
            model.embed(EmbedRequest { model: target.model.clone(), ..self.0.clone() }).await
        })
    }
}

#[derive(Debug)]
pub(crate) struct RerankOperation(pub(crate) RerankRequest);

impl Operation for RerankOperation {
    type Output = RerankScores;

    /// Rerankers read the query with each text.
    fn input_tokens(&self) -> u64 {
        let query = token_estimate::chars(&self.0.query);
        let texts = self.0.texts.iter();
        texts.map(|text| token_estimate::tokens(query.saturating_add(token_estimate::chars(text)))).sum()
    }

    fn output_tokens(&self) -> Option<u32> {
        Some(0)
    }

    fn call<'a>(&'a self, target: &'a Target) -> BoxFuture<'a, Result<RerankScores, ProviderError>> {
        Box::pin(async move {
            let model = target.route.backend.rerank.as_ref().ok_or_else(missing_capability)?;
            model.rerank(RerankRequest { model: target.model.clone(), ..self.0.clone() }).await
        })
    }
}

/// The reported usage, or an estimate where the provider reports none.
pub(crate) fn usage_or_estimate(said: Usage, input_tokens: u64, text: &str) -> Usage {
    if said.total() > 0 {
        return said;
    }
    let output_tokens = token_estimate::tokens(token_estimate::chars(text));
    Usage { input_tokens, output_tokens, ..said }
}

/// As [`usage_or_estimate`], for speech.
pub(crate) fn speech_usage(said: Usage, input_tokens: u64, text: &str) -> Usage {
    if said.total() > 0 {
        said
    } else {
        Usage { input_tokens, output_tokens: token_estimate::speech_tokens(text), ..said }
    }
}

/// As [`usage_or_estimate`], for images.
pub(crate) fn picture_usage(said: Usage, input_tokens: u64, pictures: u64) -> Usage {
    if said.total() > 0 {
        said
    } else {
        Usage { input_tokens, output_tokens: token_estimate::picture_tokens(pictures), ..said }
    }
}
