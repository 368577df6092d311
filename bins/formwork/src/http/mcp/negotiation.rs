//! The revision that a request speaks, and what its client can do.
//!
//! Requests of the stateless revision carry both in their metadata, which headers repeat. Earlier revisions begin with
//! a handshake; afterwards only a header names the revision, and the client's capabilities are not known.

use actix_web::HttpRequest;
use serde_json::{Map, Value};

use crate::http::json_rpc::Request;
use crate::http::json_rpc::RpcError;
use crate::http::mcp_paths::{METHOD_HEADER, NAME_HEADER, VERSION_HEADER, decode_name, name_parameter};

/// The revision without a handshake.
pub(super) const STATELESS: &str = "2026-07-28";
/// The revisions with a handshake, newest first.
pub(super) const WITH_HANDSHAKE: [&str; 3] = ["2025-11-25", "2025-06-18", "2025-03-26"];
/// Every revision, newest first.
pub(super) const REVISIONS: [&str; 4] = [STATELESS, "2025-11-25", "2025-06-18", "2025-03-26"];
/// The extension by which a tool answers with a task.
pub(super) const TASKS: &str = "io.modelcontextprotocol/tasks";

/// The prefix of the protocol's own metadata.
const META: &str = "io.modelcontextprotocol/";

/// What client and server speak.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Terms {
    /// Whether it is the revision without a handshake.
    pub(super) is_stateless: bool,
    /// Whether the client asks its user for values.
    pub(super) can_elicit: bool,
    /// Whether the client follows tasks.
    pub(super) has_tasks: bool,
}

/// The terms of a request.
///
/// # Errors
/// When the revision is not supported, or headers and metadata contradict each other.
pub(super) fn negotiate(http: &HttpRequest, request: &Request) -> Result<Terms, RpcError> {
    let header = header(http, VERSION_HEADER);
    let meta = request.params.get("_meta").and_then(Value::as_object);
    let named = meta.and_then(|meta| meta.get(&format!("{META}protocolVersion")));
    let Some(named) = named else { return with_handshake(header, request) };
    let named = named.as_str().unwrap_or_default();
    if header != Some(named) {
        return Err(RpcError::header_mismatch(
            "Header mismatch: MCP-Protocol-Version must repeat the metadata",
        ));
    }
    if WITH_HANDSHAKE.contains(&named) {
        return Ok(Terms::default());
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

fn with_handshake(header: Option<&str>, request: &Request) -> Result<Terms, RpcError> {
    match header {
        None => Ok(Terms::default()),
        Some(version) if WITH_HANDSHAKE.contains(&version) => Ok(Terms::default()),
        Some(STATELESS) => {
            Err(RpcError::invalid_meta("'_meta' needs 'io.modelcontextprotocol/protocolVersion', a text"))
        }
        // Its own parameter names the revision.
        Some(_) if request.method == "initialize" => Ok(Terms::default()),
        Some(version) => Err(RpcError::unsupported_version(version, &REVISIONS)),
    }
}

fn stateless(capabilities: &Map<String, Value>) -> Terms {
    let elicitation = capabilities.get("elicitation").and_then(Value::as_object);
    // Without modes a client has the form.
    let can_elicit = elicitation.is_some_and(|modes| modes.is_empty() || modes.contains_key("form"));
    let extensions = capabilities.get("extensions");
    let has_tasks = extensions.and_then(|extensions| extensions.get(TASKS)).is_some_and(Value::is_object);
    Terms { is_stateless: true, can_elicit, has_tasks }
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
