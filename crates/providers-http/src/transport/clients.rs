//! HTTP clients, each with a connection pool.
//!
//! A connection is driven by a task of the runtime that opened it. On a connection that another thread opened, each
//! request and each part of its answer wakes that thread. So each thread with a runtime of its own, such as those that
//! serve HTTP, has a client of its own. The threads of a common runtime share one, since their tasks move between them.

use std::time::Duration;

use reqwest::Client;
use thread_local::ThreadLocal;
use tokio::runtime::{Handle, RuntimeFlavor};

use crate::tls::{TlsError, client_builder};

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

/// The clients of one transport.
#[derive(Debug)]
pub(super) struct Clients {
    connect: Duration,
    idle: usize,
    shared: Client,
    by_thread: ThreadLocal<Client>,
}

impl Clients {
    /// Clients whose connections open within `connect`, with at most `idle` idle connections to a host each.
    pub(super) fn new(connect: Duration, idle: usize) -> Result<Self, TransportError> {
        Ok(Self { connect, idle, shared: build(connect, idle)?, by_thread: ThreadLocal::new() })
    }

    /// The client of the calling thread. A thread keeps to one kind of runtime.
    pub(super) fn current(&self) -> &Client {
        self.by_thread.get_or(|| {
            let has_own_runtime = Handle::try_current()
                .is_ok_and(|runtime| runtime.runtime_flavor() == RuntimeFlavor::CurrentThread);
            let own = has_own_runtime.then(|| build(self.connect, self.idle).ok()).flatten();
            own.unwrap_or_else(|| self.shared.clone())
        })
    }
}

fn build(connect: Duration, idle: usize) -> Result<Client, TransportError> {
    let builder = client_builder()?
        .connect_timeout(connect)
        .pool_max_idle_per_host(idle)
        .tcp_nodelay(true)
        .user_agent(concat!("formwork/", env!("CARGO_PKG_VERSION")));
    Ok(builder.build()?)
}
