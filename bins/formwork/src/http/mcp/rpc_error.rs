//! Errors of JSON-RPC, as the Model Context Protocol uses them.

use actix_web::http::StatusCode;
use serde_json::{Value, json};
use shared_core::ErrorKind;

use crate::http::ApiError;
use crate::http::error::status_of;

/// An error of a request.
#[derive(Debug)]
pub(super) struct RpcError {
    code: i64,
    message: String,
    data: Option<Value>,
    /// The kind of an error that HTTP shows, too. The protocol carries the others in a success.
    kind: Option<ErrorKind>,
}

impl RpcError {
    fn new(code: i64, kind: Option<ErrorKind>, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), data: None, kind }
    }

    /// The body is not JSON.
    pub(super) fn unparsable(error: ApiError) -> Self {
        Self::new(-32_700, Some(ErrorKind::Invalid), error.body().message)
    }

    /// The body is not a message.
    pub(super) fn invalid_request(message: &str) -> Self {
        Self::new(-32_600, Some(ErrorKind::Invalid), message)
    }

    /// The server does not have the method in this revision.
    pub(super) fn unknown_method(method: &str, is_shown: bool) -> Self {
        let message = format!("Method not found: {}", shortened(method));
        Self::new(-32_601, is_shown.then_some(ErrorKind::NotFound), message)
    }

    /// A parameter breaks a rule.
    pub(super) fn invalid_params(message: impl Into<String>) -> Self {
        Self::new(-32_602, None, message)
    }

    /// The metadata of the request breaks a rule.
    pub(super) fn invalid_meta(message: &str) -> Self {
        Self::new(-32_602, Some(ErrorKind::Invalid), message)
    }

    /// Headers and body contradict each other.
    pub(super) fn header_mismatch(message: impl Into<String>) -> Self {
        Self::new(-32_020, Some(ErrorKind::Invalid), message)
    }

    /// The server does not have the revision.
    pub(super) fn unsupported_version(requested: &str, supported: &[&str]) -> Self {
        let error = Self::new(-32_022, Some(ErrorKind::Invalid), "Unsupported protocol version");
        Self { data: Some(json!({"supported": supported, "requested": shortened(requested)})), ..error }
    }

    /// A resource does not exist. Revisions with a handshake have a code of their own for it.
    pub(super) fn unknown_resource(uri: &str, is_stateless: bool) -> Self {
        let code = if is_stateless { -32_602 } else { -32_002 };
        let error = Self::new(code, None, "Resource not found");
        Self { data: Some(json!({"uri": shortened(uri)})), ..error }
    }

    /// An operation failed that no tool result can tell of.
    pub(super) fn failed(error: ApiError) -> Self {
        let code = if error.status().is_server_error() { -32_603 } else { -32_602 };
        let body = error.log_and_body();
        let failure = Self::new(code, None, body.message);
        Self { data: Some(json!({"code": body.code})), ..failure }
    }

    /// The HTTP status of the answer.
    pub(super) fn status(&self) -> StatusCode {
        self.kind.map_or(StatusCode::OK, status_of)
    }

    /// The object that JSON-RPC has for it.
    pub(super) fn into_object(self) -> Value {
        let mut object = json!({"code": self.code, "message": self.message});
        if let Some(data) = self.data {
            object["data"] = data;
        }
        object
    }
}

/// The begin of a text of the client's.
fn shortened(text: &str) -> String {
    text.chars().take(200).collect()
}
