//! A scripted vendor with batches, as OpenAI, Anthropic, Google and Mistral speak of them. It answers every request alike,
//! in the reverse order.

mod google;
mod mistral;

use std::collections::BTreeMap;
use std::sync::Arc;

use parking_lot::Mutex;
use serde_json::{Value, json};

use crate::upstream::{ReceivedRequest, Reply, Upstream};

/// What goes wrong at the vendor.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BatchFaults {
    /// Looks at a batch that find it in progress, before it ends.
    pub polls: u32,
    /// Submissions that are accepted, and whose answer is lost with the connection.
    pub lost: u32,
    /// Whether submissions are accepted and never answered.
    pub hangs: bool,
    /// Lines that fail, by number.
    pub failed_lines: Vec<usize>,
    /// Whether batches expire without an answer.
    pub expires: bool,
    /// Whether batches are refused after their submission; with it as Anthropic.
    pub refuses: bool,
}

/// A batch that the vendor accepted.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AcceptedBatch {
    /// Ids of its requests.
    pub ids: Vec<String>,
    /// Their bodies.
    pub bodies: Vec<Value>,
    /// Whether it was cancelled.
    pub is_cancelled: bool,
    reference: String,
    looks: u32,
}

#[derive(Debug, Default)]
struct State {
    answer: String,
    faults: BatchFaults,
    files: BTreeMap<String, Vec<u8>>,
    batches: Vec<AcceptedBatch>,
    direct: usize,
}

/// A running vendor.
#[derive(Debug)]
pub struct BatchVendor {
    upstream: Upstream,
    state: Arc<Mutex<State>>,
}

impl BatchVendor {
    /// Starts a vendor that answers every request with this text.
    ///
    /// # Errors
    /// No free port, or no thread.
    pub fn start(answer: &str, faults: BatchFaults) -> anyhow::Result<Self> {
        let state = Arc::new(Mutex::new(State { answer: answer.to_owned(), faults, ..State::default() }));
        let own = Arc::clone(&state);
        Ok(Self { upstream: Upstream::start(move |request| own.lock().answer(request))?, state })
    }

    /// `http://127.0.0.1:<port>`.
    #[must_use]
    pub fn url(&self) -> String {
        self.upstream.url()
    }

    /// The batches that were accepted, in order.
    #[must_use]
    pub fn batches(&self) -> Vec<AcceptedBatch> {
        self.state.lock().batches.clone()
    }

    /// The number of calls without a batch.
    #[must_use]
    pub fn direct_calls(&self) -> usize {
        self.state.lock().direct
    }

    /// Sets what goes wrong from now on.
    pub fn set_faults(&self, faults: BatchFaults) {
        self.state.lock().faults = faults;
    }
}

