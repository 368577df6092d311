//! Server-sent events: their format, and the answer that carries them.

use std::convert::Infallible;
use std::time::Duration;

use actix_web::http::{Method, header};
use actix_web::{HttpRequest, HttpResponse};
use bytes::Bytes;
use futures_util::stream::{self, LocalBoxStream, PollNext, Stream, StreamExt as _, select_with_strategy};
use serde::Serialize;
use serde_json::json;

use super::ApiError;

/// The content type of events.
pub(super) const STREAM: &str = "text/event-stream";
/// Interval of comments while nothing happens. They keep proxies from closing an idle connection, and only a
/// write detects that the client has disconnected.
const SILENCE: Duration = Duration::from_secs(15);
/// A comment, which clients ignore.
const PULSE: &[u8] = b":\n\n";

/// The answer that carries events.
pub(super) fn answer(request: &HttpRequest, events: impl Stream<Item = Bytes> + 'static) -> HttpResponse {
    let mut head = HttpResponse::Ok();
    head.insert_header((header::CONTENT_TYPE, STREAM))
        .insert_header((header::CACHE_CONTROL, "no-store"))
        // Buffering proxies would hold the chunks back.
        .insert_header(("x-accel-buffering", "no"));
    if request.method() == Method::HEAD {
        // A HEAD request must not wait for the end of the work.
        return head.finish();
    }
    head.streaming(with_pulse(events.boxed_local()))
}

/// The events up to their end, or until `stop` completes, of which the last event then tells.
pub(super) fn until(
    stop: impl Future<Output = ()>,
    events: impl Stream<Item = Bytes>,
) -> impl Stream<Item = Bytes> {
    until_stopped(stop, events, stopping_event)
}

/// As [`until`], with the last event of these events.
pub(super) fn until_stopped<T>(
    stop: impl Future<Output = ()>,
    events: impl Stream<Item = T>,
    last: impl Fn() -> T,
) -> impl Stream<Item = T> {
    let events = events.map(Some).chain(stream::iter([None]));
    let stopped = stream::once(stop).flat_map(move |()| stream::iter([Some(last()), None]));
    select_with_strategy(stopped, events, |_: &mut ()| PollNext::Left)
        .take_while(|event| std::future::ready(event.is_some()))
        .filter_map(std::future::ready)
}

fn stopping_event() -> Bytes {
    event("error", None, &ApiError::server_stopping().body())
}

fn with_pulse(events: LocalBoxStream<'static, Bytes>) -> impl Stream<Item = Result<Bytes, Infallible>> {
    stream::unfold(events, |mut events| async move {
        let next = tokio::time::timeout(SILENCE, events.next()).await;
        let piece = next.unwrap_or_else(|_silent| Some(Bytes::from_static(PULSE)))?;
        Some((Ok(piece), events))
    })
}

/// Formats an event.
pub(super) fn event(name: &str, number: Option<u64>, data: &impl Serialize) -> Bytes {
    let id = number.map(|number| format!("id: {number}\n")).unwrap_or_default();
    // JSON has no raw line breaks. A serialisation failure is a defect.
    let data = serde_json::to_string(data).unwrap_or_else(|error| {
        json!({"status": "failure", "code": "internal", "message": error.to_string()}).to_string()
    });
    format!("{id}event: {name}\ndata: {data}\n\n").into()
}
