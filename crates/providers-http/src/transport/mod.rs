//! HTTP calls that are bounded in every way. All failures are [`gen_core::ProviderError`]s. This module does
//! not know the vendors' answers, only how they arrive and how vendors report errors.

mod body;
mod call;
mod endpoint;
mod error_body;
mod events;
mod failure;
mod lines;
mod redact;
mod retry_after;

use std::sync::Arc;
use std::time::Duration;

use reqwest::Client;
use shared_core::Clock;

use crate::tls::{TlsError, client_builder};

pub use endpoint::{Auth, Endpoint, EndpointError, Limits};
pub(crate) use events::{Events, ServerEvent};
pub(crate) use retry_after::retry_after;

/// Default time limit of a connection. Chosen by hand; no measurement is recorded.
pub const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);

/// Why a transport cannot be created.
#[derive(Debug, thiserror::Error)]
pub enum TransportError {
    /// The certificates or the cipher suites are unusable.
    #[error(transparent)]
    Tls(#[from] TlsError),
    /// The HTTP client cannot be built.
    #[error("the HTTP client could not be built")]
    Client(#[from] reqwest::Error),
}

/// The connection pool of all providers. Create it once and clone it.
#[derive(Clone, Debug)]
pub struct Transport {
    client: Client,
    clock: Arc<dyn Clock>,
}

impl Transport {
    /// A pool whose connections open within `connect`. `clock` is needed for dates in `Retry-After`.
    ///
    /// # Errors
    /// [`TransportError`].
    pub fn new(connect: Duration, clock: Arc<dyn Clock>) -> Result<Self, TransportError> {
        let client = client_builder()?
            .connect_timeout(connect)
            .tcp_nodelay(true)
            .user_agent(concat!("formwork/", env!("CARGO_PKG_VERSION")))
            .build()?;
        Ok(Self { client, clock })
    }
}
