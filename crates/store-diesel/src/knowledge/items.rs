//! The adapter of items.

use std::collections::HashSet;

use accounts_core::QuotaKind;
use async_trait::async_trait;
use kb_core::{
    AddedItem, BaseId, Chunk, ChunkKey, ChunkRepository, Content, ContentHash, Contents, EmbeddingRepository,
    IngestRepository, IngestResult, Item, ItemAttributes, ItemChange, ItemError, ItemFilter, ItemId,
    ItemRepository, LiveChunk, NewItem, RemovedItems, Selection, Task, Vector,
};
use shared_core::{Page, PageRequest, Scope, StoreError, Timestamp, WorkspaceId};

use super::contents::PreparedItem;
use super::tasks::{self, FinishedRows};
use crate::quotas;
use crate::text_encoding::encode;

use super::{
    DieselKnowledge, add, attributes, change, chunks, expired, item_rows, lists, live, remove, retry, vectors,
};
use crate::idempotency::effect;

/// The quotas of what an item has.
const CONTENT_QUOTAS: [QuotaKind; 2] = [QuotaKind::Bytes, QuotaKind::Chunks];

#[async_trait]
impl ItemRepository for DieselKnowledge {
    async fn add(
        &self,
        scope: &Scope,
        base: &BaseId,
        items: Vec<NewItem>,
        most: u64,
        now: Timestamp,
    ) -> Result<Option<Vec<AddedItem>>, StoreError> {
        let (scope, base) = (scope.clone(), base.clone());
        let bytes = items.iter().map(|new| bytes_of(&new.matter)).sum();
        let given = move || items.into_iter().map(PreparedItem::from).collect::<Vec<PreparedItem>>();
        let given = chunks::offload(bytes, given).await?;
        let add = move |connection: &mut _| {
            let added = add::add(connection, (&scope, &base), &given, most, now)?;
            quotas::check(connection, &scope.workspace.0, &CONTENT_QUOTAS)?;
            Ok(added)
        };
        let reference = |added: &Option<Vec<AddedItem>>| {
            effect("items", added.as_ref()?.iter().map(|added| &added.item.id.0))
        };
        self.0.bulk().write_effect(add, reference).await
    }

    async fn find(&self, scope: &Scope, id: &ItemId) -> Result<Option<Item>, StoreError> {
        let (workspace, id) = (scope.workspace.0.clone(), id.clone());
        let find = move |connection: &mut _| item_rows::find(connection, &workspace, &id);
        Ok(self.0.look_up(find).await?.map(|row| row.item))
    }

    async fn list(
        &self,
        scope: &Scope,
        filter: &ItemFilter,
        page: &PageRequest,
    ) -> Result<Page<Item>, StoreError> {
        let (workspace, filter, page) = (scope.workspace.0.clone(), filter.clone(), page.clone());
        self.0.read(move |connection| lists::list(connection, &workspace, &filter, &page)).await
    }

    async fn changed(
        &self,
        scope: &Scope,
        base: &BaseId,
        since: Timestamp,
        limit: u32,
    ) -> Result<Vec<Item>, StoreError> {
        let (workspace, base) = (scope.workspace.0.clone(), base.clone());
        self.0.read(move |connection| lists::changed(connection, &workspace, &base, (since, limit))).await
    }

    async fn update(
        &self,
        scope: &Scope,
        id: &ItemId,
        change: &ItemChange,
        now: Timestamp,
    ) -> Result<Option<(Item, RemovedItems)>, StoreError> {
        let (workspace, id, change) = (scope.workspace.0.clone(), id.clone(), change.clone());
        let change = move |connection: &mut _| {
            let changed = change::change(connection, &workspace, &id, &change, now)?;
            if change.replacement.is_some() {
                quotas::check(connection, &workspace, &CONTENT_QUOTAS)?;
            }
            Ok(changed)
        };
        self.0.bulk().write(change).await
    }

    async fn delete(
        &self,
        scope: &Scope,
        selection: &Selection,
        now: Timestamp,
    ) -> Result<RemovedItems, StoreError> {
        let (scope, selection) = (scope.clone(), selection.clone());
        self.0.bulk().write(move |connection| remove::remove(connection, &scope, &selection, now)).await
    }

    async fn remove_expired(&self, now: Timestamp, limit: u32) -> Result<RemovedItems, StoreError> {
        self.0.bulk().write(move |connection| expired::remove_expired(connection, now, limit)).await
    }

    async fn retry(&self, scope: &Scope, id: &ItemId, now: Timestamp) -> Result<Option<Item>, StoreError> {
        let (workspace, id) = (scope.workspace.0.clone(), id.clone());
        let retry = move |connection: &mut _| retry::retry(connection, &workspace, &id, now);
        self.0.write_effect(retry, |item| effect("items", [&item.as_ref()?.id.0])).await
    }
}

#[async_trait]
impl ChunkRepository for DieselKnowledge {
    async fn chunks(
        &self,
        scope: &Scope,
        id: &ItemId,
        from: u32,
        limit: u32,
    ) -> Result<Vec<Chunk>, StoreError> {
        let (workspace, id) = (scope.workspace.0.clone(), id.clone());
        let list = move |connection: &mut _| match item_rows::find(connection, &workspace, &id)? {
            Some(row) => chunks::list(connection, &workspace, row.item.number, (from, limit)),
            None => Ok(Vec::new()),
        };
        self.0.read(list).await
    }

