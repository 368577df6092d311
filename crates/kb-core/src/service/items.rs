//! The use cases of items: get, list, update, delete, retry.

use std::collections::HashSet;

use files_core::{BlobKey, FileId};
use serde_json::{Map, Value};
use shared_core::{Page, PageRequest, Scope, StoreError, Timestamp, Violation};

use super::KnowledgeService;
use super::fingerprint::{self, Distinction};
use super::new_items::{SEPARATOR, content_of};
use super::rules::{MAX_IDS, RequestValidator};
use crate::{
    BaseId, Chunk, Content, Item, ItemChange, ItemFilter, ItemId, KnowledgeError, RemovedItems, Replacement,
    Selection, Source,
};

/// Chunks that are read in one page. Protects memory.
const PIECE: u32 = 1_000;
/// Maximum attempts to read an item that is replaced meanwhile. Chosen by hand; no measurement recorded.
const READ_ATTEMPTS: usize = 4;

/// Changes to an item; `None` keeps a value. At most one of `content` and `file`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ItemUpdate {
    /// New title.
    pub name: Option<String>,
    /// New meta, which replaces the old.
    pub meta: Option<Map<String, Value>>,
    /// New content as text, plain or Markdown.
    pub content: Option<String>,
    /// The file with the new content.
    pub file: Option<FileId>,
    /// New expiry; `Some(None)` clears it.
    pub expires: Option<Option<Timestamp>>,
}

/// Which items of a base to delete. `all` has priority over `ids`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SourceDeletion {
    /// Their ids.
    pub ids: Option<Vec<String>>,
    /// All of them.
    pub all: bool,
}

/// Result of a deletion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeletedSources {
    /// Number of deleted items.
    pub count: u64,
    /// The given ids that are not items of the base.
    pub left: Vec<String>,
    /// The number of the last change; `None` when nothing of them could be found.
    pub position: Option<i64>,
}

impl KnowledgeService {
    /// The item with this id.
    ///
    /// # Errors
    /// [`KnowledgeError::ItemNotFound`], also when it has expired, or when the store fails.
    pub async fn item(&self, scope: &Scope, id: &ItemId) -> Result<Item, KnowledgeError> {
        let item = self.ports.items.find(scope, id).await?;
        let now = self.ports.clock.now();
        item.filter(|item| !item.is_expired(now)).ok_or(KnowledgeError::ItemNotFound)
    }

    /// Items, newest first. Expired ones are left out; the total counts them until they are removed.
    ///
    /// # Errors
    /// [`KnowledgeError::BaseNotFound`] when the filter names a base that does not exist, or when the store
    /// fails.
    pub async fn items(
        &self,
        scope: &Scope,
        filter: &ItemFilter,
        page: &PageRequest,
    ) -> Result<Page<Item>, KnowledgeError> {
        if let Some(base) = &filter.base {
            self.get(scope, base).await?;
        }
        let mut listed = self.ports.items.list(scope, filter, page).await?;
        let now = self.ports.clock.now();
        listed.items.retain(|item| !item.is_expired(now));
        Ok(listed)
    }

    /// An item with all its findable chunks.
    ///
    /// # Errors
    /// [`KnowledgeError::ItemNotFound`], or when the store fails.
    pub async fn item_with_chunks(
        &self,
        scope: &Scope,
        id: &ItemId,
    ) -> Result<(Item, Vec<Chunk>), KnowledgeError> {
        let mut attempt = 1;
        loop {
            let item = self.item(scope, id).await?;
            let chunks = self.chunks(scope, id).await?;
            // Its content may have been replaced between two pages.
            if attempt == READ_ATTEMPTS || self.item(scope, id).await?.sequence == item.sequence {
                return Ok((item, chunks));
            }
            attempt += 1;
        }
    }

    async fn chunks(&self, scope: &Scope, id: &ItemId) -> Result<Vec<Chunk>, KnowledgeError> {
        let mut chunks = Vec::new();
        loop {
            let from = u32::try_from(chunks.len()).unwrap_or(u32::MAX);
            let piece = self.ports.chunks.chunks(scope, id, from, PIECE).await?;
            let last = piece.len() < PIECE as usize;
            chunks.extend(piece);
            if last || chunks.len() >= Chunk::MAX {
                return Ok(chunks);
            }
        }
    }

