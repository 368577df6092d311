//! The store for answers of paid calls, for the duration of a group: the port and its simple adapters.

use std::collections::HashMap;
use std::fmt;

use async_trait::async_trait;
use gen_core::{BatchCall, ChatAnswer, ChatRequest, Citation, Cost, Finish, ModelId, Spend, Usage};
use parking_lot::{Mutex, MutexGuard};
use serde::{Deserialize, Serialize};
use shared_core::StoreError;

/// An answer of a model, unchanged.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SavedAnswer {
    /// Its text.
    pub text: String,
    /// The model's citations of its values.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub citations: Vec<Citation>,
    /// The finish reason.
    pub finish: Finish,
    /// Tokens of the call, over all its attempts.
    pub usage: Usage,
    /// The cost of these tokens; `None` when the price is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost: Option<Cost>,
}

impl SavedAnswer {
    /// Tokens and cost.
    #[must_use]
    pub fn spent(&self) -> Spend {
        Spend { usage: self.usage, cost: self.cost }
    }
}

impl From<SavedAnswer> for ChatAnswer {
    fn from(kept: SavedAnswer) -> Self {
        let SavedAnswer { text, citations, finish, usage, cost: _ } = kept;
        Self { text, citations, finish, usage, ..Self::default() }
    }
}

/// How a call is made that has no stored answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CallRoute {
    /// It is made at once.
    Direct,
    /// It waits for a batch of the provider: see [`AnswerStore::defer`].
    Batch,
    /// A batch has answered it, with this body.
    Answered(String),
}

/// Stores the answers of paid calls until their group is done, so that a group which is retried after an
/// interruption pays for no call twice. One instance serves **one group**: the implementation binds it to the
/// group, and deletes its answers when the group has its record or has failed permanently.
///
/// An answer is stored when more calls of the group may follow. A group that needs only one call stores
/// nothing, but is looked up before the call.
///
/// Failures: when [`find`](Self::find) fails, the group fails with [`ExtractError::Store`], because a call
/// that may have been paid for is not repeated. When [`save`](Self::save) fails, so does the group before its
/// next call; if it needs no further call, the failure is ignored.
///
/// [`ExtractError::Store`]: crate::ExtractError::Store
#[async_trait]
pub trait AnswerStore: fmt::Debug + Send + Sync {
    /// The id of a call, which no other request has: it depends on model, instructions, messages, schema and
    /// limits. `None` when nothing is stored.
    fn call_id(&self, model: &ModelId, request: &ChatRequest) -> Option<String>;
    /// The stored answer of a call; `None` on a miss.
    async fn find(&self, call: &str) -> Result<Option<SavedAnswer>, StoreError>;
    /// Whether the group will be retried after a retryable failure. Then such a failure of a follow-up call
    /// fails this attempt, and its answers stay stored. Otherwise the earlier answers are used without the
    /// follow-up.
    fn will_retry(&self) -> bool {
        false
    }
    /// Whether another call may begin. If not, the group fails with [`ExtractError::Interrupted`] instead of
    /// its next call; its earlier answers stay stored.
    ///
    /// [`ExtractError::Interrupted`]: crate::ExtractError::Interrupted
    fn may_call(&self) -> bool {
        true
    }
    /// How a call without a stored answer is made.
    fn route(&self, _call: &str) -> CallRoute {
        CallRoute::Direct
    }
    /// Takes a call of the route [`CallRoute::Batch`]. The group then fails with [`ExtractError::Deferred`], once all
    /// calls that need no other's answer have been taken.
    ///
    /// [`ExtractError::Deferred`]: crate::ExtractError::Deferred
    fn defer(&self, _call: String, _prepared: BatchCall) {}
    /// Stores the answer of a call durably, replacing an earlier one.
    async fn save(&self, call: &str, answer: &SavedAnswer) -> Result<(), StoreError>;
}

/// Stores nothing, for callers that do not retry.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoopAnswerStore;

#[async_trait]
impl AnswerStore for NoopAnswerStore {
    fn call_id(&self, _: &ModelId, _: &ChatRequest) -> Option<String> {
        None
    }

    async fn find(&self, _: &str) -> Result<Option<SavedAnswer>, StoreError> {
        Ok(None)
    }

    async fn save(&self, _: &str, _: &SavedAnswer) -> Result<(), StoreError> {
        Ok(())
    }
}

/// The port in memory, for tests and for callers that retry a group within one process.
#[derive(Debug, Default)]
pub struct MemoryAnswerStore(Mutex<HashMap<String, SavedAnswer>>);

impl MemoryAnswerStore {
    /// The number of stored answers.
    #[must_use]
    pub fn count(&self) -> usize {
        self.answers().len()
    }

    fn answers(&self) -> MutexGuard<'_, HashMap<String, SavedAnswer>> {
        self.0.lock()
    }
}

#[async_trait]
impl AnswerStore for MemoryAnswerStore {
    fn call_id(&self, model: &ModelId, request: &ChatRequest) -> Option<String> {
        Some(format!("{model} {request:?}"))
    }

    async fn find(&self, call: &str) -> Result<Option<SavedAnswer>, StoreError> {
        Ok(self.answers().get(call).cloned())
    }

    async fn save(&self, call: &str, answer: &SavedAnswer) -> Result<(), StoreError> {
        self.answers().insert(call.to_owned(), answer.clone());
        Ok(())
    }
}
