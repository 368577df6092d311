//! The port in memory, for tests and embedders. Nothing survives the process.

use async_trait::async_trait;
use parking_lot::Mutex;
use shared_core::{Cursor, Page, PageRequest, Scope, StoreError, WorkspaceId};

use super::{Question, QuestionSet, QuestionSetRepository};

/// Sets of questions in memory. It has no knowledge bases: `Missing("knowledge base")` never occurs, and sets stay when
/// their base is deleted.
#[derive(Debug, Default)]
pub struct MemoryQuestionSets(Mutex<Vec<(WorkspaceId, QuestionSet, Vec<Question>)>>);

#[async_trait]
impl QuestionSetRepository for MemoryQuestionSets {
    async fn insert(
        &self,
        scope: &Scope,
        set: &QuestionSet,
        questions: &[Question],
    ) -> Result<(), StoreError> {
        self.0.lock().push((scope.workspace.clone(), set.clone(), questions.to_vec()));
        Ok(())
    }

    async fn find(
        &self,
        scope: &Scope,
        base: &str,
        id: &str,
    ) -> Result<Option<(QuestionSet, Vec<Question>)>, StoreError> {
        let sets = self.0.lock();
        let found = sets.iter().find(|(workspace, set, _)| is(workspace, set, scope, base, id));
        Ok(found.map(|(_, set, questions)| (set.clone(), questions.clone())))
    }

    async fn list(
        &self,
        scope: &Scope,
        base: &str,
        page: &PageRequest,
    ) -> Result<Page<QuestionSet>, StoreError> {
        let sets = self.0.lock();
        let own = sets.iter().filter(|(workspace, set, _)| *workspace == scope.workspace && set.base == base);
        let own = own.map(|(_, set, _)| set.clone()).collect();
        let key = |set: &QuestionSet| Cursor { created: set.created, id: set.id.clone() };
        Ok(Page::paginate(own, page, key))
    }

    async fn replace(
        &self,
        scope: &Scope,
        set: &QuestionSet,
        questions: &[Question],
    ) -> Result<bool, StoreError> {
        let mut sets = self.0.lock();
        let found =
            sets.iter_mut().find(|(workspace, known, _)| is(workspace, known, scope, &set.base, &set.id));
        let Some((_, known, content)) = found else { return Ok(false) };
        known.name.clone_from(&set.name);
        known.questions = set.questions;
        known.updated = set.updated;
        *content = questions.to_vec();
        Ok(true)
    }

    async fn delete(&self, scope: &Scope, base: &str, id: &str) -> Result<bool, StoreError> {
        let mut sets = self.0.lock();
        let before = sets.len();
        sets.retain(|(workspace, set, _)| !is(workspace, set, scope, base, id));
        Ok(sets.len() < before)
    }
}

fn is(workspace: &WorkspaceId, set: &QuestionSet, scope: &Scope, base: &str, id: &str) -> bool {
    *workspace == scope.workspace && set.base == base && set.id == id
}
