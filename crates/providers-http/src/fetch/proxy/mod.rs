//! The proxy of a browser: a loopback listener for one page that connects only to permitted targets.

mod budget;
mod connector;
mod heads;
mod listener;
mod owner;
mod relay;
mod settings;

pub use settings::ProxySettings;

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;

use async_trait::async_trait;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use utilities_core::web::{
    AllowList, BrowserError, BrowserProxy, FetchError, FetchPolicy, ProxyLease, Reach,
};

use self::connector::Connector;
use self::listener::ProxyListener;
use super::resolve::Resolver;

/// Opens proxies with the policy of the fetcher. Clones share everything.
#[derive(Clone, Debug)]
pub struct GuardedProxy {
    settings: Arc<ProxySettings>,
    resolver: Arc<dyn Resolver>,
}

impl GuardedProxy {
    /// Proxies that resolve hosts with `resolver`.
    #[must_use]
    pub fn new(settings: ProxySettings, resolver: Arc<dyn Resolver>) -> Self {
        Self { settings: Arc::new(settings), resolver }
    }

    /// The policy for the requests of a page. A public page may reach only public hosts; allow-listed targets
    /// are for pages that are allow-listed themselves.
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
        let connector = Connector {
            time: self.settings.connect,
            policy: Arc::new(policy),
            resolver: Arc::clone(&self.resolver),
        };
        let proxy = ProxyListener::new(Arc::clone(&self.settings), connector);
        let work = tokio::spawn(proxy.serve_all(listener));
        Ok(ProxyLease::new(address, ProxyGuard(work)))
    }
}

/// Ends the proxy and all its connections on drop.
struct ProxyGuard(JoinHandle<()>);

impl Drop for ProxyGuard {
    fn drop(&mut self) {
        self.0.abort();
    }
}
