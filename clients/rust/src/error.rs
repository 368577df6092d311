//! Errors. None of them holds the key.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use serde::Deserialize;
use serde_json::Value;

use crate::extraction::Extraction;
use crate::records::GroupError;
use crate::violation::Violation;

/// What operations of the client answer.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// An operation that failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The server refused the request, or failed: every status from 400 on that has no variant of its own.
    #[error("{0}")]
    Api(Box<ApiError>),
    /// 401: the key is missing or not valid.
    #[error("{0}")]
    Unauthorized(Box<ApiError>),
    /// 404: it does not exist in this workspace.
    #[error("{0}")]
    NotFound(Box<ApiError>),
    /// 429: a limit of the key is reached, also after the attempts or a wait that was too long.
    #[error("{0}")]
    RateLimited(Box<ApiError>),
    /// The server could not be reached, or the connection broke before the answer was complete.
    #[error("the server cannot be reached: {0}")]
    Connection(String),
    /// A stream of events broke before its last event, or ended with an error of the server.
    #[error("the stream ended early: {message} ({code})")]
    Stream {
        /// The stable code of the server, or `stream_broken`.
        code: String,
        /// One sentence.
        message: String,
    },
    /// An answer is not what the operation answers, or exceeds the limit of the client.
    #[error("the answer cannot be read: {0}")]
    Decode(String),
    /// A file of this machine cannot be read or written.
    #[error("{}: {source}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The cause.
        source: std::io::Error,
    },
    /// The documents of an extraction have no record.
    #[error("{0}")]
    Extraction(Box<GroupError>),
    /// A record does not fit the type, such as one without a required value.
    #[error("the record does not fit the type: {path}: {message}")]
    Record {
        /// JSON pointer of the value.
        path: String,
        /// One sentence.
        message: String,
        /// The record and its evidence.
        extraction: Box<Extraction<Value>>,
    },
    /// An argument that no request can be made of; nothing was sent.
    #[error("{0}")]
    Invalid(String),
}

impl From<GroupError> for Error {
    fn from(error: GroupError) -> Self {
        Self::Extraction(Box::new(error))
    }
}

impl Error {
    /// The answer of the server, if there was one.
    #[must_use]
    pub fn api(&self) -> Option<&ApiError> {
        match self {
            Self::Api(error)
            | Self::Unauthorized(error)
            | Self::NotFound(error)
            | Self::RateLimited(error) => Some(error),
            _ => None,
        }
    }

    /// The stable code of the server, such as `validation_failed`.
    #[must_use]
    pub fn code(&self) -> Option<&str> {
        match self {
            Self::Stream { code, .. } => Some(code),
            Self::Extraction(error) => Some(&error.code),
            _ => self.api().map(|error| error.code.as_str()),
        }
    }
}

/// The server's account of a failure.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ApiError {
    /// HTTP status, 400 to 599.
    pub status: u16,
    /// Stable code; programs branch on it. `status_…` where the answer has none, as those of gateways.
    pub code: String,
    /// One sentence for a person.
    pub message: String,
    /// Every rule that the request breaks; at most 100.
    pub violations: Vec<Violation>,
    /// Finds the cause in the server's log.
    pub request_id: Option<String>,
    /// The wait that the server asks for.
    pub retry_after: Option<Duration>,
}

/// The body of an error answer.
#[derive(Default, Deserialize)]
#[serde(default)]
struct ErrorBody {
    code: Option<String>,
    message: Option<String>,
    errors: Vec<Violation>,
}

impl fmt::Display for ApiError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.message, self.code)?;
        for violation in &self.violations {
            let path = if violation.path.is_empty() { "/" } else { &violation.path };
            write!(f, "\n  {path}: {}", violation.message)?;
        }
        match &self.request_id {
            Some(id) => write!(f, "\n  request {id}"),
            None => Ok(()),
        }
    }
}

impl ApiError {
    /// The error of an answer with this status and body.
    pub(crate) fn new(
        status: u16,
        body: &[u8],
        request_id: Option<String>,
        retry_after: Option<Duration>,
    ) -> Self {
        let body: ErrorBody = serde_json::from_slice(body).unwrap_or_default();
        Self {
            status,
            code: body.code.unwrap_or_else(|| format!("status_{status}")),
            message: body.message.unwrap_or_else(|| format!("the server answered with status {status}")),
            violations: body.errors,
            request_id,
            retry_after,
        }
    }
}

impl From<ApiError> for Error {
    fn from(error: ApiError) -> Self {
        let variant = match error.status {
            401 => Self::Unauthorized,
            404 => Self::NotFound,
            429 => Self::RateLimited,
            _ => Self::Api,
        };
        variant(Box::new(error))
    }
}

/// The texts of an error and its causes. The URL is left out, since it may have a signature.
pub(crate) fn reason(error: reqwest::Error) -> String {
    let error = error.without_url();
    let mut text = error.to_string();
    let mut cause = std::error::Error::source(&error);
    while let Some(inner) = cause {
        text = format!("{text}: {inner}");
        cause = inner.source();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{ApiError, Error};

    #[test]
    fn the_text_of_an_error_names_code_places_and_request() {
        let body =
            br#"{"code":"validation_failed","message":"no","errors":[{"path":"/a","message":"x"},{"message":"y"}]}"#;
        let error = Error::from(ApiError::new(400, body, Some("r1".to_owned()), None));
        assert_eq!(error.to_string(), "no (validation_failed)\n  /a: x\n  /: y\n  request r1");
        assert_eq!(error.code(), Some("validation_failed"));
    }

    #[test]
    fn an_answer_of_a_gateway_has_a_code_of_its_status() {
        let error = Error::from(ApiError::new(404, b"<html>", None, None));
        assert!(matches!(&error, Error::NotFound(found) if found.code == "status_404"));
    }
}
