//! Background work that does not depend on being polled by its consumer.

use std::fmt;

use futures_channel::oneshot;
use futures_util::FutureExt as _;
use futures_util::future::{AbortHandle, BoxFuture, abortable};

/// Spawns futures on an executor of its own.
pub trait Tasks: fmt::Debug + Send + Sync + 'static {
    /// Spawns the work. Its end is not reported.
    fn spawn(&self, work: BoxFuture<'static, ()>);
}

/// Aborts a task when its result is no longer wanted.
struct AbortOnDrop(AbortHandle);

impl Drop for AbortOnDrop {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// Spawns the work at once and returns its result; `None` when it panicked. A document that is being parsed
/// holds a permit that others wait for, so its work must not stop while the reader of an answer is slow.
/// Dropping the future aborts the work.
pub(crate) fn spawn_abortable<T, W>(
    tasks: &dyn Tasks,
    work: W,
) -> impl Future<Output = Option<T>> + Send + use<T, W>
where
    T: Send + 'static,
    W: Future<Output = T> + Send + 'static,
{
    let (sender, receiver) = oneshot::channel();
    let (work, handle) = abortable(work);
    let ended = AbortOnDrop(handle);
    let task = async move {
        if let Ok(made) = work.await {
            drop(sender.send(made));
        }
    };
    tasks.spawn(task.boxed());
    async move {
        let made = receiver.await.ok();
        drop(ended);
        made
    }
}
