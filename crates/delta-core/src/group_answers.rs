//! The model answers stored for one group while it is open.

use std::sync::Arc;

use async_trait::async_trait;
use forms_core::{AnswerStore, CallRoute, SavedAnswer};
use gen_core::{BatchCall, ChatRequest, ModelId, Spend};
use jobs_core::DispatcherHandle;
use parking_lot::Mutex;
use shared_core::{Scope, StoreError};

use crate::batch::BatchRound;
use crate::call_id::call_id;
use crate::repository::GroupId;
use crate::{BatchRepository, CallAnswerRepository, CallState, DeferredCall, RunPorts};

/// Attempts to store an answer while it is not known whether it is stored. The spend of one that is stored and taken for
/// lost would be counted twice: with this attempt, and with the next, which finds it.
const SAVE_ATTEMPTS: u32 = 3;

/// Implements the engine's port for one group.
#[derive(Debug)]
pub(crate) struct GroupAnswers {
    answers: Arc<dyn CallAnswerRepository>,
    batches: Arc<dyn BatchRepository>,
    jobs: DispatcherHandle,
    scope: Scope,
    group: GroupId,
    /// Whether there were earlier attempts, so answers may be stored.
    is_retried: bool,
    /// Whether another attempt follows a retryable failure of this one.
    will_retry: bool,
    /// The spend of the stored answers. The store counts it when it deletes them.
    saved_spend: Mutex<Spend>,
    round: BatchRound,
    /// The calls that are gathered for a batch.
    deferred: Mutex<Vec<DeferredCall>>,
}

impl GroupAnswers {
    pub(crate) fn new(
        ports: &RunPorts,
        scope: Scope,
        group: GroupId,
        (is_retried, will_retry): (bool, bool),
        round: BatchRound,
    ) -> Self {
        let (answers, batches) = (Arc::clone(&ports.answers), Arc::clone(&ports.batches));
        Self {
            answers,
            batches,
            jobs: ports.jobs.clone(),
            scope,
            group,
            is_retried,
            will_retry,
            saved_spend: Mutex::default(),
            round,
            deferred: Mutex::default(),
        }
    }

    /// The part of `spent` for answers that are not stored.
    pub(crate) fn unsaved_spend(&self, spent: Spend) -> Spend {
        spent.without(*self.saved_spend.lock())
    }

    /// The calls that were gathered.
    pub(crate) fn take_deferred(&self) -> Vec<DeferredCall> {
        std::mem::take(&mut *self.deferred.lock())
    }

    fn count(&self, answer: &SavedAnswer) {
        *self.saved_spend.lock() += answer.spent();
    }
}

#[async_trait]
impl AnswerStore for GroupAnswers {
    fn call_id(&self, model: &ModelId, request: &ChatRequest) -> Option<String> {
        Some(call_id(model, request))
    }

    async fn find(&self, call: &str) -> Result<Option<SavedAnswer>, StoreError> {
        if !self.is_retried {
            return Ok(None);
        }
        let found = self.answers.find_answer(&self.scope, self.group, call).await?;
        if let Some(answer) = &found {
            self.count(answer);
        }
        Ok(found)
    }

    fn will_retry(&self) -> bool {
        self.will_retry
    }

    fn may_call(&self) -> bool {
        !self.jobs.is_draining(&self.group.sid.0.to_string())
    }

    fn route(&self, call: &str) -> CallRoute {
        match &self.round {
            BatchRound::Gather => CallRoute::Batch,
            BatchRound::Over(calls) => match calls.get(call) {
                Some(CallState::Answered(body)) => CallRoute::Answered(body.clone()),
                _ => CallRoute::Direct,
            },
            BatchRound::Off | BatchRound::Waiting | BatchRound::Refused(_) => CallRoute::Direct,
        }
    }

    fn defer(&self, call: String, BatchCall { body, cost }: BatchCall) {
        self.deferred.lock().push(DeferredCall { call, body, cost });
    }

    async fn save(&self, call: &str, answer: &SavedAnswer) -> Result<(), StoreError> {
        let mut saved = Err(StoreError::OutcomeUnknown);
        for _ in 0..SAVE_ATTEMPTS {
            if !matches!(saved, Err(StoreError::OutcomeUnknown)) {
                break;
            }
            saved = match self.route(call) {
                CallRoute::Answered(_) => {
                    self.batches.save_read_answer(&self.scope, self.group, call, answer).await
                }
                CallRoute::Direct | CallRoute::Batch => {
                    self.answers.save_answer(&self.scope, self.group, call, answer).await
                }
            };
        }
        saved?;
        self.count(answer);
        Ok(())
    }
}
