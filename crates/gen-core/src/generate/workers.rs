//! Where work on the processor is done.

use std::fmt;

use futures_channel::oneshot;

/// Runs work that occupies the processor for up to some seconds, away from threads that serve others.
pub trait Workers: fmt::Debug + Send + Sync + 'static {
    /// Runs it; a job that is dropped unrun makes its request fail.
    fn run(&self, job: Box<dyn FnOnce() + Send + 'static>);
}

/// Runs it at once, where it is asked for; for tests and embedders without threads.
#[derive(Clone, Copy, Debug, Default)]
pub struct InlineWorkers;

impl Workers for InlineWorkers {
    fn run(&self, job: Box<dyn FnOnce() + Send + 'static>) {
        job();
    }
}

/// Runs a job elsewhere and gives its result; `None` when it was dropped unrun, or panicked.
pub async fn offload<T: Send + 'static>(
    workers: &dyn Workers,
    job: impl FnOnce() -> T + Send + 'static,
) -> Option<T> {
    let (sender, receiver) = oneshot::channel();
    workers.run(Box::new(move || {
        // Nobody waits any more when the request was abandoned.
        drop(sender.send(job()));
    }));
    receiver.await.ok()
}
