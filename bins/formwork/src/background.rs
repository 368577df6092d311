//! Work that outlives requests: the jobs of queues, and the built-in model's threads.

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

/// The threads of the runtime.
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

/// The built-in model, and other work on the processor, on blocking threads, some at the same time.
#[derive(Clone, Debug)]
pub struct OffloadedExtractive {
    places: Arc<Semaphore>,
}

impl OffloadedExtractive {
    /// Uses at most `threads` at the same time.
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
            .map_err(|error| failed("the built-in model gave up", error.into()))?
    }
}

impl Workers for OffloadedExtractive {
    fn run(&self, job: Box<dyn FnOnce() + Send + 'static>) {
        let places = Arc::clone(&self.places);
        tokio::spawn(async move {
            // Places are closed only when the server ends; the job is dropped then.
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
