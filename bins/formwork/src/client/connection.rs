//! Requests to the HTTP interface.

use std::path::Path;
use std::time::Duration;

use anyhow::{Context as _, anyhow, bail};
use clap::Args;
use reqwest::multipart::{Form, Part};
use reqwest::{Client, Method, RequestBuilder, Response, StatusCode, header};
use runtime_tokio::SystemRng;
use secrecy::{ExposeSecret as _, SecretString};
use serde_json::Value;
use shared_core::{Rng as _, hex};

use super::own_server::OwnServer;
use crate::settings::Settings;

/// Maximum number of times that a request is sent, and the first of the pauses between, which double.
const ATTEMPTS: u32 = 5;
const PAUSE: Duration = Duration::from_millis(300);
/// Maximum pause that a server can ask for.
const LONGEST_PAUSE: Duration = Duration::from_secs(30);
/// Time limit until a server is reached.
const CONNECT: Duration = Duration::from_secs(10);
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
    base: String,
    key: SecretString,
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
        let client =
            providers_http::client_builder()?.connect_timeout(CONNECT).read_timeout(SILENCE).build()?;
        Ok(Self { url, base, key, client, own })
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
        let answer = self.send(|| self.request(Method::GET, path)).await?;
        if answer.status() == StatusCode::NOT_FOUND {
            return Ok(None);
        }
        Ok(Some(checked(answer).await?.json().await?))
    }

    /// Sends JSON to a path. A repeated request has one effect.
    pub(super) async fn post(&self, path: &str, body: &Value) -> anyhow::Result<Value> {
        self.json(Method::POST, path, Some(body)).await
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
        let shown = || format!("{} cannot be read", file.display());
        let name = file.file_name().unwrap_or(file.as_os_str()).to_string_lossy().into_owned();
        let attempt = new_key();
        let bytes = bytes::Bytes::from(tokio::fs::read(file).await.with_context(shown)?);
        let answer = self
            .send(|| {
                let part = Part::stream(bytes.clone()).file_name(name.clone());
                self.request(Method::POST, path)
                    .header("Idempotency-Key", &attempt)
                    .multipart(Form::new().part("files", part))
            })
            .await?;
        let answer = checked(answer).await.with_context(|| file.display().to_string())?;
        answer.json().await.context("the answer is not JSON")
    }

    /// The body of a path, piece by piece.
    pub(super) async fn download(&self, path: &str) -> anyhow::Result<Response> {
        checked(self.send(|| self.request(Method::GET, path)).await?).await
    }

    async fn json(&self, method: Method, path: &str, body: Option<&Value>) -> anyhow::Result<Value> {
        let attempt = new_key();
        let answer = self
            .send(|| {
                let mut request = self.request(method.clone(), path);
                if method == Method::POST {
                    request = request.header("Idempotency-Key", &attempt);
                }
                match body {
                    Some(body) => request.json(body),
                    None => request,
                }
            })
            .await?;
        checked(answer).await?.json().await.context("the answer is not JSON")
    }

    fn request(&self, method: Method, path: &str) -> RequestBuilder {
        self.client
            .request(method, format!("{}{path}", self.base))
            .header("X-Service-Key", self.key.expose_secret())
    }

    /// Sends a request that may be repeated: again when the server cannot be reached or is busy.
    async fn send(&self, request: impl Fn() -> RequestBuilder) -> anyhow::Result<Response> {
        let mut pause = PAUSE;
        for _ in 1..ATTEMPTS {
            match request().send().await {
                Ok(answer) if !is_busy(answer.status()) => return Ok(answer),
                Ok(answer) => {
                    tokio::time::sleep(wanted_pause(&answer).unwrap_or(pause).min(LONGEST_PAUSE)).await
                }
                Err(error) if error.is_builder() => return Err(error.into()),
                Err(_) => tokio::time::sleep(pause).await,
            }
            pause *= 2;
        }
        request().send().await.with_context(|| format!("{} does not answer", self.base))
    }
}

/// A new idempotency key.
fn new_key() -> String {
    let mut bytes = [0_u8; 16];
    SystemRng.fill(&mut bytes);
    hex(&bytes)
}

fn first_key(file: &Path) -> anyhow::Result<SecretString> {
    let text = std::fs::read_to_string(file)
        .with_context(|| format!("set FORMWORK_KEY to an API key: {} cannot be read", file.display()))?;
    Ok(SecretString::from(text.trim()))
}

fn is_busy(status: StatusCode) -> bool {
    matches!(status.as_u16(), 429 | 502 | 503 | 504)
}

fn wanted_pause(answer: &Response) -> Option<Duration> {
    let seconds = answer.headers().get(header::RETRY_AFTER)?.to_str().ok()?.parse().ok()?;
    Some(Duration::from_secs(seconds))
}

/// The answer, unless it is an error; then its message and what is wrong with each field.
async fn checked(answer: Response) -> anyhow::Result<Response> {
    let status = answer.status();
    if status.is_success() {
        return Ok(answer);
    }
    let Ok(body) = answer.json::<Value>().await else { bail!("the server answers {status}") };
    let mut lines: Vec<String> = body["errors"].as_array().into_iter().flatten().map(described).collect();
    match body["message"].as_str() {
        // The first of several violations is the message.
        Some(message) if !lines.iter().any(|line| line.ends_with(message)) => {
            lines.insert(0, message.to_owned())
        }
        Some(_) => {}
        None => lines.push(format!("the server answers {status}")),
    }
    Err(anyhow!(lines.join("\n  ")))
}

/// What is wrong with a part of the body, and where.
fn described(violation: &Value) -> String {
    let [path, message] = ["path", "message"].map(|key| violation[key].as_str().unwrap_or_default());
    if path.is_empty() { message.to_owned() } else { format!("{path}: {message}") }
}
