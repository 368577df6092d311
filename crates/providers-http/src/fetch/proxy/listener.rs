//! The proxy of one page: accepts its connections, within its limits.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;

use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use tokio::time::{Instant, timeout_at};

use super::budget::Budget;
use super::connector::Connector;
use super::settings::ProxySettings;
use super::{owner, relay};

/// The proxy of one page.
#[derive(Clone, Debug)]
pub(super) struct ProxyListener {
    settings: Arc<ProxySettings>,
    connector: Connector,
    budget: Arc<Budget>,
    until: Instant,
}

impl ProxyListener {
    pub(super) fn new(settings: Arc<ProxySettings>, connector: Connector) -> Self {
        let budget = Arc::new(Budget::new(settings.bytes));
        let until = Instant::now() + settings.total;
        Self { settings, connector, budget, until }
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
        relay::serve(&self.connector, &self.budget, client).await
    }
}
