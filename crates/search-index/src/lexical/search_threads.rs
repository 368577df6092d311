//! Search threads: a search may wait for the disk, and uses the CPU.

use std::thread;

use crossbeam_channel::{Sender, unbounded};
use futures_channel::oneshot;

use super::OpenError;

type Job = Box<dyn FnOnce() + Send>;

/// A pool of search threads. They end when it is dropped.
#[derive(Debug)]
pub(super) struct SearchThreads {
    jobs: Sender<Job>,
    threads: usize,
}

impl SearchThreads {
    /// Starts this many threads.
    pub(super) fn start(threads: usize) -> Result<Self, OpenError> {
        let (jobs, inbox) = unbounded::<Job>();
        let threads = threads.max(1);
        for _ in 0..threads {
            let inbox = inbox.clone();
            let builder = thread::Builder::new().name("words-search".to_owned());
            builder.spawn(move || inbox.iter().for_each(|job| job())).map_err(OpenError::Threads)?;
        }
        Ok(Self { jobs, threads })
    }

    /// Idle threads as helpers of one search.
    pub(super) fn helpers(&self) -> HelperThreads {
        HelperThreads { jobs: self.jobs.clone(), others: self.threads - 1 }
    }

    /// Runs work on the pool; `None` when it panicked.
    pub(super) async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Option<T> {
        let (answer, answered) = oneshot::channel();
        let job: Job = Box::new(move || {
            // A search whose caller has been dropped is skipped.
            if !answer.is_canceled() {
                let _ = answer.send(work());
            }
        });
        self.jobs.send(job).ok()?;
        answered.await.ok()
    }
}

/// Idle threads that help another search.
pub(super) struct HelperThreads {
    jobs: Sender<Job>,
    others: usize,
}

impl HelperThreads {
    /// Offers the same work to at most this many threads. It offers none when searches are queued: those have
    /// priority. A helper may start too late and then finds nothing to do.
    pub(super) fn offer<W: FnOnce() + Send + 'static>(&self, most: usize, work: impl Fn() -> W) {
        if self.jobs.is_empty() {
            for _ in 0..most.min(self.others) {
                let _ = self.jobs.send(Box::new(work()));
            }
        }
    }
}
