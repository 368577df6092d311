//! HTTP clients: one for public addresses, one that reaches only allow-listed addresses.

use std::sync::Arc;
use std::time::Duration;

use reqwest::Client;
use utilities_core::web::{FetchPolicy, Reach, Target};

use super::FetchSettings;
use super::resolve::{PolicyResolver, Resolver};
use crate::tls::client_builder;
use crate::transport::TransportError;

/// How long an idle connection is kept. Chosen by hand; no measurement is recorded.
const IDLE: Duration = Duration::from_secs(15);
/// Maximum number of idle connections per host. Chosen by hand; no measurement is recorded.
const IDLE_CONNECTIONS: usize = 8;

/// Clients of the web. Each connection goes to an address that was checked when it was opened.
#[derive(Clone, Debug)]
pub(super) struct Clients {
    public: Client,
    listed: Client,
}

impl Clients {
    pub(super) fn new(
        settings: &FetchSettings,
        policy: &Arc<FetchPolicy>,
        resolver: &Arc<dyn Resolver>,
    ) -> Result<Self, TransportError> {
        let client = |reach| -> Result<Client, TransportError> {
            let guarded =
                PolicyResolver { resolver: Arc::clone(resolver), policy: Arc::clone(policy), reach };
            // Bodies are decompressed in `body.rs`, where this is bounded; and HTTP/1 has simple bounds.
            let builder = client_builder()?
                .dns_resolver(Arc::new(guarded))
                .no_gzip()
                .http1_only()
                .referer(false)
                .connect_timeout(settings.connect)
                .pool_idle_timeout(IDLE)
                .pool_max_idle_per_host(IDLE_CONNECTIONS)
                .tcp_nodelay(true)
                .user_agent(&settings.user_agent);
            Ok(builder.build()?)
        };
        Ok(Self { public: client(Reach::Public)?, listed: client(Reach::Listed)? })
    }

    /// The client for a target.
    pub(super) fn client_for(&self, target: &Target) -> &Client {
        match target.reach() {
            Reach::Public => &self.public,
            // A host that is listed by name may have any address.
            Reach::Listed | Reach::Named => &self.listed,
        }
    }
}
