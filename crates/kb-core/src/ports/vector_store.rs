//! The port of the sweep of unneeded vectors. It serves the whole process.

use std::fmt;

use async_trait::async_trait;
use shared_core::{StoreError, Timestamp, WorkspaceId};

use crate::{ChunkKey, ContentHash};

/// The vectors of one model in a workspace.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct VectorKind {
    /// The workspace that owns them.
    pub workspace: WorkspaceId,
    /// The model, as `model@provider`.
    pub model: String,
}

/// A position among the chunks of a workspace.
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

/// The vectors, which all bases of a workspace share. Implementations must pass `knowledge_contract!`.
///
/// A vector is *needed* while a chunk with its text is stored whose base wants its model or is served by it,
/// or whose item is embedded with it. An unneeded vector is marked first and deleted later, since a worker
/// relies on vectors before it stores the chunks.
#[async_trait]
pub trait VectorStore: fmt::Debug + Send + Sync + 'static {
    /// The next kind after this one that has vectors, in an order of the store's own.
    async fn next_kind(&self, after: Option<&VectorKind>) -> Result<Option<VectorKind>, StoreError>;
    /// The hashes of vectors after this one, ascending.
    async fn names(
        &self,
        kind: &VectorKind,
        after: Option<ContentHash>,
        limit: u32,
    ) -> Result<Vec<ContentHash>, StoreError>;
    /// As [`VectorStore::names`], of the vectors marked as unneeded.
    async fn unneeded(
        &self,
        kind: &VectorKind,
        after: Option<ContentHash>,
        limit: u32,
    ) -> Result<Vec<ContentHash>, StoreError>;
    /// The hashes that the chunks at or after a place need, of about `limit` chunks, in no order; and the
    /// place to continue from, `None` at the end. Chunks that change between two calls may be missed.
    async fn needed(
        &self,
        kind: &VectorKind,
        from: ChunkPlace,
        limit: u32,
    ) -> Result<(Vec<ContentHash>, Option<ChunkPlace>), StoreError>;
    /// Deletes those of these vectors that were marked before `before`, and marks the unmarked ones at `now`,
    /// in one short transaction. Returns how many were deleted.
    async fn discard(
        &self,
        kind: &VectorKind,
        names: &[ContentHash],
        before: Timestamp,
        now: Timestamp,
    ) -> Result<u64, StoreError>;
    /// Clears the marks of these vectors.
    async fn clear_unneeded(&self, kind: &VectorKind, names: &[ContentHash]) -> Result<(), StoreError>;
}
