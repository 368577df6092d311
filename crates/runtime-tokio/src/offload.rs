//! Work on the processor, on tokio's blocking threads.

use std::sync::Arc;

use shared_core::Offload;
use tokio::sync::Semaphore;
use tokio::task::JoinError;
use tracing::Instrument as _;

/// Runs jobs on blocking threads, so many at a time; further jobs wait in order. They log within the span of
/// their caller. Clones share the permits.
#[derive(Clone, Debug)]
pub struct TokioOffload {
    permits: Arc<Semaphore>,
}

impl TokioOffload {
    /// At most `concurrency` jobs at a time; at least one.
    #[must_use]
    pub fn new(concurrency: usize) -> Self {
        Self { permits: Arc::new(Semaphore::new(concurrency.max(1))) }
    }

    /// Runs a job and gives its result.
    ///
    /// # Errors
    /// When the job panicked, or the runtime shut down before it ran.
    pub async fn run_job<T: Send + 'static>(
        &self,
        job: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, JoinError> {
        // The semaphore is never closed, so that a failure to acquire cannot happen.
        let _permit = Arc::clone(&self.permits).acquire_owned().await.ok();
        let span = tracing::Span::current();
        tokio::task::spawn_blocking(move || span.in_scope(job)).await
    }
}

impl Offload for TokioOffload {
    /// Must be called on a tokio runtime.
    fn run(&self, job: Box<dyn FnOnce() + Send + 'static>) {
        let offload = self.clone();
        let work = async move {
            // A panic of the job drops the sender of its result, which tells the caller.
            offload.run_job(job).await.ok();
        };
        tokio::spawn(work.in_current_span());
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::Duration;

    use shared_core::offload;

    use super::*;

    #[tokio::test(flavor = "multi_thread")]
    async fn no_more_jobs_run_at_a_time_than_there_are_permits() {
        let (jobs, running) = (TokioOffload::new(2), Arc::new(AtomicUsize::new(0)));
        let most = Arc::new(AtomicUsize::new(0));
        let each = (0..8).map(|_| {
            let (running, most) = (Arc::clone(&running), Arc::clone(&most));
            offload(&jobs, move || {
                most.fetch_max(running.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                std::thread::sleep(Duration::from_millis(5));
                running.fetch_sub(1, Ordering::SeqCst);
            })
        });
        let done = futures_util::future::join_all(each).await;
        assert!(done.iter().all(Option::is_some));
        assert_eq!(most.load(Ordering::SeqCst), 2);
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_job_that_panics_gives_no_result_and_its_permit_back() {
        let jobs = TokioOffload::new(1);
        assert_eq!(offload(&jobs, || -> u32 { panic!("a fault of a test") }).await, None);
        assert_eq!(offload(&jobs, || 7).await, Some(7));
    }
}
