//! Connects to the targets of a page, after the policy has checked them.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use tokio::net::TcpStream;
use tokio::time::timeout;
use url::{Host, Url};
use utilities_core::web::{FetchError, FetchPolicy, Target};

use super::super::resolve::{PolicyResolver, ResolveError, Resolver};

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

/// Connects to permitted targets.
#[derive(Clone, Debug)]
pub(super) struct Connector {
    /// Time limit of a connection, including name resolution.
    pub(super) time: Duration,
    pub(super) policy: Arc<FetchPolicy>,
    pub(super) resolver: Arc<dyn Resolver>,
}

impl Connector {
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
        let stream = match timeout(self.time, work).await {
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
