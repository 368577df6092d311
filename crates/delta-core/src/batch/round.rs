//! Where a group stands that is processed in batches. It waits for one batch only: calls that follow from its answers are
//! made directly, so that a group does not take days.

use std::time::Duration;

use gen_core::{Cost, Fault, ProviderError, Spend};
use jobs_core::JobOutcome;
use shared_core::{DomainError as _, StoreError};

use super::{BatchRound, CallState};
use crate::group::RunContext;
use crate::group_answers::GroupAnswers;
use crate::worker::{GroupAttempt, RunWorker};
use crate::{CallMode, ErrorClass, ItemError};

/// When a group that waits is looked at again, in seconds, if its batch does not make it due: after a crash between the two.
/// Below the longest delay of the queue.
const WAIT_SECONDS: i64 = 1_800;
/// How long a group waits for the cost of others, where a budget has no room for its own. Chosen by hand; no measurement
/// is recorded.
const BUDGET_WAIT: Duration = Duration::from_secs(10);

impl RunWorker {
    /// Where a group stands, or what becomes of it before its documents are read.
    pub(crate) async fn begin_round(
        &self,
        attempt: &GroupAttempt<'_>,
        context: &RunContext,
    ) -> Result<BatchRound, JobOutcome> {
        let failed = |error: StoreError| self.retry_store_failure(&error);
        match self.batch_round(attempt, context).await.map_err(failed)? {
            BatchRound::Waiting => Err(WAIT),
            BatchRound::Refused(error) => Err(self.fail(attempt, &[], &error, Spend::default()).await),
            BatchRound::Gather if self.must_wait_for_budget(attempt, context).await.map_err(failed)? => {
                Err(WAIT_FOR_BUDGET)
            }
            round => Ok(round),
        }
    }

    async fn batch_round(
        &self,
        attempt: &GroupAttempt<'_>,
        context: &RunContext,
    ) -> Result<BatchRound, StoreError> {
        if context.plan.settings.mode == CallMode::Direct {
            return Ok(BatchRound::Off);
        }
        let batches = &self.service.ports.batches;
        let calls = batches.calls(&attempt.scope, attempt.group).await?;
        if calls.is_empty() {
            return Ok(BatchRound::Gather);
        }
        if calls.iter().any(|(_, state)| *state == CallState::Waiting) {
            return Ok(BatchRound::Waiting);
        }
        let refused = calls.iter().find_map(|(_, state)| match state {
            CallState::Refused(why) => Some(why),
            _ => None,
        });
        if let Some(why) = refused {
            let error = refusal(why);
            // When the group is retried, it has another batch.
            batches.forget_calls(&attempt.scope, attempt.group).await?;
            return Ok(BatchRound::Refused(error));
        }
        Ok(BatchRound::Over(calls.into_iter().collect()))
    }

    /// Stores the calls that were gathered, and puts the group aside.
    pub(crate) async fn defer_group(&self, attempt: &GroupAttempt<'_>, calls: &GroupAnswers) -> JobOutcome {
        let ports = &self.service.ports;
        let (now, token) = (ports.clock.now(), attempt.lease.token());
        let (deferred, times) = (calls.take_deferred(), (now, now.plus_seconds(WAIT_SECONDS)));
        match ports.batches.defer_group(&attempt.scope, attempt.group, token, &deferred, times).await {
            Ok(()) | Err(StoreError::Stale) => JobOutcome::Ended,
            Err(error) => self.retry_store_failure(&error),
        }
    }

    /// Whether a group may not be gathered yet, because its run's budget may be used up by calls that are not answered.
    async fn must_wait_for_budget(
        &self,
        attempt: &GroupAttempt<'_>,
        context: &RunContext,
    ) -> Result<bool, StoreError> {
        let Some(budget) = context.plan.settings.budget else { return Ok(false) };
        let ports = &self.service.ports;
        let waiting = ports.batches.waiting_cost(&attempt.scope, attempt.group.sid).await?;
        let run = ports.runs.find(&attempt.scope, &context.plan.agent_id, attempt.group.sid).await?;
        let spent = run.and_then(|run| run.cost).unwrap_or_default();
        Ok(waiting > Cost(0) && spent.0.saturating_add(waiting.0) >= budget.0)
    }
}

/// A group that waits for its batch.
const WAIT: JobOutcome =
    JobOutcome::Retry { after: Duration::from_secs(WAIT_SECONDS.unsigned_abs()), failed: false };
/// A group that waits for the cost of others.
const WAIT_FOR_BUDGET: JobOutcome = JobOutcome::Retry { after: BUDGET_WAIT, failed: false };

fn refusal(why: &str) -> ItemError {
    let error = ProviderError::new(Fault::InvalidRequest, format!("the provider refused the batch: {why}"));
    ItemError { class: ErrorClass::Model, code: error.code().to_owned(), message: error.to_string() }
}