    /// Changes an item.
    ///
    /// # Errors
    /// When it does not exist, a value violates a rule or names no file, another item of the base has the
    /// content, or a store fails; nothing is changed then.
    pub async fn update_item(
        &self,
        scope: &Scope,
        id: &ItemId,
        update: ItemUpdate,
    ) -> Result<Item, KnowledgeError> {
        let before = self.item(scope, id).await?;
        let mut check = RequestValidator::default();
        if let Some(name) = &update.name {
            check.title("/name", "name", name);
        }
        if let Some(meta) = &update.meta {
            check.meta("/meta", meta);
        }
        check.expiry("/expires", update.expires.flatten(), self.ports.clock.now());
        if update.content.is_some() && update.file.is_some() {
            check.fail("/content", "'content' and 'file_id' cannot both be given");
        }
        check.done()?;
        let replacement = self.replacement(scope, &before, &update).await?;
        let written = replacement.as_ref().filter(|new| new.fresh).map(|new| new.content.blob.clone());
        let fingerprint = match replacement {
            None => fingerprint::relabelled(&before, update.name.as_deref(), update.meta.as_ref()),
            Some(_) => None,
        };
        let (name, meta, expires) = (update.name, update.meta, update.expires);
        let change = ItemChange { name, meta, expires, replacement, fingerprint };
        self.change_item(scope, id, &change, written).await
    }

    /// Gives an item another meta. It stays the item of files with its content and no meta.
    ///
    /// # Errors
    /// As [`KnowledgeService::update_item`].
    pub async fn set_meta(
        &self,
        scope: &Scope,
        id: &ItemId,
        meta: Map<String, Value>,
    ) -> Result<Item, KnowledgeError> {
        let mut check = RequestValidator::default();
        check.meta("/meta", &meta);
        check.done()?;
        let change = ItemChange { meta: Some(meta), ..ItemChange::default() };
        self.change_item(scope, id, &change, None).await
    }

    /// Stores a change; `written` is the blob that was written for it.
    async fn change_item(
        &self,
        scope: &Scope,
        id: &ItemId,
        change: &ItemChange,
        written: Option<BlobKey>,
    ) -> Result<Item, KnowledgeError> {
        let changed = self.ports.items.update(scope, id, change, self.ports.clock.now()).await;
        let (item, removed) = match changed {
            Ok(Some(changed)) => changed,
            Ok(None) => return Err(self.given_up(written, KnowledgeError::ItemNotFound).await),
            Err(StoreError::Taken("content")) => {
                return Err(self.given_up(written, KnowledgeError::ContentTaken).await);
            }
            Err(error) => return Err(self.given_up(written, error.into()).await),
        };
        self.ports.jobs.record_origin(&item.base.0, Some(item.place));
        self.stored();
        let used = item.content.as_ref().map(|content| content.blob.clone());
        let superfluous = written.filter(|blob| used.as_ref() != Some(blob));
        self.removed(&removed, superfluous).await;
        Ok(item)
    }

    async fn replacement(
        &self,
        scope: &Scope,
        before: &Item,
        update: &ItemUpdate,
    ) -> Result<Option<Replacement>, KnowledgeError> {
        let (name, meta) =
            (update.name.as_ref().unwrap_or(&before.name), update.meta.as_ref().unwrap_or(&before.meta));
        let distinction = Distinction { meta, external_id: before.external_id.as_deref() };
        let of = |source, content: Content, fresh| {
            let fingerprint = match source {
                Source::Text => fingerprint::of_text(&content.sha256, name, distinction),
                _ => fingerprint::of_file(&content.sha256, distinction),
            };
            Some(Replacement { source, content, fresh, fingerprint })
        };
        if let Some(text) = &update.content {
            return Ok(of(Source::Text, self.written(text.clone()).await?, true));
        }
        let Some(id) = update.file else { return Ok(None) };
        let file = self.file(scope, "/file_id", id).await?;
        Ok(of(Source::File { id: file.id }, content_of(&file), false))
    }

    /// Removes a blob that was written for a failed update.
    async fn given_up(&self, written: Option<BlobKey>, error: KnowledgeError) -> KnowledgeError {
        self.ports.files.remove_unreferenced(written.as_slice()).await;
        error
    }

