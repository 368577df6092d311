//! The threads that search: a search may wait for the disk, and takes the processor.

use std::thread;

use crossbeam_channel::{Sender, unbounded};
use futures_channel::oneshot;

use super::OpenError;

type Job = Box<dyn FnOnce() + Send>;

/// Threads for searches. They end when this is dropped.
#[derive(Debug)]
pub(super) struct Searchers(Sender<Job>);

impl Searchers {
    /// Starts so many threads.
    pub(super) fn start(threads: usize) -> Result<Self, OpenError> {
        let (jobs, inbox) = unbounded::<Job>();
        for _ in 0..threads.max(1) {
            let inbox = inbox.clone();
            let builder = thread::Builder::new().name("words-search".to_owned());
            builder.spawn(move || inbox.iter().for_each(|job| job())).map_err(OpenError::Threads)?;
        }
        Ok(Self(jobs))
    }

    /// Has something done; `None` when it panicked.
    pub(super) async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Option<T> {
        let (answer, answered) = oneshot::channel();
        let job: Job = Box::new(move || {
            // A search that nobody waits for any more need not be made.
            if !answer.is_canceled() {
                let _ = answer.send(work());
            }
        });
        self.0.send(job).ok()?;
        answered.await.ok()
    }
}
