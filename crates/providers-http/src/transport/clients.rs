//! HTTP clients, each with a connection pool.
//!
//! A connection is driven by a task of the runtime that opened it. On a connection that another thread opened, each
//! request and each part of its answer wakes that thread. So each thread with a runtime of its own, such as those that
//! serve HTTP, has a client of its own. The threads of a common runtime share one, since their tasks move between them.

use std::time::Duration;

use reqwest::Client;
use thread_local::ThreadLocal;
use tokio::runtime::{Handle, RuntimeFlavor};

use super::TransportError;
use crate::tls::client_builder;

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

#[cfg(test)]
mod tests {
    use testkit::upstream::{Reply, Upstream};
    use tokio::runtime::{Builder, Runtime};

    use super::*;

    fn upstream() -> Upstream {
        Upstream::start(|_| Reply::whole(200, "application/json", "{}")).unwrap()
    }

    fn clients() -> Clients {
        Clients::new(Duration::from_secs(5), 8).unwrap()
    }

    async fn call(clients: &Clients, upstream: &Upstream) {
        clients.current().get(upstream.url()).send().await.unwrap().bytes().await.unwrap();
    }

    fn own_runtime() -> Runtime {
        Builder::new_current_thread().enable_all().build().unwrap()
    }

    #[test]
    fn threads_with_runtimes_of_their_own_use_no_connection_of_each_other() {
        let (upstream, clients) = (upstream(), clients());
        own_runtime().block_on(async {
            call(&clients, &upstream).await;
            // The connection of this thread is idle, and its runtime runs on.
            std::thread::scope(|scope| {
                scope.spawn(|| own_runtime().block_on(call(&clients, &upstream)));
            });
            call(&clients, &upstream).await;
        });
        assert_eq!((upstream.accepted(), upstream.count()), (2, 3), "each thread has one connection");
    }

    #[test]
    fn threads_of_a_common_runtime_share_connections() {
        let (upstream, clients) = (upstream(), clients());
        let runtime = Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        for _ in 0..3 {
            std::thread::scope(|scope| {
                scope.spawn(|| runtime.block_on(call(&clients, &upstream)));
            });
        }
        assert_eq!((upstream.accepted(), upstream.count()), (1, 3));
    }
}
