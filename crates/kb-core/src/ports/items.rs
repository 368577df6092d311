//! The port of items, their chunks and their vectors.

use std::collections::HashSet;
use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use serde_json::{Map, Value};
use shared_core::{Page, PageRequest, Scope, StoreError, Timestamp, WorkspaceId};

use super::RemovedItems;
use crate::{
    Base, BaseId, Chunk, ChunkKey, Content, ContentHash, Item, ItemError, ItemId, ItemStatus, Progress,
    Source,
};

/// A chunk that came ready-made; its offsets count the characters of all of the item's texts, each parted
/// from the next by a blank line.
pub type NewChunk = Chunk;

/// What an item consists of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Contents {
    /// A document to be parsed.
    Document {
        /// Its original. Where the workspace has the same content already, the item refers to that blob.
        content: Content,
        /// Whether the bytes were written for this item; else they must be there already (`Missing("file")`
        /// when they no longer are).
        fresh: bool,
    },
    /// A document that is elsewhere, and got by the work on it: its source says where.
    Remote,
    /// Chunks in order.
    Chunks {
        /// The chunks.
        chunks: Vec<NewChunk>,
        /// Their language, where it could be told.
        language: Option<String>,
    },
    /// It cannot be used.
    Unusable(ItemError),
}

/// An item to be added.
#[derive(Clone, Debug, PartialEq)]
pub struct NewItem {
    /// Identifier.
    pub id: ItemId,
    /// The API key that pays for its vectors.
    pub key: Option<String>,
    /// Where it came from.
    pub source: Source,
    /// Its title.
    pub name: String,
    /// What the user keeps with it.
    pub meta: Map<String, Value>,
    /// Size of what was given.
    pub bytes: u64,
    /// Names its content: items of equal fingerprints in a base are one item.
    pub fingerprint: String,
    /// What it consists of.
    pub matter: Contents,
}

impl NewItem {
    /// The item as it waits, before it has what it consists of.
    #[must_use]
    pub fn queued(&self, scope: &Scope, base: &BaseId, (number, place): (i64, u32), now: Timestamp) -> Item {
        Item {
            id: self.id.clone(),
            number,
            place,
            workspace: scope.workspace.clone(),
            base: base.clone(),
            author: scope.user.clone(),
            key: self.key.clone(),
            source: self.source.clone(),
            name: self.name.clone(),
            meta: self.meta.clone(),
            status: ItemStatus::Queued,
            error: None,
            bytes: self.bytes,
            content: None,
            chunks: 0,
            progress: Progress::default(),
            language: None,
            embedded: None,
            sequence: 0,
            created: now,
            updated: now,
        }
    }
}

/// An item after [`ItemRepository::add`].
#[derive(Clone, Debug, PartialEq)]
pub struct AddedItem {
    /// The item, or the one that was there already with the same content.
    pub item: Item,
    /// Whether it is new.
    pub new: bool,
}

/// Which items a list has.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ItemFilter {
    /// Only of this base; else of all of the workspace.
    pub base: Option<BaseId>,
    /// Only in this state.
    pub status: Option<ItemStatus>,
}

/// What changes of an item; `None` stays.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ItemChange {
    /// New title.
    pub name: Option<String>,
    /// New meta.
    pub meta: Option<Map<String, Value>>,
    /// New content. The chunks of the old one are found until the new ones are ready.
    pub replacement: Option<Replacement>,
    /// What names the content, where title and meta are a part of that; left out where another item has it.
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
    /// Names its content.
    pub fingerprint: String,
}

/// Which items are to be deleted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Selection {
    /// Those of these ids that are there; with a base, those that are in it.
    Ids(Option<BaseId>, Vec<ItemId>),
    /// All of a base.
    All(BaseId),
}

/// What a job is about.
#[derive(Clone, Debug, PartialEq)]
pub struct Task {
    /// On whose behalf: the item's author.
    pub scope: Scope,
    /// The base.
    pub base: Base,
    /// The item.
    pub item: Item,
}

/// The end of the work on an item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IngestResult {
    /// Its chunks; none when those that are stored stay.
    pub chunks: Option<Vec<Chunk>>,
    /// Its language, where it could be told.
    pub language: Option<String>,
    /// The model that all its chunks have vectors of.
    pub embedded: Option<String>,
    /// Why there are none of the model that was wanted: the item has failed then, and is found by words alone.
    pub failure: Option<ItemError>,
    /// What the user should know though nothing failed, as that only a part of the document could be read.
    pub remark: Option<ItemError>,
}

