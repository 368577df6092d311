//! The port of items, their chunks and their vectors.

use std::collections::HashSet;
use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use serde_json::{Map, Value};
use shared_core::{Page, PageRequest, Scope, StoreError, Timestamp, WorkspaceId};

use super::RemovedItems;
use super::new_item::{AddedItem, NewItem};
use crate::{
    Base, BaseId, Chunk, ChunkKey, Content, ContentHash, Item, ItemAttributes, ItemError, ItemId, ItemStatus,
    Progress, Source,
};

/// Filter of a list of items.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ItemFilter {
    /// Restricts it to this base; else all of the workspace.
    pub base: Option<BaseId>,
    /// Restricts it to this status.
    pub status: Option<ItemStatus>,
    /// Restricts it to items with this external id, one of a base.
    pub external_id: Option<String>,
}

/// Changes of an item; `None` keeps the value.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ItemChange {
    /// New title.
    pub name: Option<String>,
    /// New meta, which replaces the old.
    pub meta: Option<Map<String, Value>>,
    /// New expiry; `Some(None)` clears it.
    pub expires: Option<Option<Timestamp>>,
    /// New content. The old chunks stay findable until the new ones are ready.
    pub replacement: Option<Replacement>,
    /// New fingerprint, when title and meta are part of it; ignored when another item has it.
    pub fingerprint: Option<String>,
}

/// New content of an item: a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replacement {
    /// Where it came from.
    pub source: Source,
    /// Its original.
    pub content: Content,
    /// Whether the bytes were written for this item.
    pub fresh: bool,
    /// Identifies its content.
    pub fingerprint: String,
}

/// Which items are to be deleted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Selection {
    /// The items with these ids that exist; with a base, those in it.
    Ids(Option<BaseId>, Vec<ItemId>),
    /// All of a base.
    All(BaseId),
}

/// The subject of a job.
#[derive(Clone, Debug, PartialEq)]
pub struct Task {
    /// The scope of the item's author.
    pub scope: Scope,
    /// The base that the item is in.
    pub base: Base,
    /// The item as it was when the task was read.
    pub item: Item,
}

/// Result of the work on an item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IngestResult {
    /// Its chunks; `None` keeps the stored ones.
    pub chunks: Option<Vec<Chunk>>,
    /// Its language, if detected.
    pub language: Option<String>,
    /// The model of which all its chunks have vectors.
    pub embedded: Option<String>,
    /// Why it has no vectors of the wanted model: the item has then failed, and is found lexically only.
    pub failure: Option<ItemError>,
    /// A warning for the user, such as that only a part of the document was read.
    pub remark: Option<ItemError>,
}

impl IngestResult {
    /// Applies the result to the item, which has this many chunks. `wanted` is the model that its base wants,
    /// if it changed since the work began. Returns whether the item needs another job.
    pub fn settle(&self, item: &mut Item, chunks: u64, wanted: Option<Option<&str>>) -> bool {
        item.chunks = chunks;
        // Missing vectors of a model are no failure when they are no longer wanted.
        let failure = self.failure.clone().filter(|_| wanted.is_none());
        let failed = failure.is_some();
        item.status = if failed { ItemStatus::Failed } else { ItemStatus::Ready };
        item.error = failure.or_else(|| self.remark.clone());
        if !failed {
            let needed = if self.embedded.is_some() { chunks } else { 0 };
            item.progress = Progress { done: needed, total: needed };
        }
        wanted.is_some_and(|model| item.lacks(model))
    }
}

/// A findable chunk with the data of its item.
#[derive(Clone, Debug, PartialEq)]
pub struct LiveChunk {
    /// The item as it was when the task was read.
    pub item: ItemId,
    /// The item's number.
    pub number: i64,
    /// The item's title.
    pub name: String,
    /// The item's meta.
    pub meta: Map<String, Value>,
    /// From when on the item must not be found.
    pub expires: Option<Timestamp>,
    /// The item's language (ISO 639-1), if detected.
    pub language: Option<String>,
    /// The chunk as stored.
    pub chunk: Chunk,
}

/// A vector with the hash of its text.
pub type Vector = (ContentHash, Arc<[f32]>);

