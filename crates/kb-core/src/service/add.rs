//! Adds data to a base: files, URLs, texts, and ready-made chunks.

use std::collections::HashSet;
use std::time::Duration;

use bytes::Bytes;
use files_core::{BlobKey, File, FileId, FilesError, ReferenceTarget};
use futures_util::stream::{self, StreamExt as _};
use gen_core::CallerContext;
use shared_core::{Scope, StoreError, Violation, offload};

use super::KnowledgeService;
use super::bases::not_found;
use super::new_data::{NewData, NewPassage, NewText};
use super::new_items::{by_title, print_of_text};
use super::rules::RequestValidator;
use crate::{AddedItem, BaseId, Content, Item, KnowledgeError, MANY_BYTES, NewItem, Source};

/// Maximum backlog of the lexical index in bytes of texts before more is accepted: about a second of its
/// work, so that a search after a write does not wait long.
const BEHIND: u64 = 16 << 20;
/// Maximum wait of an addition for the index. Chosen by hand; no measurement recorded.
const KEEP_UP: Duration = Duration::from_secs(20);
/// References that are resolved, and texts that are written, concurrently. Protects memory.
const AT_ONCE: usize = 16;

/// Approximate bytes of a ready-made chunk that are compared and hashed besides its text.
const OTHER_BYTES: usize = 1 << 10;

impl KnowledgeService {
    /// Adds data to a base, charged to `payer`. Returns an item for each input, in order: a new one, or the
    /// existing one with the same content. Processing continues in the background.
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
        let mut check = RequestValidator::default();
        check.data(&data, &self.limits);
        check.done()?;
        let mut items = self.of_files(payer, &data.files).await?;
        items.extend(self.of_urls(payer, &data.urls).await?);
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

    /// Adds files that were just stored.
    ///
    /// # Errors
    /// As [`KnowledgeService::add`].
    pub async fn add_files(
        &self,
        payer: &CallerContext,
        base: &BaseId,
        files: &[File],
    ) -> Result<Vec<Item>, KnowledgeError> {
        let items = files.iter().map(|file| self.of_file(payer, file)).collect();
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
        for added in added.iter().filter(|added| added.new) {
            self.ports.jobs.record_origin(&base.0, Some(added.item.place));
        }
        self.stored();
        for added in added.iter().filter(|added| added.new) {
            self.applied.record_backlog(added.item.sequence, added.item.bytes);
        }
        // A blob is unreferenced when its content existed already.
        let used: HashSet<&BlobKey> =
            added.iter().filter_map(|added| Some(&added.item.content.as_ref()?.blob)).collect();
        let superfluous: Vec<BlobKey> = kept.into_iter().filter(|blob| !used.contains(blob)).collect();
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

    /// The items of files.
    async fn of_files(&self, payer: &CallerContext, ids: &[FileId]) -> Result<Vec<NewItem>, KnowledgeError> {
        let found = stream::iter(ids).map(|id| self.ports.files.get(&payer.scope, *id));
        let found: Vec<_> = found.buffered(AT_ONCE).collect().await;
        let (mut items, mut unknown) = (Vec::new(), Vec::new());
        for (index, (found, FileId(id))) in found.into_iter().zip(ids).enumerate() {
            match found {
                Ok(file) => items.push(self.of_file(payer, &file)),
                Err(FilesError::NotFound) => unknown.push(no_file(format!("/file_ids/{index}"), id)),
                Err(error) => return Err(KnowledgeError::Files(error)),
            }
        }
        if unknown.is_empty() { Ok(items) } else { Err(KnowledgeError::UnknownFiles(unknown)) }
    }

    /// The items of web URLs, and of files by id or own URL.
    async fn of_urls(&self, payer: &CallerContext, urls: &[String]) -> Result<Vec<NewItem>, KnowledgeError> {
        let found = stream::iter(urls).map(|url| self.found(&payer.scope, url));
        let found: Vec<Found> = found.buffered(AT_ONCE).collect().await;
        let (mut items, mut unknown, mut check) = (Vec::new(), Vec::new(), RequestValidator::default());
        for (index, (found, url)) in found.into_iter().zip(urls).enumerate() {
            let place = format!("/urls/{index}");
            match found? {
                Reference::File(file) => items.push(self.of_file(payer, &file)),
                Reference::Web => items.push(self.of_web(payer, url)),
                Reference::Unknown => unknown.push(no_file(place, url)),
                Reference::Invalid(rule) => check.fail(place, rule.replace("'url'", "each of 'urls'")),
            }
        }
        check.done()?;
        if unknown.is_empty() { Ok(items) } else { Err(KnowledgeError::UnknownFiles(unknown)) }
    }

    async fn found(&self, scope: &Scope, reference: &str) -> Found {
        let found = match self.ports.files.locate(reference) {
            ReferenceTarget::File(id) => self.ports.files.get(scope, id).await,
            // A token grants reading, but not use in another workspace.
            ReferenceTarget::Token(token) => match self.ports.files.get_by_token(&token).await {
                Ok(file) if file.workspace != scope.workspace => Err(FilesError::NotFound),
                other => other,
            },
            ReferenceTarget::Web(_) => return Ok(Reference::Web),
            ReferenceTarget::Invalid(rule) => return Ok(Reference::Invalid(rule)),
        };
        match found {
            Ok(file) => Ok(Reference::File(Box::new(file))),
            Err(FilesError::NotFound) => Ok(Reference::Unknown),
            Err(error) => Err(KnowledgeError::Files(error)),
        }
    }

    /// The file with this id, which `path` of the request names.
    pub(super) async fn file(&self, scope: &Scope, path: &str, id: FileId) -> Result<File, KnowledgeError> {
        self.ports.files.get(scope, id).await.map_err(|error| match error {
            FilesError::NotFound => KnowledgeError::UnknownFiles(vec![no_file(path, id.0)]),
            other => KnowledgeError::Files(other),
        })
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
            (text.title, text.meta, content)
        });
        let mut written = written.buffered(AT_ONCE);
        let mut failure = None;
        while let Some((title, meta, content)) = written.next().await {
            match content {
                Ok(content) => {
                    kept.push(content.blob.clone());
                    let fingerprint = print_of_text(&content.sha256, &title, &meta);
                    let item = self.parsed(payer, Source::Text, title, content, true);
                    items.push(NewItem { meta, fingerprint, ..item });
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

fn no_file(path: impl Into<String>, named: impl std::fmt::Display) -> Violation {
    Violation::new(path, format!("there is no file '{named}'"))
}

/// What a reference resolves to.
enum Reference {
    File(Box<File>),
    Web,
    Unknown,
    Invalid(&'static str),
}

type Found = Result<Reference, KnowledgeError>;
