//! The steps of one batch at its provider. A submission that may have arrived is never repeated before the provider was
//! asked for the batch, and the time in which it can arrive is over.

use std::sync::Arc;
use std::time::Duration;

use gen_core::{
    BatchModel, BatchResult, BatchState, CallerContext, ChatRequest, Fault, FoundBatch, ModelId,
    ProviderError, SoughtBatch,
};
use shared_core::{Scope, StoreError};

use super::BatchLimits;
use super::repository::{BatchLease, BatchStep, CallState, OpenBatch, request_number};
use crate::{Run, RunPorts};

/// How long a batch may be open beside the window of its provider: for its submission, and the longest time between two
/// looks. One that is older has been lost.
const GRACE: f64 = 2.0 * 3_600.0;
/// The window of a provider that is not configured any more: the shortest.
const UNKNOWN_WINDOW: Duration = Duration::from_secs(24 * 3_600);
/// The longest time between two looks at a batch.
const MAX_POLL: Duration = Duration::from_secs(600);
/// The pause of a submission that the provider asks to repeat. Chosen by hand; no measurement is recorded.
const RATE_LIMIT_DELAY: Duration = Duration::from_secs(60);

/// The batches of one run while their worker holds its job.
pub(super) struct BatchLifecycle<'a> {
    pub(super) ports: &'a RunPorts,
    pub(super) limits: &'a BatchLimits,
    /// The run; `None` once it was deleted.
    pub(super) run: Option<&'a (Scope, Run)>,
    pub(super) lease: &'a BatchLease,
}

