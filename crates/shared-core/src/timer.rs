//! Waiting as a port: back-off, timeouts, poll intervals.

use std::fmt;
use std::time::Duration;

use async_trait::async_trait;

/// Waits, and measures elapsed time.
#[async_trait]
pub trait Timer: fmt::Debug + Send + Sync + 'static {
    /// Time since some fixed moment; monotonic.
    fn elapsed(&self) -> Duration;

    /// Waits for `duration`.
    async fn sleep(&self, duration: Duration);
}

/// A timer for tests and for embedders who want no waiting. Time stands still. Every wait ends at its second
/// poll, so other work in the same task runs first.
#[derive(Clone, Copy, Debug, Default)]
pub struct InstantTimer;

#[async_trait]
impl Timer for InstantTimer {
    fn elapsed(&self) -> Duration {
        Duration::ZERO
    }

    async fn sleep(&self, _: Duration) {
        let mut looked = false;
        std::future::poll_fn(|context| {
            if looked {
                return std::task::Poll::Ready(());
            }
            looked = true;
            context.waker().wake_by_ref();
            std::task::Poll::Pending
        })
        .await;
    }
}
