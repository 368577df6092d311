//! Adds data to a base: files, URLs, texts, and ready-made chunks.

use std::collections::HashSet;
use std::time::Duration;

use bytes::Bytes;
use files_core::{BlobKey, File};
use futures_util::stream::{self, StreamExt as _};
use gen_core::CallerContext;
use shared_core::{StoreError, Violation, offload};

use super::KnowledgeService;
use super::bases::not_found;
use super::new_data::{EntryAttributes, NewData, NewPassage, NewText};
use super::new_items::by_title;
use super::rules::RequestValidator;
use crate::{AddedItem, BaseId, Content, Item, KnowledgeError, MANY_BYTES, NewItem};

/// Maximum backlog of the lexical index in bytes of texts before more is accepted: about a second of its
/// work, so that a search after a write does not wait long.
const BEHIND: u64 = 16 << 20;
/// Maximum wait of an addition for the index. Chosen by hand; no measurement recorded.
const KEEP_UP: Duration = Duration::from_secs(20);
/// References that are resolved, and texts that are written, concurrently. Protects memory.
pub(super) const AT_ONCE: usize = 16;

/// Approximate bytes of a ready-made chunk that are compared and hashed besides its text.
const OTHER_BYTES: usize = 1 << 10;

impl KnowledgeService {
    /// Adds data to a base, charged to `payer`. Returns an item for each input, in order: a new one, or the
    /// existing one with the same content and meta, or with the same external id. Processing continues in the
    /// background.
    ///
    /// # Errors
    /// When the base does not exist, a value violates a rule or names no file, the base would have too many
    /// items, or a store fails; nothing is added then.
    pub async fn add(
        &self,
        payer: &CallerContext,
        base: &BaseId,
        data: NewData,
    ) -> Result<Vec<Item>, KnowledgeError> {
        self.get(&payer.scope, base).await?;
        let now = self.ports.clock.now();
        let mut check = RequestValidator::default();
        check.shared(&data, now);
        check.done()?;
        let data = data.spread();
        let mut check = RequestValidator::default();
        check.data(&data, &self.limits, now);
        check.done()?;
        let mut items = self.of_files(payer, data.files).await?;
        items.extend(self.of_urls(payer, data.urls).await?);
        let mut kept = Vec::new();
        if let Err(error) = self.texts(payer, data.texts, &mut items, &mut kept).await {
            self.ports.files.remove_unreferenced(&kept).await;
            return Err(error);
        }
        match self.ready_mades(payer, data.chunks).await {
            Ok(ready_made) => items.extend(ready_made),
            Err(error) => {
                self.ports.files.remove_unreferenced(&kept).await;
                return Err(error);
            }
        }
        self.put(payer, base, items, kept).await
    }

    /// The items of ready-made chunks. Long ones are prepared on a worker thread, since they are hashed.
    async fn ready_mades(
        &self,
        payer: &CallerContext,
        passages: Vec<NewPassage>,
    ) -> Result<Vec<NewItem>, KnowledgeError> {
        let bytes: usize = passages.iter().map(|passage| passage.content.len() + OTHER_BYTES).sum();
        let (service, payer) = (self.clone(), payer.clone());
        let make = move || {
            let items = by_title(passages).into_iter().map(|group| service.ready_made(&payer, group));
            items.collect::<Vec<NewItem>>()
        };
        if bytes < MANY_BYTES {
            return Ok(make());
        }
        let made = offload(self.ports.workers.as_ref(), make).await;
        made.ok_or_else(|| StoreError::Unavailable("the preparation of chunks was cancelled".into()).into())
    }

