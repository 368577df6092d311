//! The answers that clients got: right, refused for a while, or wrong.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use anyhow::ensure;
use parking_lot::Mutex;
use reqwest::{RequestBuilder, Response};
use serde_json::Value;

/// The pause before a request is sent again.
const PAUSE: Duration = Duration::from_millis(200);
/// Attempts at one request: two minutes with the pauses between them, longer than any fault.
const ATTEMPTS: usize = 600;
/// Codes of our errors that say "again, later".
const PASSING: [&str; 8] = [
    "store_unavailable",
    "content_unavailable",
    "request_still_running",
    "server_stopping",
    "saturated",
    "not_ready",
    "rate_limited",
    "index_not_ready",
];

/// Counts of all clients. Clones share them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tally(Arc<Mutex<Counts>>);

#[derive(Debug, Default)]
struct Counts {
    by_answer: BTreeMap<String, usize>,
    wrong: Vec<String>,
}

impl Tally {
    fn count(&self, answer: &str) {
        *self.0.lock().by_answer.entry(answer.to_owned()).or_default() += 1;
    }

    /// Records a wrong answer.
    pub(super) fn wrong(&self, what: String) {
        println!("WRONG: {what}");
        self.0.lock().wrong.push(what);
    }

    /// Records a wrong answer unless `is_right`.
    pub(super) fn expect(&self, is_right: bool, what: impl FnOnce() -> String) {
        if !is_right {
            self.wrong(what());
        }
    }

    /// The counts as a table.
    pub(super) fn table(&self) -> String {
        let rows = self
            .0
            .lock()
            .by_answer
            .iter()
            .map(|(answer, count)| format!("| {answer} | {count} |\n"))
            .collect::<String>();
        format!("| answer | requests |\n|---|---:|\n{rows}")
    }

    /// Fails if an answer was wrong.
    pub(super) fn ensure_right(&self) -> anyhow::Result<()> {
        let wrong = &self.0.lock().wrong;
        ensure!(wrong.is_empty(), "{} answers were wrong: {wrong:#?}", wrong.len());
        Ok(())
    }

    /// Sends a request until it is answered with success, or with a status of `expected`. Connections that end and
    /// errors that pass are tried again; any other answer is wrong.
    pub(super) async fn send(
        &self,
        expected: &[u16],
        request: impl Fn() -> RequestBuilder,
    ) -> anyhow::Result<(u16, Value)> {
        let (status, body) = self.send_for_text(expected, request).await?;
        Ok((status, serde_json::from_str(&body).unwrap_or_default()))
    }

    /// The same with the answer's text.
    pub(super) async fn send_for_text(
        &self,
        expected: &[u16],
        request: impl Fn() -> RequestBuilder,
    ) -> anyhow::Result<(u16, String)> {
        let mut refusal = String::new();
        for _ in 0..ATTEMPTS {
            refusal = match request().send().await {
                Ok(response) => match self.read(response, expected).await {
                    Ok(answer) => return Ok(answer),
                    Err(refusal) => refusal,
                },
                Err(error) if error.is_timeout() => "no answer in time".to_owned(),
                Err(_) => "connection ended".to_owned(),
            };
            self.count(refusal.split(':').next().unwrap_or_default());
            tokio::time::sleep(PAUSE).await;
        }
        anyhow::bail!("no success after {ATTEMPTS} attempts: {}: {refusal}", request().build()?.url())
    }

    /// The status and text of an answer that was wanted; otherwise what it was, as `status code: body`.
    async fn read(&self, response: Response, expected: &[u16]) -> Result<(u16, String), String> {
        let (status, url) = (response.status().as_u16(), response.url().clone());
        let body =
            response.text().await.map_err(|error| format!("connection ended within the answer: {error}"))?;
        if (200..300).contains(&status) || expected.contains(&status) {
            self.count(&status.to_string());
            return Ok((status, body));
        }
        let value: Value = serde_json::from_str(&body).unwrap_or_default();
        let code = value["code"].as_str().unwrap_or_default();
        // haproxy's own errors have no code.
        let is_passing = PASSING.contains(&code) || code.is_empty() && (502..=504).contains(&status);
        if !is_passing {
            self.wrong(format!("{url}: {status} {body}"));
        }
        Err(format!("{status} {code}: {body}"))
    }
}
