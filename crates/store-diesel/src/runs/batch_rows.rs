//! The columns of batches and of their calls.

use delta_core::{BatchStep, CallState, OpenBatch};
use diesel::Queryable;
use shared_core::StoreError;

use crate::failure::corrupt;
use crate::rows::{count, time};

pub(super) const WAITING: &str = "waiting";
pub(super) const ANSWERED: &str = "answered";
pub(super) const DIRECT: &str = "direct";
const REFUSED: &str = "refused";

pub(super) const SEALED: &str = "sealed";
const SUBMITTING: &str = "submitting";
const SUBMITTED: &str = "submitted";
const CANCELLING: &str = "cancelling";

/// Every step of a batch.
pub(super) const STEPS: [&str; 4] = [SEALED, SUBMITTING, SUBMITTED, CANCELLING];

/// The state in its columns.
pub(super) fn read_state(state: &str, answer: Option<String>) -> Result<CallState, StoreError> {
    match (state, answer) {
        (WAITING, _) => Ok(CallState::Waiting),
        (DIRECT, _) => Ok(CallState::Direct),
        (ANSWERED, Some(body)) => Ok(CallState::Answered(body)),
        (REFUSED, Some(why)) => Ok(CallState::Refused(why)),
        _ => Err(corrupt(format!("'{state}' is no state of a call"))),
    }
}

/// The columns of a state.
pub(super) fn stored_state(state: &CallState) -> (&'static str, Option<&str>) {
    match state {
        CallState::Waiting => (WAITING, None),
        CallState::Direct => (DIRECT, None),
        CallState::Answered(body) => (ANSWERED, Some(body)),
        CallState::Refused(why) => (REFUSED, Some(why)),
    }
}

/// The columns of a step.
pub(super) fn stored_step(step: &BatchStep) -> (&'static str, Option<&str>) {
    match step {
        BatchStep::Sealed => (SEALED, None),
        BatchStep::Submitting => (SUBMITTING, None),
        BatchStep::Submitted(id) => (SUBMITTED, Some(id)),
        BatchStep::Cancelling(id) => (CANCELLING, Some(id)),
    }
}

/// A batch with the columns that are read.
#[derive(Debug, Queryable)]
pub(super) struct BatchRow {
    number: i32,
    reference: String,
    model: String,
    requests: i32,
    step: String,
    vendor_id: Option<String>,
    created: i64,
    changed: i64,
}

impl BatchRow {
    pub(super) fn read(self) -> Result<OpenBatch, StoreError> {
        let step = match (self.step.as_str(), self.vendor_id) {
            (SEALED, _) => BatchStep::Sealed,
            (SUBMITTING, _) => BatchStep::Submitting,
            (SUBMITTED, Some(id)) => BatchStep::Submitted(id),
            (CANCELLING, Some(id)) => BatchStep::Cancelling(id),
            (step, _) => return Err(corrupt(format!("'{step}' is no step of a batch"))),
        };
        Ok(OpenBatch {
            number: count(self.number.into())?,
            reference: self.reference,
            model: self.model,
            requests: count(self.requests.into())?,
            step,
            created: time(self.created)?,
            changed: time(self.changed)?,
        })
    }
}
