//! The proxy of one page: accepts connections and checks their targets.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use tokio::time::{Instant, timeout, timeout_at};
use url::{Host, Url};
use utilities_core::web::{FetchError, FetchPolicy, Target};

use super::super::resolve::{PolicyResolver, ResolveError, Resolver};
use super::{ProxySettings, owner, relay};

/// Traffic budget in bytes, shared by all connections of a page.
#[derive(Debug)]
pub(super) struct Budget(AtomicU64);

impl Budget {
    pub(super) fn new(bytes: u64) -> Self {
        Self(AtomicU64::new(bytes))
    }

    /// Takes `bytes` from the budget.
    ///
    /// # Errors
    /// When less is left.
    pub(super) fn take(&self, bytes: usize) -> io::Result<()> {
        let rest = |left: u64| Some(left.saturating_sub(bytes as u64));
        let left = self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, rest).unwrap_or_default();
        if left < bytes as u64 {
            return Err(io::Error::other("the page's traffic limit is exceeded"));
        }
        Ok(())
    }
}

/// Why a target is not connected.
#[derive(Debug, thiserror::Error)]
pub(super) enum ConnectError {
    /// The policy denies it.
    #[error(transparent)]
    Denied(#[from] FetchError),
    /// The network failed.
    #[error("the host was not reached")]
    Unreachable(#[source] io::Error),
}

/// The proxy of one page.
#[derive(Clone, Debug)]
pub(super) struct ProxyListener {
    settings: Arc<ProxySettings>,
    policy: Arc<FetchPolicy>,
    resolver: Arc<dyn Resolver>,
    pub(super) budget: Arc<Budget>,
    until: Instant,
}

impl ProxyListener {
    pub(super) fn new(
        settings: Arc<ProxySettings>,
        policy: FetchPolicy,
        resolver: Arc<dyn Resolver>,
    ) -> Self {
        let budget = Arc::new(Budget::new(settings.bytes));
        let until = Instant::now() + settings.total;
        Self { settings, policy: Arc::new(policy), resolver, budget, until }
    }

    /// Serves connections until the page reaches its number of connections or its time limit, then closes the
    /// rest.
    pub(super) async fn serve_all(self, listener: TcpListener) {
        let places = Arc::new(Semaphore::new(self.settings.at_once));
        let mut guests = JoinSet::new();
        let accept = async {
            for _ in 0..self.settings.connections {
                let Ok(place) = Arc::clone(&places).acquire_owned().await else { break };
                let Ok((client, from)) = listener.accept().await else { break };
                while guests.try_join_next().is_some() {}
                let proxy = self.clone();
                guests.spawn(async move {
                    if let Err(error) = proxy.serve(client, from).await {
                        tracing::debug!(%error, "a connection of the browser ended");
                    }
                    drop(place);
                });
            }
            // No more connections are accepted; open ones may finish.
            drop(listener);
            while guests.join_next().await.is_some() {}
        };
        if timeout_at(self.until, accept).await.is_err() {
            tracing::debug!("the traffic of a page ended at its time limit");
        }
    }

    async fn serve(&self, client: TcpStream, from: SocketAddr) -> io::Result<()> {
        let own = client.local_addr()?;
        if !owner::is_own(from, own).await? {
            return Err(io::Error::new(
                io::ErrorKind::PermissionDenied,
                "the connection is not the browser's",
            ));
        }
        relay::serve(self, client).await
    }

    /// Connects to the host of a URL, after the policy has checked the URL and all its addresses.
    pub(super) async fn connect(&self, url: &str) -> Result<(TcpStream, Url), ConnectError> {
        let target = self.policy.target(url)?;
        let host = target.url().host_str().unwrap_or_default();
        let port = target.url().port_or_known_default().unwrap_or(0);
        let work = async {
            let addresses = match target.url().host() {
                // The policy has checked these.
                Some(Host::Ipv4(address)) => vec![SocketAddr::new(address.into(), port)],
                Some(Host::Ipv6(address)) => vec![SocketAddr::new(address.into(), port)],
                _ => self.policy_resolver(&target).resolve_admitted(host).await.map_err(
                    |error| match error {
                        ResolveError::Denied(error) => ConnectError::Denied(error),
                        ResolveError::Unknown(error) => ConnectError::Unreachable(error),
                    },
                )?,
            };
            let mut last = io::Error::from(io::ErrorKind::NotFound);
            for address in addresses {
                match TcpStream::connect(SocketAddr::new(address.ip(), port)).await {
                    Ok(stream) => return Ok(stream),
                    Err(error) => last = error,
                }
            }
            Err(ConnectError::Unreachable(last))
        };
        let stream = match timeout(self.settings.connect, work).await {
            Ok(stream) => stream?,
            Err(_) => return Err(ConnectError::Unreachable(io::ErrorKind::TimedOut.into())),
        };
        stream.set_nodelay(true).map_err(ConnectError::Unreachable)?;
        Ok((stream, target.url().clone()))
    }

    fn policy_resolver(&self, target: &Target) -> PolicyResolver {
        PolicyResolver {
            resolver: Arc::clone(&self.resolver),
            policy: Arc::clone(&self.policy),
            reach: target.reach(),
        }
    }
}
