//! A message as server-sent events: its begin, its blocks one after the other, and its end.

use actix_web::HttpResponse;
use gen_core::{GenerateAnswer, GenerateEvents, ToolCallDelta};
use serde_json::{Value, json};

use super::error::failure_body;
use super::record::MessageRecord;
use crate::http::error_body::ErrorBody;
use crate::http::event_writer::{EventQueue, EventWriter, written};
use crate::http::generate_stream::streamed;
use crate::http::sse::until;
use crate::shutdown::{ServerPhase, Shutdown};

/// The names of the events.
pub(super) const EVENTS: [&str; 7] = [
    "message_start",
    "content_block_start",
    "content_block_delta",
    "content_block_stop",
    "message_delta",
    "message_stop",
    "error",
];

/// The answer that carries the events.
pub(super) fn answer(shutdown: &Shutdown, events: GenerateEvents, record: MessageRecord) -> HttpResponse {
    let mut writer = Writer { record, blocks: Vec::new(), queue: EventQueue::default() };
    let record = json!(writer.record);
    writer.send("message_start", json!({"message": record}));
    streamed(until(shutdown.reached(ServerPhase::Closing), written(events, writer)))
}

/// What a block is of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Block {
    Text,
    /// A call, by its number.
    Call(usize),
}

struct Writer {
    record: MessageRecord,
    /// The blocks so far. The last one is open.
    blocks: Vec<Block>,
    queue: EventQueue,
}

impl Writer {
    fn send(&mut self, name: &str, mut data: Value) {
        data["type"] = json!(name);
        self.queue.push(name, &data);
    }

    /// Ends the open block, if there is one.
    fn stop(&mut self) {
        if let Some(index) = self.blocks.len().checked_sub(1) {
            self.send("content_block_stop", json!({"index": index}));
        }
    }

    fn start(&mut self, block: Block, content: Value) {
        self.stop();
        self.send("content_block_start", json!({"index": self.blocks.len(), "content_block": content}));
        self.blocks.push(block);
    }

    /// Adds to a block. A call that went on after its end is found by its number.
    fn add(&mut self, block: Block, delta: Value) {
        let index = self.blocks.iter().rposition(|known| *known == block).unwrap_or_default();
        self.send("content_block_delta", json!({"index": index, "delta": delta}));
    }
}

impl EventWriter for Writer {
    fn queue(&mut self) -> &mut EventQueue {
        &mut self.queue
    }

    fn text(&mut self, piece: &str) {
        if self.blocks.last() != Some(&Block::Text) {
            self.start(Block::Text, json!({"type": "text", "text": ""}));
        }
        self.add(Block::Text, json!({"type": "text_delta", "text": piece}));
    }

    fn call(&mut self, delta: &ToolCallDelta) {
        let block = Block::Call(delta.index);
        if !self.blocks.contains(&block) {
            let content = json!({"type": "tool_use", "id": delta.id, "name": delta.name, "input": {}});
            self.start(block, content);
        }
        if !delta.arguments.is_empty() {
            self.add(block, json!({"type": "input_json_delta", "partial_json": delta.arguments}));
        }
    }

    fn end(&mut self, answer: GenerateAnswer) {
        self.stop();
        let change = self.record.clone().finish(answer).change();
        self.send("message_delta", change);
        self.send("message_stop", json!({}));
        self.queue.close();
    }

    fn fail(&mut self, status: u16, error: ErrorBody) {
        self.queue.push("error", &json!(failure_body(status, error)));
        self.queue.close();
    }
}
