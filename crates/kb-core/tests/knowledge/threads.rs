//! The threads of a process that is one future.

use std::fmt;
use std::pin::pin;
use std::sync::Mutex;
use std::task::{Poll, Waker};

use futures_util::StreamExt as _;
use futures_util::future::BoxFuture;
use futures_util::stream::FuturesUnordered;
use jobs_core::Spawner;

#[derive(Default)]
pub(crate) struct Threads(Mutex<(Vec<BoxFuture<'static, ()>>, Option<Waker>)>);

impl fmt::Debug for Threads {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Threads")
    }
}

impl Spawner for Threads {
    fn spawn(&self, work: BoxFuture<'static, ()>) {
        let mut inner = self.0.lock().unwrap();
        inner.0.push(work);
        inner.1.take().into_iter().for_each(Waker::wake);
    }
}

impl Threads {
    /// Works on whatever is spawned; never ends.
    pub(crate) async fn work(&self) {
        let mut running = pin!(FuturesUnordered::new());
        std::future::poll_fn(|context| {
            loop {
                {
                    let mut inner = self.0.lock().unwrap();
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
