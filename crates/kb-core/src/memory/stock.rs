//! The vector store.

use std::collections::HashSet;
use std::ops::Bound;

use async_trait::async_trait;
use shared_core::{StoreError, Timestamp};

use super::MemoryKnowledge;
use super::state::{ItemRow, State, StoredVector};
use crate::{ChunkKey, ChunkPlace, ContentHash, VectorKind, VectorStore};

/// After all hashes.
const LAST: ContentHash = ContentHash([u8::MAX; 16]);

impl State {
    fn of_kind(
        &self,
        kind: &VectorKind,
        after: Option<ContentHash>,
    ) -> impl Iterator<Item = (ContentHash, &StoredVector)> {
        let first = match after {
            Some(name) => Bound::Excluded((kind.clone(), name)),
            None => Bound::Included((kind.clone(), ContentHash([0; 16]))),
        };
        let last = Bound::Included((kind.clone(), LAST));
        // A range whose start is after its end would panic.
        let range = (after != Some(LAST)).then(|| self.vectors.range((first, last)));
        range.into_iter().flatten().map(|((_, name), kept)| (*name, kept))
    }

    /// The number of the item's base if its chunks need vectors of the kind, else `None`.
    fn needs(&self, row: &ItemRow, kind: &VectorKind) -> Option<i64> {
        let base = &self.base(&row.item.workspace, &row.item.base)?.base;
        let models = [&base.embedding, &base.serving, &row.item.embedded];
        let own = row.item.workspace == kind.workspace;
        (own && models.contains(&&Some(kind.model.clone()))).then_some(base.number)
    }
}

#[async_trait]
impl VectorStore for MemoryKnowledge {
    async fn next_kind(&self, after: Option<&VectorKind>) -> Result<Option<VectorKind>, StoreError> {
        let state = self.state();
        let first = match after {
            Some(kind) => Bound::Excluded((kind.clone(), LAST)),
            None => Bound::Unbounded,
        };
        Ok(state.vectors.range((first, Bound::Unbounded)).next().map(|((kind, _), _)| kind.clone()))
    }

    async fn names(
        &self,
        kind: &VectorKind,
        after: Option<ContentHash>,
        limit: u32,
    ) -> Result<Vec<ContentHash>, StoreError> {
        Ok(self.state().of_kind(kind, after).map(|(name, _)| name).take(limit as usize).collect())
    }

    async fn unneeded(
        &self,
        kind: &VectorKind,
        after: Option<ContentHash>,
        limit: u32,
    ) -> Result<Vec<ContentHash>, StoreError> {
        let state = self.state();
        let noted = state.of_kind(kind, after).filter(|(_, kept)| kept.unneeded.is_some());
        Ok(noted.map(|(name, _)| name).take(limit as usize).collect())
    }

    async fn needed(
        &self,
        kind: &VectorKind,
        from: ChunkPlace,
        limit: u32,
    ) -> Result<(Vec<ContentHash>, Option<ChunkPlace>), StoreError> {
        let state = self.state();
        let rows = state.items.values().filter_map(|row| Some((state.needs(row, kind)?, row)));
        let chunks = rows.flat_map(|(base, row)| {
            row.stored.iter().map(move |chunk| {
                let key = ChunkKey { item: row.item.number, position: chunk.position };
                (ChunkPlace { base, key }, chunk)
            })
        });
        let mut later: Vec<_> = chunks.filter(|(place, _)| *place >= from).collect();
        later.sort_unstable_by_key(|(place, _)| *place);
        let next = later.get(limit as usize).map(|(place, _)| *place);
        Ok((later.iter().take(limit as usize).map(|(_, chunk)| chunk.hash()).collect(), next))
    }

    async fn discard(
        &self,
        kind: &VectorKind,
        names: &[ContentHash],
        before: Timestamp,
        now: Timestamp,
    ) -> Result<u64, StoreError> {
        let mut state = self.state();
        let names: HashSet<&ContentHash> = names.iter().collect();
        let count = state.vectors.len();
        state.vectors.retain(|(of, name), kept| {
            if of != kind || !names.contains(name) {
                return true;
            }
            *kept.unneeded.get_or_insert(now) >= before
        });
        Ok((count - state.vectors.len()) as u64)
    }

    async fn clear_unneeded(&self, kind: &VectorKind, names: &[ContentHash]) -> Result<(), StoreError> {
        let mut state = self.state();
        for name in names {
            if let Some(kept) = state.vectors.get_mut(&(kind.clone(), *name)) {
                kept.unneeded = None;
            }
        }
        Ok(())
    }
}
