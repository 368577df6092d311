//! Answers that were paid for, kept until their group is done: the port, and its simplest adapters.

use parking_lot::{Mutex, MutexGuard};
use std::collections::HashMap;
use std::fmt;

use async_trait::async_trait;
use gen_core::{ChatAnswer, Citation, Cost, Finish, Usage};
use serde::{Deserialize, Serialize};
use shared_core::StoreError;

/// An answer of a model as it came.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SavedAnswer {
    /// Its text.
    pub text: String,
    /// Where the model says that it found its values.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub citations: Vec<Citation>,
    /// Why it stopped.
    pub finish: Finish,
    /// Tokens that the call took, over all its attempts.
    pub usage: Usage,
    /// What they cost; `None` when the price is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost: Option<Cost>,
}

impl From<SavedAnswer> for ChatAnswer {
    fn from(kept: SavedAnswer) -> Self {
        let SavedAnswer { text, citations, finish, usage, cost: _ } = kept;
        Self { text, citations, finish, usage, warnings: Vec::new() }
    }
}

/// Keeps the answers of calls that were paid for until their group is done, so that a group which is
/// begun again after an interruption pays for no call twice. One value serves **one group**: whoever
/// implements it binds it to the group, and forgets its answers when the group has its record or has
/// failed for good.
///
/// `call` is the lower-case hexadecimal SHA-256 (64 characters) of what was asked: model, instructions,
/// messages, schema and limits. An answer is kept when more calls of the group may follow; a group whose
/// one answer is good keeps nothing, but is looked up before its call.
///
/// What a failure means: [`find`](Self::find) fails the group with [`ExtractError::Store`], since what may
/// have been paid for already is not asked again; [`keep`](Self::keep) does so before the next call is
/// made, and not at all where none is needed.
///
/// [`ExtractError::Store`]: crate::ExtractError::Store
#[async_trait]
pub trait AnswerStore: fmt::Debug + Send + Sync {
    /// The answer of a call, if it is kept.
    async fn find(&self, call: &str) -> Result<Option<SavedAnswer>, StoreError>;
    /// Whether the group will be begun again when it fails in a way that may pass. Then a further question
    /// that fails so fails this attempt, whose answers are kept; else what came before is made do with.
    fn will_retry(&self) -> bool {
        false
    }
    /// Keeps the answer of a call durably, in the place of one that is kept under it already.
    async fn save(&self, call: &str, answer: &SavedAnswer) -> Result<(), StoreError>;
}

/// Keeps nothing, for those who do not begin again.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoopAnswerStore;

#[async_trait]
impl AnswerStore for NoopAnswerStore {
    async fn find(&self, _: &str) -> Result<Option<SavedAnswer>, StoreError> {
        Ok(None)
    }

    async fn save(&self, _: &str, _: &SavedAnswer) -> Result<(), StoreError> {
        Ok(())
    }
}

/// The port in memory, for tests and for those who try a group again within one process.
#[derive(Debug, Default)]
pub struct MemoryAnswerStore(Mutex<HashMap<String, SavedAnswer>>);

impl MemoryAnswerStore {
    /// How many answers are kept.
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
    async fn find(&self, call: &str) -> Result<Option<SavedAnswer>, StoreError> {
        Ok(self.answers().get(call).cloned())
    }

    async fn save(&self, call: &str, answer: &SavedAnswer) -> Result<(), StoreError> {
        self.answers().insert(call.to_owned(), answer.clone());
        Ok(())
    }
}