    /// Removes unreferenced blobs.
    async fn removed(&self, removed: &RemovedItems, also: Option<BlobKey>) {
        self.ports.files.remove_unreferenced(&removed.orphans).await;
        self.ports.files.remove_unreferenced(also.as_slice()).await;
    }

    /// Deletes an item. Returns the number of the change; `None` when nothing of it could be found.
    ///
    /// # Errors
    /// [`KnowledgeError::ItemNotFound`], or when the store fails.
    pub async fn delete_item(&self, scope: &Scope, id: &ItemId) -> Result<Option<i64>, KnowledgeError> {
        let removed = self.delete_items(scope, Selection::Ids(None, vec![id.clone()])).await?;
        if removed.items.is_empty() { Err(KnowledgeError::ItemNotFound) } else { Ok(removed.position) }
    }

    /// Deletes items of a base. Ids that are not items of the base are ignored.
    ///
    /// # Errors
    /// [`KnowledgeError::Invalid`] when the request names nothing to delete,
    /// [`KnowledgeError::BaseNotFound`], or when the store fails.
    pub async fn delete_sources(
        &self,
        scope: &Scope,
        base: &BaseId,
        deletion: SourceDeletion,
    ) -> Result<DeletedSources, KnowledgeError> {
        let ids = if deletion.all { None } else { Some(named(deletion.ids)?) };
        self.get(scope, base).await?;
        let Some(ids) = ids else {
            let removed = self.delete_items(scope, Selection::All(base.clone())).await?;
            let (count, position) = (removed.items.len() as u64, removed.position);
            return Ok(DeletedSources { count, left: Vec::new(), position });
        };
        let selection = Selection::Ids(Some(base.clone()), ids.iter().cloned().map(ItemId).collect());
        let removed = self.delete_items(scope, selection).await?;
        let gone: HashSet<&str> = removed.items.iter().map(|id| id.0.as_str()).collect();
        let left = ids.iter().filter(|id| !gone.contains(id.as_str())).cloned().collect();
        Ok(DeletedSources { count: removed.items.len() as u64, left, position: removed.position })
    }

    async fn delete_items(
        &self,
        scope: &Scope,
        selection: Selection,
    ) -> Result<RemovedItems, KnowledgeError> {
        let removed = self.ports.items.delete(scope, &selection, self.ports.clock.now()).await?;
        self.applied.written();
        self.removed(&removed, None).await;
        Ok(removed)
    }

    /// Queues a failed item again.
    ///
    /// # Errors
    /// [`KnowledgeError::ItemNotFound`], [`KnowledgeError::NotFailed`], or when the store fails.
    pub async fn retry(&self, scope: &Scope, id: &ItemId) -> Result<Item, KnowledgeError> {
        match self.ports.items.retry(scope, id, self.ports.clock.now()).await {
            Ok(Some(item)) => {
                self.ports.jobs.record_origin(&item.base.0, Some(item.place));
                self.stored();
                Ok(item)
            }
            Ok(None) => Err(KnowledgeError::ItemNotFound),
            Err(StoreError::Stale) => {
                Err(KnowledgeError::NotFailed(self.item(scope, id).await?.status.name()))
            }
            Err(error) => Err(error.into()),
        }
    }
}

impl Item {
    /// The joined text of its chunks.
    #[must_use]
    pub fn text_of(&self, chunks: &[Chunk]) -> String {
        let texts: Vec<&str> = chunks.iter().map(|chunk| chunk.text.as_str()).collect();
        texts.join(if self.source == Source::Chunks { SEPARATOR } else { "" })
    }
}

/// The ids to be deleted, deduplicated.
fn named(ids: Option<Vec<String>>) -> Result<Vec<String>, KnowledgeError> {
    let invalid = |path: &str, message: String| KnowledgeError::Invalid(vec![Violation::new(path, message)]);
    let ids = ids.ok_or_else(|| invalid("", "'ids' or 'delete_all' must be given".to_owned()))?;
    if ids.is_empty() || ids.len() > MAX_IDS {
        return Err(invalid("/ids", format!("'ids' must have 1 to {MAX_IDS} ids")));
    }
    let mut seen = HashSet::new();
    Ok(ids.into_iter().filter(|id| seen.insert(id.clone())).collect())
}
