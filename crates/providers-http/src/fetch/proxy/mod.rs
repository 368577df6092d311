//! The proxy of a browser: a door on loopback, open for one page, that leads to what may be fetched and nowhere else.

mod heads;
mod listener;
mod owner;
mod relay;

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use utilities_core::web::{
    AllowList, BrowserError, BrowserProxy, FetchError, FetchPolicy, ProxyLease, Reach,
};

use self::listener::ProxyListener;
use super::resolve::Resolver;

/// What a page may use of a proxy.
#[derive(Clone, Debug)]
pub struct ProxySettings {
    /// What may be reached.
    pub policy: FetchPolicy,
    /// The time that opening a connection may take, the name's resolution included.
    pub connect: Duration,
    /// The time after which all traffic of a page ends.
    pub total: Duration,
    /// Bytes of a page's traffic in both directions.
    pub bytes: u64,
    /// Connections of a page.
    pub connections: usize,
    /// Connections of a page at the same time.
    pub at_once: usize,
}

impl ProxySettings {
    /// The settings for a policy, everything else as usual.
    #[must_use]
    pub fn new(policy: FetchPolicy) -> Self {
        Self {
            policy,
            connect: Duration::from_secs(10),
            total: Duration::from_secs(15),
            bytes: 64 << 20,
            connections: 512,
            at_once: 32,
        }
    }
}

/// Opens proxies under the rules of the fetcher. Clones share everything.
#[derive(Clone, Debug)]
pub struct GuardedProxy {
    settings: Arc<ProxySettings>,
    resolver: Arc<dyn Resolver>,
}

impl GuardedProxy {
    /// Proxies that find hosts by `resolver`.
    #[must_use]
    pub fn new(settings: ProxySettings, resolver: Arc<dyn Resolver>) -> Self {
        Self { settings: Arc::new(settings), resolver }
    }

    /// The rules for what a page asks for. A page of the public web reaches the public web alone: what is listed is
    /// for pages that are listed themselves.
    fn policy(&self, url: &str) -> Result<FetchPolicy, FetchError> {
        let policy = self.settings.policy.clone();
        Ok(match policy.target(url)?.reach() {
            Reach::Public => FetchPolicy { allow: AllowList::default(), ..policy },
            Reach::Listed | Reach::Named => policy,
        })
    }
}

#[async_trait]
impl BrowserProxy for GuardedProxy {
    async fn open(&self, url: &str) -> Result<ProxyLease, BrowserError> {
        let policy = self.policy(url).map_err(|error| BrowserError::Failed(error.into()))?;
        let failed = |error: io::Error| BrowserError::Failed(error.into());
        let listener = TcpListener::bind(SocketAddr::from((Ipv4Addr::LOCALHOST, 0))).await.map_err(failed)?;
        let address = listener.local_addr().map_err(failed)?;
        let door = ProxyListener::new(Arc::clone(&self.settings), policy, Arc::clone(&self.resolver));
        let work = tokio::spawn(door.serve_all(listener));
        Ok(ProxyLease::new(address, ProxyGuard(work)))
    }
}

/// Ends the proxy and all its connections when it is dropped.
struct ProxyGuard(JoinHandle<()>);

impl Drop for ProxyGuard {
    fn drop(&mut self) {
        self.0.abort();
    }
}