/// Stores items with their chunks and vectors, and the change feed. Each operation that makes chunks
/// findable, or removes them, writes a change under the next sequence number in the same transaction; the
/// numbers are in commit order. Implementations must pass `knowledge_contract!`.
///
/// Jobs of items are in the queue [`QUEUE`](crate::QUEUE): the owner is the base's id, the position the
/// item's place. Methods that end or report work take the job's fencing token and return `Stale` for any
/// other token.
#[async_trait]
pub trait ItemRepository: fmt::Debug + Send + Sync + 'static {
    /// Adds items in one transaction, in order; returns each, or the existing one with the same content. A
    /// failed one that is added again is queued again. Documents get a job. Ready-made chunks are stored and
    /// findable at once; when the base wants vectors, they get a job. An item whose external id the base has
    /// replaces the content and labels of that item as far as they differ; its old chunks stay findable until
    /// the new ones are. The expiry of an existing item becomes that of the addition.
    /// `Missing("knowledge base")` without the base. `None`, and nothing is added, when the base would have more than `most` items, also with
    /// concurrent additions.
    async fn add(
        &self,
        scope: &Scope,
        base: &BaseId,
        items: Vec<NewItem>,
        most: u64,
        now: Timestamp,
    ) -> Result<Option<Vec<AddedItem>>, StoreError>;
    /// The item with this id.
    async fn find(&self, scope: &Scope, id: &ItemId) -> Result<Option<Item>, StoreError>;
    /// Items, newest first, then by number descending. The cursor's id is the number.
    async fn list(
        &self,
        scope: &Scope,
        filter: &ItemFilter,
        page: &PageRequest,
    ) -> Result<Page<Item>, StoreError>;
    /// Items of a base that changed at this moment or later, latest first, then by number descending.
    async fn changed(
        &self,
        scope: &Scope,
        base: &BaseId,
        since: Timestamp,
        limit: u32,
    ) -> Result<Vec<Item>, StoreError>;
    /// Changes an item. A new title or meta of a findable item writes a change; new content queues it.
    /// `Taken("content")` when another item of the base has the content. `None` when the item does not exist.
    /// Also returns the contents without references.
    async fn update(
        &self,
        scope: &Scope,
        id: &ItemId,
        change: &ItemChange,
        now: Timestamp,
    ) -> Result<Option<(Item, RemovedItems)>, StoreError>;
    /// Deletes items with their chunks and jobs, in one transaction.
    async fn delete(
        &self,
        scope: &Scope,
        selection: &Selection,
        now: Timestamp,
    ) -> Result<RemovedItems, StoreError>;
    /// Deletes up to `limit` items of all workspaces that have expired, as [`ItemRepository::delete`] does, those
    /// first that expired first.
    async fn remove_expired(&self, now: Timestamp, limit: u32) -> Result<RemovedItems, StoreError>;
    /// Queues a failed item again; `Stale` when it has not failed, `None` when it does not exist.
    async fn retry(&self, scope: &Scope, id: &ItemId, now: Timestamp) -> Result<Option<Item>, StoreError>;
}

/// Reads what searches need: the chunks of hits, and the attributes of items.
#[async_trait]
pub trait ChunkRepository: fmt::Debug + Send + Sync + 'static {
    /// The stored chunks of an item from a position on, in order.
    async fn chunks(
        &self,
        scope: &Scope,
        id: &ItemId,
        from: u32,
        limit: u32,
    ) -> Result<Vec<Chunk>, StoreError>;
    /// The chunks of hits, in their order: `None` for one that was deleted or replaced, or that is in another
    /// base or workspace. The second value of a hit is its sequence number.
    async fn load_live_chunks(
        &self,
        scope: &Scope,
        base: &BaseId,
        found: &[(ChunkKey, i64)],
    ) -> Result<Vec<Option<LiveChunk>>, StoreError>;
    /// The attributes of a base's findable items whose number is greater than `after`, ascending.
    async fn attributes(
        &self,
        scope: &Scope,
        base: &BaseId,
        after: i64,
        limit: u32,
    ) -> Result<Vec<ItemAttributes>, StoreError>;
}

/// The work on items: their parsed chunks, progress and failures. Methods that end or report work take the
/// job's fencing token and return `Stale` for any other token.
#[async_trait]
pub trait IngestRepository: fmt::Debug + Send + Sync + 'static {
    /// The subject of a job; `None` when it was deleted.
    async fn task(
        &self,
        workspace: &WorkspaceId,
        base: &BaseId,
        place: u32,
    ) -> Result<Option<Task>, StoreError>;
    /// Marks an item that is not ready as being processed.
    async fn begin(&self, task: &Task, token: i64, now: Timestamp) -> Result<(), StoreError>;
    /// Sets the original of an item that has none, and its title if given. An original that was set meanwhile
    /// stays. Returns the item.
    async fn set_content(
        &self,
        task: &Task,
        token: i64,
        content: &Content,
        name: Option<&str>,
        now: Timestamp,
    ) -> Result<Item, StoreError>;
    /// Records the progress.
    async fn progress(
        &self,
        task: &Task,
        token: i64,
        done: u64,
        total: u64,
        now: Timestamp,
    ) -> Result<(), StoreError>;
    /// Records a failed attempt: the item is queued again, with the error.
    async fn postpone(
        &self,
        task: &Task,
        token: i64,
        error: &ItemError,
        now: Timestamp,
    ) -> Result<(), StoreError>;
    /// Stores the chunks of `finished` and makes them findable lexically, in place of the former ones. The
    /// job continues with the vectors.
    async fn publish(
        &self,
        task: &Task,
        token: i64,
        finished: &IngestResult,
        now: Timestamp,
    ) -> Result<(), StoreError>;
    /// Stores chunks, makes the item ready and findable, and ends its job; with a failure, findable and
    /// failed. `serving` of the base follows its `embedding` when this was the last item without vectors of
    /// it. When the base wants another model since the work began, the item is ready, and a job again if it
    /// lacks that model's vectors.
    async fn finish(
        &self,
        task: &Task,
        token: i64,
        finished: &IngestResult,
        now: Timestamp,
    ) -> Result<(), StoreError>;
    /// Marks the item as failed and ends its job. Findable chunks stay findable.
    async fn fail(
        &self,
        task: &Task,
        token: i64,
        error: &ItemError,
        now: Timestamp,
    ) -> Result<(), StoreError>;
}

/// The vectors of texts, which all bases of a workspace share.
#[async_trait]
pub trait EmbeddingRepository: fmt::Debug + Send + Sync + 'static {
    /// Returns which of the texts have a vector of the model in the workspace, and clears their unneeded
    /// marks (see [`VectorStore`](super::VectorStore)).
    async fn find_embedded(
        &self,
        scope: &Scope,
        model: &str,
        texts: &[ContentHash],
    ) -> Result<HashSet<ContentHash>, StoreError>;
    /// Stores vectors. An existing one stays, and its unneeded mark is cleared.
    async fn store_vectors(&self, scope: &Scope, model: &str, vectors: Vec<Vector>)
    -> Result<(), StoreError>;
}
