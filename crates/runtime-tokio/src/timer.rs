//! Waiting by tokio's timer.

use std::time::{Duration, Instant};

use async_trait::async_trait;
use shared_core::Timer;

/// Tokio's timer. Time is measured from its creation by the operating system's monotonic clock.
#[derive(Clone, Copy, Debug)]
pub struct TokioTimer {
    since: Instant,
}

impl Default for TokioTimer {
    fn default() -> Self {
        Self { since: Instant::now() }
    }
}

#[async_trait]
impl Timer for TokioTimer {
    fn elapsed(&self) -> Duration {
        self.since.elapsed()
    }

    async fn sleep(&self, duration: Duration) {
        tokio::time::sleep(duration).await;
    }
}
