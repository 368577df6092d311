//! Answers of agents as server-sent events.

use actix_web::HttpResponse;
use agents_core::chat::{ChatService, Exchange};
use bytes::Bytes;
use futures_util::stream;
use gen_core::{GenerateEvent, GenerateEvents};
use serde_json::json;
use store_diesel::RequestAudit;

use super::responses::{Answer, answer};
use crate::http::ApiError;
use crate::http::generate_stream::{PULSE, event, streamed, with_pulse};
use crate::http::sse::until;
use crate::shutdown::{ServerPhase, Shutdown};

/// A complete answer as events: its text, paragraph by paragraph, then the whole answer.
pub(super) fn complete_events(answer: &Answer) -> HttpResponse {
    streamed(stream::iter(frames(answer)))
}

/// The body of [`complete_events`].
pub(super) fn complete_body(answer: &Answer) -> Vec<u8> {
    frames(answer).concat()
}

fn frames(answer: &Answer) -> Vec<Bytes> {
    let text = answer.text.clone().unwrap_or_default();
    let mut events: Vec<_> = text
        .split_inclusive("\n\n")
        .filter(|piece| !piece.is_empty())
        .map(|piece| event("delta", &json!({"text": piece})))
        .collect();
    events.push(event("done", answer));
    events
}

/// Streams a free conversation as the model writes. The exchange is stored before the `done` event.
pub(super) fn events(
    shutdown: &Shutdown,
    chat: ChatService,
    events: GenerateEvents,
    exchange: Exchange,
) -> HttpResponse {
    // The body is read after the handler has returned.
    let audit = RequestAudit::current();
    let state = Some((events, chat, exchange, audit));
    let events = stream::unfold(state, |state| async move {
        let (mut events, chat, exchange, audit) = state?;
        match with_pulse(&mut events).await {
            Err(pulse) => Some((pulse, Some((events, chat, exchange, audit)))),
            Ok(Some(Ok(GenerateEvent::Text(text)))) => {
                Some((event("delta", &json!({"text": text})), Some((events, chat, exchange, audit))))
            }
            // The chat of an agent offers no tools.
            Ok(Some(Ok(GenerateEvent::ToolCall(_)))) => Some((PULSE, Some((events, chat, exchange, audit)))),
            Ok(Some(Ok(GenerateEvent::End(said)))) => {
                let finish = chat.finish(exchange, *said);
                let finished = match audit {
                    Some(audit) => audit.record(finish).await,
                    None => finish.await,
                };
                let last = match finished {
                    Ok(said) => event("done", &answer(said, false)),
                    Err(error) => event("error", &ApiError::from(error).log_and_body()),
                };
                Some((last, None))
            }
            Ok(Some(Err(error))) => Some((event("error", &ApiError::from(error).log_and_body()), None)),
            Ok(None) => Some((event("error", &crate::http::generate_stream::broken()), None)),
        }
    });
    streamed(until(shutdown.reached(ServerPhase::Closing), events))
}
