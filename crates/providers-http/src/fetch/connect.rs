//! The clients: one for what is public, one that reaches listed addresses alone.

use std::sync::Arc;
use std::time::Duration;

use reqwest::Client;
use utilities_core::web::{FetchPolicy, Reach, Target};

use super::FetchSettings;
use super::resolve::{PolicyResolver, Resolver};
use crate::tls::client_builder;
use crate::transport::TransportError;

/// How long a connection without work is kept.
const IDLE: Duration = Duration::from_secs(15);
/// Connections of a host that are kept without work.
const IDLE_CONNECTIONS: usize = 8;

/// The connections to the web. Each is to an address that was checked when it was opened.
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
            // Bodies are decompressed here, where it can be bounded; and HTTP/1 has bounds that are easy to see.
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
            // A host that is listed by its name is known to either.
            Reach::Listed | Reach::Named => &self.listed,
        }
    }
}
