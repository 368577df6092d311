//! The port of bases.

use async_trait::async_trait;
use shared_core::{Cursor, Page, PageRequest, Revision, Scope, StoreError, Timestamp};

use super::MemoryKnowledge;
use super::state::{BaseRow, ItemRow, State, job};
use crate::{Base, BaseId, BaseRepository, ChangeKind, Counts, ItemStatus, RemovedItems};

#[async_trait]
impl BaseRepository for MemoryKnowledge {
    async fn insert(&self, scope: &Scope, base: &Base) -> Result<Base, StoreError> {
        let mut state = self.state();
        if state.base(&scope.workspace, &base.id).is_some() {
            return Err(StoreError::Taken("knowledge base"));
        }
        state.last_base += 1;
        let mut author = base.author.clone();
        author.id = scope.user.clone();
        let base = Base {
            number: state.last_base,
            workspace: scope.workspace.clone(),
            author,
            serving: base.embedding.clone(),
            counts: Counts::default(),
            languages: Vec::new(),
            written: 0,
            ..base.clone()
        };
        state.bases.insert(base.number, BaseRow { base: base.clone(), next_place: 0, lacking: 0 });
        Ok(base)
    }

    async fn find(&self, scope: &Scope, id: &BaseId) -> Result<Option<Base>, StoreError> {
        Ok(self.state().base(&scope.workspace, id).map(|row| row.base.clone()))
    }

    async fn list(&self, scope: &Scope, page: &PageRequest) -> Result<Page<Base>, StoreError> {
        let state = self.state();
        let own = state.bases.values().map(|row| &row.base).filter(|base| base.workspace == scope.workspace);
        let key = |base: &Base| Cursor { created: base.created, id: base.id.0.clone() };
        Ok(Page::paginate(own.cloned().collect(), page, key))
    }

    async fn update(
        &self,
        scope: &Scope,
        base: &Base,
        expected: Revision,
        now: Timestamp,
    ) -> Result<Base, StoreError> {
        let mut guard = self.state();
        let state = &mut *guard;
        let Some(row) = state.base_mut(&scope.workspace, &base.id) else { return Err(StoreError::Stale) };
        if row.base.revision != expected {
            return Err(StoreError::Stale);
        }
        let changed = row.base.embedding != base.embedding;
        row.base.name.clone_from(&base.name);
        row.base.description.clone_from(&base.description);
        row.base.chunking = base.chunking;
        row.base.rerank.clone_from(&base.rerank);
        row.base.embedding.clone_from(&base.embedding);
        row.base.revision = expected.next();
        let number = row.base.number;
        if changed {
            self.want_vectors(state, number, now);
        }
        let row = state.bases.get_mut(&number).ok_or(StoreError::Stale)?;
        row.settle(now);
        Ok(row.base.clone())
    }

    async fn delete(
        &self,
        scope: &Scope,
        id: &BaseId,
        now: Timestamp,
    ) -> Result<Option<RemovedItems>, StoreError> {
        let mut guard = self.state();
        let state = &mut *guard;
        let Some(number) = state.base(&scope.workspace, id).map(|row| row.base.number) else {
            return Ok(None);
        };
        state.bases.remove(&number);
        let mut removed = RemovedItems::default();
        state.items.retain(|_, row| {
            let goes = row.item.workspace == scope.workspace && row.item.base == *id;
            if goes {
                self.jobs.remove_all([&job(&row.item).key]);
                removed.items.push(row.item.id.clone());
                removed.orphans.extend(self.release(&row.item));
            }
            !goes
        });
        removed.position = Some(state.tell(ChangeKind::BaseGone { base: number }, now));
        Ok(Some(removed))
    }
}

impl MemoryKnowledge {
    /// Adds jobs for the base's items without vectors of the wanted model, and counts those that block
    /// serving.
    fn want_vectors(&self, state: &mut State, base: i64, now: Timestamp) {
        let Some(BaseRow { base, lacking, .. }) = state.bases.get_mut(&base) else { return };
        let model = base.embedding.as_deref();
        *lacking = 0;
        let own = |row: &&mut ItemRow| row.item.workspace == base.workspace && row.item.base == base.id;
        for row in state.items.values_mut().filter(own) {
            if model.is_none() {
                row.item.embedded = None;
            }
            let without = model.is_none() || row.item.embedded.as_deref() != model;
            if row.item.status == ItemStatus::Failed && !row.stored.is_empty() && without {
                base.counts.exclude(&row.item);
                row.item.queue_again(now);
                base.counts.include(&row.item);
                row.put_job(&self.jobs, now);
            } else if row.item.status == ItemStatus::Ready && row.item.lacks(model) {
                row.put_job(&self.jobs, now);
            }
            *lacking += u64::from(row.item.lacks(model));
        }
    }
}
