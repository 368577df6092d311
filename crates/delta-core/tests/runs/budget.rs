//! A meter with one limit.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use async_trait::async_trait;
use gen_core::scripted::VirtualTimer;
use gen_core::{CallerContext, Estimate, LimitReached, Meter, MeterError, NoopMeter, Reservation};
use parking_lot::Mutex;
use shared_core::Timer as _;

/// Reserves a limited number of calls per window; unlimited until a limit is set.
#[derive(Debug, Default)]
pub(crate) struct Budget {
    timer: Arc<VirtualTimer>,
    /// Reservations requested.
    pub(crate) asked: AtomicU32,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// Seconds of a window, and calls in it.
    limit: Option<(u64, u32)>,
    window: u64,
    used: u32,
}

impl Budget {
    pub(crate) fn new(timer: Arc<VirtualTimer>) -> Self {
        Self { timer, asked: AtomicU32::new(0), state: Mutex::default() }
    }

    pub(crate) fn limit(&self, seconds: u64, calls: u32) {
        let window = self.timer.elapsed().as_secs() / seconds;
        *self.state.lock() = State { limit: Some((seconds, calls)), window, used: 0 };
    }
}

#[async_trait]
impl Meter for Budget {
    async fn reserve(&self, _: &CallerContext, _: &Estimate) -> Result<Box<dyn Reservation>, MeterError> {
        self.asked.fetch_add(1, Ordering::SeqCst);
        let mut state = self.state.lock();
        if let Some((seconds, calls)) = state.limit {
            let now = self.timer.elapsed().as_secs();
            if now / seconds > state.window {
                (state.window, state.used) = (now / seconds, 0);
            }
            if state.used >= calls {
                let retry_after = seconds - now % seconds;
                return Err(MeterError::Limit(LimitReached {
                    limit: "requests",
                    allowed: calls.to_string(),
                    retry_after,
                }));
            }
            state.used += 1;
        }
        Ok(Box::new(NoopMeter))
    }
}
