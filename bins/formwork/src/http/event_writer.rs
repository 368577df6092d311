//! The events of a generation in the form of an interface of others.

use std::collections::VecDeque;

use bytes::Bytes;
use futures_util::stream::{self, Stream};
use gen_core::{GenerateAnswer, GenerateEvent, GenerateEvents, ToolCallDelta};
use serde_json::Value;

use super::ApiError;
use super::error_body::ErrorBody;
use super::generate_stream::{event, with_pulse};

/// Events that are written and not yet sent.
#[derive(Default)]
pub(super) struct EventQueue {
    waiting: VecDeque<Bytes>,
    /// Whether the last one is written.
    is_closed: bool,
}

impl EventQueue {
    pub(super) fn push(&mut self, name: &str, data: &Value) {
        self.waiting.push_back(event(name, data));
    }

    pub(super) fn close(&mut self) {
        self.is_closed = true;
    }
}

/// Writes the events of an answer in the form of an interface.
pub(super) trait EventWriter {
    fn queue(&mut self) -> &mut EventQueue;
    /// Writes a piece of the text.
    fn text(&mut self, piece: &str);
    /// Writes a piece of a call.
    fn call(&mut self, delta: &ToolCallDelta);
    /// Ends the stream.
    fn end(&mut self, answer: GenerateAnswer);
    /// Ends the stream with a failure of this status, whose cause is in the log.
    fn fail(&mut self, status: u16, error: ErrorBody);
}

/// The events as a stream.
pub(super) fn written<W: EventWriter>(events: GenerateEvents, writer: W) -> impl Stream<Item = Bytes> {
    stream::unfold((events, writer), |(mut events, mut writer)| async move {
        loop {
            let queue = writer.queue();
            if let Some(bytes) = queue.waiting.pop_front() {
                return Some((bytes, (events, writer)));
            }
            if queue.is_closed {
                return None;
            }
            match with_pulse(&mut events).await {
                Err(pulse) => return Some((pulse, (events, writer))),
                Ok(Some(Ok(GenerateEvent::Text(text)))) => writer.text(&text),
                Ok(Some(Ok(GenerateEvent::ToolCall(delta)))) => writer.call(&delta),
                Ok(Some(Ok(GenerateEvent::End(answer)))) => writer.end(*answer),
                Ok(Some(Err(error))) => {
                    let error = ApiError::from(error);
                    writer.fail(error.status().as_u16(), error.log_and_body());
                }
                Ok(None) => writer.fail(502, broken_off()),
            }
        }
    })
}

/// The error of an answer that ended without its end.
pub(super) fn broken_off() -> ErrorBody {
    let (code, message) = ("provider_failed".to_owned(), "the answer broke off".to_owned());
    ErrorBody { status: "failure", code, message, errors: Vec::new() }
}
