//! Errors of providers.

use std::time::Duration;

use shared_core::{BoxError, DomainError, ErrorKind};

use super::Usage;

/// The class of a failure. It determines retries, fallbacks and the HTTP status.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fault {
    /// The model does not support the request; nothing was sent.
    Unsupported,
    /// The provider rejects the key, or the key lacks the permission (401, 403).
    Auth,
    /// The account has no credit or quota left (402, and 429 for a quota). Never retried.
    Billing,
    /// The rate limit is exceeded (429).
    RateLimited,
    /// The provider is overloaded (503, 529).
    Overloaded,
    /// The provider rejects the request as invalid (400, 404, 413, 422).
    InvalidRequest,
    /// The provider has no such model, or the key has no access to it.
    UnknownModel,
    /// The request exceeds the model's context window.
    ContextTooLong,
    /// The model refused, or a filter removed the answer.
    Refused,
    /// The provider failed (500 and other 5xx, 408, 409).
    Failed,
    /// The connection failed.
    Unreachable,
    /// No answer in time, or a stalled stream.
    Timeout,
    /// The answer does not match the provider's interface, or is larger than the limit.
    Protocol,
}

impl Fault {
    /// Whether the same request may succeed on a retry.
    #[must_use]
    pub fn is_retryable(self) -> bool {
        match self {
            Self::RateLimited | Self::Overloaded | Self::Failed | Self::Unreachable | Self::Timeout => true,
            Self::Unsupported
            | Self::Auth
            | Self::Billing
            | Self::InvalidRequest
            | Self::UnknownModel
            | Self::ContextTooLong
            | Self::Refused
            | Self::Protocol => false,
        }
    }
}

/// A failed call. `Display` is one sentence for the user, without secrets.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
pub struct ProviderError {
    /// The class of the failure.
    pub fault: Fault,
    /// One sentence without secrets. For a vendor's failure it is the vendor's own, at most 500 characters.
    pub message: String,
    /// The minimum delay that the provider asks for.
    pub retry_after: Option<Duration>,
    /// The provider's own word on a retry; it overrides [`Fault::is_retryable`].
    pub should_retry: Option<bool>,
    /// Tokens used by the failed call.
    pub usage: Usage,
    /// The cause, for the log.
    #[source]
    pub source: Option<BoxError>,
}

impl ProviderError {
    /// A failure without usage.
    pub fn new(fault: Fault, message: impl Into<String>) -> Self {
        Self {
            fault,
            message: message.into(),
            retry_after: None,
            should_retry: None,
            usage: Usage::default(),
            source: None,
        }
    }

    /// A request that the model does not support.
    pub fn unsupported(message: impl Into<String>) -> Self {
        Self::new(Fault::Unsupported, message)
    }

    /// No answer in time.
    #[must_use]
    pub fn timeout() -> Self {
        Self::new(Fault::Timeout, "the provider did not answer in time")
    }

    /// Adds the cause, for the log.
    #[must_use]
    pub fn with_source(self, source: impl Into<BoxError>) -> Self {
        Self { source: Some(source.into()), ..self }
    }

    /// Whether the same request may succeed on a retry.
    #[must_use]
    pub fn is_retryable(&self) -> bool {
        self.should_retry.unwrap_or_else(|| self.fault.is_retryable())
    }
}

impl DomainError for ProviderError {
    fn kind(&self) -> ErrorKind {
        match self.fault {
            Fault::Unsupported | Fault::UnknownModel => ErrorKind::Invalid,
            Fault::Timeout => ErrorKind::ProviderTimeout,
            Fault::Auth
            | Fault::Billing
            | Fault::RateLimited
            | Fault::Overloaded
            | Fault::InvalidRequest
            | Fault::ContextTooLong
            | Fault::Refused
            | Fault::Failed
            | Fault::Unreachable
            | Fault::Protocol => ErrorKind::ProviderFailed,
        }
    }

    fn code(&self) -> &'static str {
        match self.fault {
            Fault::Unsupported => "model_cannot",
            Fault::Auth => "provider_auth",
            Fault::Billing => "provider_billing",
            Fault::RateLimited => "provider_rate_limited",
            Fault::Overloaded => "provider_overloaded",
            Fault::InvalidRequest => "provider_invalid_request",
            Fault::UnknownModel => "unknown_model",
            Fault::ContextTooLong => "context_too_long",
            Fault::Refused => "provider_refused",
            Fault::Failed | Fault::Unreachable => "provider_failed",
            Fault::Timeout => "provider_timeout",
            Fault::Protocol => "provider_protocol",
        }
    }
}
