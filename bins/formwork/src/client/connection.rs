//! Requests to the HTTP interface.

use std::path::Path;
use std::time::Duration;

use anyhow::{Context as _, anyhow};
use clap::Args;
use formwork_client::{ByteStream, Client, Document, Error, Method, Request, Violation};
use secrecy::SecretString;
use serde_json::Value;

use super::own_server::OwnServer;
use crate::settings::Settings;

/// Time limit between two parts of an answer.
const SILENCE: Duration = Duration::from_secs(600);

/// The server of a command.
#[derive(Debug, Args)]
pub(crate) struct ServerFlags {
    /// URL of a running server; without it the command opens the data folder itself
    #[arg(long, global = true, env = "FORMWORK_URL", value_name = "URL", help_heading = "Server")]
    url: Option<String>,
    /// API key; in the environment, other users cannot see it (default: the first key, in the data folder)
    #[arg(
        long,
        global = true,
        env = "FORMWORK_KEY",
        hide_env_values = true,
        value_name = "KEY",
        help_heading = "Server"
    )]
    key: Option<SecretString>,
}

/// A server and a key for it.
#[derive(Debug)]
pub(super) struct Connection {
    /// The URL as it was given; none for the own server.
    pub(super) url: Option<String>,
    client: Client,
    own: Option<OwnServer>,
}

impl Connection {
    /// Connects to the server of the flags, or starts one.
    ///
    /// # Errors
    /// When there is no key, or the own server cannot serve.
    pub(super) async fn open(flags: &ServerFlags, settings: Settings) -> anyhow::Result<Self> {
        let file = settings.data_dir.join("first-key");
        let own = match &flags.url {
            Some(_) => None,
            None => Some(OwnServer::start(settings).await?),
        };
        let url = flags.url.as_deref().map(|url| url.trim_end_matches('/').to_owned());
        let base = url.clone().or_else(|| own.as_ref().map(|own| own.url.clone())).unwrap_or_default();
        let key = match &flags.key {
            Some(key) => key.clone(),
            None => first_key(&file)?,
        };
        let client = Client::builder(base, key).read_timeout(SILENCE).build()?;
        Ok(Self { url, client, own })
    }

    /// Ends the own server.
    pub(super) async fn close(self) {
        if let Some(own) = self.own {
            own.stop().await;
        }
    }

    /// Reads a path.
    pub(super) async fn get(&self, path: &str) -> anyhow::Result<Value> {
        self.json(Method::GET, path, None).await
    }

    /// Reads a path; `None` where there is no such thing.
    pub(super) async fn find(&self, path: &str) -> anyhow::Result<Option<Value>> {
        match self.client.request(Method::GET, path, None).await {
            Err(Error::NotFound(_)) => Ok(None),
            answer => answer.map(Some).map_err(told),
        }
    }

    /// Sends JSON to a path. A repeated request has one effect.
    pub(super) async fn post(&self, path: &str, body: &Value) -> anyhow::Result<Value> {
        self.json(Method::POST, path, Some(body)).await
    }

    /// Replaces what a path names with JSON.
    pub(super) async fn put(&self, path: &str, body: &Value) -> anyhow::Result<Value> {
        self.json(Method::PUT, path, Some(body)).await
    }

    /// Deletes, or cancels, what a path names.
    pub(super) async fn delete(&self, path: &str) -> anyhow::Result<Value> {
        self.json(Method::DELETE, path, None).await
    }

    /// The rows of the list `name` at a path.
    pub(super) async fn rows(&self, path: &str, name: &str) -> anyhow::Result<Vec<Value>> {
        match self.get(path).await?[name].take() {
            Value::Array(rows) => Ok(rows),
            _ => Ok(Vec::new()),
        }
    }

    /// Stores a document and returns its id.
    pub(super) async fn store_document(&self, file: &Path) -> anyhow::Result<i64> {
        let answer = self.upload("/v1/files", file).await?;
        answer[0]["id"].as_i64().with_context(|| format!("the server gives {} no id", file.display()))
    }

    /// Uploads a file and returns the answer. A repeated upload has one effect.
    pub(super) async fn upload(&self, path: &str, file: &Path) -> anyhow::Result<Value> {
        let request = Request::post(path).files([Document::path(file)])?;
        self.client.send(request).await.map_err(told).with_context(|| file.display().to_string())
    }

    /// The body of a path, piece by piece.
    pub(super) async fn download(&self, path: &str) -> anyhow::Result<ByteStream> {
        self.client.stream(Request::get(path)).await.map_err(told)
    }

    async fn json(&self, method: Method, path: &str, body: Option<&Value>) -> anyhow::Result<Value> {
        self.client.request(method, path, body).await.map_err(told)
    }
}

fn first_key(file: &Path) -> anyhow::Result<SecretString> {
    let text = std::fs::read_to_string(file)
        .with_context(|| format!("set FORMWORK_KEY to an API key: {} cannot be read", file.display()))?;
    Ok(SecretString::from(text.trim()))
}

/// What people are told of an error: its message, and what is wrong with each field.
fn told(error: Error) -> anyhow::Error {
    let Some(api) = error.api() else { return error.into() };
    let mut lines: Vec<String> = api.violations.iter().map(described).collect();
    // The first of several violations is the message.
    if !lines.iter().any(|line| line.ends_with(&api.message)) {
        lines.insert(0, api.message.clone());
    }
    anyhow!(lines.join("\n  "))
}

/// What is wrong with a part of the body, and where.
fn described(violation: &Violation) -> String {
    let Violation { path, message, .. } = violation;
    if path.is_empty() { message.clone() } else { format!("{path}: {message}") }
}
