//! Where CPU-bound work runs.

use std::fmt;

use futures_channel::oneshot;

/// Runs CPU-bound work of up to some seconds, away from the threads that serve requests.
pub trait Workers: fmt::Debug + Send + Sync + 'static {
    /// Runs a job. A job that is dropped unrun fails its request.
    fn run(&self, job: Box<dyn FnOnce() + Send + 'static>);
}

/// Runs jobs at once on the calling thread; for tests and embedders without worker threads.
#[derive(Clone, Copy, Debug, Default)]
pub struct InlineWorkers;

impl Workers for InlineWorkers {
    fn run(&self, job: Box<dyn FnOnce() + Send + 'static>) {
        job();
    }
}

/// Runs a job on the workers and returns its result; `None` if it was dropped unrun or panicked.
pub async fn offload<T: Send + 'static>(
    workers: &dyn Workers,
    job: impl FnOnce() -> T + Send + 'static,
) -> Option<T> {
    let (sender, receiver) = oneshot::channel();
    workers.run(Box::new(move || {
        // The receiver is gone if the request was cancelled.
        drop(sender.send(job()));
    }));
    receiver.await.ok()
}
