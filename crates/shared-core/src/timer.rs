//! Waiting as a port: retries wait, calls and streams are cut, work is looked for now and then.

use std::fmt;
use std::time::Duration;

use async_trait::async_trait;

/// Waits, and measures time.
#[async_trait]
pub trait Timer: fmt::Debug + Send + Sync + 'static {
    /// Time since some fixed moment; never goes back.
    fn elapsed(&self) -> Duration;

    /// Waits.
    async fn sleep(&self, duration: Duration);
}

/// A timer for tests and for embedders who want no waiting: time stands still, and every wait is
/// over the second time it is looked at, so that work beside it goes first.
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
