//! Removes the vectors that no chunk needs any more: of deleted files and bases, of replaced content, and of
//! models that bases no longer want.
//!
//! There is no index from vectors to chunks, since a million chunks should cost little more than their texts.
//! So the sweep reads the hashes of all vectors of a kind, then all chunks, and strikes out the hashes that
//! chunks need. The rest is marked, and deleted once it has been marked for a day. Looking a vector up or
//! storing it again clears its mark, so a worker never loses a vector that it has found, and content that is
//! deleted and added again within a day is not paid twice. Any number of processes may sweep concurrently.

use std::sync::Arc;

use shared_core::{Clock, StoreError};

use crate::{ChunkPlace, ContentHash, VectorKind, VectorStore};

/// Grace period of an unneeded vector, in seconds.
const GRACE: i64 = 24 * 60 * 60;
/// Hashes that are checked against the chunks in one pass; each takes 17 bytes of memory.
const PORTION: usize = 1 << 20;
/// Hashes, or chunks, that are read in one batch.
const READ: u32 = 10_000;
/// Vectors that one transaction deletes or marks.
const WRITTEN: usize = 500;

/// Removes unneeded vectors; see the module.
#[derive(Clone, Debug)]
pub struct VectorSweep {
    /// All vectors.
    pub stock: Arc<dyn VectorStore>,
    /// Wall clock.
    pub clock: Arc<dyn Clock>,
}

impl VectorSweep {
    /// Sweeps all vectors once, and deletes those that have been unneeded for a day. Returns how many.
    ///
    /// # Errors
    /// When the store fails; the next sweep continues.
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
            // The grace period is computed before the chunks are read: a vector looked up since then has no
            // older mark.
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

    /// The next hashes, ascending.
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

    /// Which of the hashes (ascending) chunks need.
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

    /// Clears the marks of needed vectors, among the hashes after one.
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
