//! How a provider can fail.

use std::time::Duration;

use shared_core::{BoxError, DomainError, ErrorKind};

use super::Usage;

/// What kind of failure it is: decides whether to try again, to fall back, and the status.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fault {
    /// The request is one that this model cannot serve; nothing was sent.
    Unsupported,
    /// The provider does not accept the key, or the key may not do this (401, 403).
    Auth,
    /// The account has no money or quota left (402, and 429 for a quota). Never tried again.
    Billing,
    /// Too many requests for now (429).
    RateLimited,
    /// The provider has too much to do (503, 529).
    Overloaded,
    /// The provider finds the request wrong (400, 404, 413, 422).
    InvalidRequest,
    /// The provider has no model of this name, or none that may be called so.
    UnknownModel,
    /// The request is longer than the model's window.
    ContextTooLong,
    /// The model would not answer, or its answer was filtered.
    Refused,
    /// The provider failed (500 and other 5xx, 408, 409).
    Failed,
    /// No connection, or one that broke.
    Unreachable,
    /// No answer in time, or a stream that stalled.
    Timeout,
    /// An answer that is not what the provider's interface says, or longer than is read.
    Protocol,
}

impl Fault {
    /// Whether the same request may succeed when it is sent again.
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

/// A failed call of a provider. `Display` is shown to the user: one sentence without secrets.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
pub struct ProviderError {
    /// What kind of failure.
    pub fault: Fault,
    /// One sentence: for a vendor's failure, what it said, at most 500 characters, without secrets.
    pub message: String,
    /// The least time to wait that the provider asked for.
    pub retry_after: Option<Duration>,
    /// The provider said itself whether to try again; goes before [`Fault::is_retryable`].
    pub should_retry: Option<bool>,
    /// Tokens spent all the same.
    pub usage: Usage,
    /// The cause, for the log.
    #[source]
    pub source: Option<BoxError>,
}

impl ProviderError {
    /// A failure that cost nothing.
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

    /// The request is one that the model cannot serve.
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

    /// Whether the same request may succeed when it is sent again.
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
