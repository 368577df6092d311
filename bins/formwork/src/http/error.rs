//! Maps errors to answers. This is the only place that chooses HTTP statuses.

use actix_web::http::{Method, StatusCode, header};
use actix_web::{HttpResponse, HttpResponseBuilder};
use shared_core::{BoxError, DomainError, ErrorKind, Violation};

pub use super::error_body::{ErrorBody, ErrorItem};
use super::{anthropic, openai};

/// The kind of failure: a kind of the domain, or one that only HTTP has.
#[derive(Debug)]
enum Failure {
    Domain(ErrorKind),
    /// The path allows other methods: these.
    Method(String),
    /// The requested range lies outside a content of this many bytes.
    Range(u64),
}

/// The status of each kind of failure.
fn status(failure: &Failure) -> StatusCode {
    match failure {
        Failure::Method(_) => StatusCode::METHOD_NOT_ALLOWED,
        Failure::Range(_) => StatusCode::RANGE_NOT_SATISFIABLE,
        Failure::Domain(kind) => match kind {
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
        },
    }
}

/// The status of a kind of failure of the domain.
pub(super) fn status_of(kind: ErrorKind) -> StatusCode {
    status(&Failure::Domain(kind))
}

/// A failed request.
#[derive(Debug)]
pub struct ApiError {
    failure: Failure,
    code: &'static str,
    message: String,
    violations: Vec<Violation>,
    cause: Option<BoxError>,
    /// Seconds after which the request may be retried.
    retry_after: Option<u64>,
}

impl ApiError {
    /// An error of the HTTP layer itself.
    pub fn new(kind: ErrorKind, code: &'static str, message: impl Into<String>) -> Self {
        Self::of(Failure::Domain(kind), code, message.into())
    }

