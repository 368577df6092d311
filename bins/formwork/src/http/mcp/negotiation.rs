//! The revision that a request speaks, and what its client can do.
//!
//! Requests of the stateless revision carry both in their metadata, which headers repeat. Earlier revisions begin with
//! a handshake; afterwards a header names the revision. Where the client can ask its user, the handshake gives it a
//! session id that says so, since nothing is kept of the handshake itself.

use actix_web::HttpRequest;
use serde_json::{Map, Value};
use shared_core::{Timestamp, new_id};

use crate::http::json_rpc::Request;
use crate::http::json_rpc::RpcError;
use crate::http::mcp_paths::{
    METHOD_HEADER, NAME_HEADER, SESSION_HEADER, VERSION_HEADER, decode_name, name_parameter,
};
use runtime_tokio::SystemRng;

/// The revision without a handshake.
pub(super) const STATELESS: &str = "2026-07-28";
/// The revisions with a handshake, newest first.
pub(super) const WITH_HANDSHAKE: [&str; 3] = ["2025-11-25", "2025-06-18", "2025-03-26"];
/// Every revision, newest first.
pub(super) const REVISIONS: [&str; 4] = [STATELESS, "2025-11-25", "2025-06-18", "2025-03-26"];
/// The extension by which a tool answers with a task.
pub(super) const TASKS: &str = "io.modelcontextprotocol/tasks";
/// The revision with a handshake whose requests may become tasks.
pub(super) const WITH_TASKS: &str = "2025-11-25";

/// The begin of the session ids of clients that ask their users.
const ASKING: &str = "elicits";

/// The prefix of the protocol's own metadata.
const META: &str = "io.modelcontextprotocol/";

/// What client and server speak.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Terms {
    /// Whether it is the revision without a handshake.
    pub(super) is_stateless: bool,
    /// Whether the client asks its user for values.
    pub(super) can_elicit: bool,
    /// Whether the client follows tasks of the extension.
    pub(super) has_tasks: bool,
    /// Whether requests of this revision may become tasks, which the client asks for.
    pub(super) has_requested_tasks: bool,
}

/// The terms of a request.
///
/// # Errors
/// When the revision is not supported, or headers and metadata contradict each other.
pub(super) fn negotiate(http: &HttpRequest, request: &Request) -> Result<Terms, RpcError> {
    let header = header(http, VERSION_HEADER);
    let meta = request.params.get("_meta").and_then(Value::as_object);
    let named = meta.and_then(|meta| meta.get(&format!("{META}protocolVersion")));
    let Some(named) = named else { return with_handshake(http, header, request) };
    let named = named.as_str().unwrap_or_default();
    if header != Some(named) {
        return Err(RpcError::header_mismatch(
            "Header mismatch: MCP-Protocol-Version must repeat the metadata",
        ));
    }
    if WITH_HANDSHAKE.contains(&named) {
        return Ok(handshake_terms(http, Some(named)));
    }
    if named != STATELESS {
        return Err(RpcError::unsupported_version(named, &REVISIONS));
    }
    check_headers(http, request)?;
    let capabilities = meta.and_then(|meta| meta.get(&format!("{META}clientCapabilities"))?.as_object());
    capabilities.map(stateless).ok_or_else(|| {
        RpcError::invalid_meta("'_meta' needs 'io.modelcontextprotocol/clientCapabilities', an object")
    })
}

fn with_handshake(http: &HttpRequest, header: Option<&str>, request: &Request) -> Result<Terms, RpcError> {
    match header {
        None => Ok(handshake_terms(http, None)),
        Some(version) if WITH_HANDSHAKE.contains(&version) => Ok(handshake_terms(http, header)),
        Some(STATELESS) => {
            Err(RpcError::invalid_meta("'_meta' needs 'io.modelcontextprotocol/protocolVersion', a text"))
        }
        // Its own parameter names the revision.
        Some(_) if request.method == "initialize" => Ok(Terms::default()),
        Some(version) => Err(RpcError::unsupported_version(version, &REVISIONS)),
    }
}

/// The terms of a request after a handshake.
fn handshake_terms(http: &HttpRequest, revision: Option<&str>) -> Terms {
    let can_elicit = header(http, SESSION_HEADER).is_some_and(|session| session.starts_with(ASKING));
    Terms { can_elicit, has_requested_tasks: revision == Some(WITH_TASKS), ..Terms::default() }
}

/// The session id of a client with these capabilities; none where it can nothing that later requests depend on.
pub(super) fn session_id(request: &Request, now: Timestamp) -> Option<String> {
    let capabilities = request.params.get("capabilities")?.as_object()?;
    asks_user(capabilities).then(|| new_id(ASKING, now, &SystemRng))
}

/// Whether a client asks its user for values. Without modes it has the form.
fn asks_user(capabilities: &Map<String, Value>) -> bool {
    let elicitation = capabilities.get("elicitation").and_then(Value::as_object);
    elicitation.is_some_and(|modes| modes.is_empty() || modes.contains_key("form"))
}

fn stateless(capabilities: &Map<String, Value>) -> Terms {
    let extensions = capabilities.get("extensions");
    let has_tasks = extensions.and_then(|extensions| extensions.get(TASKS)).is_some_and(Value::is_object);
    let can_elicit = asks_user(capabilities);
    Terms { is_stateless: true, can_elicit, has_tasks, has_requested_tasks: false }
}

/// Checks that the headers repeat method and name.
fn check_headers(http: &HttpRequest, request: &Request) -> Result<(), RpcError> {
    if header(http, METHOD_HEADER) != Some(request.method.as_str()) {
        return Err(RpcError::header_mismatch("Header mismatch: Mcp-Method must repeat the method"));
    }
    let Some(parameter) = name_parameter(&request.method) else { return Ok(()) };
    let name = request.params.get(parameter).and_then(Value::as_str);
    let sent = header(http, NAME_HEADER).map(decode_name);
    if name.is_some() && sent.as_deref() != name {
        let message = format!("Header mismatch: Mcp-Name must repeat the parameter '{parameter}'");
        return Err(RpcError::header_mismatch(message));
    }
    Ok(())
}

fn header<'a>(http: &'a HttpRequest, name: &str) -> Option<&'a str> {
    // A header that is not text matches nothing.
    http.headers().get(name).map(|value| value.to_str().unwrap_or_default().trim())
}
