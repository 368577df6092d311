//! A chat completion as server-sent events: chunks without event names, then `[DONE]`.

use actix_web::HttpResponse;
use bytes::Bytes;
use futures_util::stream::{self, Stream};
use gen_core::{GenerateError, GenerateEvent, GenerateEvents};
use schemars::Schema;
use serde::Serialize;
use serde_json::{Value, json};

use super::super::ApiError;
use super::super::event_writer::broken_off;
use super::super::generate_stream::{streamed, with_pulse};
use super::super::sse::until;
use super::completion::{CompletionUsage, Heading, finish_reason};
use super::error::failure_body;
use super::tools::call_delta;
use crate::shutdown::{ServerPhase, Shutdown};

/// For the description.
pub(super) const EXAMPLE: &str = "data: {\"id\":\"chatcmpl_1\",\"object\":\"chat.completion.chunk\",\"created\":1773480413,\
    \"model\":\"extractive@formwork\",\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\",\"content\":\"4\"},\
    \"logprobs\":null,\"finish_reason\":null}]}\n\ndata: [DONE]\n\n";

/// The schema of a streamed answer.
pub(super) fn schema() -> Schema {
    schemars::json_schema!({
        "description": "Server-sent events without names, each with a `chat.completion.chunk`; the last has `[DONE]`. A \
                        failure on the way is an event with `error`.",
        "type": "string"
    })
}

/// Where a stream stands.
enum State {
    Begin(GenerateEvents),
    Texts(GenerateEvents),
    Over,
}

/// The answer that carries the chunks.
pub(super) fn answer(
    shutdown: &Shutdown,
    events: GenerateEvents,
    heading: Heading,
    with_usage: bool,
) -> HttpResponse {
    let chunks = chunks(events, heading, with_usage);
    streamed(until(shutdown.reached(ServerPhase::Closing), chunks))
}

fn chunks(events: GenerateEvents, heading: Heading, with_usage: bool) -> impl Stream<Item = Bytes> {
    stream::unfold(State::Begin(events), move |state| {
        let heading = heading.clone();
        async move {
            let mut events = match state {
                State::Begin(events) => {
                    let begin = heading.chunk(&json!({"role": "assistant", "content": ""}), None);
                    return Some((data(&begin), State::Texts(events)));
                }
                State::Texts(events) => events,
                State::Over => return None,
            };
            match with_pulse(&mut events).await {
                Err(pulse) => Some((pulse, State::Texts(events))),
                Ok(Some(Ok(GenerateEvent::Text(text)))) => {
                    Some((data(&heading.chunk(&json!({"content": text}), None)), State::Texts(events)))
                }
                Ok(Some(Ok(GenerateEvent::ToolCall(delta)))) => {
                    Some((data(&heading.chunk(&call_delta(&delta), None)), State::Texts(events)))
                }
                Ok(Some(Ok(GenerateEvent::End(answer)))) => {
                    let mut last = heading.chunk(&json!({}), Some(finish_reason(answer.finish)));
                    last["warnings"] = json!(answer.warnings);
                    let mut text = data(&last).to_vec();
                    if with_usage {
                        let mut usage = heading.chunk(&Value::Null, None);
                        usage["choices"] = json!([]);
                        usage["usage"] = json!(CompletionUsage::from(answer.usage));
                        text.extend_from_slice(&data(&usage));
                    }
                    text.extend_from_slice(b"data: [DONE]\n\n");
                    Some((text.into(), State::Over))
                }
                Ok(Some(Err(error))) => Some((failed(error), State::Over)),
                Ok(None) => Some((data(&failure_body(502, broken_off())), State::Over)),
            }
        }
    })
}

impl Heading {
    fn chunk(&self, delta: &Value, finish_reason: Option<&str>) -> Value {
        json!({
            "id": self.id, "object": "chat.completion.chunk", "created": self.created, "model": self.model,
            "choices": [{"index": 0, "delta": delta, "logprobs": null, "finish_reason": finish_reason}]
        })
    }
}

fn data(chunk: &impl Serialize) -> Bytes {
    // JSON has no raw line breaks.
    let text = serde_json::to_string(chunk).unwrap_or_default();
    format!("data: {text}\n\n").into()
}

/// The failure; its cause goes to the log.
fn failed(error: GenerateError) -> Bytes {
    let error = ApiError::from(error);
    let status = error.status().as_u16();
    data(&failure_body(status, error.log_and_body()))
}
