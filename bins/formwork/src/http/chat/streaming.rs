//! The answer of an agent piece by piece, and as server-sent events.

use actix_web::HttpResponse;
use agents_core::chat::{AgentChatAnswer, ChatReply, ChatResponseStream, ChatService, Exchange};
use bytes::Bytes;
use futures_util::future::Either;
use futures_util::stream::{self, Stream, StreamExt as _};
use gen_core::{GenerateEvent, GenerateEvents};
use serde_json::{Value, json};
use store_diesel::RequestAudit;

use super::responses::answer;
use crate::app::AppState;
use crate::http::ApiError;
use crate::http::generate_stream::{PULSE, broken, event, streamed, with_pulse};
use crate::http::sse::until_stopped;
use crate::shutdown::ServerPhase;

/// A piece of an answer. [`AnswerPiece::Done`] or [`AnswerPiece::Failed`] is the last one.
pub(in crate::http) enum AnswerPiece {
    Text(String),
    /// Nothing was said for some time.
    Silence,
    /// The exchange is stored.
    Done(Box<AgentChatAnswer>),
    /// The body of the error.
    Failed(Value),
}

/// The pieces of an answer as the model writes it, until the server stops. A complete answer comes paragraph by
/// paragraph.
pub(in crate::http) fn pieces(
    state: &AppState,
    response: ChatResponseStream,
) -> impl Stream<Item = AnswerPiece> + 'static {
    match response {
        ChatResponseStream::Whole(said) => Either::Left(stream::iter(paragraphs(*said))),
        ChatResponseStream::Live { events, exchange } => {
            let stopping = || AnswerPiece::Failed(json!(ApiError::server_stopping().body()));
            let live = live(state.chat.clone(), events, *exchange);
            Either::Right(until_stopped(state.shutdown.reached(ServerPhase::Closing), live, stopping))
        }
    }
}

fn paragraphs(said: AgentChatAnswer) -> Vec<AnswerPiece> {
    let text = match &said.reply {
        ChatReply::Record(_) => "",
        ChatReply::Guided(reply) => &reply.text,
        ChatReply::Text { text, .. } => text,
    };
    let paragraphs = text.split_inclusive("\n\n").filter(|piece| !piece.is_empty());
    let mut pieces: Vec<_> = paragraphs.map(|piece| AnswerPiece::Text(piece.to_owned())).collect();
    pieces.push(AnswerPiece::Done(Box::new(said)));
    pieces
}

/// A free conversation as the model writes. The exchange is stored before the last piece.
fn live(chat: ChatService, events: GenerateEvents, exchange: Exchange) -> impl Stream<Item = AnswerPiece> {
    // The body is read after the handler has returned.
    let audit = RequestAudit::current();
    stream::unfold(Some((events, chat, exchange, audit)), |state| async move {
        let (mut events, chat, exchange, audit) = state?;
        let failed = |error: ApiError| AnswerPiece::Failed(json!(error.log_and_body()));
        let piece = match with_pulse(&mut events).await {
            Err(_) => AnswerPiece::Silence,
            Ok(Some(Ok(GenerateEvent::Text(text)))) => AnswerPiece::Text(text),
            // The chat of an agent offers no tools.
            Ok(Some(Ok(GenerateEvent::ToolCall(_)))) => AnswerPiece::Silence,
            Ok(Some(Ok(GenerateEvent::End(said)))) => {
                let finish = chat.finish(exchange, *said);
                let finished = match audit {
                    Some(audit) => audit.record(finish).await,
                    None => finish.await,
                };
                let last = finished.map(|said| AnswerPiece::Done(Box::new(said)));
                return Some((last.unwrap_or_else(|error| failed(error.into())), None));
            }
            Ok(Some(Err(error))) => return Some((failed(error.into()), None)),
            Ok(None) => return Some((AnswerPiece::Failed(broken()), None)),
        };
        Some((piece, Some((events, chat, exchange, audit))))
    })
}

/// The answer as events: `delta` with a text, then `done` with the whole answer, or `error`.
pub(super) fn events(state: &AppState, response: ChatResponseStream, with_evidence: bool) -> HttpResponse {
    streamed(pieces(state, response).map(move |piece| written(piece, with_evidence)))
}

/// The body of [`events`] for a complete answer.
pub(super) fn complete_body(said: AgentChatAnswer, with_evidence: bool) -> Vec<u8> {
    let events = paragraphs(said).into_iter().map(|piece| written(piece, with_evidence));
    events.collect::<Vec<_>>().concat()
}

fn written(piece: AnswerPiece, with_evidence: bool) -> Bytes {
    match piece {
        AnswerPiece::Text(text) => event("delta", &json!({"text": text})),
        AnswerPiece::Silence => PULSE,
        AnswerPiece::Done(said) => event("done", &answer(*said, with_evidence)),
        AnswerPiece::Failed(error) => event("error", &error),
    }
}
