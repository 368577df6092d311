//! Starting work beside its caller, as a port.

use std::fmt;

use futures_channel::oneshot;
use futures_util::FutureExt as _;
use futures_util::future::{AbortHandle, BoxFuture, abortable};

/// Runs futures beside the caller, on as many threads as it likes.
pub trait Spawn: fmt::Debug + Send + Sync + 'static {
    /// Starts the work. It runs to its end whether or not anybody waits for it.
    fn spawn(&self, work: BoxFuture<'static, ()>);
}

/// Aborts a task when it is dropped.
struct AbortOnDrop(AbortHandle);

impl Drop for AbortOnDrop {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// Starts the work at once and gives its result; `None` where the work panicked. The work makes progress while the returned
/// future is not polled. Dropping the future aborts the work.
pub fn spawn_with_result<T, W>(
    spawn: &dyn Spawn,
    work: W,
) -> impl Future<Output = Option<T>> + Send + use<T, W>
where
    T: Send + 'static,
    W: Future<Output = T> + Send + 'static,
{
    let (sender, receiver) = oneshot::channel();
    let (work, handle) = abortable(work);
    let abort = AbortOnDrop(handle);
    let task = async move {
        if let Ok(result) = work.await {
            drop(sender.send(result));
        }
    };
    spawn.spawn(task.boxed());
    async move {
        let result = receiver.await.ok();
        drop(abort);
        result
    }
}
