//! Streamed answers: a vendor's events to the port's. A failure carries what was spent until then.

use futures_util::stream::{self, StreamExt as _};
use gen_core::{ChatEvent, ChatEvents, Fault, ProviderError, Usage};

use crate::transport::{Endpoint, Events, ServerEvent};

/// Reads the events of one vendor's answer.
pub(crate) trait Reading: Send + 'static {
    /// What an event says; `None` for nothing that is passed on. After [`ChatEvent::End`] no more are read.
    fn read(&mut self, endpoint: &Endpoint, event: &ServerEvent) -> Result<Option<ChatEvent>, ProviderError>;

    /// The end of the answer, when the stream is over: `None` where it broke.
    fn over(&mut self) -> Option<Result<ChatEvent, ProviderError>>;

    /// What was spent so far.
    fn usage(&self) -> Usage;
}

/// The pieces of the answer that `events` are.
pub(crate) fn pieces(endpoint: Endpoint, events: Events, reading: impl Reading) -> ChatEvents {
    stream::unfold(Some((endpoint, events, reading)), |state| async move {
        let (endpoint, mut events, mut reading) = state?;
        let piece = next(&endpoint, &mut events, &mut reading).await;
        let piece = piece.map_err(|error| ProviderError { usage: reading.usage(), ..error });
        let last = matches!(piece, Err(_) | Ok(ChatEvent::End { .. }));
        Some((piece, (!last).then_some((endpoint, events, reading))))
    })
    .boxed()
}

async fn next(
    endpoint: &Endpoint,
    events: &mut Events,
    reading: &mut impl Reading,
) -> Result<ChatEvent, ProviderError> {
    while let Some(event) = events.next().await {
        if let Some(piece) = reading.read(endpoint, &event?)? {
            return Ok(piece);
        }
    }
    let broke = || ProviderError::new(Fault::Unreachable, "the provider's stream ended before its answer");
    reading.over().unwrap_or_else(|| Err(broke()))
}
