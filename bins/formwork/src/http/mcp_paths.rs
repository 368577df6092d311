//! The addresses and headers of the Model Context Protocol.

use std::borrow::Cow;

use actix_web::HttpResponse;
use actix_web::http::header::{HeaderValue, WWW_AUTHENTICATE};
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;

/// Where clients send their messages.
pub(crate) const MCP: &str = "/mcp";
/// The metadata of the server as a protected resource (RFC 9728).
pub(super) const METADATA: &str = "/.well-known/oauth-protected-resource";
/// The same of the endpoint for messages.
pub(super) const MCP_METADATA: &str = "/.well-known/oauth-protected-resource/mcp";

/// The header with the revision of the protocol.
pub(crate) const VERSION_HEADER: &str = "mcp-protocol-version";
/// The header with what a client told in its handshake.
pub(crate) const SESSION_HEADER: &str = "mcp-session-id";
/// The header that repeats the method.
pub(crate) const METHOD_HEADER: &str = "mcp-method";
/// The header that repeats a name.
pub(crate) const NAME_HEADER: &str = "mcp-name";
/// What encloses an encoded value.
const ENCODED: (&str, &str) = ("=?base64?", "?=");

/// The parameter that [`NAME_HEADER`] repeats.
pub(crate) fn name_parameter(method: &str) -> Option<&'static str> {
    match method {
        "tools/call" | "prompts/get" => Some("name"),
        "resources/read" => Some("uri"),
        "tasks/get" | "tasks/update" | "tasks/cancel" => Some("taskId"),
        _ => None,
    }
}

/// A name as a header has it: encoded where it is not plain.
pub(crate) fn encode_name(name: &str) -> Cow<'_, str> {
    let is_plain = name.bytes().all(|byte| (0x20..0x7f).contains(&byte)) && name.trim() == name;
    match is_plain && !name.starts_with(ENCODED.0) {
        true => name.into(),
        false => format!("{}{}{}", ENCODED.0, BASE64_STANDARD.encode(name), ENCODED.1).into(),
    }
}

/// The name that a header has.
pub(super) fn decode_name(value: &str) -> Cow<'_, str> {
    let encoded = value.strip_prefix(ENCODED.0).and_then(|rest| rest.strip_suffix(ENCODED.1));
    let bytes = encoded.and_then(|encoded| BASE64_STANDARD.decode(encoded).ok());
    bytes.and_then(|bytes| String::from_utf8(bytes).ok()).map_or(value.into(), Cow::Owned)
}

/// Adds to a refusal where the metadata is.
pub(super) fn name_metadata(public_url: &str, answer: &mut HttpResponse) {
    let challenge = format!("Bearer resource_metadata=\"{public_url}{MCP_METADATA}\"");
    if let Ok(challenge) = HeaderValue::try_from(challenge) {
        answer.headers_mut().insert(WWW_AUTHENTICATE, challenge);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_survives_its_header() {
        for name in ["search", "formwork://forms/ä", " padded ", "a\nb", "=?base64?bGl0?=", ""] {
            let sent = encode_name(name);
            assert!(sent.bytes().all(|byte| (0x20..0x7f).contains(&byte)), "{sent}");
            assert_eq!(decode_name(&sent), name);
        }
        assert_eq!(encode_name("search"), "search");
        assert_eq!(decode_name("=?base64?!?="), "=?base64?!?=");
    }
}
