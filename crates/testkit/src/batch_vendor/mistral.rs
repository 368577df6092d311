//! The vendor in Mistral's words. Chat completions, files and their lines are those of OpenAI.

use serde_json::{Value, json};

use super::State;
use crate::upstream::{ReceivedRequest, Reply};

impl State {
    /// The answer to a request at one of Mistral's paths.
    pub(super) fn answer_as_mistral(
        &mut self,
        method: &str,
        segments: &[&str],
        request: &ReceivedRequest,
    ) -> Option<Reply> {
        Some(match (method, segments) {
            ("POST", ["v1", "batch", "jobs"]) => self.accept_job(&request.json()),
            ("GET", ["v1", "batch", "jobs"]) => {
                let data: Vec<Value> = (0..self.batches.len()).rev().map(|n| self.mistral_job(n)).collect();
                Reply::json(200, &json!({"object": "list", "data": data, "total": data.len()}))
            }
            ("GET", ["v1", "batch", "jobs", id]) => self.look(id, Self::mistral_job),
            ("POST", ["v1", "batch", "jobs", id, "cancel"]) => self.cancel(id, Self::mistral_job),
            _ => return None,
        })
    }

    fn accept_job(&mut self, asked: &Value) -> Reply {
        let lines = self.lines(&asked["input_files"][0]);
        let is_known = asked["endpoint"] == "/v1/chat/completions"
            && lines.iter().all(|line| line["body"]["model"] == asked["model"] && line["url"].is_null());
        if lines.is_empty() || !is_known {
            return Reply::json(422, &json!({"detail": "not a batch"}));
        }
        let reference = asked["metadata"]["formwork_batch"].as_str().unwrap_or_default().to_owned();
        self.accept(reference, &lines, "body", Self::mistral_job)
    }

    fn mistral_job(&self, n: usize) -> Value {
        let Some(batch) = self.batches.get(n) else { return Value::Null };
        let status = match () {
            () if self.faults.refuses => "FAILED",
            () if batch.is_cancelled => "CANCELLED",
            () if !self.is_over(batch) => "RUNNING",
            () if self.faults.expires => "TIMEOUT_EXCEEDED",
            () => "SUCCESS",
        };
        let output = (status == "SUCCESS").then(|| format!("output-{n}"));
        let errors = match status {
            "FAILED" => json!([{"message": "the batch is not wanted", "count": 1}]),
            _ => json!([]),
        };
        json!({
            "id": format!("job-{n}"), "object": "batch", "status": status, "output_file": output,
            "errors": errors, "metadata": {"formwork_batch": batch.reference}
        })
    }
}
