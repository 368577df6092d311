//! Server-sent events: how they are written, and the answer that carries them.

use std::convert::Infallible;
use std::time::Duration;

use actix_web::http::{Method, header};
use actix_web::{HttpRequest, HttpResponse};
use bytes::Bytes;
use futures_util::stream::{self, BoxStream, Stream, StreamExt as _};
use serde::Serialize;
use serde_json::json;

/// The content type of events.
pub(super) const STREAM: &str = "text/event-stream";
/// While nothing happens, a comment is written this often, so that nobody on the way takes the connection for
/// dead; that the client has gone is noticed by writing too.
const SILENCE: Duration = Duration::from_secs(15);
/// A comment, which readers of events pass over.
const PULSE: &[u8] = b":\n\n";

/// The answer that carries events.
pub(super) fn answer(request: &HttpRequest, events: BoxStream<'static, Bytes>) -> HttpResponse {
    let mut head = HttpResponse::Ok();
    head.insert_header((header::CONTENT_TYPE, STREAM))
        .insert_header((header::CACHE_CONTROL, "no-store"))
        // Proxies that gather answers would keep the pieces back.
        .insert_header(("x-accel-buffering", "no"));
    if request.method() == Method::HEAD {
        // Nobody is to wait for the end of the work to learn nothing of it.
        return head.finish();
    }
    head.streaming(with_pulse(events))
}

fn with_pulse(events: BoxStream<'static, Bytes>) -> impl Stream<Item = Result<Bytes, Infallible>> {
    stream::unfold(events, |mut events| async move {
        let next = tokio::time::timeout(SILENCE, events.next()).await;
        let piece = next.unwrap_or_else(|_silent| Some(Bytes::from_static(PULSE)))?;
        Some((Ok(piece), events))
    })
}

/// An event as it is written.
pub(super) fn event(name: &str, number: Option<u64>, data: &impl Serialize) -> Bytes {
    let id = number.map(|number| format!("id: {number}\n")).unwrap_or_default();
    // JSON has no line breaks of its own. What cannot be written as JSON is a defect.
    let data = serde_json::to_string(data).unwrap_or_else(|error| {
        json!({"status": "failure", "code": "internal", "message": error.to_string()}).to_string()
    });
    format!("{id}event: {name}\ndata: {data}\n\n").into()
}
