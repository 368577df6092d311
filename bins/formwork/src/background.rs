//! Work that outlives requests: the jobs of queues, and the built-in model's threads.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use gen_core::{
    ChatAnswer, ChatEvents, ChatModel, ChatRequest, Fault, ProviderError, StreamingChatModel, builtin,
};
use jobs_core::{Dispatcher, DispatcherHandle, DispatcherSettings, JobHandler, JobQueue};
use runtime_tokio::{TokioOffload, TokioSpawn, TokioTimer};
use shared_core::{Clock, Rng, new_id};
use tokio::runtime::Handle;

/// How often the queue is looked at when nothing is heard.
const POLL: Duration = Duration::from_secs(1);

/// What a dispatcher is made of.
pub(crate) struct QueueWork {
    /// The name of the queue.
    pub(crate) name: &'static str,
    /// The queue.
    pub(crate) queue: Arc<dyn JobQueue>,
    /// Who works on its jobs.
    pub(crate) handler: Arc<dyn JobHandler>,
    /// The link to the service that puts jobs in.
    pub(crate) jobs: DispatcherHandle,
    /// Time of day.
    pub(crate) clock: Arc<dyn Clock>,
    /// Randomness, for the name of the worker.
    pub(crate) ids: Arc<dyn Rng>,
    /// Threads.
    pub(crate) background: Handle,
    /// How many jobs at the same time.
    pub(crate) places: JobConcurrency,
    /// How long a lease holds without being renewed, in seconds.
    pub(crate) lease: u32,
    /// Whether no other server uses the database.
    pub(crate) alone: bool,
}

/// How many jobs are worked on at the same time.
#[derive(Clone, Copy)]
pub(crate) struct JobConcurrency {
    /// In this process.
    pub(crate) total: usize,
    /// Of one owner.
    pub(crate) per_owner: usize,
    /// Of one workspace.
    pub(crate) per_workspace: usize,
}

/// The dispatcher that works on a queue.
pub(crate) fn dispatcher(work: QueueWork) -> Dispatcher {
    let bound = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
    let worker = new_id("worker", work.clock.now(), work.ids.as_ref());
    Dispatcher {
        queue: work.queue,
        handler: work.handler,
        jobs: work.jobs,
        clock: work.clock,
        timer: Arc::new(TokioTimer::default()),
        spawner: Arc::new(TokioSpawn::new(work.background)),
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

/// The built-in model on blocking threads, so many calls at a time.
#[derive(Clone, Debug)]
pub struct OffloadedExtractive(TokioOffload);

impl OffloadedExtractive {
    /// Calls share the permits of `offload` with its other jobs.
    #[must_use]
    pub fn new(offload: TokioOffload) -> Self {
        Self(offload)
    }

    async fn offload<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T, ProviderError> + Send + 'static,
    ) -> Result<T, ProviderError> {
        self.0.run_job(work).await.map_err(|error| {
            ProviderError::new(Fault::Failed, "the built-in model did not finish").with_source(error)
        })?
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
