//! The port of items.

use std::collections::HashSet;

use async_trait::async_trait;
use shared_core::{Cursor, Page, PageRequest, Scope, StoreError, Timestamp, WorkspaceId};

use super::MemoryKnowledge;
use super::state::{ItemRow, State, StoredVector};
use super::work;
use crate::{
    AddedItem, BaseId, Chunk, ChunkKey, ChunkRepository, Content, ContentHash, EmbeddingRepository,
    IngestRepository, IngestResult, Item, ItemAttributes, ItemChange, ItemError, ItemFilter, ItemId,
    ItemRepository, ItemStatus, LiveChunk, NewItem, RemovedItems, Selection, Task, Vector, VectorKind,
};

#[async_trait]
impl ItemRepository for MemoryKnowledge {
    async fn add(
        &self,
        scope: &Scope,
        base: &BaseId,
        items: Vec<NewItem>,
        most: u64,
        now: Timestamp,
    ) -> Result<Option<Vec<AddedItem>>, StoreError> {
        self.add_all(&mut self.state(), scope, base, items, (most, now))
    }

    async fn find(&self, scope: &Scope, id: &ItemId) -> Result<Option<Item>, StoreError> {
        Ok(self.state().item(scope, id).map(|row| row.item.clone()))
    }

    async fn list(
        &self,
        scope: &Scope,
        filter: &ItemFilter,
        page: &PageRequest,
    ) -> Result<Page<Item>, StoreError> {
        let state = self.state();
        let wanted = |item: &&Item| {
            item.workspace == scope.workspace
                && filter.base.as_ref().is_none_or(|base| item.base == *base)
                && filter.status.is_none_or(|status| item.status == status)
                && (filter.external_id.is_none() || item.external_id == filter.external_id)
        };
        let items = state.items.values().map(|row| &row.item).filter(wanted).cloned().collect();
        Ok(Page::paginate(items, page, |item: &Item| Cursor {
            created: item.created,
            id: item.number.to_string(),
        }))
    }

    async fn changed(
        &self,
        scope: &Scope,
        base: &BaseId,
        since: Timestamp,
        limit: u32,
    ) -> Result<Vec<Item>, StoreError> {
        let state = self.state();
        let own =
            |item: &&Item| item.workspace == scope.workspace && item.base == *base && item.updated >= since;
        let mut items: Vec<Item> = state.items.values().map(|row| &row.item).filter(own).cloned().collect();
        items.sort_by_key(|item| std::cmp::Reverse((item.updated, item.number)));
        items.truncate(limit as usize);
        Ok(items)
    }

    async fn update(
        &self,
        scope: &Scope,
        id: &ItemId,
        change: &ItemChange,
        now: Timestamp,
    ) -> Result<Option<(Item, RemovedItems)>, StoreError> {
        self.change(&mut self.state(), scope, id, change, now)
    }

    async fn delete(
        &self,
        scope: &Scope,
        selection: &Selection,
        now: Timestamp,
    ) -> Result<RemovedItems, StoreError> {
        Ok(self.delete_all(&mut self.state(), scope, selection, now))
    }

    async fn remove_expired(&self, now: Timestamp, limit: u32) -> Result<RemovedItems, StoreError> {
        Ok(self.delete_expired(&mut self.state(), now, limit as usize))
    }

    async fn retry(&self, scope: &Scope, id: &ItemId, now: Timestamp) -> Result<Option<Item>, StoreError> {
        let mut state = self.state();
        let Some(row) = state.item(scope, id).cloned() else { return Ok(None) };
        if row.item.status != ItemStatus::Failed {
            return Err(StoreError::Stale);
        }
        Ok(Some(self.queue_again(&mut state, row, now)))
    }
}

#[async_trait]
impl ChunkRepository for MemoryKnowledge {
    async fn chunks(
        &self,
        scope: &Scope,
        id: &ItemId,
        from: u32,
        limit: u32,
    ) -> Result<Vec<Chunk>, StoreError> {
        let state = self.state();
        Ok(state.item(scope, id).map(|row| part(&row.stored, from, limit)).unwrap_or_default())
    }

    async fn load_live_chunks(
        &self,
        scope: &Scope,
        base: &BaseId,
        found: &[(ChunkKey, i64)],
    ) -> Result<Vec<Option<LiveChunk>>, StoreError> {
        let state = self.state();
        Ok(found.iter().map(|(key, sequence)| live(&state, scope, base, *key, *sequence)).collect())
    }

