//! The vendor in Google's words.

use serde_json::{Value, json};

use super::{AcceptedBatch, State, number};
use crate::upstream::{ReceivedRequest, Reply};

impl State {
    /// The answer to a request at one of Google's paths.
    pub(super) fn answer_as_google(
        &mut self,
        method: &str,
        segments: &[&str],
        request: &ReceivedRequest,
    ) -> Option<Reply> {
        Some(match (method, segments) {
            ("POST", ["v1", "models", called]) => match called.split_once(':')? {
                (_, "generateContent") => {
                    self.direct += 1;
                    Reply::json(200, &self.content())
                }
                (model, "batchGenerateContent") => self.accept_inlined(model, &request.json()),
                _ => return None,
            },
            ("GET", ["v1", "batches"]) if request.path.contains("pageSize") => {
                // The oldest first, one on a page.
                let token = request.path.split("pageToken=").nth(1).and_then(|token| token.parse().ok());
                let n: usize = token.unwrap_or(0);
                let all: Vec<Value> = (n..self.batches.len()).take(1).map(|n| self.google_batch(n)).collect();
                let next = (n + 1 < self.batches.len()).then(|| (n + 1).to_string());
                Reply::json(200, &json!({"operations": all, "nextPageToken": next.unwrap_or_default()}))
            }
            ("GET", ["v1", "batches", id]) if id.starts_with("operation") => {
                self.look(id, Self::google_batch)
            }
            ("POST", ["v1", "batches", called]) => {
                let id = called.strip_suffix(":cancel")?;
                self.cancel(id, |_, _| json!({}))
            }
            ("GET", ["v1", "files", called]) if called.ends_with(":download") => {
                let lines = number(called.strip_suffix(":download")?).map(|n| self.google_lines(n));
                Reply::whole(200, "application/octet-stream", lines.unwrap_or_default())
            }
            _ => return None,
        })
    }

    fn accept_inlined(&mut self, model: &str, asked: &Value) -> Reply {
        let batch = &asked["batch"];
        let lines = batch["inputConfig"]["requests"]["requests"].as_array().cloned().unwrap_or_default();
        let named = format!("models/{model}");
        if lines.is_empty() || lines.iter().any(|line| line["request"]["model"] != named.as_str()) {
            return Reply::json(400, &json!({"error": {"code": 400, "message": "not a batch"}}));
        }
        let reference = batch["displayName"].as_str().unwrap_or_default().to_owned();
        self.accept(reference, &lines, "request", Self::google_batch)
    }

    /// Every other batch has its answers in a file.
    fn google_batch(&self, n: usize) -> Value {
        let Some(batch) = self.batches.get(n) else { return Value::Null };
        let state = match () {
            () if self.faults.refuses => "FAILED",
            () if batch.is_cancelled => "CANCELLED",
            () if !self.is_over(batch) => "RUNNING",
            () if self.faults.expires => "EXPIRED",
            () => "SUCCEEDED",
        };
        let mut shown = json!({
            "name": format!("batches/operation-{n}"), "done": state != "RUNNING",
            "metadata": {"displayName": batch.reference, "state": format!("BATCH_STATE_{state}")}
        });
        if state == "FAILED" {
            shown["error"] = json!({"code": 3, "message": "the batch is not wanted"});
        }
        if state == "SUCCEEDED" {
            let answers: Vec<Value> = self
                .google_answers(batch)
                .map(|(id, answer)| {
                    let mut line = answer;
                    line["metadata"] = json!({"key": id});
                    line
                })
                .collect();
            shown["response"] = match n % 2 {
                0 => json!({"inlinedResponses": {"inlinedResponses": answers}}),
                _ => json!({"responsesFile": format!("files/answers-{n}")}),
            };
        }
        shown
    }

    fn google_answers<'a>(&'a self, batch: &'a AcceptedBatch) -> impl Iterator<Item = (&'a String, Value)> {
        batch.ids.iter().enumerate().rev().map(|(line, id)| match self.is_answered(batch, line) {
            true => (id, json!({"response": self.content()})),
            false => (id, json!({"error": {"code": 13, "message": "failed"}})),
        })
    }

    fn google_lines(&self, n: usize) -> String {
        let Some(batch) = self.batches.get(n) else { return String::new() };
        let line = |(id, mut answer): (&String, Value)| {
            answer["key"] = json!(id);
            answer.to_string() + "\n"
        };
        self.google_answers(batch).map(line).collect()
    }

    fn content(&self) -> Value {
        json!({
            "candidates": [
                {"content": {"role": "model", "parts": [{"text": self.answer}]}, "finishReason": "STOP"}
            ],
            "usageMetadata": {"promptTokenCount": 1_000, "candidatesTokenCount": 100}
        })
    }
}
