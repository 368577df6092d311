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

#[cfg(test)]
mod tests {
    use futures_executor::block_on;
    use parking_lot::Mutex;

    use super::*;

    /// Keeps work until a test runs it.
    #[derive(Default)]
    struct HeldSpawn(Mutex<Vec<BoxFuture<'static, ()>>>);

    impl fmt::Debug for HeldSpawn {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("HeldSpawn")
        }
    }

    impl Spawn for HeldSpawn {
        fn spawn(&self, work: BoxFuture<'static, ()>) {
            self.0.lock().push(work);
        }
    }

    #[test]
    fn work_gives_its_result_unless_it_was_dropped() {
        let spawn = HeldSpawn::default();
        let (done, dropped) =
            (spawn_with_result(&spawn, async { 7 }), spawn_with_result(&spawn, async { 8 }));
        drop(spawn.0.lock().pop());
        spawn.0.lock().drain(..).for_each(block_on);
        assert_eq!((block_on(done), block_on(dropped)), (Some(7), None));
    }

    #[test]
    fn work_whose_result_nobody_waits_for_is_aborted() {
        let spawn = HeldSpawn::default();
        let result = spawn_with_result(&spawn, std::future::pending::<()>());
        let mut work = spawn.0.lock().pop().unwrap();
        assert!((&mut work).now_or_never().is_none(), "it was begun");
        drop(result);
        assert!((&mut work).now_or_never().is_some(), "it has ended");
    }
}
