//! Calls of `/v2/generate` as a client makes them, and the tally of the checks.

use anyhow::Context as _;
use serde_json::{Value, json};

use crate::server::Server;

/// A client of our server.
#[derive(Debug)]
pub(super) struct Caller {
    pub(super) client: reqwest::Client,
    url: String,
}

/// An answer: its status and its JSON.
pub(super) type Answer = (u16, Value);

impl Caller {
    pub(super) fn new(server: &Server) -> anyhow::Result<Self> {
        Ok(Self { client: server.client()?, url: server.url.clone() })
    }

    pub(super) async fn get(&self, path: &str) -> anyhow::Result<Answer> {
        let answer = self.client.get(format!("{}{path}", self.url)).send().await?;
        Ok((answer.status().as_u16(), serde_json::from_slice(&answer.bytes().await?)?))
    }

    /// Generates with a model; the fields of `more` are added to the body.
    pub(super) async fn generate(&self, model: &str, prompt: &str, more: Value) -> anyhow::Result<Answer> {
        let answer = self.post(model, prompt, more).await?;
        let (status, body) = (answer.status().as_u16(), answer.bytes().await?);
        let json = serde_json::from_slice(&body).context("an answer is not JSON")?;
        Ok((status, json))
    }

    /// Generates as a stream. Returns the events' names and data. A failure before the first text is one
    /// `error`.
    pub(super) async fn stream(&self, model: &str, prompt: &str) -> anyhow::Result<Vec<(String, Value)>> {
        let answer = self.post(model, prompt, json!({"stream": true})).await?;
        let failed = !answer.status().is_success();
        let text = String::from_utf8(answer.bytes().await?.to_vec())?;
        if failed {
            return Ok(vec![("error".to_owned(), serde_json::from_str(&text)?)]);
        }
        let mut events = Vec::new();
        for event in text.split("\n\n").filter(|event| !event.trim().is_empty()) {
            let field = |name: &str| event.lines().find_map(|line| line.strip_prefix(name)).map(str::trim);
            let data = field("data:").context("an event has no data")?;
            events.push((field("event:").unwrap_or("message").to_owned(), serde_json::from_str(data)?));
        }
        Ok(events)
    }

    async fn post(&self, model: &str, prompt: &str, more: Value) -> anyhow::Result<reqwest::Response> {
        let mut body = json!({"modelId": model, "prompt": prompt});
        if let (Some(body), Value::Object(more)) = (body.as_object_mut(), more) {
            body.extend(more);
        }
        Ok(self.client.post(format!("{}/v2/generate", self.url)).json(&body).send().await?)
    }

    /// The bytes and content type behind a URL.
    pub(super) async fn fetch(&self, url: &str) -> anyhow::Result<(String, usize)> {
        let answer = self.client.get(url).send().await?.error_for_status()?;
        let kind = answer.headers().get("content-type").and_then(|kind| kind.to_str().ok());
        let kind = kind.unwrap_or_default().to_owned();
        Ok((kind, answer.bytes().await?.len()))
    }
}

/// The numbers of checks and of failed checks.
#[derive(Debug, Default)]
pub(super) struct Tally {
    passed: usize,
    failed: usize,
}

impl Tally {
    /// Records a check; `shown` describes the actual value if it failed.
    pub(super) fn check(&mut self, what: &str, good: bool, shown: impl FnOnce() -> String) {
        if good {
            self.passed += 1;
            println!("  ok      {what}");
        } else {
            self.failed += 1;
            let shown: String = shown().chars().take(600).collect();
            println!("  FAILED  {what}: {shown}");
        }
    }

    /// Prints the tally. Fails if a check failed.
    pub(super) fn end(self) -> anyhow::Result<()> {
        println!("{} passed, {} failed", self.passed, self.failed);
        anyhow::ensure!(self.failed == 0, "the providers do not conform");
        Ok(())
    }
}
