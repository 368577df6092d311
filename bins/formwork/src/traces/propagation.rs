//! The trace across processes, in the headers of W3C Trace Context.

use std::sync::Arc;

use actix_web::http::header::HeaderMap;
use opentelemetry::Context;
use opentelemetry::propagation::{Extractor, TextMapPropagator as _};
use opentelemetry::trace::TraceContextExt as _;
use opentelemetry_sdk::propagation::TraceContextPropagator;
use providers_http::TraceContext;
use reqwest::header::HeaderValue;
use tracing::Span;
use tracing_opentelemetry::OpenTelemetrySpanExt as _;

use crate::settings::{Switch, TracesSettings};

/// Maximum characters of `tracestate`: what everyone must pass on (Trace Context, section 3.3.1.5). Longer ones are
/// ignored.
const MAX_STATE: usize = 512;

/// The headers of a request.
struct RequestHeaders<'a>(&'a HeaderMap);

impl Extractor for RequestHeaders<'_> {
    fn get(&self, key: &str) -> Option<&str> {
        let value = self.0.get(key)?.to_str().ok()?;
        (value.len() <= MAX_STATE).then_some(value)
    }

    fn keys(&self) -> Vec<&str> {
        Vec::new()
    }
}

/// The span of the caller, if the headers name one.
pub(super) fn caller(headers: &HeaderMap) -> Option<Context> {
    let context =
        TraceContextPropagator::new().extract_with_context(&Context::new(), &RequestHeaders(headers));
    let is_named = context.span().span_context().is_valid();
    is_named.then_some(context)
}

/// What names the trace to model providers, if the settings allow it.
pub(crate) fn sent_to_providers(settings: &TracesSettings) -> Option<Arc<dyn TraceContext>> {
    let is_sent = settings.is_on() && settings.send_to_providers == Switch::On;
    is_sent.then(|| Arc::new(CurrentTrace) as Arc<dyn TraceContext>)
}

/// The current span, for the servers that are called within it.
#[derive(Clone, Copy, Debug)]
struct CurrentTrace;

impl TraceContext for CurrentTrace {
    fn traceparent(&self) -> Option<HeaderValue> {
        let context = Span::current().context();
        let span = context.span();
        let named = span.span_context();
        if !named.is_valid() {
            return None;
        }
        let (trace, span, flags) = (named.trace_id(), named.span_id(), named.trace_flags().to_u8());
        HeaderValue::try_from(format!("00-{trace}-{span}-{flags:02x}")).ok()
    }
}

#[cfg(test)]
mod tests {
    use actix_web::http::header::{HeaderName, HeaderValue};

    use super::*;

    const PARENT: &str = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

    fn headers(sent: &[(&'static str, &str)]) -> HeaderMap {
        let pair = |(name, value): &(&'static str, &str)| {
            (HeaderName::from_static(name), HeaderValue::from_str(value).unwrap())
        };
        sent.iter().map(pair).collect()
    }

    #[test]
    fn the_caller_is_taken_from_a_valid_header_and_ignored_else() {
        let context = caller(&headers(&[("traceparent", PARENT), ("tracestate", "a=1")])).unwrap();
        let span = context.span().span_context().clone();
        assert_eq!(span.trace_id().to_string(), "0af7651916cd43dd8448eb211c80319c");
        assert_eq!(span.span_id().to_string(), "b7ad6b7169203331");
        assert!(span.is_sampled() && span.is_remote());
        assert_eq!(span.trace_state().header(), "a=1");
        for wrong in [
            "",
            "00",
            "00-0-0-01",
            &PARENT.to_uppercase(),
            &PARENT.replace("b7ad6b7169203331", "0000000000000000"),
        ] {
            assert!(caller(&headers(&[("traceparent", wrong)])).is_none(), "{wrong}");
        }
        assert!(caller(&headers(&[])).is_none());
    }

    #[test]
    fn a_long_state_is_dropped_and_the_trace_continued() {
        let long = format!("a={}", "x".repeat(MAX_STATE));
        let context = caller(&headers(&[("traceparent", PARENT), ("tracestate", &long)])).unwrap();
        assert_eq!(context.span().span_context().trace_state().header(), "");
    }
}
