//! Work that outlives requests: job queues and the threads of the built-in model.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use futures_util::future::BoxFuture;
use gen_core::{
    ChatAnswer, ChatEvents, ChatModel, ChatRequest, Fault, ProviderError, StreamingChatModel, Workers,
    builtin,
};
use jobs_core::{Dispatcher, DispatcherHandle, DispatcherSettings, JobHandler, JobQueue, Spawn};
use shared_core::{Clock, Rng, new_id};
use tokio::runtime::Handle;
use tokio::sync::Semaphore;
use utilities_core::Tasks;

use crate::generation::TokioTimer;

/// Interval at which an idle queue is polled.
const POLL: Duration = Duration::from_secs(1);

/// The parts of a dispatcher.
pub(crate) struct QueueWork {
    /// Name of the queue in logs.
    pub(crate) name: &'static str,
    /// The queue.
    pub(crate) queue: Arc<dyn JobQueue>,
    /// Processes the jobs.
    pub(crate) handler: Arc<dyn JobHandler>,
    /// Wakes the dispatcher when the service enqueues a job.
    pub(crate) jobs: DispatcherHandle,
    /// Wall clock.
    pub(crate) clock: Arc<dyn Clock>,
    /// Randomness for the worker's name.
    pub(crate) ids: Arc<dyn Rng>,
    /// Runtime that the jobs run on.
    pub(crate) background: Handle,
    /// Maximum number of concurrent jobs.
    pub(crate) places: JobConcurrency,
    /// Duration of a lease without renewal, in seconds.
    pub(crate) lease: u32,
    /// Whether no other server uses the database.
    pub(crate) alone: bool,
}

/// Maximum number of concurrent jobs, in total and per tenant.
#[derive(Clone, Copy)]
pub(crate) struct JobConcurrency {
    /// In this process.
    pub(crate) total: usize,
    /// Of one owner.
    pub(crate) per_owner: usize,
    /// Of one workspace.
    pub(crate) per_workspace: usize,
}

/// Builds the dispatcher of a queue.
pub(crate) fn dispatcher(work: QueueWork) -> Dispatcher {
    let bound = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
    let worker = new_id("worker", work.clock.now(), work.ids.as_ref());
    Dispatcher {
        queue: work.queue,
        handler: work.handler,
        jobs: work.jobs,
        clock: work.clock,
        timer: Arc::new(TokioTimer::default()),
        spawner: Arc::new(RuntimeHandle(work.background)),
        settings: DispatcherSettings {
            queue: work.name,
            worker,
            concurrency: bound(work.places.total),
            per_owner: bound(work.places.per_owner),
            per_workspace: bound(work.places.per_workspace),
            lease: work.lease,
            poll: POLL,
            is_exclusive: work.alone,
        },
    }
}

/// Spawns tasks on the Tokio runtime.
#[derive(Debug)]
pub(crate) struct RuntimeHandle(pub(crate) Handle);

impl Tasks for RuntimeHandle {
    fn spawn(&self, work: BoxFuture<'static, ()>) {
        self.0.spawn(work);
    }
}

impl Spawn for RuntimeHandle {
    fn spawn(&self, work: BoxFuture<'static, ()>) {
        self.0.spawn(work);
    }
}

/// Runs the built-in model and other CPU-bound work on a bounded number of blocking threads.
#[derive(Clone, Debug)]
pub struct OffloadedExtractive {
    places: Arc<Semaphore>,
}

impl OffloadedExtractive {
    /// Runs at most `threads` calls at the same time.
    #[must_use]
    pub fn new(threads: usize) -> Self {
        Self { places: Arc::new(Semaphore::new(threads.max(1))) }
    }

    async fn offload<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T, ProviderError> + Send + 'static,
    ) -> Result<T, ProviderError> {
        let failed = |message: &str, source: shared_core::BoxError| {
            ProviderError::new(Fault::Failed, message).with_source(source)
        };
        let place = Arc::clone(&self.places).acquire_owned().await;
        let _place = place.map_err(|error| failed("the built-in model is shutting down", error.into()))?;
        tokio::task::spawn_blocking(work)
            .await
            .map_err(|error| failed("the built-in model's thread failed", error.into()))?
    }
}

impl Workers for OffloadedExtractive {
    fn run(&self, job: Box<dyn FnOnce() + Send + 'static>) {
        let places = Arc::clone(&self.places);
        tokio::spawn(async move {
            // The semaphore closes only at shutdown. The job is then dropped.
            if let Ok(_place) = places.acquire_owned().await {
                tokio::task::spawn_blocking(job).await.ok();
            }
        });
    }
}

#[async_trait]
impl ChatModel for OffloadedExtractive {
    async fn chat(&self, request: ChatRequest) -> Result<ChatAnswer, ProviderError> {
        self.offload(move || builtin::answer(&request)).await
    }
}

#[async_trait]
impl StreamingChatModel for OffloadedExtractive {
    async fn stream(&self, request: ChatRequest) -> Result<ChatEvents, ProviderError> {
        self.offload(move || builtin::stream(&request)).await
    }
}
