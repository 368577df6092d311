//! A session with a server, in the revisions with a handshake or in the stateless one.

use std::sync::atomic::{AtomicU64, Ordering};

use agents_core::ToolServer;
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use reqwest::header::{ACCEPT, AUTHORIZATION, HeaderValue};
use reqwest::{RequestBuilder, Response};
use serde_json::{Value, json};
use utilities_core::web::Target;

use super::failure::ToolFailure;
use super::response;
use crate::fetch::failure::failure;
use crate::fetch::state::FetcherState;

/// The newest revision with a handshake, and the one without.
const WITH_HANDSHAKE: &str = "2025-11-25";
const STATELESS: &str = "2026-07-28";
/// Header of the revision, and that of the session.
const VERSION_HEADER: &str = "mcp-protocol-version";
const SESSION_HEADER: &str = "mcp-session-id";
/// Prefix of the protocol's own metadata.
const META: &str = "io.modelcontextprotocol/";

/// A server that takes requests.
pub(super) struct Session<'a> {
    state: &'a FetcherState,
    server: &'a ToolServer,
    target: Target,
    revision: Revision,
    requests: AtomicU64,
}

/// What client and server speak.
enum Revision {
    /// Before the server has answered.
    Unknown,
    /// Revision, and the id of the session if the server gave one.
    Handshake(HeaderValue, Option<HeaderValue>),
    Stateless,
}

impl<'a> Session<'a> {
    /// Begins a session by the handshake. A server that refuses it is taken for a stateless one.
    ///
    /// # Errors
    /// When the server cannot be reached, or refuses the client.
    pub(super) async fn open(state: &'a FetcherState, server: &'a ToolServer) -> Result<Self, ToolFailure> {
        let target = state.policy.target(&server.url)?;
        let revision = Revision::Unknown;
        let mut session = Self { state, server, target, revision, requests: AtomicU64::new(1) };
        let params = json!({
            "protocolVersion": WITH_HANDSHAKE, "capabilities": {}, "clientInfo": client_info()
        });
        let (id, answer) = session.send("initialize", params).await?;
        let (status, given) = (answer.status().as_u16(), answer.headers().get(SESSION_HEADER).cloned());
        match response::result(answer, id).await {
            Ok(result) => {
                let version = result["protocolVersion"].as_str().unwrap_or_default();
                let version = HeaderValue::from_str(version)
                    .map_err(|_text| ToolFailure::Protocol("its revision is not text"))?;
                session.revision = Revision::Handshake(version, given);
                let told = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
                session.post(&told, "").send().await.map_err(failure)?;
            }
            Err(ToolFailure::Rpc(..)) => session.revision = Revision::Stateless,
            Err(ToolFailure::Status(_)) if matches!(status, 400 | 404 | 405 | 422) => {
                session.revision = Revision::Stateless;
            }
            Err(error) => return Err(error),
        }
        Ok(session)
    }

    /// Sends a request and returns its result.
    ///
    /// # Errors
    /// When the server cannot be reached, or answers with an error.
    pub(super) async fn request(&self, method: &str, params: Value) -> Result<Value, ToolFailure> {
        let (id, answer) = self.send(method, params).await?;
        response::result(answer, id).await
    }

    /// Ends the session at the server. A failure changes nothing for the caller.
    pub(super) async fn close(&self) {
        if let Revision::Handshake(_, Some(_)) = &self.revision {
            let client = self.state.clients.client_for(&self.target);
            let _ended = self.headers(client.delete(self.target.url().clone())).send().await;
        }
    }

    async fn send(&self, method: &str, mut params: Value) -> Result<(u64, Response), ToolFailure> {
        let id = self.requests.fetch_add(1, Ordering::Relaxed);
        let name = params["name"].as_str().unwrap_or_default().to_owned();
        if matches!(self.revision, Revision::Stateless) {
            let meta = json!({
                format!("{META}protocolVersion"): STATELESS, format!("{META}clientInfo"): client_info(),
                format!("{META}clientCapabilities"): {}
            });
            params["_meta"] = meta;
        }
        let message = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
        let request = match matches!(self.revision, Revision::Stateless) {
            true => self.post(&message, &name).header("mcp-method", method),
            false => self.post(&message, ""),
        };
        Ok((id, request.send().await.map_err(failure)?))
    }

    /// A message to the server. `name`: the name of a tool that a header repeats; empty for none.
    fn post(&self, message: &Value, name: &str) -> RequestBuilder {
        let client = self.state.clients.client_for(&self.target);
        let request = client
            .post(self.target.url().clone())
            .header(ACCEPT, "application/json, text/event-stream")
            .json(message);
        let request = if name.is_empty() { request } else { request.header("mcp-name", header_name(name)) };
        self.headers(request)
    }

    fn headers(&self, request: RequestBuilder) -> RequestBuilder {
        let request = match &self.server.authorization {
            Some(value) => match HeaderValue::from_str(value.expose()) {
                Ok(mut value) => {
                    value.set_sensitive(true);
                    request.header(AUTHORIZATION, value)
                }
                // The rules of agents refuse such values.
                Err(_) => request,
            },
            None => request,
        };
        match &self.revision {
            Revision::Unknown => request,
            Revision::Stateless => request.header(VERSION_HEADER, STATELESS),
            Revision::Handshake(version, session) => {
                let request = request.header(VERSION_HEADER, version);
                match session {
                    Some(session) => request.header(SESSION_HEADER, session),
                    None => request,
                }
            }
        }
    }
}

fn client_info() -> Value {
    json!({"name": "formwork", "version": env!("CARGO_PKG_VERSION")})
}

/// A name as a header has it: encoded where it is not plain.
fn header_name(name: &str) -> String {
    let is_plain = name.bytes().all(|byte| (0x20..0x7f).contains(&byte)) && name.trim() == name;
    match is_plain && !name.starts_with("=?base64?") {
        true => name.to_owned(),
        false => format!("=?base64?{}?=", BASE64_STANDARD.encode(name)),
    }
}
