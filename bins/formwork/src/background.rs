//! Work that outlives requests: runs that are driven to their end, and the built-in model's threads.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use delta_core::{DeltaError, Progress, Run};
use gen_core::{
    ChatAnswer, ChatEvents, ChatModel, ChatRequest, ChatStream, Fault, ProviderError, Workers, builtin,
};
use shared_core::{DomainError as _, ErrorKind, Scope};
use tokio::sync::Semaphore;

use crate::app::AppState;

/// Waits between attempts to go on with a run that the store stopped.
const PAUSES: [u64; 6] = [1, 5, 15, 60, 300, 900];

/// Drives a run to its end on threads of its own, whoever waits for it. A store that fails is given
/// time; what is not done then is taken up at the next start.
pub fn drive(state: &AppState, scope: Scope, run: Run, progress: Progress) {
    let runs = state.runs.clone();
    state.background.spawn(async move {
        let sid = run.sid.0;
        let mut result = runs.clone().drive(scope.clone(), run.clone(), progress).await;
        for pause in PAUSES {
            match &result {
                Err(error) if may_pass(error) => {
                    tracing::error!(sid, %error, pause, "a run waits for the store")
                }
                _ => break,
            }
            tokio::time::sleep(Duration::from_secs(pause)).await;
            result = runs.clone().drive(scope.clone(), run.clone(), Progress::default()).await;
        }
        if let Err(error) = result {
            tracing::error!(sid, %error, "a run stopped early");
        }
    });
}

fn may_pass(error: &DeltaError) -> bool {
    matches!(error.kind(), ErrorKind::StorageFull | ErrorKind::Saturated)
}

/// Takes up every run that the last stop of the server interrupted.
pub async fn resume(state: AppState) {
    match state.runs.unfinished().await {
        Ok(runs) => {
            for (scope, run) in runs {
                tracing::info!(sid = run.sid.0, "a run goes on");
                drive(&state, scope, run, Progress::default());
            }
        }
        Err(error) => tracing::error!(%error, "interrupted runs could not be read"),
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
            ProviderError::new(Fault::Failed, message).because(source)
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
impl ChatStream for OffloadedExtractive {
    async fn stream(&self, request: ChatRequest) -> Result<ChatEvents, ProviderError> {
        self.offload(move || builtin::stream(&request)).await
    }
}
