//! What the vendor reads and says, in OpenAI's words.

use serde_json::{Map, Value, json};

use super::Fault;
use crate::upstream::Reply;

/// Bytes that are charged as one token.
const BYTES_PER_TOKEN: usize = 4;
/// Seconds that a 429 asks to wait for, where it asks at all.
const RETRY_AFTER: &str = "1";

/// Everything that the messages of a request say.
pub(super) fn said(body: &Value) -> String {
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

/// A refusal.
pub(super) fn refused(status: u16, kind: &str, message: &str) -> Reply {
    Reply::json(status, &refusal(kind, message))
}

fn refusal(kind: &str, message: &str) -> Value {
    json!({"error": {"message": message, "type": kind, "code": kind, "param": null}})
}

/// An answer before it is sent.
#[derive(Clone, Debug)]
pub(super) struct Spoken {
    fault: Option<Fault>,
    content: String,
    read: usize,
}

impl Spoken {
    /// The answer with this record to a request of so many bytes.
    pub(super) fn new(record: Value, body: &Value, bytes: usize, fault: Option<Fault>) -> Self {
        let whole = wanted(record, body).to_string();
        let half = whole.get(..whole.len() * 3 / 5).unwrap_or(&whole);
        let content = match fault {
            Some(Fault::Prose) => "I have read the note and everything in it is in order.".to_owned(),
            Some(Fault::NearlyJson) => whole.replacen(":", " is ", 1),
            Some(Fault::CutAtLimit | Fault::CutSilently) => half.to_owned(),
            _ => whole,
        };
        Self { fault, content, read: bytes / BYTES_PER_TOKEN }
    }

    /// Tokens that are charged, read and written: those of answers that arrive whole.
    pub(super) fn tokens(&self) -> (u64, u64) {
        match self.fault {
            Some(
                Fault::RateLimited
                | Fault::RateLimitedFor
                | Fault::Unavailable
                | Fault::CutConnection
                | Fault::Hang,
            ) => (0, 0),
            _ => (self.read as u64, self.content.len().div_ceil(BYTES_PER_TOKEN) as u64),
        }
    }

    pub(super) fn reply(&self) -> Reply {
        match self.fault {
            Some(Fault::RateLimited) => refused(429, "rate_limit_exceeded", "Too many requests."),
            Some(Fault::RateLimitedFor) => {
                let headers = [("content-type", "application/json"), ("retry-after", RETRY_AFTER)];
                let body = refusal("rate_limit_exceeded", "Too many requests.");
                Reply::whole_with(429, &headers, body.to_string())
            }
            Some(Fault::Unavailable) => refused(503, "server_error", "The model is overloaded."),
            Some(Fault::CutConnection) => self.broken_off(),
            Some(Fault::Hang) => Reply::raw().hold(),
            Some(Fault::CutAtLimit) => Reply::json(200, &self.completion("length")),
            _ => Reply::json(200, &self.completion("stop")),
        }
    }

    fn completion(&self, finish: &str) -> Value {
        let (read, written) = self.tokens();
        json!({
            "id": "chatcmpl-1", "object": "chat.completion", "created": 1_767_225_600, "model": "bench",
            "choices": [{
                "index": 0, "finish_reason": finish, "logprobs": null,
                "message": {"role": "assistant", "content": self.content, "refusal": null}
            }],
            "usage": {"prompt_tokens": read, "completion_tokens": written, "total_tokens": read + written}
        })
    }

    /// A body that ends before its length.
    fn broken_off(&self) -> Reply {
        let body = self.completion("stop").to_string();
        let head = format!(
            "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n",
            body.len()
        );
        let half = body.get(..body.len() / 2).unwrap_or_default();
        Reply::raw().write(head + half).close()
    }
}

/// The fields of the record that the request's schema asks for; all of them where it has none.
fn wanted(record: Value, body: &Value) -> Value {
    let schema = &body["response_format"]["json_schema"]["schema"];
    let (Some(fields), Value::Object(record)) = (schema["properties"].as_object(), &record) else {
        return record;
    };
    let asked = |name: &String| Some((name.clone(), record.get(name)?.clone()));
    Value::Object(fields.keys().filter_map(asked).collect::<Map<_, _>>())
}
