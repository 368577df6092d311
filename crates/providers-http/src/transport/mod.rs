//! Calls over HTTP that are bounded in every way, and whose failures are all
//! [`gen_core::ProviderError`]s. It knows no vendor's answers, only how they arrive and how vendors
//! complain.

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

/// Seconds that a connection may take unless the settings say otherwise.
pub const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);

/// A transport that cannot be set up.
#[derive(Debug, thiserror::Error)]
pub enum TransportError {
    /// The certificates or the cipher suites.
    #[error(transparent)]
    Tls(#[from] TlsError),
    /// The client.
    #[error("the HTTP client could not be built")]
    Client(#[from] reqwest::Error),
}

/// The connections to all providers: one pool, to be made once and cloned.
#[derive(Clone, Debug)]
pub struct Transport {
    client: Client,
    clock: Arc<dyn Clock>,
}

impl Transport {
    /// A pool whose connections take at most `connect` to open; `clock` tells how far off a date in
    /// `Retry-After` is.
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