    async fn attributes(
        &self,
        scope: &Scope,
        base: &BaseId,
        after: i64,
        limit: u32,
    ) -> Result<Vec<ItemAttributes>, StoreError> {
        let state = self.state();
        let own = |row: &&ItemRow| {
            let item = &row.item;
            item.number > after
                && item.workspace == scope.workspace
                && item.base == *base
                && item.is_findable()
        };
        let found = state.items.values().filter(own).map(|row| ItemAttributes::from(&row.item));
        Ok(found.take(limit as usize).collect())
    }
}

#[async_trait]
impl IngestRepository for MemoryKnowledge {
    async fn task(
        &self,
        workspace: &WorkspaceId,
        base: &BaseId,
        place: u32,
    ) -> Result<Option<Task>, StoreError> {
        Ok(self.state().task(workspace, base, place))
    }

    async fn begin(&self, task: &Task, token: i64, now: Timestamp) -> Result<(), StoreError> {
        self.work(task, token, now, work::begin)
    }

    async fn set_content(
        &self,
        task: &Task,
        token: i64,
        content: &Content,
        name: Option<&str>,
        now: Timestamp,
    ) -> Result<Item, StoreError> {
        self.obtain(task, token, (content, name), now)
    }

    async fn progress(
        &self,
        task: &Task,
        token: i64,
        done: u64,
        total: u64,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        self.work(task, token, now, |row| work::progress(row, done, total))
    }

    async fn postpone(
        &self,
        task: &Task,
        token: i64,
        error: &ItemError,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        self.work(task, token, now, |row| work::postpone(row, error))
    }

    async fn publish(
        &self,
        task: &Task,
        token: i64,
        finished: &IngestResult,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        self.show(task, token, finished, now)
    }

    async fn finish(
        &self,
        task: &Task,
        token: i64,
        finished: &IngestResult,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        self.succeed(task, token, finished, now)
    }

    async fn fail(
        &self,
        task: &Task,
        token: i64,
        error: &ItemError,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        self.give_up(task, token, error, now)
    }
}

#[async_trait]
impl EmbeddingRepository for MemoryKnowledge {
    async fn find_embedded(
        &self,
        scope: &Scope,
        model: &str,
        texts: &[ContentHash],
    ) -> Result<HashSet<ContentHash>, StoreError> {
        let mut state = self.state();
        let kind = VectorKind { workspace: scope.workspace.clone(), model: model.to_owned() };
        let mut found = HashSet::new();
        for hash in texts {
            if let Some(kept) = state.vectors.get_mut(&(kind.clone(), *hash)) {
                kept.unneeded = None;
                found.insert(*hash);
            }
        }
        Ok(found)
    }

    async fn store_vectors(
        &self,
        scope: &Scope,
        model: &str,
        vectors: Vec<Vector>,
    ) -> Result<(), StoreError> {
        let mut state = self.state();
        let kind = VectorKind { workspace: scope.workspace.clone(), model: model.to_owned() };
        for (hash, vector) in vectors {
            let kept = state.vectors.entry((kind.clone(), hash));
            kept.or_insert(StoredVector { vector, unneeded: None }).unneeded = None;
        }
        Ok(())
    }
}

/// Chunks from a position on.
pub(super) fn part(chunks: &[Chunk], from: u32, limit: u32) -> Vec<Chunk> {
    let later = chunks.iter().filter(|chunk| chunk.position >= from);
    later.take(limit as usize).cloned().collect()
}

fn live(state: &State, scope: &Scope, base: &BaseId, key: ChunkKey, sequence: i64) -> Option<LiveChunk> {
    let ItemRow { item, stored, .. } = state.items.get(&key.item)?;
    let own = item.workspace == scope.workspace && item.base == *base;
    let present = own && item.is_findable() && item.sequence == sequence;
    let chunk = stored.iter().find(|chunk| chunk.position == key.position).filter(|_| present)?;
    Some(LiveChunk {
        item: item.id.clone(),
        number: item.number,
        name: item.name.clone(),
        meta: item.meta.clone(),
        expires: item.expires,
        language: item.language.clone(),
        chunk: chunk.clone(),
    })
}
