//! Maps a vendor's event stream to the port's events.

use std::collections::VecDeque;

use futures_util::StreamExt as _;
use futures_util::stream;
use gen_core::{ChatEvent, ChatEvents, Fault, ProviderError};

use super::map::{characters, finish_reason, usage_or_estimate, with_calls};
use super::tools::CallStream;
use super::wire::{Chunk, ChunkChoice, TokenUsage};
use crate::lenient::Scalar;
use crate::transport::{Endpoint, Events, ServerEvent};

/// What is known before the first chunk.
#[derive(Debug)]
pub(super) struct StreamContext {
    /// Characters that the model reads.
    pub(super) input: u64,
    /// Whether tools were offered, without which calls are none.
    pub(super) has_tools: bool,
    /// Warnings on dropped parts of the request.
    pub(super) warnings: Vec<String>,
    /// Whether the vendor's end marker suffices without a finish reason.
    pub(super) lenient: bool,
}

/// The port's events from a vendor's stream.
pub(super) fn chat_events(endpoint: Endpoint, events: Events, opening: StreamContext) -> ChatEvents {
    let reader = Reader { endpoint, events, answer: Answer::new(opening), over: false };
    stream::unfold(reader, |mut reader| async move {
        let event = reader.next().await?;
        Some((event, reader))
    })
    .boxed()
}

struct Reader {
    endpoint: Endpoint,
    events: Events,
    answer: Answer,
    over: bool,
}

impl Reader {
    async fn next(&mut self) -> Option<Result<ChatEvent, ProviderError>> {
        loop {
            if let Some(piece) = self.answer.pieces.pop_front() {
                return Some(Ok(piece));
            }
            if self.over {
                return None;
            }
            let step = match self.events.next().await {
                Some(Ok(event)) => self.take(&event),
                Some(Err(error)) => self.answer.end_by_error(error).map(Some),
                None => self.answer.end_by_close().map(Some),
            };
            match step {
                Ok(None) => {}
                Ok(Some(end)) => {
                    self.over = true;
                    return Some(Ok(end));
                }
                Err(error) => {
                    self.over = true;
                    return Some(Err(ProviderError { usage: self.answer.usage_so_far(), ..error }));
                }
            }
        }
    }

    /// Handles one server event. Returns the end event, if this is the end.
    fn take(&mut self, event: &ServerEvent) -> Result<Option<ChatEvent>, ProviderError> {
        if event.data.trim() == "[DONE]" {
            return self.answer.end_by_mark().map(Some);
        }
        let chunk: Chunk = self.endpoint.parse_event(event)?;
        if chunk.error.is_some() || event.event == "error" {
            return Err(self.endpoint.refusal_in_stream(event.data.as_bytes()));
        }
        self.answer.add(chunk);
        Ok(None)
    }
}

/// The answer so far.
#[derive(Debug)]
struct Answer {
    opening: StreamContext,
    /// Pieces that are not yet emitted.
    pieces: VecDeque<ChatEvent>,
    calls: CallStream,
    written: u64,
    refused: bool,
    reason: Scalar,
    usage: Option<TokenUsage>,
}

impl Answer {
    fn new(opening: StreamContext) -> Self {
        let (pieces, calls) = (VecDeque::new(), CallStream::default());
        Self { opening, pieces, calls, written: 0, refused: false, reason: Scalar::None, usage: None }
    }

    fn add(&mut self, chunk: Chunk) {
        self.usage = chunk.usage.or(self.usage);
        let Some(ChunkChoice { delta, finish_reason }) = chunk.choices.into_iter().next() else { return };
        let said = delta.unwrap_or_default();
        let refusal = said.refusal.text().filter(|text| !text.is_empty());
        self.refused |= refusal.is_some();
        for text in [said.content.0, refusal].into_iter().flatten().filter(|text| !text.is_empty()) {
            self.written = self.written.saturating_add(characters(&text));
            self.pieces.push_back(ChatEvent::Text(text));
        }
        for entry in said.tool_calls.into_iter().filter(|_| self.opening.has_tools) {
            let delta = self.calls.delta(entry, false);
            self.written =
                self.written.saturating_add(characters(&delta.name) + characters(&delta.arguments));
            self.pieces.push_back(ChatEvent::ToolCall(delta));
        }
        if finish_reason != Scalar::None {
            self.reason = finish_reason;
        }
    }

    fn usage_so_far(&self) -> gen_core::Usage {
        usage_or_estimate(self.usage, self.opening.input, self.written)
    }

    /// Ends the answer at the vendor's end marker.
    fn end_by_mark(&mut self) -> Result<ChatEvent, ProviderError> {
        if self.reason == Scalar::None && !self.opening.lenient {
            let message = "the provider ended its stream without a reason";
            return Err(ProviderError::new(Fault::Protocol, message));
        }
        self.end()
    }

    /// Ends the answer when the connection closes. This is valid once there is a finish reason.
    fn end_by_close(&mut self) -> Result<ChatEvent, ProviderError> {
        if self.reason == Scalar::None {
            let message = "the provider's stream ended in the middle of the answer";
            return Err(ProviderError::new(Fault::Unreachable, message));
        }
        self.end()
    }

    /// Ends the answer when the stream fails. The failure is ignored once there is a finish reason.
    fn end_by_error(&mut self, error: ProviderError) -> Result<ChatEvent, ProviderError> {
        if self.reason == Scalar::None { Err(error) } else { self.end() }
    }

    fn end(&mut self) -> Result<ChatEvent, ProviderError> {
        let finish = finish_reason(&self.reason, self.refused, self.written > 0)?;
        let finish = with_calls(finish, !self.calls.is_empty());
        let warnings = std::mem::take(&mut self.opening.warnings);
        Ok(ChatEvent::End { finish, usage: self.usage_so_far(), warnings })
    }
}
