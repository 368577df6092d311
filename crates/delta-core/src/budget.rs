//! The budget of a run.

use shared_core::StoreError;

use crate::group::RunContext;
use crate::worker::{GroupAttempt, RunWorker};
use crate::{ErrorClass, ItemError};

impl RunWorker {
    /// The error of a group that must not start, because its run has used up its budget. Groups in flight end, so that
    /// the run can cost more than its budget by what they cost.
    pub(crate) async fn exceeded_budget(
        &self,
        attempt: &GroupAttempt<'_>,
        context: &RunContext,
    ) -> Result<Option<ItemError>, StoreError> {
        let Some(budget) = context.plan.settings.budget else { return Ok(None) };
        let runs = &self.service.ports.runs;
        let Some(run) = runs.find(&attempt.scope, &context.plan.agent_id, attempt.group.sid).await? else {
            return Ok(None);
        };
        // Without a cost there was a call without a known price.
        if run.cost.is_some_and(|cost| cost < budget) {
            return Ok(None);
        }
        let spent =
            run.cost.map_or_else(|| "an unknown sum".to_owned(), |cost| format!("${}", cost.dollars()));
        Ok(Some(ItemError {
            class: ErrorClass::Budget,
            code: "budget_used_up".to_owned(),
            message: format!("the budget of the run, ${}, is used up: it has cost {spent}", budget.dollars()),
        }))
    }
}
