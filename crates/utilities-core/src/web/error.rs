//! Errors of a fetch.

use std::error::Error;
use std::fmt;
use std::sync::Arc;

use shared_core::{BoxError, DomainError, ErrorKind};

/// A cause for the log, shared by all callers of a single flight.
#[derive(Clone)]
pub struct FetchCause(Arc<dyn Error + Send + Sync + 'static>);

impl From<BoxError> for FetchCause {
    fn from(error: BoxError) -> Self {
        Self(Arc::from(error))
    }
}

impl fmt::Debug for FetchCause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Display for FetchCause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Error for FetchCause {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.0.source()
    }
}

/// Why a fetch failed. `Display` is the user's message. It reveals nothing about this server's network:
/// neither the addresses of a name nor whether something listens there.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FetchError {
    /// Not a URL that can be fetched.
    #[error("the URL is not valid: {0}")]
    InvalidUrl(&'static str),
    /// A URL that the policy denies.
    #[error("the URL is not allowed: {0}")]
    Denied(&'static str),
    /// The site's robots.txt disallows it.
    #[error("the site's robots.txt does not allow this page to be fetched")]
    Robots,
    /// The time limit of a fetch has passed.
    #[error("the site did not answer in time")]
    Timeout,
    /// The response is larger than the limit.
    #[error("the answer is larger than the limit of {limit} bytes")]
    TooLarge {
        /// Maximum bytes after decompression.
        limit: u64,
    },
    /// A decompression bomb: a small response that expands beyond the allowed ratio.
    #[error("the answer grows too much when it is decompressed")]
    Bomb,
    /// A response that violates HTTP, or uses it in a way that is refused.
    #[error("the site's answer cannot be used: {0}")]
    Unusable(&'static str),
    /// Too many redirects, or an invalid one.
    #[error("the site redirects {0}")]
    Redirects(&'static str),
    /// The name resolution, the connection, TLS or the response failed.
    #[error("{what}")]
    Failed {
        /// One sentence.
        what: &'static str,
        /// For the log.
        source: Option<FetchCause>,
    },
    /// The response could not be stored on this server.
    #[error("{}", if *full { "no space left to store the answer" } else { "the answer could not be stored" })]
    StorageFailed {
        /// Whether the storage is full.
        full: bool,
        /// For the log.
        source: FetchCause,
    },
    /// A response without a success status.
    #[error("the site answered with status {status}")]
    Status {
        /// The HTTP status.
        status: u16,
        /// Seconds to wait, from `Retry-After`.
        retry_after: Option<u64>,
    },
    /// Fetching is switched off.
    #[error("fetching from the web is switched off by the setting fetch.web")]
    Unavailable,
    /// This server is at its limit, or the site asked to slow down.
    #[error("{what}")]
    Busy {
        /// One sentence.
        what: &'static str,
        /// Seconds after which a retry may succeed.
        retry_after: Option<u64>,
    },
}

impl FetchError {
    /// Whether a retry soon would fail the same way.
    #[must_use]
    pub fn is_permanent(&self) -> bool {
        match self {
            Self::InvalidUrl(_)
            | Self::Denied(_)
            | Self::Robots
            | Self::TooLarge { .. }
            | Self::Bomb
            | Self::Unusable(_)
            | Self::Redirects(_)
            | Self::Unavailable => true,
            // Request Timeout, Too Early, Too Many Requests, and server errors except permanent ones are
            // retryable (RFC 9110, section 15; RFC 6585, section 4).
            Self::Status { status, .. } => {
                !matches!(status, 408 | 425 | 429 | 500 | 502..=504 | 507 | 509 | 520..=599)
            }
            Self::Timeout | Self::Failed { .. } | Self::StorageFailed { .. } | Self::Busy { .. } => false,
        }
    }
}

impl DomainError for FetchError {
    fn kind(&self) -> ErrorKind {
        match self {
            Self::InvalidUrl(_) => ErrorKind::Invalid,
            Self::Denied(_)
            | Self::Robots
            | Self::TooLarge { .. }
            | Self::Bomb
            | Self::Unusable(_)
            | Self::Redirects(_)
            | Self::Status { .. } => ErrorKind::Unreadable,
            Self::Timeout => ErrorKind::ProviderTimeout,
            Self::Failed { .. } => ErrorKind::ProviderFailed,
            Self::StorageFailed { full: true, .. } => ErrorKind::StorageFull,
            Self::StorageFailed { full: false, .. } => ErrorKind::Internal,
            Self::Unavailable => ErrorKind::NotConfigured,
            Self::Busy { .. } => ErrorKind::Saturated,
        }
    }

    fn code(&self) -> &'static str {
        match self {
            Self::InvalidUrl(_) => "invalid_url",
            Self::Denied(_) => "fetch_denied",
            Self::Robots => "fetch_robots",
            Self::Timeout => "fetch_timeout",
            Self::TooLarge { .. } | Self::Bomb => "fetch_too_large",
            Self::Unusable(_) => "fetch_unusable",
            Self::Redirects(_) => "fetch_redirects",
            Self::Failed { .. } => "fetch_failed",
            Self::StorageFailed { full: true, .. } => "storage_full",
            Self::StorageFailed { full: false, .. } => "content_failed",
            Self::Status { .. } => "fetch_status",
            Self::Unavailable => "fetch_unavailable",
            Self::Busy { .. } => "fetch_busy",
        }
    }

    fn retry_after(&self) -> Option<u64> {
        match self {
            Self::Status { retry_after, .. } | Self::Busy { retry_after, .. } => *retry_after,
            _ => None,
        }
    }
}
