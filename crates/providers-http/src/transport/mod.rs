//! HTTP calls that are bounded in every way. All failures are [`gen_core::ProviderError`]s. This module does
//! not know the vendors' answers, only how they arrive and how vendors report errors.

mod body;
mod call;
mod call_span;
mod clients;
mod endpoint;
mod error_body;
mod events;
mod failure;
mod lines;
mod redact;
mod retry_after;

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use reqwest::RequestBuilder;
use reqwest::header::HeaderValue;
use shared_core::Clock;

use self::clients::Clients;

pub(crate) use call::Call;
pub(crate) use call_span::ModelUse;
pub use clients::TransportError;
pub use endpoint::{Auth, Endpoint, EndpointError, Limits};
pub(crate) use events::{Events, ServerEvent};
pub(crate) use lines::Lines;
pub(crate) use retry_after::retry_after;

/// Default time limit of a connection. Chosen by hand; no measurement is recorded.
pub const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
/// Default number of idle connections for each host and thread: the default of `models.concurrency`, which bounds the
/// calls in flight.
pub const IDLE_CONNECTIONS: usize = 64;

/// Names the current span to the servers that are called, so that they can continue its trace.
pub trait TraceContext: fmt::Debug + Send + Sync + 'static {
    /// The header `traceparent` of the current span; `None` if it is not recorded.
    fn traceparent(&self) -> Option<HeaderValue>;
}

/// The connections to all providers. Create it once and clone it.
#[derive(Clone, Debug)]
pub struct Transport {
    clients: Arc<Clients>,
    clock: Arc<dyn Clock>,
    /// `None` if calls do not carry the trace.
    trace: Option<Arc<dyn TraceContext>>,
}

impl Transport {
    /// Connections open within `connect`. `idle` of them are kept for later calls, for each host and thread. `clock` is
    /// needed for dates in `Retry-After`.
    ///
    /// # Errors
    /// [`TransportError`].
    pub fn new(connect: Duration, idle: usize, clock: Arc<dyn Clock>) -> Result<Self, TransportError> {
        Ok(Self { clients: Arc::new(Clients::new(connect, idle)?), clock, trace: None })
    }

    /// Sends `traceparent` with every call.
    #[must_use]
    pub fn with_trace(self, trace: Arc<dyn TraceContext>) -> Self {
        Self { trace: Some(trace), ..self }
    }

    /// Adds the header of the current span, if calls carry it.
    fn continue_trace(&self, request: RequestBuilder) -> RequestBuilder {
        match self.trace.as_ref().and_then(|trace| trace.traceparent()) {
            Some(header) => request.header("traceparent", header),
            None => request,
        }
    }
}