    async fn load_live_chunks(
        &self,
        scope: &Scope,
        base: &BaseId,
        found: &[(ChunkKey, i64)],
    ) -> Result<Vec<Option<LiveChunk>>, StoreError> {
        let (workspace, base, found) = (scope.workspace.0.clone(), base.clone(), found.to_vec());
        self.0.read(move |connection| live::live(connection, &workspace, &base, &found)).await
    }

    async fn attributes(
        &self,
        scope: &Scope,
        base: &BaseId,
        after: i64,
        limit: u32,
    ) -> Result<Vec<ItemAttributes>, StoreError> {
        let (workspace, base) = (scope.workspace.0.clone(), base.clone());
        self.0.read(move |connection| attributes::list(connection, &workspace, &base, (after, limit))).await
    }
}

#[async_trait]
impl IngestRepository for DieselKnowledge {
    async fn task(
        &self,
        workspace: &WorkspaceId,
        base: &BaseId,
        place: u32,
    ) -> Result<Option<Task>, StoreError> {
        let (workspace, base) = (workspace.0.clone(), base.clone());
        self.0.read(move |connection| tasks::task(connection, &workspace, &base, place)).await
    }

    async fn begin(&self, task: &Task, token: i64, now: Timestamp) -> Result<(), StoreError> {
        let task = task.clone();
        self.0.write(move |connection| tasks::begin(connection, &task, token, now)).await
    }

    async fn set_content(
        &self,
        task: &Task,
        token: i64,
        content: &Content,
        name: Option<&str>,
        now: Timestamp,
    ) -> Result<Item, StoreError> {
        let (task, content, name) = (task.clone(), content.clone(), name.map(str::to_owned));
        let obtain = move |connection: &mut _| {
            let item = tasks::set_content(connection, &task, token, (&content, name.as_deref()), now)?;
            quotas::check(connection, &task.scope.workspace.0, &CONTENT_QUOTAS)?;
            Ok(item)
        };
        self.0.write(obtain).await
    }

    async fn progress(
        &self,
        task: &Task,
        token: i64,
        done: u64,
        total: u64,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let task = task.clone();
        self.0.write(move |connection| tasks::progress(connection, &task, token, (done, total), now)).await
    }

    async fn postpone(
        &self,
        task: &Task,
        token: i64,
        error: &ItemError,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let (task, error) = (task.clone(), error.clone());
        self.0.write(move |connection| tasks::postpone(connection, &task, token, &error, now)).await
    }

    async fn publish(
        &self,
        task: &Task,
        token: i64,
        finished: &IngestResult,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let (task, finished) = (task.clone(), finished.clone());
        let bytes = finished.chunks.as_deref().map_or(0, chunks::bytes);
        let done = chunks::offload(bytes, move || FinishedRows::from(finished)).await?;
        let publish = move |connection: &mut _| {
            tasks::publish(connection, &task, token, &done, now)?;
            if done.rows.is_some() {
                quotas::check(connection, &task.scope.workspace.0, &CONTENT_QUOTAS)?;
            }
            Ok(())
        };
        self.0.write(publish).await
    }

    async fn finish(
        &self,
        task: &Task,
        token: i64,
        finished: &IngestResult,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let (task, finished) = (task.clone(), finished.clone());
        let bytes = finished.chunks.as_deref().map_or(0, chunks::bytes);
        let done = chunks::offload(bytes, move || FinishedRows::from(finished)).await?;
        let finish = move |connection: &mut _| {
            tasks::finish(connection, &task, token, &done, now)?;
            if done.rows.is_some() {
                quotas::check(connection, &task.scope.workspace.0, &CONTENT_QUOTAS)?;
            }
            Ok(())
        };
        self.0.write(finish).await
    }

    async fn fail(
        &self,
        task: &Task,
        token: i64,
        error: &ItemError,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let (task, error) = (task.clone(), error.clone());
        self.0.write(move |connection| tasks::fail(connection, &task, token, &error, now)).await
    }
}

#[async_trait]
impl EmbeddingRepository for DieselKnowledge {
    async fn find_embedded(
        &self,
        scope: &Scope,
        model: &str,
        texts: &[ContentHash],
    ) -> Result<HashSet<ContentHash>, StoreError> {
        let (workspace, model) = (scope.workspace.0.clone(), encode(model).into_owned());
        let (own, texts) = ((workspace.clone(), model.clone()), texts.to_vec());
        let known = move |connection: &mut _| vectors::find_known(connection, (&own.0, &own.1), &texts);
        let (noted, known): (Vec<_>, Vec<_>) =
            self.0.read(known).await?.into_iter().partition(|(_, noted)| *noted);
        let mut found: HashSet<ContentHash> = known.into_iter().map(|(text, _)| text).collect();
        if !noted.is_empty() {
            let noted: Vec<ContentHash> = noted.into_iter().map(|(text, _)| text).collect();
            let spare =
                move |connection: &mut _| vectors::clear_unneeded(connection, (&workspace, &model), &noted);
            // Some may have been deleted since they were read.
            found.extend(self.0.write(spare).await?);
        }
        Ok(found)
    }

    async fn store_vectors(
        &self,
        scope: &Scope,
        model: &str,
        vectors: Vec<Vector>,
    ) -> Result<(), StoreError> {
        let rows = vectors::rows(&scope.workspace.0, model, &vectors);
        self.0.write(move |connection| vectors::insert_missing(connection, &rows)).await
    }
}

/// Total size of the texts of ready-made chunks in bytes.
fn bytes_of(matter: &Contents) -> usize {
    match matter {
        Contents::Chunks { chunks: given, .. } => chunks::bytes(given),
        Contents::Document { .. } | Contents::Remote | Contents::Unusable(_) => 0,
    }
}
