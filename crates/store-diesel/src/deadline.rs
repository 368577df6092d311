//! How long the operations of a request may take, seen from the request.
//!
//! The deadline is a value of the request's task. Operations of other tasks (dispatchers, sweeps, the command line)
//! have none: nobody waits for their answer, and they are better completed late than repeated.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use futures_channel::oneshot::{Canceled, Receiver};
use shared_core::Timer;
use tokio::task::futures::TaskLocalFuture;

tokio::task_local! {
    /// The deadline of the present task.
    static CURRENT: OperationDeadline;
}

/// How long an operation on much data may run once it has begun: the default of `limits.request_seconds`.
const BULK_LIMIT: Duration = Duration::from_secs(60);
/// Limit of the operations of a request after one has missed its deadline, such as those that clean up.
const LATER_LIMIT: Duration = Duration::from_millis(100);

/// The deadline of each operation of a request: waiting and running.
#[derive(Clone, Debug)]
pub struct OperationDeadline {
    timer: Arc<dyn Timer>,
    limit: Duration,
    /// Whether the last operation of this request has missed it.
    missed: Arc<AtomicBool>,
}

impl OperationDeadline {
    /// The deadline `limit` after the begin of each operation.
    #[must_use]
    pub fn new(timer: Arc<dyn Timer>, limit: Duration) -> Self {
        Self { timer, limit, missed: Arc::default() }
    }

    /// Runs `request`, whose operations on any [`crate::Database`] then have this deadline. Not those of tasks that
    /// it spawns.
    pub fn bound<F: Future>(&self, request: F) -> TaskLocalFuture<Self, F> {
        CURRENT.scope(Self { missed: Arc::default(), ..self.clone() }, request)
    }

    /// The deadline of the present task.
    pub(crate) fn current() -> Option<Self> {
        CURRENT.try_with(Clone::clone).ok()
    }

    /// Waits for the result of an operation; `None` when it is late.
    pub(crate) async fn wait<T>(&self, ended: &mut Receiver<T>) -> Option<Result<T, Canceled>> {
        let limit = if self.missed.load(Ordering::Relaxed) { LATER_LIMIT } else { self.limit };
        self.wait_at_most(ended, limit).await
    }

    /// Records whether an operation was late.
    pub(crate) fn record(&self, is_late: bool) {
        self.missed.store(is_late, Ordering::Relaxed);
    }

    /// As [`Self::wait`], for an operation on much data that has begun.
    pub(crate) async fn wait_for_bulk<T>(&self, ended: &mut Receiver<T>) -> Option<Result<T, Canceled>> {
        self.wait_at_most(ended, BULK_LIMIT.saturating_sub(self.limit)).await
    }

    async fn wait_at_most<T>(&self, ended: &mut Receiver<T>, limit: Duration) -> Option<Result<T, Canceled>> {
        let mut late = self.timer.sleep(limit);
        let either = |context: &mut Context<'_>| match Pin::new(&mut *ended).poll(context) {
            Poll::Ready(received) => Poll::Ready(Some(received)),
            Poll::Pending => late.as_mut().poll(context).map(|()| None),
        };
        std::future::poll_fn(either).await
    }
}
