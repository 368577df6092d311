//! A store of items that fails on request.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use async_trait::async_trait;
use gen_core::scripted::turn;
use kb_core::{
    AddedItem, BaseId, Chunk, ChunkKey, ChunkRepository, Content, ContentHash, EmbeddingRepository,
    IngestRepository, IngestResult, Item, ItemAttributes, ItemChange, ItemError, ItemFilter, ItemId,
    ItemRepository, LiveChunk, MemoryKnowledge, NewItem, RemovedItems, Selection, Task, Vector,
};
use parking_lot::Mutex;
use shared_core::{Page, PageRequest, Scope, StoreError, Timestamp, WorkspaceId};

/// How a method fails.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Fails {
    /// The store cannot be reached.
    Away,
    /// A row is damaged.
    Corrupt,
}

/// A store whose methods fail so often, by their names.
#[derive(Debug)]
pub(crate) struct FaultyItems {
    pub(crate) store: Arc<MemoryKnowledge>,
    pub(crate) failing: Mutex<HashMap<&'static str, (u32, Fails)>>,
    /// Calls of methods, by their names.
    pub(crate) calls: Mutex<HashMap<&'static str, u32>>,
}

impl FaultyItems {
    pub(crate) fn new(store: Arc<MemoryKnowledge>) -> Self {
        Self { store, failing: Mutex::default(), calls: Mutex::default() }
    }

    pub(crate) fn fail(&self, method: &'static str, times: u32, how: Fails) {
        self.failing.lock().insert(method, (times, how));
    }

    pub(crate) fn called(&self, method: &'static str) -> u32 {
        self.calls.lock().get(method).copied().unwrap_or_default()
    }

    async fn step(&self, method: &'static str) -> Result<(), StoreError> {
        *self.calls.lock().entry(method).or_default() += 1;
        // A place where a crash can be.
        turn().await;
        let mut failing = self.failing.lock();
        let Some((left, how)) = failing.get_mut(method).filter(|(left, _)| *left > 0) else { return Ok(()) };
        *left -= 1;
        Err(match how {
            Fails::Away => StoreError::Unavailable("as the test says".into()),
            Fails::Corrupt => StoreError::Corrupt("as the test says".into()),
        })
    }
}

#[async_trait]
impl ItemRepository for FaultyItems {
    async fn add(
        &self,
        scope: &Scope,
        base: &BaseId,
        items: Vec<NewItem>,
        most: u64,
        now: Timestamp,
    ) -> Result<Option<Vec<AddedItem>>, StoreError> {
        self.step("add").await?;
        ItemRepository::add(self.store.as_ref(), scope, base, items, most, now).await
    }

    async fn find(&self, scope: &Scope, id: &ItemId) -> Result<Option<Item>, StoreError> {
        self.step("find").await?;
        ItemRepository::find(self.store.as_ref(), scope, id).await
    }

    async fn list(
        &self,
        scope: &Scope,
        filter: &ItemFilter,
        page: &PageRequest,
    ) -> Result<Page<Item>, StoreError> {
        self.step("list").await?;
        ItemRepository::list(self.store.as_ref(), scope, filter, page).await
    }

    async fn changed(
        &self,
        scope: &Scope,
        base: &BaseId,
        since: Timestamp,
        limit: u32,
    ) -> Result<Vec<Item>, StoreError> {
        self.step("changed").await?;
        ItemRepository::changed(self.store.as_ref(), scope, base, since, limit).await
    }

    async fn update(
        &self,
        scope: &Scope,
        id: &ItemId,
        change: &ItemChange,
        now: Timestamp,
    ) -> Result<Option<(Item, RemovedItems)>, StoreError> {
        self.step("update").await?;
        ItemRepository::update(self.store.as_ref(), scope, id, change, now).await
    }

    async fn delete(
        &self,
        scope: &Scope,
        selection: &Selection,
        now: Timestamp,
    ) -> Result<RemovedItems, StoreError> {
        self.step("delete").await?;
        ItemRepository::delete(self.store.as_ref(), scope, selection, now).await
    }

