//! The spans of calls: where a call goes, what model it is for, and how it ended.

use futures_util::StreamExt as _;
use gen_core::{ChatEvent, ChatEvents, ProviderError, Usage};
use shared_core::DomainError as _;
use tracing::Span;
use tracing::field::Empty;

use super::Endpoint;

/// What a call wants from a model.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ModelUse<'a> {
    /// The interface that it is called by, as OpenTelemetry names it in `gen_ai.provider.name`.
    pub(crate) interface: &'static str,
    /// `chat`, `embeddings`, `rerank`, `image` or `speech`.
    pub(crate) operation: &'static str,
    /// The model's name at the provider.
    pub(crate) model: &'a str,
}

/// The span of a call to the path of these segments.
pub(super) fn call_span(endpoint: &Endpoint, path: &[&str]) -> Span {
    tracing::error_span!(
        "provider_call",
        method = Empty,
        host = endpoint.host(),
        port = endpoint.port(),
        path = path.join("/"),
        interface = Empty,
        operation = Empty,
        model = Empty,
        status = Empty,
        input_tokens = Empty,
        output_tokens = Empty,
        failure = Empty,
    )
}

/// Records what the call of `span` wants.
pub(super) fn record_use(span: &Span, wanted: ModelUse<'_>) {
    let ModelUse { interface, operation, model } = wanted;
    span.record("interface", interface).record("operation", operation).record("model", model);
}

/// Nothing is recorded where the provider counts nothing.
pub(super) fn record_usage(span: &Span, usage: &Usage) {
    if usage.total() == 0 {
        return;
    }
    span.record("input_tokens", usage.input_tokens).record("output_tokens", usage.output_tokens);
}

pub(super) fn record_failure(span: &Span, error: &ProviderError) {
    span.record("failure", error.code());
}

/// Records the usage and the failure of a streamed answer in `span`.
pub(super) fn recording_end(span: Span, events: ChatEvents) -> ChatEvents {
    let record = move |event: &Result<ChatEvent, ProviderError>| match event {
        Ok(ChatEvent::End { usage, .. }) => record_usage(&span, usage),
        Ok(ChatEvent::Text(_) | ChatEvent::ToolCall(_)) => {}
        Err(error) => {
            record_usage(&span, &error.usage);
            record_failure(&span, error);
        }
    };
    events.inspect(record).boxed()
}