impl State {
    fn answer(&mut self, request: &ReceivedRequest) -> Reply {
        let path = request.path.split('?').next().unwrap_or_default();
        let segments: Vec<&str> = path.trim_matches('/').split('/').collect();
        let method = request.method.as_str();
        // First, since its paths are like those of OpenAI.
        if let Some(reply) = self.answer_as_google(method, &segments, request) {
            return reply;
        }
        match (method, segments.as_slice()) {
            ("POST", ["v1", "chat", "completions"]) => {
                self.direct += 1;
                Reply::json(200, &self.completion())
            }
            ("POST", ["v1", "messages"]) => {
                self.direct += 1;
                Reply::json(200, &self.message())
            }
            ("POST", ["v1", "files"]) => {
                let id = format!("file-{}", self.files.len());
                self.files.insert(id.clone(), uploaded(&request.body));
                Reply::json(200, &json!({"id": id, "object": "file", "purpose": "batch"}))
            }
            ("POST", ["v1", "batches"]) => self.accept_file(&request.json()),
            ("POST", ["v1", "messages", "batches"]) => self.accept_requests(&request.json()),
            ("GET", ["v1", "batches"]) => {
                let data: Vec<Value> = (0..self.batches.len()).rev().map(|n| self.openai_batch(n)).collect();
                Reply::json(200, &json!({"object": "list", "data": data, "has_more": false}))
            }
            ("GET", ["v1", "messages", "batches"]) => {
                self.batches.iter_mut().for_each(|batch| batch.looks += 1);
                let data: Vec<Value> =
                    (0..self.batches.len()).rev().map(|n| self.anthropic_batch(n)).collect();
                Reply::json(200, &json!({"data": data, "has_more": false}))
            }
            ("GET", ["v1", "batches", id]) => self.look(id, Self::openai_batch),
            ("GET", ["v1", "messages", "batches", id]) => self.look(id, Self::anthropic_batch),
            ("POST", ["v1", "batches", id, "cancel"]) => self.cancel(id, Self::openai_batch),
            ("POST", ["v1", "messages", "batches", id, "cancel"]) => self.cancel(id, Self::anthropic_batch),
            ("GET", ["v1", "files", id, "content"]) => {
                let lines = number(id).map(|n| self.openai_lines(n)).unwrap_or_default();
                Reply::whole(200, "application/octet-stream", lines)
            }
            ("GET", ["v1", "messages", "batches", id, "results"]) => {
                let lines = number(id).map(|n| self.anthropic_lines(n)).unwrap_or_default();
                Reply::whole(200, "application/x-jsonl", lines)
            }
            (method, segments) => self.answer_as_mistral(method, segments, request).unwrap_or_else(|| {
                Reply::json(404, &json!({"error": {"message": "no such path", "type": "not_found_error"}}))
            }),
        }
    }

    /// The lines of a file that was uploaded.
    fn lines(&self, file: &Value) -> Vec<Value> {
        let file = file.as_str().and_then(|id| self.files.get(id)).cloned();
        let text = String::from_utf8(file.unwrap_or_default()).unwrap_or_default();
        text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
    }

    fn accept_file(&mut self, asked: &Value) -> Reply {
        let lines = self.lines(&asked["input_file_id"]);
        let is_known = asked["completion_window"] == "24h"
            && lines.iter().all(|line| line["url"] == asked["endpoint"] && line["method"] == "POST");
        if lines.is_empty() || !is_known {
            return Reply::json(400, &json!({"error": {"message": "not a batch"}}));
        }
        let reference = asked["metadata"]["formwork_batch"].as_str().unwrap_or_default().to_owned();
        self.accept(reference, &lines, "body", Self::openai_batch)
    }

    fn accept_requests(&mut self, asked: &Value) -> Reply {
        if self.faults.refuses {
            let error = json!({"type": "invalid_request_error", "message": "the batch is not wanted"});
            return Reply::json(400, &json!({"type": "error", "error": error}));
        }
        let lines = asked["requests"].as_array().cloned().unwrap_or_default();
        self.accept(String::new(), &lines, "params", Self::anthropic_batch)
    }

    fn accept(
        &mut self,
        reference: String,
        lines: &[Value],
        body: &str,
        shown: impl Fn(&Self, usize) -> Value,
    ) -> Reply {
        let id = |line: &Value| {
            let id = line["custom_id"].as_str().or_else(|| line["metadata"]["key"].as_str());
            id.unwrap_or_default().to_owned()
        };
        let ids = lines.iter().map(id).collect();
        let bodies = lines.iter().map(|line| line[body].clone()).collect();
        self.batches.push(AcceptedBatch { ids, bodies, reference, ..AcceptedBatch::default() });
        if self.faults.hangs {
            return Reply::raw().hold();
        }
        if self.faults.lost > 0 {
            self.faults.lost -= 1;
            return Reply::raw().close();
        }
        Reply::json(200, &shown(self, self.batches.len() - 1))
    }

    fn look(&mut self, id: &str, shown: impl Fn(&Self, usize) -> Value) -> Reply {
        let Some(n) = number(id).filter(|n| *n < self.batches.len()) else {
            return Reply::json(404, &json!({"error": {"message": "no such batch"}}));
        };
        let reply = Reply::json(200, &shown(self, n));
        if let Some(batch) = self.batches.get_mut(n) {
            batch.looks += 1;
        }
        reply
    }

