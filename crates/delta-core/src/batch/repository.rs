//! The port of calls that wait for batches.

use std::fmt;

use async_trait::async_trait;
use forms_core::SavedAnswer;
use gen_core::{BatchRequest, Cost};
use jobs_core::JobKey;
use shared_core::{Scope, StoreError, Timestamp, WorkspaceId};

use super::BATCH_QUEUE;
use crate::{GroupId, RunId};

/// A call of a group that waits for a batch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeferredCall {
    /// The id of the call, unique in its group.
    pub call: String,
    /// The body of its request.
    pub body: String,
    /// What it costs at most, by an estimate.
    pub cost: Option<Cost>,
}

/// The state of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CallState {
    /// It waits for its batch.
    Waiting,
    /// Its batch has answered it, with this body.
    Answered(String),
    /// It is made directly: its batch did not answer it, or its answer was read.
    Direct,
    /// The provider refused its batch. One sentence for the user.
    Refused(String),
}

/// The step that a batch has reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BatchStep {
    /// It has its calls.
    Sealed,
    /// Its submission has begun; it is not known whether the provider has it.
    Submitting,
    /// The provider has it under this id.
    Submitted(String),
    /// Its run is over, and the provider was asked to cancel it.
    Cancelling(String),
}

/// A batch whose results are not stored yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenBatch {
    /// Its number in the run, from 1.
    pub number: u32,
    /// Its reference at the provider.
    pub reference: String,
    /// `model@provider`.
    pub model: String,
    /// The number of its requests.
    pub requests: u32,
    /// How far it has come.
    pub step: BatchStep,
    /// When it was sealed.
    pub created: Timestamp,
    /// When it reached its step.
    pub changed: Timestamp,
}

/// The calls of a run that are in no batch yet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GatheredCalls {
    /// Their number.
    pub requests: u32,
    /// The bytes of their bodies.
    pub bytes: u64,
    /// When the newest was stored.
    pub newest: Option<Timestamp>,
}

/// The right of a worker to change the batches of a run: its lease on the run's job in [`BATCH_QUEUE`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BatchLease {
    /// Where the run belongs.
    pub workspace: WorkspaceId,
    /// The run.
    pub sid: RunId,
    /// The fencing token.
    pub token: i64,
}

impl BatchLease {
    /// The job.
    #[must_use]
    pub fn key(&self) -> JobKey {
        batch_job(self.sid)
    }
}

/// The job of a run with batches.
pub(crate) fn batch_job(sid: RunId) -> JobKey {
    JobKey { queue: BATCH_QUEUE, owner: sid.0.to_string(), position: 0 }
}

/// Stores calls that wait for batches, and batches. The job of a run in [`BATCH_QUEUE`] is enqueued with the run and
/// again when it is reopened, if its mode is [`CallMode::Batch`](crate::CallMode::Batch). A method with a lease returns
/// `Stale` when its token is not the current one. Implementations must pass `run_repository_contract!`.
#[async_trait]
pub trait BatchRepository: fmt::Debug + Send + Sync + 'static {
    /// The calls of a group with their states.
    async fn calls(&self, scope: &Scope, group: GroupId) -> Result<Vec<(String, CallState)>, StoreError>;
    /// In one transaction: stores calls of a group, due for a batch, and requeues the group until `ready`, which is not a
    /// failed attempt. `Stale` when `token` is not the current token of the group's job.
    async fn defer_group(
        &self,
        scope: &Scope,
        group: GroupId,
        token: i64,
        calls: &[DeferredCall],
        (now, ready): (Timestamp, Timestamp),
    ) -> Result<(), StoreError>;
    /// In one transaction: stores the answer of a call while its group is open, as
    /// [`CallAnswerRepository::save_answer`](crate::CallAnswerRepository::save_answer), and sets the call to
    /// [`CallState::Direct`], without its body.
    async fn save_read_answer(
        &self,
        scope: &Scope,
        group: GroupId,
        call: &str,
        answer: &SavedAnswer,
    ) -> Result<(), StoreError>;
    /// Deletes the calls of a group.
    async fn forget_calls(&self, scope: &Scope, group: GroupId) -> Result<(), StoreError>;
    /// The sum of the estimates of a run's calls that wait, or whose answers are not read yet.
    async fn waiting_cost(&self, scope: &Scope, sid: RunId) -> Result<Cost, StoreError>;
    /// The open batches of a run, by number.
    async fn open(&self, workspace: &WorkspaceId, sid: RunId) -> Result<Vec<OpenBatch>, StoreError>;
    /// The calls of a run that wait and are in no batch.
    async fn gathered(&self, workspace: &WorkspaceId, sid: RunId) -> Result<GatheredCalls, StoreError>;
    /// Makes a batch of such calls, the oldest first: at most so many and, unless it is one, of so many bytes. Does
    /// nothing if there are none.
    async fn seal(
        &self,
        lease: &BatchLease,
        (reference, model): (&str, &str),
        limits: (u32, u64),
        now: Timestamp,
    ) -> Result<(), StoreError>;
    /// The requests of a batch whose groups are open.
    async fn requests(
        &self,
        workspace: &WorkspaceId,
        sid: RunId,
        number: u32,
    ) -> Result<Vec<BatchRequest>, StoreError>;
    /// Stores the step of a batch. Once the provider has it, the bodies of its requests are deleted.
    async fn advance(
        &self,
        lease: &BatchLease,
        number: u32,
        step: &BatchStep,
        now: Timestamp,
    ) -> Result<(), StoreError>;
    /// In one transaction: sets the states of a batch's calls that wait, by the number in their request's id, and
    /// `rest` for those not among them; ends the batch; and makes groups due that wait for no other call.
    async fn close_batch(
        &self,
        lease: &BatchLease,
        number: u32,
        results: &[(u32, CallState)],
        rest: &CallState,
        now: Timestamp,
    ) -> Result<(), StoreError>;
    /// Ends the job of a run that is over, or gone, and has no open batch, and deletes its calls. Returns whether it
    /// did.
    async fn end_job(&self, lease: &BatchLease) -> Result<bool, StoreError>;
}

/// The number in the id of a request of the batch with this reference.
pub(crate) fn request_number(reference: &str, id: &str) -> Option<u32> {
    id.strip_prefix(reference)?.strip_prefix('-')?.parse().ok()
}

/// The id of a request.
#[must_use]
pub fn request_id(reference: &str, number: u32) -> String {
    format!("{reference}-{number}")
}