impl BatchLifecycle<'_> {
    fn is_running(&self) -> bool {
        self.run.is_some_and(|(_, run)| !run.state.is_over())
    }

    /// Makes the next step of a batch. Returns the wait until the one after it; `None` when it is closed.
    pub(super) async fn step(&self, batch: &OpenBatch) -> Result<Option<Duration>, StoreError> {
        let Some(model) = self.model(batch) else {
            return self.wait_for_model(batch).await;
        };
        match &batch.step {
            BatchStep::Sealed if self.is_running() => self.submit(batch, &model).await,
            BatchStep::Sealed => self.close(batch, &[], &CallState::Direct).await,
            BatchStep::Submitting => self.find(batch, &model).await,
            BatchStep::Submitted(id) if self.is_running() => self.poll(batch, &model, id).await,
            BatchStep::Submitted(id) => self.cancel(batch, &model, id).await,
            BatchStep::Cancelling(id) => self.poll(batch, &model, id).await,
        }
    }

    fn model(&self, batch: &OpenBatch) -> Option<Arc<dyn BatchModel>> {
        let id: ModelId = batch.model.parse().ok()?;
        self.ports.generation.batch_model(&id).ok().flatten()
    }

    /// The provider is not configured any more.
    async fn wait_for_model(&self, batch: &OpenBatch) -> Result<Option<Duration>, StoreError> {
        if self.is_running() && !self.is_lost(batch, UNKNOWN_WINDOW) {
            return Ok(Some(MAX_POLL));
        }
        let refused =
            CallState::Refused(format!("the provider of {} is not configured any more", batch.model));
        self.close(batch, &[], &refused).await
    }

    async fn submit(
        &self,
        batch: &OpenBatch,
        model: &Arc<dyn BatchModel>,
    ) -> Result<Option<Duration>, StoreError> {
        let (batches, lease) = (&self.ports.batches, self.lease);
        let requests = batches.requests(&lease.workspace, lease.sid, batch.number).await?;
        if requests.is_empty() {
            return self.close(batch, &[], &CallState::Direct).await;
        }
        // Stored first: a crash after the submission finds the batch.
        self.advance(batch, &BatchStep::Submitting).await?;
        let error = match model.submit(&batch.reference, &requests).await {
            Ok(id) => {
                self.advance(batch, &BatchStep::Submitted(id)).await?;
                return Ok(Some(self.poll_wait(batch)));
            }
            Err(error) => error,
        };
        match error.fault {
            Fault::RateLimited => {
                // It was refused for now, and did not begin.
                self.advance(batch, &BatchStep::Sealed).await?;
                Ok(Some(
                    error.retry_after.unwrap_or(RATE_LIMIT_DELAY).clamp(Duration::from_secs(1), MAX_POLL),
                ))
            }
            Fault::Overloaded | Fault::Failed | Fault::Unreachable | Fault::Timeout | Fault::Protocol => {
                Ok(Some(self.poll_wait(batch)))
            }
            Fault::Unsupported
            | Fault::Auth
            | Fault::Billing
            | Fault::InvalidRequest
            | Fault::UnknownModel
            | Fault::ContextTooLong
            | Fault::Refused => self.close(batch, &[], &refusal(&error)).await,
        }
    }

    /// Looks for a batch whose submission was not answered.
    async fn find(
        &self,
        batch: &OpenBatch,
        model: &Arc<dyn BatchModel>,
    ) -> Result<Option<Duration>, StoreError> {
        let sought = SoughtBatch {
            reference: batch.reference.clone(),
            requests: batch.requests,
            submitted: batch.changed,
        };
        let since = self.ports.clock.now().seconds_since(batch.changed);
        match model.find(&sought).await {
            Ok(FoundBatch::Present(id)) => {
                self.advance(batch, &BatchStep::Submitted(id)).await?;
                Ok(Some(Duration::ZERO))
            }
            // A submission on its way may still arrive.
            Ok(FoundBatch::Absent) if since >= f64::from(self.limits.resubmit_seconds) => {
                self.advance(batch, &BatchStep::Sealed).await?;
                Ok(Some(Duration::ZERO))
            }
            Ok(FoundBatch::Absent | FoundBatch::Unclear) => self.wait(batch, model).await,
            Err(error) => self.wait_after(batch, model, &error).await,
        }
    }

    async fn poll(
        &self,
        batch: &OpenBatch,
        model: &Arc<dyn BatchModel>,
        id: &str,
    ) -> Result<Option<Duration>, StoreError> {
        let results = match model.state(id).await {
            Ok(BatchState::Running) => return self.wait(batch, model).await,
            Ok(BatchState::Refused(why)) => return self.close(batch, &[], &CallState::Refused(why)).await,
            Ok(BatchState::Ended) => model.results(id).await,
            Err(error) => Err(error),
        };
        match results {
            Ok(results) if self.is_running() => {
                let results = states(batch, results);
                self.close(batch, &results, &CallState::Direct).await
            }
            Ok(results) => {
                self.record_usage(batch, &results).await;
                self.close(batch, &[], &CallState::Direct).await
            }
            Err(error) => self.wait_after(batch, model, &error).await,
        }
    }

    async fn cancel(
        &self,
        batch: &OpenBatch,
        model: &Arc<dyn BatchModel>,
        id: &str,
    ) -> Result<Option<Duration>, StoreError> {
        match model.cancel(id).await {
            Ok(()) => {
                self.advance(batch, &BatchStep::Cancelling(id.to_owned())).await?;
                Ok(Some(self.poll_wait(batch)))
            }
            Err(error) if error.is_retryable() => self.wait(batch, model).await,
            // It is over already.
            Err(_) => {
                self.advance(batch, &BatchStep::Cancelling(id.to_owned())).await?;
                Ok(Some(Duration::ZERO))
            }
        }
    }

    /// Records what the provider answered for a run that is over: it is paid.
    async fn record_usage(&self, batch: &OpenBatch, results: &[BatchResult]) {
        let (Some((scope, run)), Ok(model)) = (self.run, batch.model.parse::<ModelId>()) else { return };
        let payer = CallerContext { scope: scope.clone(), key: run.plan.key.clone() };
        for body in results.iter().filter_map(|result| result.body.as_deref()) {
            let request = ChatRequest::default();
            // What cannot be read is recorded too, as far as it tells its usage.
            let _ = self.ports.generation.read_batch_answer(&payer, &model, &request, body).await;
        }
    }

    fn is_lost(&self, batch: &OpenBatch, window: Duration) -> bool {
        self.ports.clock.now().seconds_since(batch.created) > window.as_secs_f64() + GRACE
    }

    /// The time until the next look at a batch: a tenth of its age.
    fn poll_wait(&self, batch: &OpenBatch) -> Duration {
        let age = self.ports.clock.now().seconds_since(batch.changed).max(0.0);
        let least = Duration::from_secs(self.limits.poll_seconds.max(1).into());
        Duration::from_secs_f64(age / 10.0).clamp(least, MAX_POLL.max(least))
    }

    async fn wait(
        &self,
        batch: &OpenBatch,
        model: &Arc<dyn BatchModel>,
    ) -> Result<Option<Duration>, StoreError> {
        match self.is_lost(batch, model.window()) {
            false => Ok(Some(self.poll_wait(batch))),
            true => {
                let why = "the provider did not end the batch in its time".to_owned();
                self.close(batch, &[], &CallState::Refused(why)).await
            }
        }
    }

    async fn wait_after(
        &self,
        batch: &OpenBatch,
        model: &Arc<dyn BatchModel>,
        error: &ProviderError,
    ) -> Result<Option<Duration>, StoreError> {
        match self.is_lost(batch, model.window()) {
            false => Ok(Some(self.poll_wait(batch).max(error.retry_after.unwrap_or_default()).min(MAX_POLL))),
            true => self.close(batch, &[], &refusal(error)).await,
        }
    }

    async fn advance(&self, batch: &OpenBatch, step: &BatchStep) -> Result<(), StoreError> {
        self.ports.batches.advance(self.lease, batch.number, step, self.ports.clock.now()).await
    }

    async fn close(
        &self,
        batch: &OpenBatch,
        results: &[(u32, CallState)],
        rest: &CallState,
    ) -> Result<Option<Duration>, StoreError> {
        let now = self.ports.clock.now();
        self.ports.batches.close_batch(self.lease, batch.number, results, rest, now).await?;
        self.ports.jobs.wake();
        Ok(None)
    }
}

fn states(batch: &OpenBatch, results: Vec<BatchResult>) -> Vec<(u32, CallState)> {
    let state = |BatchResult { id, body }: BatchResult| {
        let number = request_number(&batch.reference, &id)?;
        Some((number, body.map_or(CallState::Direct, CallState::Answered)))
    };
    results.into_iter().filter_map(state).collect()
}

fn refusal(error: &ProviderError) -> CallState {
    CallState::Refused(error.message.clone())
}
