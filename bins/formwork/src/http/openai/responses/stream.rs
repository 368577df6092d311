//! A response as server-sent events, each with its type as its name and a number.

use std::sync::Arc;

use actix_web::HttpResponse;
use gen_core::{GenerateAnswer, GenerateEvents, ToolCall, ToolCallDelta};
use serde_json::{Value, json};
use shared_core::Clock;

use super::super::completion::unix_seconds;
use super::record::{ResponseRecord, annotations, output_call, output_message, text_part};
use crate::http::error_body::ErrorBody;
use crate::http::event_writer::{EventQueue, EventWriter, written};
use crate::http::generate_stream::streamed;
use crate::http::sse::until;
use crate::shutdown::{ServerPhase, Shutdown};

/// The names of the events.
pub(super) const EVENTS: [&str; 14] = [
    "response.created",
    "response.in_progress",
    "response.output_item.added",
    "response.content_part.added",
    "response.output_text.delta",
    "response.output_text.done",
    "response.content_part.done",
    "response.function_call_arguments.delta",
    "response.function_call_arguments.done",
    "response.output_item.done",
    "response.completed",
    "response.incomplete",
    "response.failed",
    "error",
];

/// The answer that carries the events.
pub(super) fn answer(
    shutdown: &Shutdown,
    clock: Arc<dyn Clock>,
    events: GenerateEvents,
    record: ResponseRecord,
) -> HttpResponse {
    let mut writer = Writer { record, clock, number: 0, items: Vec::new(), queue: EventQueue::default() };
    writer.begin();
    streamed(until(shutdown.reached(ServerPhase::Closing), written(events, writer)))
}

/// An item of the output.
enum Item {
    Message { id: String, text: String },
    Call { id: String, index: usize, call: ToolCall },
}

struct Writer {
    record: ResponseRecord,
    clock: Arc<dyn Clock>,
    /// Number of the next event.
    number: u64,
    items: Vec<Item>,
    queue: EventQueue,
}

impl Writer {
    fn send(&mut self, name: &str, mut data: Value) {
        data["type"] = json!(name);
        data["sequence_number"] = json!(self.number);
        self.number += 1;
        self.queue.push(name, &data);
    }

    fn begin(&mut self) {
        let record = json!(self.record);
        self.send("response.created", json!({"response": record}));
        self.send("response.in_progress", json!({"response": record}));
    }

    /// The position of the message, which begins with its first text.
    fn message(&mut self) -> usize {
        let known = self.items.iter().position(|item| matches!(item, Item::Message { .. }));
        known.unwrap_or_else(|| {
            let (at, id) = (self.items.len(), self.record.item_id("msg", self.items.len()));
            let item = output_message(&id, "in_progress", None);
            self.send("response.output_item.added", json!({"output_index": at, "item": item}));
            let part = json!({"item_id": id, "output_index": at, "content_index": 0, "part": text_part("", Vec::new())});
            self.send("response.content_part.added", part);
            self.items.push(Item::Message { id, text: String::new() });
            at
        })
    }
}

impl EventWriter for Writer {
    fn queue(&mut self) -> &mut EventQueue {
        &mut self.queue
    }

    fn text(&mut self, piece: &str) {
        let at = self.message();
        if let Some(Item::Message { id, text }) = self.items.get_mut(at) {
            text.push_str(piece);
            let place = json!({"item_id": id, "output_index": at, "content_index": 0, "delta": piece, "logprobs": []});
            self.send("response.output_text.delta", place);
        }
    }

    fn call(&mut self, delta: &ToolCallDelta) {
        let known = |item: &Item| matches!(item, Item::Call { index, .. } if *index == delta.index);
        let at = self.items.iter().position(known).unwrap_or_else(|| {
            let (at, id) = (self.items.len(), self.record.item_id("fc", self.items.len()));
            let call = ToolCall { id: delta.id.clone(), name: delta.name.clone(), arguments: String::new() };
            let item = output_call(&id, "in_progress", &call);
            self.send("response.output_item.added", json!({"output_index": at, "item": item}));
            self.items.push(Item::Call { id, index: delta.index, call });
            at
        });
        if let Some(Item::Call { id, call, .. }) =
            self.items.get_mut(at).filter(|_| !delta.arguments.is_empty())
        {
            call.arguments.push_str(&delta.arguments);
            let place = json!({"item_id": id, "output_index": at, "delta": delta.arguments});
            self.send("response.function_call_arguments.delta", place);
        }
    }

    fn end(&mut self, answer: GenerateAnswer) {
        if answer.tool_calls.is_empty() {
            self.message();
        }
        let mut output = Vec::with_capacity(self.items.len());
        for (at, item) in std::mem::take(&mut self.items).into_iter().enumerate() {
            let whole = match item {
                Item::Message { id, text } => {
                    let place = json!({"item_id": id, "output_index": at, "content_index": 0});
                    let with = |key: &str, value: Value| {
                        let mut data = place.clone();
                        data[key] = value;
                        data
                    };
                    let mut done = with("text", json!(text));
                    done["logprobs"] = json!([]);
                    self.send("response.output_text.done", done);
                    let part = text_part(&text, annotations(&answer));
                    self.send("response.content_part.done", with("part", part.clone()));
                    output_message(&id, "completed", Some(part))
                }
                Item::Call { id, call, .. } => {
                    let done = json!({
                        "item_id": id, "output_index": at, "name": call.name, "arguments": call.arguments
                    });
                    self.send("response.function_call_arguments.done", done);
                    output_call(&id, "completed", &call)
                }
            };
            self.send("response.output_item.done", json!({"output_index": at, "item": whole}));
            output.push(whole);
        }
        let record = self.record.clone().finish(answer, output, unix_seconds(self.clock.now()));
        let name = format!("response.{}", record.status);
        self.send(&name, json!({"response": record}));
        self.queue.close();
    }

    fn fail(&mut self, _status: u16, error: ErrorBody) {
        let mut record = json!(self.record);
        record["status"] = json!("failed");
        record["error"] = json!({"code": error.code, "message": error.message});
        self.send("response.failed", json!({"response": record}));
        self.queue.close();
    }
}
