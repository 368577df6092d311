//! The port through which indexes follow the store. It serves the whole process: it has no scope, and nothing
//! of it is visible to users.

use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use shared_core::{StoreError, Timestamp};

use super::index::IndexedChunk;
use crate::{Chunk, ChunkKey};

/// The range of changes that the feed still has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FeedState {
    /// The number of the last change; 0 when there was none.
    pub latest: i64,
    /// Changes up to this one, inclusive, are forgotten. An index that has not applied them is rebuilt.
    pub forgotten: i64,
    /// Grows when all indexes are to be rebuilt.
    pub generation: i64,
}

/// One change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// Its number.
    pub sequence: i64,
    /// The kind of the change, with its subject.
    pub what: ChangeKind,
}

/// What changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChangeKind {
    /// The chunks of an item became findable or were replaced. The item may have been changed or deleted
    /// since.
    Put {
        /// The item's number.
        item: i64,
    },
    /// An item was deleted.
    Gone {
        /// The item's number.
        item: i64,
    },
    /// A base was deleted with all its items.
    BaseGone {
        /// The base's number.
        base: i64,
    },
}

/// The data of an item that an index needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IndexedItem {
    /// The item's number.
    pub number: i64,
    /// The number of its base.
    pub base: i64,
    /// The sequence number that its hits carry.
    pub sequence: i64,
    /// Its title.
    pub name: String,
    /// ISO 639-1, if detected.
    pub language: Option<String>,
}

impl IndexedItem {
    /// One of its chunks, for an index.
    #[must_use]
    pub fn chunk(&self, chunk: Chunk) -> IndexedChunk {
        IndexedChunk {
            key: ChunkKey { item: self.number, position: chunk.position },
            base: self.base,
            sequence: self.sequence,
            title: self.name.clone(),
            heading: chunk.heading,
            text: chunk.text,
            language: self.language.clone(),
        }
    }
}

/// Lists the changes and the present content. Implementations must pass `knowledge_contract!`.
#[async_trait]
pub trait ChangeFeed: fmt::Debug + Send + Sync + 'static {
    /// The range of changes that the feed still has.
    async fn state(&self) -> Result<FeedState, StoreError>;
    /// Changes after a number, ascending.
    async fn changes(&self, after: i64, limit: u32) -> Result<Vec<Change>, StoreError>;
    /// The time of the first change after a number that the feed still has.
    async fn next_change_time(&self, after: i64) -> Result<Option<Timestamp>, StoreError>;
    /// A findable item; `None` for others.
    async fn item(&self, number: i64) -> Result<Option<IndexedItem>, StoreError>;
    /// Findable items whose number is greater than `after`, ascending.
    async fn items(&self, after: i64, limit: u32) -> Result<Vec<IndexedItem>, StoreError>;
    /// Chunks of an item from a position on, in order; empty when it is not findable.
    async fn chunks(&self, item: i64, from: u32, limit: u32) -> Result<Vec<Chunk>, StoreError>;
    /// The chunks of a base's findable items with vectors of a model whose key is greater than `after`,
    /// ascending; with the sequence number of their items.
    async fn vectors(
        &self,
        base: i64,
        model: &str,
        after: ChunkKey,
        limit: u32,
    ) -> Result<Vec<(ChunkKey, i64, Arc<[f32]>)>, StoreError>;
    /// Requests a rebuild of all indexes; returns the new generation.
    async fn renew(&self) -> Result<i64, StoreError>;
    /// Forgets changes before this time that `applied` includes, in batches, oldest first. Returns how many;
    /// if any, there may be more.
    async fn forget(&self, before: Timestamp, applied: i64) -> Result<u64, StoreError>;
}
