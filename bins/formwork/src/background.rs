//! Work that outlives requests: job queues and the threads of the built-in model.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use delta_core::{BatchLimits, RunLimits};
use gen_core::{ChatAnswer, ChatEvents, ChatModel, ChatRequest, Fault, ProviderError, StreamingChatModel};
use jobs_core::{Dispatcher, DispatcherHandle, DispatcherSettings, JobHandler, JobQueue};
use runtime_tokio::{TokioOffload, TokioSpawn, TokioTimer};
use shared_core::{Clock, Rng, new_id};
use tokio::runtime::Handle;

use crate::settings::{BatchSettings, LimitSettings};

/// Interval at which an idle queue is polled.
const POLL: Duration = Duration::from_secs(1);

/// The longest delay of a group of a batch, or of an item of a knowledge base, with much to spare: they wait at most some
/// minutes.
pub(crate) const MAX_BATCH_DELAY: Duration = Duration::from_secs(3_600);

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
    /// How long jobs in flight may take to end at shutdown.
    pub(crate) drain: Duration,
    /// The longest delay of a job.
    pub(crate) max_delay: Duration,
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

/// The limits of runs by the settings.
pub(crate) fn run_limits(limits: &LimitSettings, batches: &BatchSettings) -> RunLimits {
    RunLimits {
        groups: limits.groups_per_run,
        documents: limits.documents_per_group,
        attempts: limits.group_attempts,
        batches: BatchLimits {
            gather_seconds: batches.gather_seconds,
            poll_seconds: batches.poll_seconds,
            resubmit_seconds: batches.resubmit_seconds,
            ..BatchLimits::default()
        },
    }
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
        spawner: Arc::new(TokioSpawn::new(work.background)),
        settings: DispatcherSettings {
            queue: work.name,
            worker,
            concurrency: bound(work.places.total),
            per_owner: bound(work.places.per_owner),
            per_workspace: bound(work.places.per_workspace),
            lease: work.lease,
            poll: POLL,
            drain: work.drain,
            max_delay: work.max_delay,
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
        self.offload(move || rules_engine::answer(&request)).await
    }

    fn probability(&self, request: &ChatRequest) -> Option<f64> {
        rules_engine::probability(request)
    }
}

#[async_trait]
impl StreamingChatModel for OffloadedExtractive {
    async fn stream(&self, request: ChatRequest) -> Result<ChatEvents, ProviderError> {
        self.offload(move || rules_engine::stream(&request)).await
    }
}
