//! The port in memory, for tests and embedders. Nothing survives the process.

use std::sync::Arc;

use async_trait::async_trait;
use delta_core::{MemoryRuns, Run};
use parking_lot::Mutex;
use shared_core::{Cursor, Page, PageRequest, Scope, StoreError, WorkspaceId};

use crate::{EvaluationRepository, EvaluationSet, TrueGroup};

/// Sets in memory, beside the runs in memory. It has no forms: `Missing("form")` never occurs.
#[derive(Debug, Default)]
pub struct MemoryEvaluationSets {
    runs: Arc<MemoryRuns>,
    sets: Mutex<Vec<(WorkspaceId, EvaluationSet, Vec<TrueGroup>)>>,
}

impl MemoryEvaluationSets {
    /// Sets whose runs are in `runs`.
    #[must_use]
    pub fn new(runs: Arc<MemoryRuns>) -> Self {
        Self { runs, sets: Mutex::default() }
    }
}

#[async_trait]
impl EvaluationRepository for MemoryEvaluationSets {
    async fn insert(&self, scope: &Scope, set: &EvaluationSet) -> Result<(), StoreError> {
        self.sets.lock().push((scope.workspace.clone(), set.clone(), Vec::new()));
        Ok(())
    }

    async fn find(&self, scope: &Scope, id: &str) -> Result<Option<EvaluationSet>, StoreError> {
        let sets = self.sets.lock();
        let found = sets.iter().find(|(workspace, set, _)| *workspace == scope.workspace && set.id == id);
        Ok(found.map(|(_, set, _)| set.clone()))
    }

    async fn list(&self, scope: &Scope, page: &PageRequest) -> Result<Page<EvaluationSet>, StoreError> {
        let sets = self.sets.lock();
        let own = sets.iter().filter(|(workspace, ..)| *workspace == scope.workspace);
        let own = own.map(|(_, set, _)| set.clone()).collect();
        let key = |set: &EvaluationSet| Cursor { created: set.created, id: set.id.clone() };
        Ok(Page::paginate(own, page, key))
    }

    async fn delete(&self, scope: &Scope, id: &str) -> Result<bool, StoreError> {
        let mut sets = self.sets.lock();
        let before = sets.len();
        sets.retain(|(workspace, set, _)| *workspace != scope.workspace || set.id != id);
        Ok(sets.len() < before)
    }

    async fn add(&self, scope: &Scope, id: &str, groups: &[TrueGroup], most: u32) -> Result<u32, StoreError> {
        let mut sets = self.sets.lock();
        let found = sets.iter_mut().find(|(workspace, set, _)| *workspace == scope.workspace && set.id == id);
        let (_, set, known) = found.ok_or(StoreError::Missing("evaluation_set"))?;
        let count = u32::try_from(known.len() + groups.len()).unwrap_or(u32::MAX);
        if count > most {
            return Err(StoreError::Stale);
        }
        known.extend_from_slice(groups);
        set.groups = count;
        Ok(count)
    }

    async fn groups(
        &self,
        scope: &Scope,
        id: &str,
        from: u32,
        limit: u32,
    ) -> Result<Vec<TrueGroup>, StoreError> {
        let sets = self.sets.lock();
        let found = sets.iter().find(|(workspace, set, _)| *workspace == scope.workspace && set.id == id);
        let groups = found.map(|(.., groups)| groups.as_slice()).unwrap_or_default();
        Ok(groups.iter().skip(from as usize).take(limit as usize).cloned().collect())
    }

    async fn runs(&self, scope: &Scope, id: &str, page: &PageRequest) -> Result<Page<Run>, StoreError> {
        Ok(self.runs.of_evaluation_set(scope, id, page))
    }
}
