//! The end of the server: its signals, and the phases that lead to it.

use std::time::Duration;

use actix_web::dev::ServerHandle;
use anyhow::Context as _;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::watch;

use crate::settings::LimitSettings;

/// The end of the drain in which streams send their last event and jobs are given back, at most. Both take
/// milliseconds. Chosen by hand; no measurement is recorded.
const CLOSE_TIME: Duration = Duration::from_secs(1);

/// The time that requests and jobs in flight have; the rest of `limits.drain_seconds` is for closing.
pub(crate) fn drain_time(limits: &LimitSettings) -> Duration {
    let total = Duration::from_secs(limits.drain_seconds);
    total.saturating_sub(CLOSE_TIME.min(total / 2))
}

/// The phase of a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ServerPhase {
    /// Requests are accepted.
    Serving,
    /// Requests and jobs in flight may end; no further ones begin.
    Draining,
    /// The time for that is over.
    Closing,
}

/// The current phase. Clones share it.
#[derive(Clone, Debug)]
pub struct Shutdown(watch::Sender<ServerPhase>);

impl Default for Shutdown {
    fn default() -> Self {
        Self(watch::Sender::new(ServerPhase::Serving))
    }
}

impl Shutdown {
    /// Whether further requests are refused.
    #[must_use]
    pub fn has_begun(&self) -> bool {
        *self.0.borrow() >= ServerPhase::Draining
    }

    /// Waits for `phase` or a later one.
    pub fn reached(&self, phase: ServerPhase) -> impl Future<Output = ()> + Send + use<> {
        let mut current = self.0.subscribe();
        async move {
            current.wait_for(|current| *current >= phase).await.map(drop).ok();
        }
    }

    /// Begins `phase`, unless it or a later one has begun.
    pub(crate) fn advance(&self, phase: ServerPhase) {
        self.0.send_if_modified(|current| {
            let is_next = *current < phase;
            if is_next {
                *current = phase;
            }
            is_next
        });
    }
}

/// The signals that ask the process to stop. Once registered, they no longer end the process by default, so
/// register them before announcing that the server is ready.
#[derive(Debug)]
pub struct StopSignals {
    terminate: Signal,
    interrupt: Signal,
}

impl StopSignals {
    /// Call it on the runtime.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn listen() -> anyhow::Result<Self> {
        let listen = |kind| signal(kind).context("signal handlers cannot be installed");
        Ok(Self { terminate: listen(SignalKind::terminate())?, interrupt: listen(SignalKind::interrupt())? })
    }

    /// Waits for the next signal.
    pub(crate) async fn next(&mut self) {
        tokio::select! {
            _ = self.terminate.recv() => {}
            _ = self.interrupt.recv() => {}
        }
    }
}

/// The first signal drains requests and jobs in flight for at most `drain`; the second one ends the process
/// immediately.
pub(crate) async fn stop_on(
    mut signals: StopSignals,
    server: ServerHandle,
    shutdown: Shutdown,
    drain: Duration,
) {
    signals.next().await;
    shutdown.advance(ServerPhase::Draining);
    tracing::info!("stopping: no new requests and jobs are accepted; those in flight are completed");
    crate::service_manager::tell_stopping();
    drop(server.stop(true));
    let closing = async {
        tokio::time::sleep(drain).await;
        shutdown.advance(ServerPhase::Closing);
    };
    tokio::join!(closing, async {
        signals.next().await;
        tracing::warn!("stopped at once by a second signal");
        std::process::exit(1);
    });
}
