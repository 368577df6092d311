//! Waiting and timeouts through the timer port.

use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use futures_util::future::{Either, poll_immediate, select};

use crate::Timer;

/// A timer, if there is one. Without it there are no timeouts and no waits.
#[derive(Clone, Debug, Default)]
pub(crate) struct OptionalTimer(pub(crate) Option<Arc<dyn Timer>>);

impl OptionalTimer {
    /// Whether there is a timer.
    pub(crate) fn has_timer(&self) -> bool {
        self.0.is_some()
    }

    pub(crate) fn now(&self) -> Duration {
        self.0.as_ref().map_or(Duration::ZERO, |timer| timer.elapsed())
    }

    pub(crate) async fn sleep(&self, duration: Duration) {
        if let Some(timer) = &self.0 {
            timer.sleep(duration).await;
        }
    }

    /// The future's result, or `None` after `limit`. A future that is ready at once sets no timer.
    pub(crate) async fn run_within<F: Future>(&self, limit: Duration, future: F) -> Option<F::Output> {
        let mut future = pin!(future);
        let Some(timer) = &self.0 else { return Some(future.await) };
        if let Some(done) = poll_immediate(future.as_mut()).await {
            return Some(done);
        }
        match select(future, timer.sleep(limit)).await {
            Either::Left((done, _)) => Some(done),
            Either::Right(((), _)) => None,
        }
    }

    /// A deadline `limit` from now.
    pub(crate) fn deadline(&self, limit: Duration) -> Deadline {
        Deadline { pace: self.clone(), at: self.now().saturating_add(limit) }
    }
}

/// A point in time by which an operation must end.
#[derive(Clone, Debug)]
pub(crate) struct Deadline {
    pace: OptionalTimer,
    at: Duration,
}

impl Deadline {
    /// Time left; [`Duration::MAX`] without a timer.
    pub(crate) fn remaining(&self) -> Duration {
        if self.pace.has_timer() { self.at.saturating_sub(self.pace.now()) } else { Duration::MAX }
    }

    /// The earlier of this deadline and `limit` from now.
    pub(crate) fn at_most(self, limit: Duration) -> Self {
        let at = self.pace.now().saturating_add(limit).min(self.at);
        Self { at, ..self }
    }
}

/// Polls a future once, and returns its result if it is ready.
pub(crate) fn poll_once<F: Future>(future: F) -> Option<F::Output> {
    let mut context = std::task::Context::from_waker(std::task::Waker::noop());
    match pin!(future).poll(&mut context) {
        Poll::Ready(done) => Some(done),
        Poll::Pending => None,
    }
}
