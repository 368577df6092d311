//! An answer as server-sent events: `delta` for each piece of text, then `done` with the complete answer, or
//! `error`. A stream never ends without one of the last two.

use std::convert::Infallible;
use std::time::Duration;

use actix_web::HttpResponse;
use actix_web::http::header;
use bytes::Bytes;
use futures_util::stream::{self, Stream, StreamExt as _};
use gen_core::{GenerateError, GenerateEvent, GenerateEvents};
use serde::Serialize;
use serde_json::json;

use super::ApiError;
use super::generate::GeneratedRecord;
use super::request::Caller;
use super::sse::{STREAM, until};
use crate::shutdown::{ServerPhase, Shutdown};

/// Interval of comments while the model is silent. Only a write detects that the client has disconnected; the
/// model call is then cancelled.
const SILENCE: Duration = Duration::from_secs(2);
/// A comment, which clients ignore.
pub(super) const PULSE: Bytes = Bytes::from_static(b":\n\n");

/// The answer that carries the events.
pub(super) fn answer(shutdown: &Shutdown, events: GenerateEvents, caller: Caller) -> HttpResponse {
    streamed(until(shutdown.reached(ServerPhase::Closing), written(events, caller)))
}

/// An answer of server-sent events.
pub(super) fn streamed(events: impl Stream<Item = Bytes> + 'static) -> HttpResponse {
    HttpResponse::Ok()
        .insert_header((header::CONTENT_TYPE, STREAM))
        .insert_header((header::CACHE_CONTROL, "no-store"))
        // Buffering proxies would hold the chunks back.
        .insert_header(("x-accel-buffering", "no"))
        .streaming(events.map(Ok::<_, Infallible>))
}

/// The next event, or a comment while the model is silent.
pub(super) async fn with_pulse(
    events: &mut GenerateEvents,
) -> Result<Option<Result<GenerateEvent, GenerateError>>, Bytes> {
    tokio::time::timeout(SILENCE, events.next()).await.or(Err(PULSE))
}

fn written(events: GenerateEvents, caller: Caller) -> impl Stream<Item = Bytes> {
    stream::unfold(Some((events, caller)), |state| async move {
        let (mut events, caller) = state?;
        match with_pulse(&mut events).await {
            Err(pulse) => Some((pulse, Some((events, caller)))),
            Ok(Some(Ok(GenerateEvent::Text(text)))) => {
                Some((event("delta", &json!({"text": text})), Some((events, caller))))
            }
            // The calls are in the complete answer. A comment shows that it goes on.
            Ok(Some(Ok(GenerateEvent::ToolCall(_)))) => Some((PULSE, Some((events, caller)))),
            Ok(Some(Ok(GenerateEvent::End(answer)))) => {
                Some((event("done", &GeneratedRecord::of(*answer, &caller)), None))
            }
            Ok(Some(Err(error))) => Some((failed(error), None)),
            Ok(None) => Some((event("error", &broken()), None)),
        }
    })
}

/// The failure as a standard error body. Its cause goes to the log.
fn failed(error: GenerateError) -> Bytes {
    event("error", &ApiError::from(error).log_and_body())
}

/// The error of an answer that ended without `done` or `error`.
pub(super) fn broken() -> serde_json::Value {
    json!({"status": "failure", "code": "provider_failed", "message": "the answer broke off"})
}

/// Whether these are the events of a failed answer.
pub(super) fn has_failed(content_type: &str, events: &[u8]) -> bool {
    let lines = || events.strip_suffix(b"\n\n").into_iter().flat_map(|all| all.rsplit(|byte| *byte == b'\n'));
    // The others are those of the OpenAI-compatible base.
    let is_error =
        lines().nth(1).is_some_and(|name| name == b"event: error" || name == b"event: response.failed");
    content_type == STREAM
        && (is_error || lines().next().is_some_and(|last| last.starts_with(b"data: {\"error\":")))
}

/// One event.
pub(super) fn event(name: &str, data: &impl Serialize) -> Bytes {
    // JSON has no raw line breaks. A serialisation failure is a defect; it is reported as an aborted answer.
    let data = serde_json::to_string(data).unwrap_or_else(|_| broken().to_string());
    format!("event: {name}\ndata: {data}\n\n").into()
}
