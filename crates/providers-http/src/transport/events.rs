//! Server-sent events of an answer: bounded in bytes, time and silence.

use bytes::Bytes;
use eventsource_stream::{EventStream, EventStreamError};
use futures_util::stream::{self, BoxStream, StreamExt as _};
use gen_core::{Fault, ProviderError};
use reqwest::Response;
use tokio::time::Instant;
use tracing::{Instrument as _, Span};

use super::Endpoint;
use super::failure::timeout_error;
use super::lines::Lines;

pub(crate) use eventsource_stream::Event as ServerEvent;

/// The events of one answer. An error is the last item. Dropping it closes the connection.
pub(crate) type Events = BoxStream<'static, Result<ServerEvent, ProviderError>>;

/// Reads a body line by line.
struct Reader {
    endpoint: Endpoint,
    response: Response,
    lines: Lines,
    read: usize,
    since: Instant,
    ended: bool,
    /// The span of the call.
    span: Span,
}

/// The events of `response`, whose body is not yet read. They are read within `span`.
pub(super) fn events(endpoint: Endpoint, response: Response, span: Span) -> Events {
    let lines = Lines::new(endpoint.limits.event_bytes);
    let reader = Reader { endpoint, response, lines, read: 0, since: Instant::now(), ended: false, span };
    let lines = stream::unfold(reader, |mut reader| async move {
        let span = reader.span.clone();
        let line = reader.line().instrument(span).await.transpose()?;
        reader.ended = line.is_err();
        Some((line, reader))
    });
    let mut failed = false;
    EventStream::new(lines)
        .take_while(move |event| {
            let over = failed;
            failed |= event.is_err();
            std::future::ready(!over)
        })
        .map(|event| {
            event.map_err(|error| match error {
                EventStreamError::Transport(error) => error,
                EventStreamError::Utf8(_) | EventStreamError::Parser(_) => {
                    ProviderError::new(Fault::Protocol, "the provider's stream is not an event stream")
                }
            })
        })
        .boxed()
}

impl Reader {
    /// The next line; `None` at the end of the body.
    async fn line(&mut self) -> Result<Option<Bytes>, ProviderError> {
        if self.ended {
            return Ok(None);
        }
        loop {
            let line = self
                .lines
                .next()
                .map_err(|error| ProviderError::new(Fault::Protocol, error.to_string()).with_source(error))?;
            if line.is_some() {
                return Ok(line);
            }
            let Some(chunk) = self.chunk().await? else { return Ok(None) };
            self.read = self.read.saturating_add(chunk.len());
            if self.read > self.endpoint.limits.stream_bytes {
                let message = "the provider's stream exceeds its size limit";
                return Err(ProviderError::new(Fault::Protocol, message));
            }
            self.lines.push(&chunk);
        }
    }

    /// The next bytes, within the limits of silence and total time.
    async fn chunk(&mut self) -> Result<Option<Bytes>, ProviderError> {
        let limits = self.endpoint.limits;
        let wait = limits.idle.min(limits.total.saturating_sub(self.since.elapsed()));
        match tokio::time::timeout(wait, self.response.chunk()).await {
            Ok(chunk) => chunk.map_err(|error| self.endpoint.transport(error)),
            Err(_) => Err(timeout_error(wait)),
        }
    }
}
