//! The trace of a request.

use actix_web::HttpRequest;
use opentelemetry::trace::TraceContextExt as _;
use tracing::Span;
use tracing_opentelemetry::OpenTelemetrySpanExt as _;

use super::propagation::caller;
use super::semantics::{METHOD, OPERATION, ROUTE, STATUS};

/// The span of a request in traces. It ends when this is dropped: jobs that the request enqueued may keep its span in
/// the log for longer.
#[derive(Debug)]
pub(crate) struct RequestTrace(Span);

impl RequestTrace {
    /// Continues the trace of the caller, if the request names it.
    pub(crate) fn begin(
        span: Span,
        request: &HttpRequest,
        operation: &'static str,
        route: &'static str,
    ) -> Self {
        if let Some(caller) = caller(request.headers()) {
            // It fails only without a layer for traces.
            span.set_parent(caller).ok();
        }
        span.set_attribute(METHOD, request.method().as_str().to_owned());
        span.set_attribute(ROUTE, route);
        span.set_attribute(OPERATION, operation);
        Self(span)
    }

    /// Records the status of the answer.
    pub(crate) fn record_status(&self, status: u16) {
        self.0.set_attribute(STATUS, i64::from(status));
    }
}

impl Drop for RequestTrace {
    fn drop(&mut self) {
        self.0.context().span().end();
    }
}
