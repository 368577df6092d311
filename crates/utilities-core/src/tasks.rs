//! Work that goes on whether or not anybody looks at it.

use std::fmt;

use futures_channel::oneshot;
use futures_util::FutureExt as _;
use futures_util::future::{AbortHandle, BoxFuture, abortable};

/// Runs futures on threads of their own.
pub trait Tasks: fmt::Debug + Send + Sync + 'static {
    /// Starts the work. Its end is not told.
    fn spawn(&self, work: BoxFuture<'static, ()>);
}

/// Ends a task that nobody waits for any more.
struct AbortOnDrop(AbortHandle);

impl Drop for AbortOnDrop {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// Starts the work at once and gives its result; `None` where it broke off. A document that is being parsed holds a place
/// that others wait for, so its work must not stop while the reader of an answer takes his time. Dropping the future ends
/// the work.
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
