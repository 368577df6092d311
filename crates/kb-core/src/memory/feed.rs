//! The feed of changes.

use std::sync::Arc;

use async_trait::async_trait;
use shared_core::{StoreError, Timestamp};

use super::MemoryKnowledge;
use super::items::part;
use super::state::ItemRow;
use crate::{Change, ChangeFeed, Chunk, ChunkKey, FeedState, IndexedItem, VectorKind};

fn indexed(row: &ItemRow, base: i64) -> IndexedItem {
    IndexedItem {
        number: row.item.number,
        base,
        sequence: row.item.sequence,
        name: row.item.name.clone(),
        language: row.item.language.clone(),
    }
}

#[async_trait]
impl ChangeFeed for MemoryKnowledge {
    async fn state(&self) -> Result<FeedState, StoreError> {
        Ok(MemoryKnowledge::state(self).feed)
    }

    async fn changes(&self, after: i64, limit: u32) -> Result<Vec<Change>, StoreError> {
        let state = MemoryKnowledge::state(self);
        let later = state.changes.range(after.saturating_add(1)..);
        let told = later.map(|(sequence, (what, _))| Change { sequence: *sequence, what: *what });
        Ok(told.take(limit as usize).collect())
    }

    async fn next_change_time(&self, after: i64) -> Result<Option<Timestamp>, StoreError> {
        let state = MemoryKnowledge::state(self);
        Ok(state.changes.range(after.saturating_add(1)..).next().map(|(_, (_, time))| *time))
    }

    async fn item(&self, number: i64) -> Result<Option<IndexedItem>, StoreError> {
        Ok(self.items(number.saturating_sub(1), 1).await?.into_iter().find(|item| item.number == number))
    }

    async fn items(&self, after: i64, limit: u32) -> Result<Vec<IndexedItem>, StoreError> {
        let state = MemoryKnowledge::state(self);
        let later = state.items.range(after.saturating_add(1)..).map(|(_, row)| row);
        let findable = later.filter(|row| row.item.is_findable()).filter_map(|row| {
            let base = state.base(&row.item.workspace, &row.item.base)?;
            Some(indexed(row, base.base.number))
        });
        Ok(findable.take(limit as usize).collect())
    }

    async fn chunks(&self, item: i64, from: u32, limit: u32) -> Result<Vec<Chunk>, StoreError> {
        let state = MemoryKnowledge::state(self);
        let findable = state.items.get(&item).filter(|row| row.item.is_findable());
        Ok(findable.map(|row| part(&row.stored, from, limit)).unwrap_or_default())
    }

    async fn vectors(
        &self,
        base: i64,
        model: &str,
        after: ChunkKey,
        limit: u32,
    ) -> Result<Vec<(ChunkKey, i64, Arc<[f32]>)>, StoreError> {
        let state = MemoryKnowledge::state(self);
        let Some(base) = state.bases.get(&base).map(|row| &row.base) else { return Ok(Vec::new()) };
        let kind = VectorKind { workspace: base.workspace.clone(), model: model.to_owned() };
        let own = |row: &&ItemRow| {
            row.item.workspace == base.workspace && row.item.base == base.id && row.item.is_findable()
        };
        let rows = state.items.range(after.item..).map(|(_, row)| row).filter(own);
        let found = rows.flat_map(|row| row.stored.iter().map(move |chunk| (row, chunk)));
        let found = found.filter_map(|(row, chunk)| {
            let key = ChunkKey { item: row.item.number, position: chunk.position };
            let name = (kind.clone(), chunk.hash());
            let kept = if key > after { state.vectors.get(&name)? } else { return None };
            Some((key, row.item.sequence, Arc::clone(&kept.vector)))
        });
        Ok(found.take(limit as usize).collect())
    }

    async fn renew(&self) -> Result<i64, StoreError> {
        let mut state = MemoryKnowledge::state(self);
        state.feed.generation += 1;
        Ok(state.feed.generation)
    }

    async fn forget(&self, before: Timestamp, applied: i64) -> Result<u64, StoreError> {
        let mut state = MemoryKnowledge::state(self);
        let old = |(sequence, (_, time)): &(&i64, &(_, Timestamp))| **sequence <= applied && *time < before;
        let cut = state.changes.iter().take_while(old).last().map(|(sequence, _)| *sequence);
        let Some(cut) = cut else { return Ok(0) };
        let kept = state.changes.split_off(&(cut + 1));
        let forgotten = std::mem::replace(&mut state.changes, kept);
        state.feed.forgotten = cut;
        Ok(forgotten.len() as u64)
    }
}
