//! Removes the vectors that no chunk needs any more: of files and bases that were deleted, content that was replaced,
//! models that bases no longer want.
//!
//! Chunks have no index by what they are embedded as, since a million of them should cost little more than their
//! texts. So the names of all vectors of a kind are read, those that chunks need are struck out while all chunks are
//! read, and what is left is noted, and deleted where it was noted a day before. In between whoever looks for a
//! vector, or keeps it once more, takes its note away: nobody who works on an item loses what he was told is there,
//! and what is deleted and added again within a day is not paid again. Any number of processes may do it at once.

use std::sync::Arc;

use shared_core::{Clock, StoreError};

use crate::{ChunkPlace, ContentHash, VectorKind, VectorStore};

/// How long a vector stays that nothing needs, in seconds.
const GRACE: i64 = 24 * 60 * 60;
/// Names that are looked for among the chunks at once; each takes 17 bytes meanwhile.
const PORTION: usize = 1 << 20;
/// Names, or chunks, that are read at once.
const READ: u32 = 10_000;
/// Vectors that one transaction deletes or notes.
const WRITTEN: usize = 500;

/// The sweep of vectors.
#[derive(Clone, Debug)]
pub struct VectorSweep {
    /// All vectors.
    pub stock: Arc<dyn VectorStore>,
    /// Time of day.
    pub clock: Arc<dyn Clock>,
}

impl VectorSweep {
    /// Goes through all vectors once, and deletes those that nothing has needed for a day. How many went.
    ///
    /// # Errors
    /// When the store fails; what is left is for the next time.
    pub async fn pass(&self) -> Result<u64, StoreError> {
        self.pass_by(PORTION).await
    }

    async fn pass_by(&self, portion: usize) -> Result<u64, StoreError> {
        let (mut last, mut gone) = (None, 0);
        while let Some(kind) = self.stock.next_kind(last.as_ref()).await? {
            gone += self.kind(&kind, portion).await?;
            last = Some(kind);
        }
        Ok(gone)
    }

    async fn kind(&self, kind: &VectorKind, most: usize) -> Result<u64, StoreError> {
        let (mut after, mut gone) = (None, 0);
        loop {
            // The grace ends before the chunks are read: what was looked for since has no note of before.
            let now = self.clock.now();
            let names = self.names(kind, after, most).await?;
            let Some(last) = names.last().copied() else { return Ok(gone) };
            let needed = self.needed(kind, &names).await?;
            self.spare(kind, (&names, &needed), after).await?;
            let unneeded = names.iter().zip(&needed).filter(|(_, needed)| !**needed);
            let unneeded: Vec<ContentHash> = unneeded.map(|(name, _)| *name).collect();
            for part in unneeded.chunks(WRITTEN) {
                gone += self.stock.discard(kind, part, now.plus_seconds(-GRACE), now).await?;
            }
            after = Some(last);
        }
    }

    /// The next names, ascending.
    async fn names(
        &self,
        kind: &VectorKind,
        after: Option<ContentHash>,
        most: usize,
    ) -> Result<Vec<ContentHash>, StoreError> {
        let (mut names, mut after) = (Vec::new(), after);
        while names.len() < most {
            let limit = u32::try_from(most - names.len()).unwrap_or(READ).min(READ);
            let part = self.stock.names(kind, after, limit).await?;
            let Some(last) = part.last() else { break };
            after = Some(*last);
            names.extend(part);
        }
        Ok(names)
    }

    /// Which of the names (ascending) chunks need.
    async fn needed(&self, kind: &VectorKind, names: &[ContentHash]) -> Result<Vec<bool>, StoreError> {
        let (mut needed, mut from) = (vec![false; names.len()], Some(ChunkPlace::START));
        while let Some(place) = from {
            let (texts, next) = self.stock.needed(kind, place, READ).await?;
            for text in texts {
                if let Some(found) = names.binary_search(&text).ok().and_then(|at| needed.get_mut(at)) {
                    *found = true;
                }
            }
            from = next;
        }
        Ok(needed)
    }

    /// Takes away the notes of what is needed, of the names after one.
    async fn spare(
        &self,
        kind: &VectorKind,
        (names, needed): (&[ContentHash], &[bool]),
        after: Option<ContentHash>,
    ) -> Result<(), StoreError> {
        let (mut after, last) = (after, names.last());
        loop {
            let noted = self.stock.unneeded(kind, after, READ).await?;
            let is_needed = |name: &&ContentHash| {
                names.binary_search(name).is_ok_and(|at| needed.get(at).is_some_and(|needed| *needed))
            };
            let spared: Vec<ContentHash> = noted.iter().filter(is_needed).copied().collect();
            for part in spared.chunks(WRITTEN) {
                self.stock.clear_unneeded(kind, part).await?;
            }
            after = noted.last().copied();
            if after.is_none() || after.as_ref() >= last {
                return Ok(());
            }
        }
    }
}

#[cfg(test)]
mod tests;
