//! Errors as answers: the one place where HTTP statuses are chosen.

use actix_web::http::{StatusCode, header};
use actix_web::{HttpResponse, HttpResponseBuilder};
use schemars::JsonSchema;
use serde::Serialize;
use shared_core::{BoxError, DomainError, ErrorKind, Violation};

/// The status of each kind of failure.
fn status(kind: ErrorKind) -> StatusCode {
    match kind {
        ErrorKind::Invalid => StatusCode::BAD_REQUEST,
        ErrorKind::Unauthenticated => StatusCode::UNAUTHORIZED,
        ErrorKind::Forbidden => StatusCode::FORBIDDEN,
        ErrorKind::NotFound => StatusCode::NOT_FOUND,
        ErrorKind::Conflict => StatusCode::CONFLICT,
        ErrorKind::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
        ErrorKind::UnsupportedMedia => StatusCode::UNSUPPORTED_MEDIA_TYPE,
        ErrorKind::Unreadable => StatusCode::UNPROCESSABLE_ENTITY,
        ErrorKind::RateLimited => StatusCode::TOO_MANY_REQUESTS,
        ErrorKind::ProviderFailed => StatusCode::BAD_GATEWAY,
        ErrorKind::ProviderTimeout => StatusCode::GATEWAY_TIMEOUT,
        ErrorKind::NotConfigured | ErrorKind::Saturated | ErrorKind::StorageFull => {
            StatusCode::SERVICE_UNAVAILABLE
        }
        ErrorKind::Internal => StatusCode::INTERNAL_SERVER_ERROR,
    }
}

/// A failed request.
#[derive(Debug)]
pub struct ApiError {
    kind: ErrorKind,
    code: &'static str,
    message: String,
    violations: Vec<Violation>,
    cause: Option<BoxError>,
}

/// The body of every error answer.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ErrorBody {
    /// Always `failure`.
    pub status: &'static str,
    /// Stable, in snake case.
    pub code: String,
    /// One sentence.
    pub message: String,
    /// Every broken rule, for validation errors.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub errors: Vec<ErrorItem>,
}

/// One broken rule.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ErrorItem {
    /// JSON pointer into the body.
    pub path: String,
    /// One sentence.
    pub message: String,
}

impl ApiError {
    /// A failure of this shell's own.
    pub fn new(kind: ErrorKind, code: &'static str, message: impl Into<String>) -> Self {
        Self { kind, code, message: message.into(), violations: Vec::new(), cause: None }
    }

    /// A request that breaks a rule at `path`.
    pub fn invalid(path: impl Into<String>, message: impl Into<String>) -> Self {
        let violation = Violation::new(path, message);
        let message = violation.message.clone();
        Self { violations: vec![violation], ..Self::new(ErrorKind::Invalid, "validation_failed", message) }
    }

    /// The answer, after the cause went to the log.
    #[must_use]
    pub fn answer(self, request_id: &str) -> HttpResponse {
        let status = status(self.kind);
        if status.is_server_error() {
            let cause = self.cause.as_deref().map(chain).unwrap_or_default();
            tracing::error!(request_id, code = self.code, message = self.message, cause, "request failed");
        }
        // The inside of a failure on this side is for the log alone.
        let message = if self.kind == ErrorKind::Internal {
            "the request failed on this side; the log has the cause under its request id".to_owned()
        } else {
            self.message
        };
        let mut answer = HttpResponseBuilder::new(status);
        if self.kind == ErrorKind::Unauthenticated {
            answer.insert_header((header::WWW_AUTHENTICATE, "Bearer"));
        }
        if matches!(self.kind, ErrorKind::Saturated | ErrorKind::RateLimited) {
            answer.insert_header((header::RETRY_AFTER, "1"));
        }
        answer.json(ErrorBody {
            status: "failure",
            code: self.code.to_owned(),
            message,
            errors: self
                .violations
                .into_iter()
                .map(|v| ErrorItem { path: v.path, message: v.message })
                .collect(),
        })
    }
}

impl<E: DomainError> From<E> for ApiError {
    fn from(error: E) -> Self {
        Self {
            kind: error.kind(),
            code: error.code(),
            message: error.to_string(),
            violations: error.violations().to_vec(),
            cause: Some(Box::new(error)),
        }
    }
}

/// An error with its causes, outermost first.
fn chain(error: &(dyn std::error::Error + Send + Sync + 'static)) -> String {
    let mut text = error.to_string();
    let mut next = error.source();
    while let Some(cause) = next {
        text.push_str(": ");
        text.push_str(&cause.to_string());
        next = cause.source();
    }
    text
}
