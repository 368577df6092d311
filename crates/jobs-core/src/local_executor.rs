//! Runs a process's jobs in one future: for tests, and for embedders without threads.

use std::fmt;
use std::pin::pin;
use std::task::{Poll, Waker};

use futures_util::StreamExt as _;
use futures_util::future::BoxFuture;
use futures_util::stream::FuturesUnordered;
use parking_lot::{Mutex, MutexGuard};

use shared_core::Spawn;

/// Spawned futures that have not started yet, and the waker of the executor.
type SpawnQueue = (Vec<BoxFuture<'static, ()>>, Option<Waker>);

/// Runs spawned futures within one future of the caller's.
#[derive(Default)]
pub struct LocalExecutor(Mutex<SpawnQueue>);

impl fmt::Debug for LocalExecutor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("LocalExecutor")
    }
}

impl Spawn for LocalExecutor {
    fn spawn(&self, work: BoxFuture<'static, ()>) {
        let mut inner = self.lock();
        inner.0.push(work);
        inner.1.take().into_iter().for_each(Waker::wake);
    }
}

impl LocalExecutor {
    fn lock(&self) -> MutexGuard<'_, SpawnQueue> {
        self.0.lock()
    }

    /// Runs whatever is spawned; never completes.
    pub async fn run(&self) {
        let mut running = pin!(FuturesUnordered::new());
        std::future::poll_fn(|context| {
            loop {
                {
                    let mut inner = self.lock();
                    running.extend(inner.0.drain(..));
                    inner.1 = Some(context.waker().clone());
                }
                if running.poll_next_unpin(context).is_pending() || running.is_empty() {
                    return Poll::Pending;
                }
            }
        })
        .await
    }
}
