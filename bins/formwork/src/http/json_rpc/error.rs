//! Errors of JSON-RPC.

use actix_web::http::StatusCode;
use serde_json::{Value, json};
use shared_core::ErrorKind;

use crate::http::ApiError;
use crate::http::error::status_of;

/// An error of a request.
#[derive(Debug)]
pub(in crate::http) struct RpcError {
    code: i64,
    message: String,
    data: Option<Value>,
    /// The kind of an error that HTTP shows, too. The others are carried in a success.
    kind: Option<ErrorKind>,
}

impl RpcError {
    /// An error of a code. `kind` where HTTP shows it, too.
    pub(in crate::http) fn new(code: i64, kind: Option<ErrorKind>, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), data: None, kind }
    }

    /// The body is not JSON.
    pub(in crate::http) fn unparsable(error: ApiError) -> Self {
        Self::new(-32_700, Some(ErrorKind::Invalid), error.body().message)
    }

    /// The body is not a message.
    pub(in crate::http) fn invalid_request(message: &str) -> Self {
        Self::new(-32_600, Some(ErrorKind::Invalid), message)
    }

    /// The server does not have the method. `is_shown`: HTTP shows it, too.
    pub(in crate::http) fn unknown_method(method: &str, is_shown: bool) -> Self {
        let message = format!("Method not found: {}", shortened(method));
        Self::new(-32_601, is_shown.then_some(ErrorKind::NotFound), message)
    }

    /// A parameter breaks a rule.
    pub(in crate::http) fn invalid_params(message: impl Into<String>) -> Self {
        Self::new(-32_602, None, message)
    }

    /// An operation failed that no tool result can tell of.
    pub(in crate::http) fn failed(error: ApiError) -> Self {
        let code = if error.status().is_server_error() { -32_603 } else { -32_602 };
        let body = error.log_and_body();
        Self::new(code, None, body.message).with_data(json!({"code": body.code}))
    }

    /// The HTTP status of the answer.
    pub(in crate::http) fn status(&self) -> StatusCode {
        self.kind.map_or(StatusCode::OK, status_of)
    }

    /// The object that JSON-RPC has for it.
    pub(in crate::http) fn into_object(self) -> Value {
        let mut object = json!({"code": self.code, "message": self.message});
        if let Some(data) = self.data {
            object["data"] = data;
        }
        object
    }

    /// Adds what a program needs to know.
    pub(in crate::http) fn with_data(self, data: Value) -> Self {
        Self { data: Some(data), ..self }
    }
}

/// The begin of a text of the client's.
pub(in crate::http) fn shortened(text: &str) -> String {
    text.chars().take(200).collect()
}
