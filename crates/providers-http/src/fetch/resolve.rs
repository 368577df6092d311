//! Name resolution: every address of an answer is checked, and only checked addresses are connected to.

use std::fmt;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use async_trait::async_trait;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use utilities_core::web::{FetchError, FetchPolicy, Reach};

/// Maximum number of addresses of an answer; a longer answer is rejected. Bounds the time of the checks.
const MAX_ADDRESSES: usize = 256;

/// Resolves host names.
#[async_trait]
pub trait Resolver: fmt::Debug + Send + Sync + 'static {
    /// All addresses of a host.
    ///
    /// # Errors
    /// When it has none, or the resolution fails.
    async fn addresses(&self, host: &str) -> io::Result<Vec<IpAddr>>;
}

/// The system's resolver.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemResolver;

#[async_trait]
impl Resolver for SystemResolver {
    async fn addresses(&self, host: &str) -> io::Result<Vec<IpAddr>> {
        let found = tokio::net::lookup_host((host, 0)).await?;
        Ok(found.map(|address| address.ip()).collect())
    }
}

/// Why a name has no addresses to connect to.
#[derive(Debug, thiserror::Error)]
pub(super) enum ResolveError {
    #[error(transparent)]
    Denied(FetchError),
    #[error("the name could not be resolved")]
    Unknown(#[source] io::Error),
}

/// A resolver that returns only addresses that the policy permits.
#[derive(Clone, Debug)]
pub(super) struct PolicyResolver {
    pub(super) resolver: Arc<dyn Resolver>,
    pub(super) policy: Arc<FetchPolicy>,
    pub(super) reach: Reach,
}

impl PolicyResolver {
    /// The addresses of a host, all checked; their port is 0.
    pub(super) async fn resolve_admitted(&self, host: &str) -> Result<Vec<SocketAddr>, ResolveError> {
        let mut addresses = match self.policy.own_addresses(host) {
            Some(own) => own,
            None => self.resolver.addresses(host).await.map_err(ResolveError::Unknown)?,
        };
        if addresses.is_empty() || addresses.len() > MAX_ADDRESSES {
            let none = io::Error::new(io::ErrorKind::NotFound, "no addresses, or too many");
            return Err(ResolveError::Unknown(none));
        }
        self.policy.admit(host, self.reach, &addresses).map_err(ResolveError::Denied)?;
        addresses.dedup();
        Ok(addresses.into_iter().map(|address| SocketAddr::new(address, 0)).collect())
    }
}

impl Resolve for PolicyResolver {
    fn resolve(&self, name: Name) -> Resolving {
        let guarded = self.clone();
        Box::pin(async move {
            let addresses = guarded.resolve_admitted(name.as_str()).await?;
            Ok(Box::new(addresses.into_iter()) as Addrs)
        })
    }
}