    fn cancel(&mut self, id: &str, shown: impl Fn(&Self, usize) -> Value) -> Reply {
        if let Some(batch) = number(id).and_then(|n| self.batches.get_mut(n)) {
            batch.is_cancelled = true;
        }
        self.look(id, shown)
    }

    fn is_over(&self, batch: &AcceptedBatch) -> bool {
        batch.is_cancelled || batch.looks >= self.faults.polls
    }

    fn openai_batch(&self, n: usize) -> Value {
        let Some(batch) = self.batches.get(n) else { return Value::Null };
        let status = match () {
            () if self.faults.refuses => "failed",
            () if batch.is_cancelled => "cancelled",
            () if !self.is_over(batch) => "in_progress",
            () if self.faults.expires => "expired",
            () => "completed",
        };
        let output = (status == "completed").then(|| format!("output-{n}"));
        json!({
            "id": format!("batch-{n}"), "object": "batch", "status": status, "output_file_id": output,
            "errors": {"data": [{"code": "x", "message": "the batch is not wanted"}]},
            "metadata": {"formwork_batch": batch.reference}
        })
    }

    fn anthropic_batch(&self, n: usize) -> Value {
        let Some(batch) = self.batches.get(n) else { return Value::Null };
        let (count, over) = (batch.ids.len(), self.is_over(batch));
        json!({
            "id": format!("msgbatch-{n}"), "type": "message_batch",
            "processing_status": if over { "ended" } else { "in_progress" },
            "request_counts": {
                "processing": if over { 0 } else { count }, "succeeded": if over { count } else { 0 },
                "errored": 0, "canceled": 0, "expired": 0
            }
        })
    }

    fn is_answered(&self, batch: &AcceptedBatch, line: usize) -> bool {
        !self.faults.expires && !batch.is_cancelled && !self.faults.failed_lines.contains(&line)
    }

    fn openai_lines(&self, n: usize) -> String {
        let Some(batch) = self.batches.get(n) else { return String::new() };
        let line = |(line, id): (usize, &String)| {
            // Failed requests are in a file of their own.
            let response = json!({"status_code": 200, "body": self.completion()});
            self.is_answered(batch, line)
                .then(|| json!({"custom_id": id, "response": response, "error": null}).to_string() + "\n")
        };
        batch.ids.iter().enumerate().rev().filter_map(line).collect()
    }

    fn anthropic_lines(&self, n: usize) -> String {
        let Some(batch) = self.batches.get(n) else { return String::new() };
        let line = |(line, id): (usize, &String)| {
            let result = match self.is_answered(batch, line) {
                true => json!({"type": "succeeded", "message": self.message()}),
                false if self.faults.expires => json!({"type": "expired"}),
                false if batch.is_cancelled => json!({"type": "canceled"}),
                false => {
                    json!({"type": "errored", "error": {"type": "error", "error": {"message": "failed"}}})
                }
            };
            json!({"custom_id": id, "result": result}).to_string() + "\n"
        };
        batch.ids.iter().enumerate().rev().map(line).collect()
    }

    fn completion(&self) -> Value {
        json!({
            "id": "c1", "object": "chat.completion", "model": "m",
            "choices": [
                {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": self.answer}}
            ],
            "usage": {"prompt_tokens": 1_000, "completion_tokens": 100}
        })
    }

    fn message(&self) -> Value {
        json!({
            "id": "msg_1", "type": "message", "role": "assistant", "model": "m",
            "content": [{"type": "text", "text": self.answer}], "stop_reason": "end_turn",
            "usage": {"input_tokens": 1_000, "output_tokens": 100}
        })
    }
}

/// The number at the end of an id.
fn number(id: &str) -> Option<usize> {
    id.rsplit_once('-')?.1.parse().ok()
}

/// The file in a form.
fn uploaded(form: &[u8]) -> Vec<u8> {
    let text = String::from_utf8_lossy(form);
    let file = text.split_once("name=\"file\"").and_then(|(_, part)| part.split_once("\r\n\r\n"));
    let file = file.and_then(|(_, content)| content.split_once("\r\n--"));
    file.map(|(content, _)| content.as_bytes().to_vec()).unwrap_or_default()
}
