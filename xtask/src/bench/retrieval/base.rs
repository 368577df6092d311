//! A knowledge base over HTTP, as a client uses it.

use std::time::Duration;

use anyhow::{Context as _, bail};
use serde_json::{Value, json};

use crate::server::Server;

/// Interval of polling a base for completion.
const LOOK: Duration = Duration::from_millis(50);

/// A knowledge base on a server.
#[derive(Clone, Debug)]
pub(super) struct Base {
    client: reqwest::Client,
    url: String,
    pub(super) id: String,
}

impl Base {
    /// Creates one; `settings` are further fields of the request.
    pub(super) async fn create(server: &Server, name: &str, settings: Value) -> anyhow::Result<Self> {
        let client = server.client()?;
        let mut body = settings;
        body["name"] = name.into();
        let request = client.post(format!("{}/knowledgebase", server.url)).json(&body);
        let made: Value = answer(request).await?;
        let id = made["knowledgeId"].as_str().context("knowledgeId")?.to_owned();
        Ok(Self { client, url: server.url.clone(), id })
    }

    pub(super) async fn record(&self) -> anyhow::Result<Value> {
        answer(self.client.get(self.path(""))).await
    }

    /// Adds data.
    pub(super) async fn add(&self, body: &Value) -> anyhow::Result<Value> {
        answer(self.client.post(self.path("/files")).json(body)).await
    }

    /// Waits until nothing is queued or in processing; fails when a file failed.
    pub(super) async fn wait_ready(&self, files: usize) -> anyhow::Result<()> {
        loop {
            let progress = self.record().await?["status"].clone();
            let count = |name: &str| progress[name].as_u64().unwrap_or_default();
            if count("failed") > 0 {
                bail!("{} files of the base failed", count("failed"));
            }
            if count("ready") >= files as u64 && count("queued") + count("processing") == 0 {
                return Ok(());
            }
            tokio::time::sleep(LOOK).await;
        }
    }

    /// Waits until the added data is searchable.
    pub(super) async fn wait_searchable(&self) -> anyhow::Result<()> {
        let body = json!({"query": "ka", "limit": 1});
        loop {
            let response = self.client.post(self.path("/search")).json(&body).send().await?;
            match response.status().as_u16() {
                200 => return Ok(()),
                // The server answers 503 while its index is behind.
                503 => tokio::time::sleep(LOOK).await,
                status => bail!("{status}: {}", response.text().await?),
            }
        }
    }

    /// The files of the best results, best first, without duplicates.
    pub(super) async fn search(
        &self,
        query: &str,
        limit: usize,
        more: &Value,
    ) -> anyhow::Result<Vec<String>> {
        let mut body = json!({"query": query, "limit": limit});
        if let (Some(body), Some(more)) = (body.as_object_mut(), more.as_object()) {
            body.extend(more.clone());
        }
        let answer: Value = answer(self.client.post(self.path("/search")).json(&body)).await?;
        let mut titles: Vec<String> = Vec::new();
        for result in answer["results"].as_array().context("results")? {
            let title = result["title"].as_str().context("title")?;
            if !titles.iter().any(|known| known == title) {
                titles.push(title.to_owned());
            }
        }
        Ok(titles)
    }

    pub(super) async fn delete(&self) -> anyhow::Result<()> {
        answer(self.client.delete(self.path(""))).await.map(drop)
    }

    /// A path under it.
    pub(super) fn path(&self, rest: &str) -> String {
        format!("{}/knowledgebase/{}{rest}", self.url, self.id)
    }
}

/// The body of a successful answer, else the server's error.
pub(super) async fn answer(request: reqwest::RequestBuilder) -> anyhow::Result<Value> {
    let response = request.send().await?;
    let status = response.status();
    let text = response.text().await?;
    if !status.is_success() {
        bail!("{status}: {text}");
    }
    Ok(serde_json::from_str(&text)?)
}
