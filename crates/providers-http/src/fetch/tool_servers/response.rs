//! The answer to a request: one message as JSON, or as the last of server-sent events.

use bytes::Bytes;
use eventsource_stream::EventStream;
use futures_util::stream::{self, StreamExt as _};
use reqwest::Response;
use reqwest::header::CONTENT_TYPE;
use serde_json::Value;
use utilities_core::web::FetchError;

use super::failure::ToolFailure;
use crate::fetch::failure::failure;
use crate::transport::Lines;

/// Most bytes of an answer. Bounds the memory.
const MAX_BYTES: usize = 4 << 20;

/// The result of the request with this id.
///
/// # Errors
/// When the answer is an error, or none.
pub(super) async fn result(response: Response, id: u64) -> Result<Value, ToolFailure> {
    let kind = response.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let message = match kind.trim_start().starts_with("text/event-stream") {
        true => event_message(response, id).await?,
        false => {
            let (status, body) = (response.status(), whole(response).await?);
            match serde_json::from_slice(&body) {
                Ok(message) => message,
                Err(_) if !status.is_success() => return Err(ToolFailure::Status(status.as_u16())),
                Err(_) => return Err(ToolFailure::Protocol("its answer is not JSON")),
            }
        }
    };
    read(message, id)
}

fn read(mut message: Value, id: u64) -> Result<Value, ToolFailure> {
    if let Some(error) = message.get("error").filter(|error| error.is_object()) {
        let told: String = error["message"].as_str().unwrap_or_default().chars().take(500).collect();
        return Err(ToolFailure::Rpc(error["code"].as_i64().unwrap_or_default(), told));
    }
    match message["id"] == id && message["result"].is_object() {
        true => Ok(message["result"].take()),
        false => Err(ToolFailure::Protocol("its answer is not the response to the request")),
    }
}

async fn whole(mut response: Response) -> Result<Vec<u8>, ToolFailure> {
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(failure)? {
        if body.len() + chunk.len() > MAX_BYTES {
            return Err(too_large());
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body)
}

/// The response among the events. Notifications and requests to the client are ignored.
async fn event_message(response: Response, id: u64) -> Result<Value, ToolFailure> {
    let mut events = Box::pin(EventStream::new(lines(response)));
    while let Some(event) = events.next().await {
        let event = event.map_err(|error| match error {
            eventsource_stream::EventStreamError::Transport(failure) => failure,
            _ => ToolFailure::Protocol("its stream is not an event stream"),
        })?;
        match serde_json::from_str::<Value>(&event.data) {
            Ok(message) if message["id"] == id && message.get("method").is_none() => return Ok(message),
            _ => {}
        }
    }
    Err(ToolFailure::Protocol("its stream ends without a response"))
}

fn lines(response: Response) -> impl stream::Stream<Item = Result<Bytes, ToolFailure>> {
    let state = Some((response, Lines::new(MAX_BYTES), 0));
    stream::unfold(state, |state| async move {
        let (mut response, mut lines, mut read) = state?;
        loop {
            match lines.next() {
                Ok(Some(line)) => return Some((Ok(line), Some((response, lines, read)))),
                Ok(None) => {}
                Err(_) => return Some((Err(ToolFailure::Protocol("its stream cannot be read")), None)),
            }
            match response.chunk().await {
                Ok(Some(chunk)) => {
                    read += chunk.len();
                    if read > MAX_BYTES {
                        return Some((Err(too_large()), None));
                    }
                    lines.push(&chunk);
                }
                Ok(None) => return None,
                Err(error) => return Some((Err(failure(error).into()), None)),
            }
        }
    })
}

fn too_large() -> ToolFailure {
    ToolFailure::Fetch(FetchError::TooLarge { limit: MAX_BYTES as u64 })
}
