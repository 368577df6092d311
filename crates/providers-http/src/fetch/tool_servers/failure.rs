//! Failures of requests to tool servers.

use agents_core::ToolServerError;
use shared_core::BoxError;
use utilities_core::web::FetchError;

/// Why a request to a server failed.
#[derive(Debug)]
pub(super) enum ToolFailure {
    /// It was not reached.
    Fetch(FetchError),
    /// It answered with an error of the protocol: code and message.
    Rpc(i64, String),
    /// It answered with this status.
    Status(u16),
    /// Its answer is not one of the protocol.
    Protocol(&'static str),
}

impl From<FetchError> for ToolFailure {
    fn from(error: FetchError) -> Self {
        Self::Fetch(error)
    }
}

impl From<ToolFailure> for ToolServerError {
    fn from(failure: ToolFailure) -> Self {
        let message = match failure {
            ToolFailure::Fetch(error) => {
                let source = std::error::Error::source(&error).map(|cause| BoxError::from(cause.to_string()));
                return Self { message: error.to_string(), source };
            }
            ToolFailure::Rpc(code, message) => format!("the server refuses: {message} ({code})"),
            ToolFailure::Status(status) => format!("the server answers {status}"),
            ToolFailure::Protocol(what) => format!("the server does not follow the protocol: {what}"),
        };
        Self { message, source: None }
    }
}
