//! The server that answers the messages, over HTTP.

use anyhow::Context as _;
use futures_util::StreamExt as _;
use parking_lot::Mutex;
use reqwest::header::{ACCEPT, CONTENT_TYPE, HeaderValue};
use reqwest::{Client, RequestBuilder, Response, StatusCode};
use secrecy::{ExposeSecret as _, SecretString};
use serde_json::{Value, json};

use super::standard_streams::Output;
use crate::http::mcp_paths::{
    MCP, METHOD_HEADER, NAME_HEADER, SESSION_HEADER, VERSION_HEADER, encode_name, name_parameter,
};

/// Both ways of answering.
const ACCEPTED: &str = "application/json, text/event-stream";

/// A server with the key to it.
#[derive(Debug)]
pub(super) struct Upstream {
    client: Client,
    url: String,
    key: SecretString,
    /// What the handshake agreed on, once it was made.
    handshake: Mutex<Handshake>,
}

/// What the requests after a handshake repeat.
#[derive(Clone, Debug, Default)]
struct Handshake {
    revision: Option<String>,
    session: Option<HeaderValue>,
}

impl Upstream {
    pub(super) fn new(url: &str, key: SecretString) -> anyhow::Result<Self> {
        let url = url.trim_end_matches('/');
        // Some clients are configured with the whole address.
        let url = format!("{}{MCP}", url.strip_suffix(MCP).unwrap_or(url));
        reqwest::Url::parse(&url).with_context(|| format!("'{url}' is not a URL"))?;
        let client = providers_http::client_builder()?.build()?;
        Ok(Self { client, url, key, handshake: Mutex::default() })
    }

    /// Passes a message to the server and its answer to the output.
    pub(super) async fn pass(&self, message: Value, output: &Output) {
        let write = |message: Value| output.send(message).unwrap_or_default();
        let id = message["id"].clone();
        let is_handshake = message["method"] == "initialize";
        let told =
            |error: String| json!({"jsonrpc": "2.0", "id": id, "error": {"code": -32_603, "message": error}});
        let answer = match self.request(&message).send().await {
            Ok(answer) => answer,
            Err(error) => return write(told(format!("{} does not answer: {}", self.url, chain(&error)))),
        };
        let kind = answer.headers().get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
        if kind.is_some_and(|kind| kind.starts_with("text/event-stream")) {
            if let Err(error) = pass_events(answer, &write).await {
                write(told(format!("the answer of {} broke off: {}", self.url, chain(&error))));
            }
            return;
        }
        let status = answer.status();
        if status == StatusCode::ACCEPTED {
            // A response was taken, which has none itself.
            return;
        }
        let session = answer.headers().get(SESSION_HEADER).cloned();
        match answer.json::<Value>().await {
            Ok(response) if response.get("jsonrpc").is_some() => {
                if is_handshake && let Some(revision) = response["result"]["protocolVersion"].as_str() {
                    *self.handshake.lock() = Handshake { revision: Some(revision.to_owned()), session };
                }
                write(response);
            }
            Ok(failure) => {
                let reason = failure["message"].as_str().unwrap_or("it does not speak the protocol");
                write(told(format!("{} answers {status}: {reason}", self.url)));
            }
            Err(error) => write(told(format!("{} answers {status}: {}", self.url, chain(&error)))),
        }
    }

    fn request(&self, message: &Value) -> RequestBuilder {
        let request = self
            .client
            .post(&self.url)
            .bearer_auth(self.key.expose_secret())
            .header(ACCEPT, ACCEPTED)
            .json(message);
        let params = &message["params"];
        let named = params["_meta"]["io.modelcontextprotocol/protocolVersion"].as_str().map(str::to_owned);
        let Handshake { revision, session } = match message["method"] == "initialize" {
            true => Handshake::default(),
            false => self.handshake.lock().clone(),
        };
        let request = match named.or(revision) {
            Some(revision) => request.header(VERSION_HEADER, revision),
            None => request,
        };
        let request = match session {
            Some(session) => request.header(SESSION_HEADER, session),
            None => request,
        };
        let method = message["method"].as_str().unwrap_or_default();
        let request = request.header(METHOD_HEADER, &*encode_name(method));
        match name_parameter(method).and_then(|name| params[name].as_str()) {
            Some(name) => request.header(NAME_HEADER, &*encode_name(name)),
            None => request,
        }
    }
}

/// Passes the messages of server-sent events.
async fn pass_events(answer: Response, write: &impl Fn(Value)) -> reqwest::Result<()> {
    let (mut pieces, mut text) = (answer.bytes_stream(), Vec::new());
    while let Some(piece) = pieces.next().await {
        text.extend_from_slice(&piece?);
        while let Some(end) = text.iter().position(|byte| *byte == b'\n') {
            let line: Vec<u8> = text.drain(..=end).collect();
            // The server writes each message on one line.
            if let Some(data) = line.strip_prefix(b"data:")
                && let Ok(message) = serde_json::from_slice(data)
            {
                write(message);
            }
        }
    }
    Ok(())
}

/// An error with its causes.
fn chain(error: &dyn std::error::Error) -> String {
    let causes = std::iter::successors(error.source(), |error| error.source());
    causes.fold(error.to_string(), |text, cause| format!("{text}: {cause}"))
}
