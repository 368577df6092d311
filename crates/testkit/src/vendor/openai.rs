//! OpenAI's wire format: prompts, completions and errors.

use serde_json::{Map, Value, json};

use super::{Fault, corruption};
use crate::upstream::Reply;

/// Bytes that are charged as one token.
pub(super) const BYTES_PER_TOKEN: usize = 4;
/// Characters of a streamed delta.
const PIECE: usize = 12;
/// The value of `Retry-After`, in seconds.
const RETRY_AFTER: &str = "1";

/// The text of all messages of a request.
pub(super) fn prompt_text(body: &Value) -> String {
    let mut all = String::new();
    for message in body["messages"].as_array().into_iter().flatten() {
        let content = &message["content"];
        let parts = content.as_array().into_iter().flatten().map(|part| &part["text"]);
        for text in std::iter::once(content).chain(parts).filter_map(Value::as_str) {
            all.push_str(text);
            all.push('\n');
        }
    }
    all
}

/// An error response.
pub(super) fn error_reply(status: u16, kind: &str, message: &str) -> Reply {
    Reply::json(status, &refusal(kind, message))
}

fn refusal(kind: &str, message: &str) -> Value {
    json!({"error": {"message": message, "type": kind, "code": kind, "param": null}})
}

/// The reply to a call that gets no complete answer; `None` for other faults. `answer` is the complete
/// answer.
pub(super) fn fault_reply(fault: Fault, answer: &Value) -> Option<Reply> {
    Some(match fault {
        Fault::RateLimited => error_reply(429, "rate_limit_exceeded", "Too many requests."),
        Fault::RateLimitedFor => {
            let headers = [("content-type", "application/json"), ("retry-after", RETRY_AFTER)];
            let body = refusal("rate_limit_exceeded", "Too many requests.");
            Reply::whole_with(429, &headers, body.to_string())
        }
        Fault::Unavailable => error_reply(503, "server_error", "The model is overloaded."),
        Fault::UnknownModel => error_reply(404, "model_not_found", "The model does not exist."),
        Fault::CutConnection => truncated_reply(answer),
        Fault::Hang => Reply::raw().hold(),
        _ => return None,
    })
}

/// A body that ends before its `Content-Length`.
fn truncated_reply(answer: &Value) -> Reply {
    let body = answer.to_string();
    let head = format!(
        "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n",
        body.len()
    );
    let half = body.get(..body.len() / 2).unwrap_or_default();
    Reply::raw().write(head + half).close()
}

/// A completion to be sent.
#[derive(Clone, Debug)]
pub(super) struct CompletionReply {
    fault: Option<Fault>,
    content: String,
    read: usize,
    is_streamed: bool,
}

impl CompletionReply {
    /// The completion with this record for a request of `bytes` bytes with the prompt `sent`.
    pub(super) fn new(
        record: Value,
        body: &Value,
        (sent, bytes): (&str, usize),
        fault: Option<Fault>,
    ) -> Self {
        let content = corruption::corrupt_content(fault, &select_fields(record, body), sent);
        let is_streamed = body["stream"] == true;
        Self { fault, content, read: bytes / BYTES_PER_TOKEN, is_streamed }
    }

    /// Charged input and output tokens: none when no complete answer arrives.
    pub(super) fn tokens(&self) -> (u64, u64) {
        match self.fault {
            Some(fault) if fault.is_free() => (0, 0),
            _ => (self.read as u64, self.content.len().div_ceil(BYTES_PER_TOKEN) as u64),
        }
    }

    pub(super) fn reply(&self) -> Reply {
        let failed = self.fault.and_then(|fault| fault_reply(fault, &self.completion()));
        match failed {
            Some(reply) => reply,
            None if self.is_streamed => self.stream(),
            None => Reply::json(200, &self.completion()),
        }
    }

    fn finish(&self) -> &'static str {
        match self.fault {
            Some(Fault::CutAtLimit | Fault::CutFirstValueAtLimit) => "length",
            Some(Fault::ContentFilter) => "content_filter",
            _ => "stop",
        }
    }

    /// A message with this text as its content, or as its refusal.
    fn message(&self, text: &str) -> Value {
        match self.fault {
            Some(Fault::Refusal) => json!({"role": "assistant", "content": null, "refusal": text}),
            _ => json!({"role": "assistant", "content": text, "refusal": null}),
        }
    }

    fn usage(&self) -> Value {
        let (read, written) = self.tokens();
        json!({"prompt_tokens": read, "completion_tokens": written, "total_tokens": read + written})
    }

    fn completion(&self) -> Value {
        let mut completion = json!({
            "id": "chatcmpl-1", "object": "chat.completion", "created": 1_767_225_600, "model": "bench",
            "choices": [{
                "index": 0, "finish_reason": self.finish(), "logprobs": null,
                "message": self.message(&self.content)
            }]
        });
        if self.fault != Some(Fault::NoUsage) {
            completion["usage"] = self.usage();
        }
        completion
    }

    /// The completion as a stream of deltas.
    fn stream(&self) -> Reply {
        let choice = |delta: Value, finish: Value| {
            json!({"choices": [{"index": 0, "delta": delta, "finish_reason": finish}]}).to_string()
        };
        let letters: Vec<char> = self.content.chars().collect();
        let mut events: Vec<String> = letters
            .chunks(PIECE)
            .map(|piece| choice(self.message(&piece.iter().collect::<String>()), Value::Null))
            .collect();
        events.push(choice(json!({}), self.finish().into()));
        if self.fault != Some(Fault::NoUsage) {
            events.push(json!({"choices": [], "usage": self.usage()}).to_string());
        }
        events.push("[DONE]".to_owned());
        Reply::events(events)
    }
}

/// The fields that the request's schema demands, null where the record lacks one; the whole record without a
/// schema.
fn select_fields(record: Value, body: &Value) -> Value {
    let schema = &body["response_format"]["json_schema"]["schema"];
    let (Some(fields), Value::Object(record)) = (schema["properties"].as_object(), &record) else {
        return record;
    };
    let asked = |name: &String| (name.clone(), record.get(name).cloned().unwrap_or_default());
    Value::Object(fields.keys().map(asked).collect::<Map<_, _>>())
}
