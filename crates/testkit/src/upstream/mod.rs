//! A scripted server on the loopback address. It answers each request with exactly the scripted bytes, well
//! formed or not, and records the requests.

mod http;
mod reply;

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::JoinHandle;

use anyhow::Context as _;
use parking_lot::{Mutex, MutexGuard};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{oneshot, watch};
use tokio::task::JoinSet;

pub use http::ReceivedRequest;
pub use reply::{Reply, Step};

/// Requests recorded at most; later ones are only counted.
const MAX_KEPT_REQUESTS: usize = 10_000;

type Script = dyn Fn(&ReceivedRequest) -> Reply + Send + Sync;

/// Counters and records of a running server.
#[derive(Debug, Default)]
struct ServerLog {
    /// Requests recorded at most.
    most: usize,
    requests: Mutex<Vec<ReceivedRequest>>,
    count: watch::Sender<u64>,
    accepted: AtomicU64,
    answered: AtomicU64,
    closed: watch::Sender<u64>,
    written: AtomicU64,
}

impl ServerLog {
    fn requests(&self) -> MutexGuard<'_, Vec<ReceivedRequest>> {
        self.requests.lock()
    }
}

/// A running scripted server with its own thread. Dropping it stops the server.
#[derive(Debug)]
pub struct Upstream {
    address: SocketAddr,
    seen: Arc<ServerLog>,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Upstream {
    /// Answers each request with the reply that `script` returns.
    ///
    /// # Errors
    /// No free port, or no thread.
    pub fn start(script: impl Fn(&ReceivedRequest) -> Reply + Send + Sync + 'static) -> anyhow::Result<Self> {
        Self::serve(Some(Arc::new(script)), MAX_KEPT_REQUESTS)
    }

    /// As [`Upstream::start`], but only counts requests: for load tests, where recording would be measured
    /// too.
    ///
    /// # Errors
    /// No free port, or no thread.
    pub fn start_counting(
        script: impl Fn(&ReceivedRequest) -> Reply + Send + Sync + 'static,
    ) -> anyhow::Result<Self> {
        Self::serve(Some(Arc::new(script)), 0)
    }

    /// Answers the first request with the first reply and so on, and all later ones with the last.
    ///
    /// # Errors
    /// No replies, no free port, or no thread.
    pub fn start_replies(replies: impl IntoIterator<Item = Reply>) -> anyhow::Result<Self> {
        let replies: Vec<Reply> = replies.into_iter().collect();
        let last = replies.last().cloned().context("a script needs a reply")?;
        let next = Mutex::new(replies.into_iter());
        Self::start(move |_| {
            let mut next = next.lock();
            next.next().unwrap_or_else(|| last.clone())
        })
    }

    /// Accepts connections and closes them without reading.
    ///
    /// # Errors
    /// No free port, or no thread.
    pub fn start_closing() -> anyhow::Result<Self> {
        Self::serve(None, 0)
    }

    /// `http://127.0.0.1:<port>`.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// The recorded requests, in order: at most the first 10,000, and none with [`Upstream::start_counting`].
    #[must_use]
    pub fn requests(&self) -> Vec<ReceivedRequest> {
        self.seen.requests().clone()
    }

    /// The number of requests received.
    #[must_use]
    pub fn count(&self) -> u64 {
        *self.seen.count.borrow()
    }

    /// The number of requests whose reply was sent, or whose connection was lost before.
    #[must_use]
    pub fn answered(&self) -> u64 {
        self.seen.answered.load(Ordering::Relaxed)
    }

    /// The number of connections that clients have opened.
    #[must_use]
    pub fn accepted(&self) -> u64 {
        self.seen.accepted.load(Ordering::Relaxed)
    }

    /// Waits until `count` requests were received.
    pub async fn wait_for_requests(&self, count: u64) {
        wait_for_count(&self.seen.count, count).await;
    }

    /// Waits until `count` connections were closed, by either side.
    pub async fn wait_for_closed(&self, count: u64) {
        wait_for_count(&self.seen.closed, count).await;
    }

    /// Bytes of replies written to clients.
    #[must_use]
    pub fn written(&self) -> u64 {
        self.seen.written.load(Ordering::Relaxed)
    }

    fn serve(script: Option<Arc<Script>>, most: usize) -> anyhow::Result<Self> {
        let runtime =
            tokio::runtime::Builder::new_current_thread().enable_all().build().context("a runtime")?;
        let listener = std::net::TcpListener::bind(("127.0.0.1", 0)).context("a free port")?;
        listener.set_nonblocking(true).context("a listener that does not block")?;
        let address = listener.local_addr().context("the port")?;
        let seen = Arc::new(ServerLog { most, ..ServerLog::default() });
        let (stop, stopped) = oneshot::channel();
        let kept = Arc::clone(&seen);
        let work = move || {
            runtime.block_on(async move {
                // It fails only if the runtime has no I/O driver.
                let Ok(listener) = TcpListener::from_std(listener) else { return };
                tokio::select! {
                    () = accept(listener, script, kept) => {}
                    _ = stopped => {}
                }
            });
        };
        let thread = std::thread::Builder::new().name("upstream".to_owned()).spawn(work)?;
        Ok(Self { address, seen, stop: Some(stop), thread: Some(thread) })
    }
}

impl Drop for Upstream {
    fn drop(&mut self) {
        // Dropping the sender stops the server, just as sending does.
        self.stop.take();
        if let Some(thread) = self.thread.take() {
            // A script that panicked has already failed its test.
            let _ = thread.join();
        }
    }
}

async fn wait_for_count(counter: &watch::Sender<u64>, count: u64) {
    // The sender lives as long as the server.
    let _ = counter.subscribe().wait_for(|now| *now >= count).await;
}

async fn accept(listener: TcpListener, script: Option<Arc<Script>>, seen: Arc<ServerLog>) {
    let mut connections = JoinSet::new();
    loop {
        tokio::select! {
            accepted = listener.accept() => {
                if let (Ok((stream, _)), Some(script)) = (accepted, &script) {
                    seen.accepted.fetch_add(1, Ordering::Relaxed);
                    connections.spawn(serve_connection(stream, Arc::clone(script), Arc::clone(&seen)));
                }
            }
            Some(_) = connections.join_next() => {}
        }
    }
}

/// Serves one connection until either side closes it.
async fn serve_connection(mut stream: TcpStream, script: Arc<Script>, seen: Arc<ServerLog>) {
    // Disables Nagle's algorithm, so the steps of a reply arrive as they are written.
    let _ = stream.set_nodelay(true);
    let mut rest = Vec::new();
    while let Some(request) = http::read_request(&mut stream, &mut rest).await {
        let reply = script(&request);
        if seen.most > 0 {
            let mut requests = seen.requests();
            if requests.len() < seen.most {
                requests.push(request);
            }
        }
        seen.count.send_modify(|count| *count += 1);
        let open = reply.play(&mut stream, &seen.written).await;
        seen.answered.fetch_add(1, Ordering::Relaxed);
        if !open {
            break;
        }
    }
    seen.closed.send_modify(|count| *count += 1);
}
