//! Why something was not fetched.

use std::error::Error;
use std::fmt;
use std::sync::Arc;

use shared_core::{BoxError, DomainError, ErrorKind};

/// A cause for the log, shared by all who waited for the same answer.
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

/// Why nothing was fetched. `Display` is shown to the user and tells nothing of this side's network: neither which
/// address a name has, nor whether something listens there.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FetchError {
    /// No URL that can be fetched by anybody.
    #[error("the URL is not valid: {0}")]
    InvalidUrl(&'static str),
    /// A URL that this server does not fetch.
    #[error("the URL is not allowed: {0}")]
    Denied(&'static str),
    /// The site's robots.txt.
    #[error("the site's robots.txt does not allow this page to be fetched")]
    Robots,
    /// More time than a fetch may take.
    #[error("the site did not answer in time")]
    Timeout,
    /// A longer answer than is taken.
    #[error("the answer is larger than the {limit} bytes that are read of it")]
    TooLarge {
        /// Bytes after decompression.
        limit: u64,
    },
    /// An answer that is small on its way and vast when it is decompressed.
    #[error("the answer grows too much when it is decompressed")]
    Bomb,
    /// An answer that breaks the rules of HTTP, or uses them as nobody should.
    #[error("the site's answer cannot be used: {0}")]
    Unusable(&'static str),
    /// Too many redirects, or one that leads nowhere.
    #[error("the site redirects {0}")]
    Redirects(&'static str),
    /// The name, the connection, TLS or the answer itself.
    #[error("{what}")]
    Failed {
        /// One sentence.
        what: &'static str,
        /// For the log.
        source: Option<FetchCause>,
    },
    /// The answer came, and this side could not keep it to read it.
    #[error("{}", if *full { "there is no room here to keep the answer" } else { "the answer could not be kept here" })]
    StorageFailed {
        /// Whether there is no room left.
        full: bool,
        /// For the log.
        source: FetchCause,
    },
    /// An answer that is no success.
    #[error("the site answered with status {status}")]
    Status {
        /// The HTTP status.
        status: u16,
        /// Seconds that the site asks to wait.
        retry_after: Option<u64>,
    },
    /// Fetching is switched off.
    #[error("fetching from the web is switched off by the setting fetch.web")]
    Unavailable,
    /// Too much at once here, or the site asked to be left alone for now.
    #[error("{what}")]
    Busy {
        /// One sentence.
        what: &'static str,
        /// Seconds after which it may go through.
        retry_after: Option<u64>,
    },
}

impl FetchError {
    /// Whether trying again soon gives the same.
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
            // Request Timeout, Too Early, Too Many Requests; and what servers say of themselves, but for what they
            // will never do (RFC 9110, section 15; RFC 6585, section 4).
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