    /// Adds files that were just stored, each with the same attributes. One file may have an external id.
    ///
    /// # Errors
    /// As [`KnowledgeService::add`].
    pub async fn add_files(
        &self,
        payer: &CallerContext,
        base: &BaseId,
        files: &[File],
        attributes: &EntryAttributes,
    ) -> Result<Vec<Item>, KnowledgeError> {
        let mut check = RequestValidator::default();
        check.attributes("", attributes, self.ports.clock.now());
        if files.len() > 1 && attributes.external_id.is_some() {
            check.fail("/externalId", "'externalId' needs an upload of one file");
        }
        check.done()?;
        let items = files.iter().map(|file| self.of_file(payer, file, attributes.clone())).collect();
        self.put(payer, base, items, Vec::new()).await
    }

    /// Stores items; `kept` are the blobs that were written for them.
    async fn put(
        &self,
        payer: &CallerContext,
        base: &BaseId,
        items: Vec<NewItem>,
        kept: Vec<BlobKey>,
    ) -> Result<Vec<Item>, KnowledgeError> {
        let added = match self.store(payer, base, items).await {
            Ok(added) => added,
            Err(error) => {
                self.ports.files.remove_unreferenced(&kept).await;
                return Err(error);
            }
        };
        for added in added.iter().filter(|added| added.new || added.replaced) {
            self.ports.jobs.record_origin(&base.0, Some(added.item.place));
        }
        self.stored();
        for added in added.iter().filter(|added| added.new || added.replaced) {
            self.applied.record_backlog(added.item.sequence, added.item.bytes);
        }
        // A blob is unreferenced when its content existed already.
        let used: HashSet<&BlobKey> =
            added.iter().filter_map(|added| Some(&added.item.content.as_ref()?.blob)).collect();
        let mut superfluous: Vec<BlobKey> = kept.into_iter().filter(|blob| !used.contains(blob)).collect();
        superfluous.extend(added.iter().filter_map(|added| added.orphan.clone()));
        self.ports.files.remove_unreferenced(&superfluous).await;
        Ok(added.into_iter().map(|added| added.item).collect())
    }

    async fn store(
        &self,
        payer: &CallerContext,
        base: &BaseId,
        items: Vec<NewItem>,
    ) -> Result<Vec<AddedItem>, KnowledgeError> {
        self.applied.wait_for_backlog(BEHIND, self.ports.timer.as_ref(), KEEP_UP).await;
        let (most, now) = (self.limits.items, self.ports.clock.now());
        let stored = self.ports.items.add(&payer.scope, base, items, most, now).await;
        let stored = stored.map_err(|error| match error {
            StoreError::Missing("knowledge base") => not_found(base),
            StoreError::Missing("file") => {
                let message = "a file was deleted while it was being added";
                KnowledgeError::UnknownFiles(vec![Violation::new("/file_ids", message)])
            }
            other => other.into(),
        })?;
        stored.ok_or(KnowledgeError::TooMany(most))
    }

    /// Writes texts and creates their items. `kept` has the written blobs, also after a failure.
    async fn texts(
        &self,
        payer: &CallerContext,
        texts: Vec<NewText>,
        items: &mut Vec<NewItem>,
        kept: &mut Vec<BlobKey>,
    ) -> Result<(), KnowledgeError> {
        let written = stream::iter(texts).map(|text| async move {
            let content = self.written(text.content).await;
            (text.title, text.attributes, content)
        });
        let mut written = written.buffered(AT_ONCE);
        let mut failure = None;
        while let Some((title, attributes, content)) = written.next().await {
            match content {
                Ok(content) => {
                    kept.push(content.blob.clone());
                    items.push(self.of_text(payer, title, content, attributes));
                }
                // The other writes are completed, so that their blobs are known.
                Err(error) => failure = Some(error),
            }
        }
        failure.map_or(Ok(()), Err)
    }

    /// Stores the bytes of a text.
    pub(super) async fn written(&self, text: String) -> Result<Content, KnowledgeError> {
        let staged = self.ports.files.store_blob("text.md".to_owned(), Bytes::from(text)).await;
        let staged = staged.map_err(KnowledgeError::Files)?;
        let (blob, sha256, bytes) = (staged.blob().clone(), staged.sha256().to_owned(), staged.bytes());
        Ok(Content { blob, sha256, bytes })
    }
}
