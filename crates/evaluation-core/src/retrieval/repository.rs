//! The port of sets of questions.

use std::fmt;

use async_trait::async_trait;
use shared_core::{Page, PageRequest, Scope, StoreError};

use super::{Question, QuestionSet};

/// Stores sets of questions, which belong to knowledge bases and are deleted with them. Implementations must pass
/// `question_set_contract!`.
#[async_trait]
pub trait QuestionSetRepository: fmt::Debug + Send + Sync + 'static {
    /// Stores a set. `Missing("knowledge base")`.
    async fn insert(
        &self,
        scope: &Scope,
        set: &QuestionSet,
        questions: &[Question],
    ) -> Result<(), StoreError>;
    /// The set of a knowledge base with this id, and its questions.
    async fn find(
        &self,
        scope: &Scope,
        base: &str,
        id: &str,
    ) -> Result<Option<(QuestionSet, Vec<Question>)>, StoreError>;
    /// The sets of a knowledge base, newest first.
    async fn list(
        &self,
        scope: &Scope,
        base: &str,
        page: &PageRequest,
    ) -> Result<Page<QuestionSet>, StoreError>;
    /// Replaces name, questions and time of change of a set. Returns whether it existed.
    async fn replace(
        &self,
        scope: &Scope,
        set: &QuestionSet,
        questions: &[Question],
    ) -> Result<bool, StoreError>;
    /// Deletes a set. Returns whether it existed.
    async fn delete(&self, scope: &Scope, base: &str, id: &str) -> Result<bool, StoreError>;
}