    /// The code of the answer.
    #[must_use]
    pub fn code(&self) -> &'static str {
        self.code
    }

    fn of(failure: Failure, code: &'static str, message: String) -> Self {
        Self { failure, code, message, violations: Vec::new(), cause: None, retry_after: None }
    }

    /// The path allows other methods than `method`.
    #[must_use]
    pub fn method_not_allowed(method: &Method, allowed: &str) -> Self {
        // Any text can be a method. Only a short name is echoed.
        let message = match method.as_str() {
            name if name.len() <= 20 => format!("this path does not have the method {name}"),
            _ => "this path does not have that method".to_owned(),
        };
        Self::of(Failure::Method(allowed.to_owned()), "method_not_allowed", message)
    }

    /// The server takes no further work, and ends what is in flight.
    #[must_use]
    pub fn server_stopping() -> Self {
        Self::new(ErrorKind::Saturated, "server_stopping", "the server is stopping; send the request again")
    }

    /// The key is restricted to knowledge bases, and the request goes beyond them.
    #[must_use]
    pub fn restricted_key(message: &str) -> Self {
        Self::new(ErrorKind::Forbidden, "restricted_key", message)
    }

    /// The HTTP status of the answer.
    #[must_use]
    pub fn status(&self) -> StatusCode {
        status(&self.failure)
    }

    /// The range lies outside a content of `size` bytes.
    #[must_use]
    pub fn range_outside(size: u64) -> Self {
        let message = format!("the range lies outside the content, which has {size} bytes");
        Self::of(Failure::Range(size), "range_not_satisfiable", message)
    }

    /// The request violates a rule at `path`.
    pub fn invalid(path: impl Into<String>, message: impl Into<String>) -> Self {
        let violation = Violation::new(path, message);
        let message = violation.message.clone();
        Self { violations: vec![violation], ..Self::new(ErrorKind::Invalid, "validation_failed", message) }
    }

    /// Whether the error is of this kind of the domain.
    pub(super) fn is(&self, kind: ErrorKind) -> bool {
        matches!(&self.failure, Failure::Domain(own) if *own == kind)
    }

    /// Whether the error is a validation error with violations.
    pub(super) fn is_validation(&self) -> bool {
        self.code == "validation_failed" && !self.violations.is_empty()
    }

    /// The violated rules.
    pub(super) fn violations(&self) -> &[Violation] {
        &self.violations
    }

    /// The error with further violations.
    pub(super) fn with_further(mut self, violations: Vec<Violation>) -> Self {
        self.violations.extend(violations);
        self
    }

    /// The error with other messages for the violations that `reword` knows.
    pub(super) fn with_reworded(mut self, reword: impl Fn(&Violation) -> Option<String>) -> Self {
        for violation in &mut self.violations {
            let Some(message) = reword(violation) else { continue };
            if self.message == violation.message {
                self.message.clone_from(&message);
            }
            violation.message = message;
        }
        self
    }

    /// Sets the seconds after which the request may be retried.
    #[must_use]
    pub fn retry_after(self, seconds: u64) -> Self {
        Self { retry_after: Some(seconds), ..self }
    }

    /// Logs the cause and builds the answer to a request for this path, in the form that its clients read.
    #[must_use]
    pub fn answer_for(self, path: &str) -> HttpResponse {
        self.log();
        let (mut answer, status) = (self.head(), self.status().as_u16());
        match self.body() {
            body if openai::is_of_base(path) => answer.json(openai::failure_body(status, body)),
            body if anthropic::is_of_base(path) => answer.json(anthropic::failure_body(status, body)),
            body => answer.json(body),
        }
    }

    /// Logs the cause and builds the answer.
    #[must_use]
    pub fn answer(self) -> HttpResponse {
        self.log();
        self.head().json(self.body())
    }

    /// Status and headers.
    fn head(&self) -> HttpResponseBuilder {
        let mut answer = HttpResponseBuilder::new(status(&self.failure));
        match &self.failure {
            Failure::Domain(ErrorKind::Unauthenticated) => {
                answer.insert_header((header::WWW_AUTHENTICATE, "Bearer"));
            }
            Failure::Domain(ErrorKind::Saturated | ErrorKind::RateLimited) => {
                answer.insert_header((header::RETRY_AFTER, self.retry_after.unwrap_or(1)));
            }
            Failure::Domain(_) => {
                if let Some(seconds) = self.retry_after {
                    answer.insert_header((header::RETRY_AFTER, seconds));
                }
            }
            Failure::Method(allowed) => {
                answer.insert_header((header::ALLOW, allowed.as_str()));
            }
            Failure::Range(size) => {
                answer.insert_header((header::CONTENT_RANGE, format!("bytes */{size}")));
            }
        }
        answer
    }

    /// Logs the cause and builds only the body, for an answer that has already begun.
    #[must_use]
    pub fn log_and_body(self) -> ErrorBody {
        self.log();
        self.body()
    }

    /// Builds only the body, of an answer that is not a failure to log.
    pub(super) fn body(self) -> ErrorBody {
        // Details of an internal failure go to the log only.
        let message = if matches!(self.failure, Failure::Domain(ErrorKind::Internal)) {
            "the request failed on this side; the log has the cause under its request id".to_owned()
        } else {
            self.message
        };
        let item = |violation: Violation| ErrorItem { path: violation.path, message: violation.message };
        let errors = self.violations.into_iter().map(item).collect();
        ErrorBody { status: "failure", code: self.code.to_owned(), message, errors }
    }

    /// Logs failures of the server with their causes. Failures that the caller can correct are not logged.
    fn log(&self) {
        let cause = || self.cause.as_deref().map(chain).unwrap_or_default();
        match &self.failure {
            Failure::Domain(ErrorKind::Internal | ErrorKind::StorageFull) => {
                let (code, error) = (self.code, self.message.as_str());
                tracing::error!(code, error, cause = cause(), "request failed");
            }
            failure if status(failure).is_server_error() => {
                let (code, error) = (self.code, self.message.as_str());
                tracing::warn!(code, error, cause = cause(), "request failed");
            }
            _ => {}
        }
    }
}

impl<E: DomainError> From<E> for ApiError {
    fn from(error: E) -> Self {
        Self {
            failure: Failure::Domain(error.kind()),
            code: error.code(),
            message: error.to_string(),
            violations: error.violations().to_vec(),
            retry_after: error.retry_after(),
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
