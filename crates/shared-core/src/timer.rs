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

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use futures_executor::block_on;
    use futures_util::future::join;

    use super::*;

    #[test]
    fn other_work_of_the_task_runs_before_a_wait_ends() {
        let order = AtomicU32::new(0);
        let waiting = async {
            InstantTimer.sleep(Duration::from_secs(3_600)).await;
            order.fetch_add(1, Ordering::Relaxed)
        };
        let other = async { order.fetch_add(1, Ordering::Relaxed) };
        assert_eq!(block_on(join(waiting, other)), (1, 0));
        assert_eq!(InstantTimer.elapsed(), Duration::ZERO);
    }
}
