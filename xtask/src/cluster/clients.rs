//! Access to the servers behind the balancer: each request is sent until it succeeds, and every answer is counted.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use reqwest::header::{HeaderMap, HeaderValue};
use reqwest::multipart::{Form, Part};
use reqwest::{Client, Method};
use serde_json::{Value, json};

use super::answers::Tally;

/// The longest time of one request, above that of any fault.
const TIMEOUT: Duration = Duration::from_secs(30);

/// Access to the cluster. Clones share counts and numbers.
#[derive(Clone, Debug)]
pub(crate) struct Clients {
    pub(super) client: Client,
    pub(super) url: String,
    pub(super) tally: Tally,
    next: Arc<AtomicUsize>,
}

impl Clients {
    /// Clients of the servers behind `url` with this key.
    pub(crate) fn new(url: &str, key: &str, tally: Tally) -> anyhow::Result<Self> {
        let mut headers = HeaderMap::new();
        headers.insert("x-service-key", HeaderValue::from_str(key)?);
        let client = providers_http::client_builder()?.default_headers(headers).timeout(TIMEOUT).build()?;
        Ok(Self { client, url: url.to_owned(), tally, next: Arc::default() })
    }

    /// A number that no other client has.
    pub(super) fn number(&self) -> usize {
        self.next.fetch_add(1, Ordering::Relaxed)
    }

    pub(super) async fn get(&self, path: &str) -> anyhow::Result<Value> {
        Ok(self.tally.send(&[], || self.client.get(format!("{}{path}", self.url))).await?.1)
    }

    /// A request that has its effect once, however often it is sent.
    pub(super) async fn change(&self, method: Method, path: &str, body: &Value) -> anyhow::Result<Value> {
        let key = format!("cluster-{}", self.number());
        let request = || {
            let request = self.client.request(method.clone(), format!("{}{path}", self.url));
            request.header("idempotency-key", &key).json(body)
        };
        Ok(self.tally.send(&[], request).await?.1)
    }

    /// Uploads texts as files, once. Returns their ids.
    pub(super) async fn upload(&self, texts: &[String]) -> anyhow::Result<Vec<String>> {
        let key = format!("cluster-{}", self.number());
        let request = || {
            let form = texts.iter().fold(Form::new(), |form, text| {
                form.part("files", Part::text(text.clone()).file_name("note.txt"))
            });
            self.client.post(format!("{}/v1/files", self.url)).header("idempotency-key", &key).multipart(form)
        };
        let files = self.tally.send(&[], request).await?.1;
        Ok(files.as_array().into_iter().flatten().map(|file| file["id"].to_string()).collect())
    }

    /// The content of a file.
    pub(super) async fn content(&self, file: &str) -> anyhow::Result<String> {
        let record = self.get(&format!("/v1/files/{file}")).await?;
        let url = record["url"].as_str().unwrap_or_default().to_owned();
        Ok(self.tally.send_for_text(&[], || self.client.get(&url)).await?.1)
    }

    /// Expects the text with this word.
    pub(super) async fn search(&self, base: &str, word: &str) -> anyhow::Result<()> {
        let body = json!({"query": word, "mode": "lexical"});
        let path = format!("{}/v1/knowledgebase/{base}/search", self.url);
        let found = self.tally.send(&[], || self.client.post(&path).json(&body)).await?.1;
        let is_found = found["results"][0]["text"].as_str().is_some_and(|text| text.contains(word));
        self.tally.expect(is_found, || format!("the search for {word} found {found}"));
        Ok(())
    }
}