    async fn remove_expired(&self, now: Timestamp, limit: u32) -> Result<RemovedItems, StoreError> {
        self.step("remove_expired").await?;
        ItemRepository::remove_expired(self.store.as_ref(), now, limit).await
    }

    async fn retry(&self, scope: &Scope, id: &ItemId, now: Timestamp) -> Result<Option<Item>, StoreError> {
        self.step("retry").await?;
        ItemRepository::retry(self.store.as_ref(), scope, id, now).await
    }
}

#[async_trait]
impl ChunkRepository for FaultyItems {
    async fn chunks(
        &self,
        scope: &Scope,
        id: &ItemId,
        from: u32,
        limit: u32,
    ) -> Result<Vec<Chunk>, StoreError> {
        self.step("chunks").await?;
        ChunkRepository::chunks(self.store.as_ref(), scope, id, from, limit).await
    }

    async fn load_live_chunks(
        &self,
        scope: &Scope,
        base: &BaseId,
        found: &[(ChunkKey, i64)],
    ) -> Result<Vec<Option<LiveChunk>>, StoreError> {
        self.step("live").await?;
        ChunkRepository::load_live_chunks(self.store.as_ref(), scope, base, found).await
    }

    async fn attributes(
        &self,
        scope: &Scope,
        base: &BaseId,
        after: i64,
        limit: u32,
    ) -> Result<Vec<ItemAttributes>, StoreError> {
        self.step("attributes").await?;
        ChunkRepository::attributes(self.store.as_ref(), scope, base, after, limit).await
    }
}

#[async_trait]
impl IngestRepository for FaultyItems {
    async fn task(
        &self,
        workspace: &WorkspaceId,
        base: &BaseId,
        place: u32,
    ) -> Result<Option<Task>, StoreError> {
        self.step("task").await?;
        IngestRepository::task(self.store.as_ref(), workspace, base, place).await
    }

    async fn begin(&self, task: &Task, token: i64, now: Timestamp) -> Result<(), StoreError> {
        self.step("begin").await?;
        IngestRepository::begin(self.store.as_ref(), task, token, now).await
    }

    async fn set_content(
        &self,
        task: &Task,
        token: i64,
        content: &Content,
        name: Option<&str>,
        now: Timestamp,
    ) -> Result<Item, StoreError> {
        self.step("obtained").await?;
        IngestRepository::set_content(self.store.as_ref(), task, token, content, name, now).await
    }

    async fn progress(
        &self,
        task: &Task,
        token: i64,
        done: u64,
        total: u64,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        self.step("progress").await?;
        IngestRepository::progress(self.store.as_ref(), task, token, done, total, now).await
    }

    async fn postpone(
        &self,
        task: &Task,
        token: i64,
        error: &ItemError,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        self.step("postpone").await?;
        IngestRepository::postpone(self.store.as_ref(), task, token, error, now).await
    }

    async fn publish(
        &self,
        task: &Task,
        token: i64,
        finished: &IngestResult,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        self.step("publish").await?;
        IngestRepository::publish(self.store.as_ref(), task, token, finished, now).await
    }

    async fn finish(
        &self,
        task: &Task,
        token: i64,
        finished: &IngestResult,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        self.step("finish").await?;
        IngestRepository::finish(self.store.as_ref(), task, token, finished, now).await
    }

    async fn fail(
        &self,
        task: &Task,
        token: i64,
        error: &ItemError,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        self.step("fail").await?;
        IngestRepository::fail(self.store.as_ref(), task, token, error, now).await
    }
}

#[async_trait]
impl EmbeddingRepository for FaultyItems {
    async fn find_embedded(
        &self,
        scope: &Scope,
        model: &str,
        texts: &[ContentHash],
    ) -> Result<HashSet<ContentHash>, StoreError> {
        self.step("embedded").await?;
        EmbeddingRepository::find_embedded(self.store.as_ref(), scope, model, texts).await
    }

    async fn store_vectors(
        &self,
        scope: &Scope,
        model: &str,
        vectors: Vec<Vector>,
    ) -> Result<(), StoreError> {
        self.step("keep").await?;
        EmbeddingRepository::store_vectors(self.store.as_ref(), scope, model, vectors).await
    }
}
