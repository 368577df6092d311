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

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use futures_executor::LocalPool;
    use futures_util::FutureExt as _;
    use futures_util::task::LocalSpawnExt as _;

    use super::*;

    #[test]
    fn work_runs_that_is_spawned_before_the_executor_starts_by_other_work_and_while_it_waits() {
        let executor = Arc::new(LocalExecutor::default());
        let order = Arc::new(Mutex::new(Vec::new()));
        let log = |name| {
            let order = Arc::clone(&order);
            async move { order.lock().push(name) }
        };
        let (inner, last) = (Arc::clone(&executor), log("inner"));
        executor.spawn(log("first").then(|()| async move { inner.spawn(last.boxed()) }).boxed());
        let (mut pool, runner) = (LocalPool::new(), Arc::clone(&executor));
        pool.spawner().spawn_local(async move { runner.run().await }).unwrap();
        pool.run_until_stalled();
        assert_eq!(*order.lock(), ["first", "inner"]);
        executor.spawn(std::future::pending().boxed());
        executor.spawn(log("later").boxed());
        pool.run_until_stalled();
        assert_eq!(*order.lock(), ["first", "inner", "later"]);
    }
}
