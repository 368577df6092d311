//! Maps a vendor's event stream to the port's events. A failure carries the usage so far.

use std::collections::VecDeque;

use futures_util::stream::{self, StreamExt as _};
use gen_core::{
    ChatEvent, ChatEvents, ChatRequest, Fault, Part, ProviderError, ToolCall, ToolCallDelta, Usage, deltas,
};

use crate::transport::{Endpoint, Events, ServerEvent};

/// Characters per token, for answers without a vendor's count. This is the rule of thumb for English.
pub(crate) const TOKEN_CHARS: u64 = 4;

/// Parses the events of one vendor's answer.
pub(crate) trait EventReader: Send + 'static {
    /// The chat event in a server event; `None` to ignore it. After [`ChatEvent::End`] no more are read.
    fn read(&mut self, endpoint: &Endpoint, event: &ServerEvent) -> Result<Option<ChatEvent>, ProviderError>;

    /// Whole calls of tools that came with the last event, after its text.
    fn take_calls(&mut self) -> Vec<ToolCall> {
        Vec::new()
    }

    /// The end of the answer when the stream is over; `None` if the answer is incomplete.
    fn finish(&mut self) -> Option<Result<ChatEvent, ProviderError>>;

    /// The vendor's token counts so far.
    fn usage(&self) -> Usage;
}

struct State<R> {
    endpoint: Endpoint,
    events: Events,
    reading: R,
    /// Characters (Unicode) of the request and of the answer so far.
    asked: u64,
    written: u64,
    /// Whole calls that are not yet emitted.
    calls: VecDeque<ToolCallDelta>,
    /// Number of whole calls so far.
    called: usize,
}

/// The chat events of the answer to `request`, from the server events `events`.
pub(crate) fn chat_events_of(
    endpoint: Endpoint,
    request: &ChatRequest,
    events: Events,
    reading: impl EventReader,
) -> ChatEvents {
    let (asked, calls) = (characters(request), VecDeque::new());
    let state = State { endpoint, events, reading, asked, written: 0, calls, called: 0 };
    stream::unfold(Some(state), |state| async move {
        let mut state = state?;
        let piece =
            state.next().await.map_err(|error| ProviderError { usage: state.estimate_usage(), ..error });
        state.written += match &piece {
            Ok(ChatEvent::Text(text)) => text.chars().count() as u64,
            Ok(ChatEvent::ToolCall(delta)) => {
                (delta.name.chars().count() + delta.arguments.chars().count()) as u64
            }
            Ok(ChatEvent::End { .. }) | Err(_) => 0,
        };
        let last = matches!(piece, Err(_) | Ok(ChatEvent::End { .. }));
        Some((piece, (!last).then_some(state)))
    })
    .boxed()
}

impl<R: EventReader> State<R> {
    async fn next(&mut self) -> Result<ChatEvent, ProviderError> {
        let mut failure = None;
        if let Some(call) = self.calls.pop_front() {
            return Ok(ChatEvent::ToolCall(call));
        }
        while let Some(event) = self.events.next().await {
            match event {
                Ok(event) => {
                    let piece = self.reading.read(&self.endpoint, &event)?;
                    self.queue_calls();
                    if let Some(piece) = piece.or_else(|| self.calls.pop_front().map(ChatEvent::ToolCall)) {
                        return Ok(piece);
                    }
                }
                Err(error) => failure = Some(error),
            }
        }
        let broke =
            || ProviderError::new(Fault::Unreachable, "the provider's stream ended before its answer");
        self.reading.finish().unwrap_or_else(|| Err(failure.unwrap_or_else(broke)))
    }

    fn queue_calls(&mut self) {
        let before = self.called;
        let calls = deltas(self.reading.take_calls());
        self.calls.extend(calls.map(|delta| ToolCallDelta { index: before + delta.index, ..delta }));
        self.called = before.max(self.calls.back().map_or(before, |last| last.index + 1));
    }

    /// Usage of an incomplete answer. Vendors count at the end, so the received text is estimated.
    fn estimate_usage(&self) -> Usage {
        let told = self.reading.usage();
        if self.written == 0 {
            return told;
        }
        let asked = if told.input_tokens == 0 { self.asked.div_ceil(TOKEN_CHARS) } else { told.input_tokens };
        let written = told.output_tokens.max(self.written.div_ceil(TOKEN_CHARS));
        Usage { input_tokens: asked, output_tokens: written, ..told }
    }
}

/// Characters (Unicode) of everything that the model reads.
fn characters(request: &ChatRequest) -> u64 {
    let parts = request.messages.iter().flat_map(|message| &message.parts);
    let texts = parts.map(|part| match part {
        Part::Text(text) => text.chars().count(),
        Part::Document { text, .. } => text.chars().count(),
        Part::ToolResult { text, .. } => text.chars().count(),
        Part::ToolCall(call) => call.arguments.chars().count(),
        Part::Picture(_) => 0,
    });
    let system = request.system.as_deref().map_or(0, |text| text.chars().count());
    (system + texts.sum::<usize>()) as u64
}
