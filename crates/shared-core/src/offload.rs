//! Work that occupies the processor, as a port.

use std::fmt;

use futures_channel::oneshot;

/// Runs work that occupies the processor for up to some seconds, away from threads that serve others.
pub trait Offload: fmt::Debug + Send + Sync + 'static {
    /// Runs it. A job that is dropped before it ran makes its caller fail.
    fn run(&self, job: Box<dyn FnOnce() + Send + 'static>);
}

/// Runs a job on the caller's thread; for tests and for embedders without threads.
#[derive(Clone, Copy, Debug, Default)]
pub struct InlineOffload;

impl Offload for InlineOffload {
    fn run(&self, job: Box<dyn FnOnce() + Send + 'static>) {
        job();
    }
}

/// Runs a job by `offload` and gives its result; `None` when the job was dropped before it ran, or panicked.
pub async fn offload<T: Send + 'static>(
    offload: &dyn Offload,
    job: impl FnOnce() -> T + Send + 'static,
) -> Option<T> {
    let (sender, receiver) = oneshot::channel();
    offload.run(Box::new(move || {
        // The receiver is gone when the caller gave up.
        drop(sender.send(job()));
    }));
    receiver.await.ok()
}

#[cfg(test)]
mod tests {
    use futures_executor::block_on;

    use super::*;

    /// Drops every job, as a pool does that ends.
    #[derive(Debug)]
    struct StoppedOffload;

    impl Offload for StoppedOffload {
        fn run(&self, _: Box<dyn FnOnce() + Send + 'static>) {}
    }

    #[test]
    fn the_result_of_a_job_is_given_unless_the_job_was_dropped() {
        assert_eq!(block_on(offload(&InlineOffload, || 7)), Some(7));
        assert_eq!(block_on(offload(&StoppedOffload, || 7)), None);
    }
}
