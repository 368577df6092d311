//! The port through which vectors that nobody needs go. It serves the process as a whole.

use std::fmt;

use async_trait::async_trait;
use shared_core::{StoreError, Timestamp, WorkspaceId};

use crate::{ChunkKey, ContentHash};

/// The vectors of a workspace that are of one model.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct VectorKind {
    /// The workspace.
    pub workspace: WorkspaceId,
    /// The model, as `model@provider`.
    pub model: String,
}

/// A place among the chunks of a workspace.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ChunkPlace {
    /// The number of the base.
    pub base: i64,
    /// The chunk.
    pub key: ChunkKey,
}

impl ChunkPlace {
    /// Before all chunks.
    pub const START: Self = Self { base: 0, key: ChunkKey { item: 0, position: 0 } };
}

/// The stock of vectors, which is shared by all bases of a workspace. Implementations must pass
/// `knowledge_contract!`.
///
/// A vector is *needed* while a chunk with its text is stored whose base wants its model or is served by it, or
/// whose item says that its chunks have vectors of it. What is not needed is noted first and goes later, since
/// whoever works on an item relies on vectors before its chunks are stored.
#[async_trait]
pub trait VectorStore: fmt::Debug + Send + Sync + 'static {
    /// The kind after this one, in an order of the store's own, of which there are vectors.
    async fn next_kind(&self, after: Option<&VectorKind>) -> Result<Option<VectorKind>, StoreError>;
    /// The names of vectors after this one, ascending.
    async fn names(
        &self,
        kind: &VectorKind,
        after: Option<ContentHash>,
        limit: u32,
    ) -> Result<Vec<ContentHash>, StoreError>;
    /// As [`VectorStore::names`], of those that are noted as not needed.
    async fn unneeded(
        &self,
        kind: &VectorKind,
        after: Option<ContentHash>,
        limit: u32,
    ) -> Result<Vec<ContentHash>, StoreError>;
    /// The names of what the chunks at or after a place need, of about `limit` chunks, in no order, and the place to go
    /// on from; none at the end. Chunks that come, go or change between two calls may be missed.
    async fn needed(
        &self,
        kind: &VectorKind,
        from: ChunkPlace,
        limit: u32,
    ) -> Result<(Vec<ContentHash>, Option<ChunkPlace>), StoreError>;
    /// Deletes those of these that were noted before `before`, and notes at `now` those that were not noted; in one
    /// short transaction. How many went.
    async fn discard(
        &self,
        kind: &VectorKind,
        names: &[ContentHash],
        before: Timestamp,
        now: Timestamp,
    ) -> Result<u64, StoreError>;
    /// Takes the notes of these away.
    async fn clear_unneeded(&self, kind: &VectorKind, names: &[ContentHash]) -> Result<(), StoreError>;
}
