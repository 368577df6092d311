//! The answers that are kept for one group while it is worked on.

use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use forms_core::{KeptAnswer, KeptAnswers};
use gen_core::Spend;
use shared_core::{Scope, StoreError};

use crate::RunRepository;
use crate::repository::GroupId;

/// Binds the engine's port to a group.
#[derive(Debug)]
pub(crate) struct GroupCalls {
    runs: Arc<dyn RunRepository>,
    scope: Scope,
    group: GroupId,
    /// Whether the group was begun before, so that there may be something.
    begun_before: bool,
    /// Whether another attempt follows when this one fails in a way that may pass.
    begun_again: bool,
    /// What the answers took that are kept, and that will be counted with the attempt that uses them.
    kept: Mutex<Spend>,
}

impl GroupCalls {
    pub(crate) fn new(
        runs: Arc<dyn RunRepository>,
        scope: Scope,
        group: GroupId,
        (begun_before, begun_again): (bool, bool),
    ) -> Self {
        Self { runs, scope, group, begun_before, begun_again, kept: Mutex::default() }
    }

    /// What of `spent` was for answers that are not kept.
    pub(crate) fn lost_of(&self, spent: Spend) -> Spend {
        spent.without(*self.kept.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn count(&self, answer: &KeptAnswer) {
        *self.kept.lock().unwrap_or_else(PoisonError::into_inner) +=
            Spend { usage: answer.usage, cost: answer.cost };
    }
}

#[async_trait]
impl KeptAnswers for GroupCalls {
    async fn find(&self, call: &str) -> Result<Option<KeptAnswer>, StoreError> {
        if !self.begun_before {
            return Ok(None);
        }
        let found = self.runs.find_call(&self.scope, self.group, call).await?;
        if let Some(answer) = &found {
            self.count(answer);
        }
        Ok(found)
    }

    fn is_begun_again(&self) -> bool {
        self.begun_again
    }

    async fn keep(&self, call: &str, answer: &KeptAnswer) -> Result<(), StoreError> {
        self.runs.keep_call(&self.scope, self.group, call, answer).await?;
        self.count(answer);
        Ok(())
    }
}
