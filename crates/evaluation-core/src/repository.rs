//! The port of sets. Their runs are those of batch extraction.

use std::fmt;

use async_trait::async_trait;
use delta_core::Run;
use shared_core::{Page, PageRequest, Scope, StoreError};

use crate::{EvaluationSet, TrueGroup};

/// Stores sets and their groups. Implementations must pass `evaluation_repository_contract!`. Lists are newest first.
#[async_trait]
pub trait EvaluationRepository: fmt::Debug + Send + Sync + 'static {
    /// Stores a set without groups. `Missing("form")`.
    async fn insert(&self, scope: &Scope, set: &EvaluationSet) -> Result<(), StoreError>;
    /// The set with this id.
    async fn find(&self, scope: &Scope, id: &str) -> Result<Option<EvaluationSet>, StoreError>;
    /// Sets of the workspace.
    async fn list(&self, scope: &Scope, page: &PageRequest) -> Result<Page<EvaluationSet>, StoreError>;
    /// Deletes a set with its groups; its runs stay. Returns whether it existed.
    async fn delete(&self, scope: &Scope, id: &str) -> Result<bool, StoreError>;
    /// Adds groups behind those of the set, if it then has at most `most`. Returns their number then.
    /// `Missing("evaluation_set")`; `Stale` when it would have more.
    async fn add(&self, scope: &Scope, id: &str, groups: &[TrueGroup], most: u32) -> Result<u32, StoreError>;
    /// Groups of a set from index `from`, at most `limit`, in order.
    async fn groups(
        &self,
        scope: &Scope,
        id: &str,
        from: u32,
        limit: u32,
    ) -> Result<Vec<TrueGroup>, StoreError>;
    /// The runs over a set, newest first. The cursor's id is the run's number.
    async fn runs(&self, scope: &Scope, id: &str, page: &PageRequest) -> Result<Page<Run>, StoreError>;
}