impl IngestResult {
    /// Makes the item what it is now that it has so many chunks; `wanted` is the model that its base wants, where it is
    /// another one than when the work began. Whether the item is to be worked on again.
    pub fn settle(&self, item: &mut Item, chunks: u64, wanted: Option<Option<&str>>) -> bool {
        item.chunks = chunks;
        // That there are no vectors of a model is no failure when they are no longer wanted.
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

/// A chunk that can be shown, with what is told of its item.
#[derive(Clone, Debug, PartialEq)]
pub struct LiveChunk {
    /// The item.
    pub item: ItemId,
    /// The item's number.
    pub number: i64,
    /// The item's title.
    pub name: String,
    /// The item's meta.
    pub meta: Map<String, Value>,
    /// The chunk.
    pub chunk: Chunk,
}

/// A text's vector.
pub type Vector = (ContentHash, Arc<[f32]>);

/// Stores items with their chunks and vectors, and what indexes are told. Whatever makes chunks findable, or
/// takes them away, writes a change under the next sequence number in the same transaction; the numbers are
/// in the order of the commits. Implementations must pass `knowledge_contract!`.
///
/// Jobs of items are in the queue [`QUEUE`](crate::QUEUE): owner is the base's id, position the item's place.
/// The methods that end or show work take the job's fencing token and answer `Stale` when it is not the job's.
#[async_trait]
pub trait ItemRepository: fmt::Debug + Send + Sync + 'static {
    /// Adds items in one unit, in order; answers each, or the one whose content it has. One that has failed
    /// and is given again is queued again. Documents get a job. Ready-made chunks are stored
    /// and findable at once; where the base wants vectors, they get a job. `Missing("knowledge base")`;
    /// `None`, and nothing is added, where new ones would make more than `most` items of the base, also when
    /// many add at once.
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
    /// Items of a base that changed at a moment or later, the last one first, then by number descending.
    async fn changed(
        &self,
        scope: &Scope,
        base: &BaseId,
        since: Timestamp,
        limit: u32,
    ) -> Result<Vec<Item>, StoreError>;
    /// Changes an item. Another title or meta is a change for indexes where the item is findable; new content
    /// queues it. `Taken("content")` when another item of the base has it. `None` when it is not there; the
    /// contents that nobody refers to any more are answered beside it.
    async fn update(
        &self,
        scope: &Scope,
        id: &ItemId,
        change: &ItemChange,
        now: Timestamp,
    ) -> Result<Option<(Item, RemovedItems)>, StoreError>;
    /// Deletes items with their chunks and jobs, in one unit.
    async fn delete(
        &self,
        scope: &Scope,
        selection: &Selection,
        now: Timestamp,
    ) -> Result<RemovedItems, StoreError>;
    /// Queues a failed item again; `Stale` when it has not failed, `None` when it is not there.
    async fn retry(&self, scope: &Scope, id: &ItemId, now: Timestamp) -> Result<Option<Item>, StoreError>;
    /// The stored chunks of an item from a position on, in order.
    async fn chunks(
        &self,
        scope: &Scope,
        id: &ItemId,
        from: u32,
        limit: u32,
    ) -> Result<Vec<Chunk>, StoreError>;

    /// The chunks of findings, in their order: `None` for one that is no longer there, was replaced, is not in
    /// the base or not in the workspace. The second value of a finding is the sequence number it is from.
    async fn load_live_chunks(
        &self,
        scope: &Scope,
        base: &BaseId,
        found: &[(ChunkKey, i64)],
    ) -> Result<Vec<Option<LiveChunk>>, StoreError>;
    /// The meta of a base's findable items whose number is greater than `after`, ascending.
    async fn metas(
        &self,
        scope: &Scope,
        base: &BaseId,
        after: i64,
        limit: u32,
    ) -> Result<Vec<(i64, Map<String, Value>)>, StoreError>;

    /// What a job is about; `None` when it is gone.
    async fn task(
        &self,
        workspace: &WorkspaceId,
        base: &BaseId,
        place: u32,
    ) -> Result<Option<Task>, StoreError>;
    /// Shows that an item that is not ready is being worked on.
    async fn begin(&self, task: &Task, token: i64, now: Timestamp) -> Result<(), StoreError>;
    /// Gives an item that has no original the one that was written for it, and a title where there is one. An item that
    /// has got one meanwhile keeps that. Answers the item.
    async fn set_content(
        &self,
        task: &Task,
        token: i64,
        content: &Content,
        name: Option<&str>,
        now: Timestamp,
    ) -> Result<Item, StoreError>;
    /// Shows how far the work is.
    async fn progress(
        &self,
        task: &Task,
        token: i64,
        done: u64,
        total: u64,
        now: Timestamp,
    ) -> Result<(), StoreError>;
    /// Notes a failed attempt: the item waits again, with the error beside it.
    async fn postpone(
        &self,
        task: &Task,
        token: i64,
        error: &ItemError,
        now: Timestamp,
    ) -> Result<(), StoreError>;
    /// Stores the chunks of `finished` and makes them findable by their words, in place of those that were; the work on
    /// the item goes on, with the vectors.
    async fn publish(
        &self,
        task: &Task,
        token: i64,
        finished: &IngestResult,
        now: Timestamp,
    ) -> Result<(), StoreError>;
    /// Stores chunks, makes the item ready and findable, and ends its job; with a failure, findable and failed.
    /// `serving` of the base follows its `embedding` when this was the last item that had no vectors of it. Where the
    /// base wants another model since the work began, the item is ready, and a job again if it lacks that one's
    /// vectors.
    async fn finish(
        &self,
        task: &Task,
        token: i64,
        finished: &IngestResult,
        now: Timestamp,
    ) -> Result<(), StoreError>;
    /// Makes the item failed and ends its job. What was findable of it stays so.
    async fn fail(
        &self,
        task: &Task,
        token: i64,
        error: &ItemError,
        now: Timestamp,
    ) -> Result<(), StoreError>;

    /// Which of the texts have a vector of the model in the workspace. Those that it has are noted as not needed
    /// no longer (see [`VectorStore`](super::VectorStock)).
    async fn find_embedded(
        &self,
        scope: &Scope,
        model: &str,
        texts: &[ContentHash],
    ) -> Result<HashSet<ContentHash>, StoreError>;
    /// Keeps vectors; one that is there already stays as it is, and is noted as not needed no longer.
    async fn store_vectors(&self, scope: &Scope, model: &str, vectors: Vec<Vector>)
    -> Result<(), StoreError>;
}
