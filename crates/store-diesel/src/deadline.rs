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

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicU32;
    use std::sync::mpsc::channel;

    use async_trait::async_trait;
    use futures_util::FutureExt as _;

    use super::*;
    use crate::{Database, DatabaseSettings};

    /// The first wait ends at once, later ones never.
    #[derive(Debug, Default)]
    struct OnceLate(AtomicU32);

    #[async_trait]
    impl Timer for OnceLate {
        fn elapsed(&self) -> Duration {
            Duration::ZERO
        }

        async fn sleep(&self, _: Duration) {
            if self.0.fetch_add(1, Ordering::Relaxed) > 0 {
                std::future::pending::<()>().await;
            }
        }
    }

    fn deadline() -> OperationDeadline {
        OperationDeadline::new(Arc::<OnceLate>::default(), Duration::from_secs(2))
    }

    #[tokio::test]
    async fn an_operation_on_many_rows_and_those_that_wait_for_it_have_more_time() {
        let folder = tempfile::tempdir().unwrap();
        let url = format!("sqlite://{}", folder.path().join("test.db").display());
        let database = Database::open(&url, DatabaseSettings::default()).unwrap();
        let (begun, begins) = channel();
        let (release, released) = channel::<()>();
        let bulk = database.bulk();
        let work = move |_: &mut _| {
            begun.send(()).unwrap();
            released.recv().unwrap();
            Ok(())
        };
        let mut running = Box::pin(bulk.write(work));
        assert!((&mut running).now_or_never().is_none());
        begins.recv().unwrap();
        assert!(database.is_in_bulk_write());
        let mut waiting = Box::pin(deadline().bound(database.write(|_| Ok(1))));
        assert!((&mut waiting).now_or_never().is_none(), "it is late, and waits on");
        release.send(()).unwrap();
        running.await.unwrap();
        assert_eq!(waiting.await.unwrap(), 1);
        assert!(!database.is_in_bulk_write());
        database.close();
    }
}
