//! Processes one item: reads, chunks and embeds it.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::time::Duration;

use async_trait::async_trait;
use document::Document;
use futures_util::future::{Either, select};
use gen_core::{GenError, ModelId};
use jobs_core::LeaseCell;
use language::Language;
use language::detect::detect_reliably;
use parking_lot::Mutex;
use shared_core::{DomainError as _, StoreError, offload};

use super::obtain::obtain;
use super::retry::{IngestFailure, error, panicked};
use crate::embedding::{EmbedFailure, Progress};
use crate::{
    Chunk, Chunking, IngestResult, ItemError, ItemStatus, KnowledgePorts, KnowledgeService, Source, Task,
    chunk,
};

/// Minimum interval between progress updates.
const SHOWN_EVERY: Duration = Duration::from_secs(1);

/// Chunks of the store that are compared in one batch.
const STORED: usize = 500;

/// The warning for a document above the size limit.
fn in_part() -> ItemError {
    let message = "the document exceeds a size limit; only the part within it is searchable";
    ItemError { code: "document_in_part".to_owned(), message: message.to_owned() }
}

/// Code of the warning for unread pages.
const UNREAD: &str = "pages_not_read";

/// The warning of a parsed document, if any.
fn parse_warning(document: &Document) -> Option<ItemError> {
    let cut = document.metadata.truncated.then(in_part);
    let unread =
        document.unread_notice().map(|unread| error(UNREAD, format!("{unread}; the rest is searchable")));
    match (cut, unread) {
        (Some(cut), Some(unread)) => {
            let message = format!("{}; {}", cut.message, unread.message);
            Some(ItemError { message, ..cut })
        }
        (cut, unread) => cut.or(unread),
    }
}

/// Why a task failed, and what is searchable nevertheless: lexically, without vectors.
#[derive(Debug)]
pub(super) struct PrepareFailure {
    pub(super) failure: IngestFailure,
    pub(super) without: Option<IngestResult>,
}

impl<E: Into<IngestFailure>> From<E> for PrepareFailure {
    fn from(failure: E) -> Self {
        Self { failure: failure.into(), without: None }
    }
}

/// Processes a task up to the result that is stored at its end.
pub(super) async fn prepare(
    service: &KnowledgeService,
    task: &Task,
    lease: &LeaseCell,
) -> Result<IngestResult, PrepareFailure> {
    let shown = ProgressReporter { ports: &service.ports, task, lease, last: Mutex::new(None) };
    // Nothing is paid yet, so the item can be given back at any time.
    let drained = pin!(service.ports.jobs.drained(&task.base.id.0));
    let mut finished = match select(pin!(read_chunks(service, task, lease)), drained).await {
        Either::Left((read, _)) => read?,
        Either::Right(_) => return Err(IngestFailure::Interrupted.into()),
    };
    let published = publish(service, task, lease, &finished).await?;
    let embedded = embed(service, task, finished.chunks.as_deref(), &shown).await;
    if published {
        finished.chunks = None;
    }
    match embedded {
        Ok(model) => {
            finished.embedded = model;
            Ok(finished)
        }
        Err(failure) => Err(PrepareFailure { failure, without: Some(finished) }),
    }
}

/// The chunks of the task's document, as far as the store does not have them, with language and warning.
async fn read_chunks(
    service: &KnowledgeService,
    task: &Task,
    lease: &LeaseCell,
) -> Result<IngestResult, IngestFailure> {
    let (chunks, language, remark) = match needs_reading(service, task, lease).await? {
        Some(document) => {
            let remark = parse_warning(&document);
            let (chunks, language) = cut(service, document, task.base.chunking).await?;
            (Some(chunks), language, remark)
        }
        // The warning of a ready item is about its chunks, which stay.
        None => (
            None,
            task.item.language.clone(),
            task.item.error.clone().filter(|told| told.code == in_part().code || told.code == UNREAD),
        ),
    };
    Ok(IngestResult { chunks, language, embedded: None, failure: None, remark })
}

/// Publishes chunks for lexical search before they have vectors, which may take long or fail. Returns whether
/// the store has them then.
async fn publish(
    service: &KnowledgeService,
    task: &Task,
    lease: &LeaseCell,
    finished: &IngestResult,
) -> Result<bool, StoreError> {
    let Some(chunks) = &finished.chunks else { return Ok(false) };
    if task.base.embedding.is_none() {
        return Ok(false);
    }
    // As after an attempt whose vectors failed.
    if is_stored(service, task, chunks).await? {
        return Ok(true);
    }
    let ports = &service.ports;
    ports.ingest.publish(task, lease.token(), finished, ports.clock.now()).await?;
    service.applied.written();
    Ok(true)
}

/// Whether these are the published chunks of the item.
async fn is_stored(service: &KnowledgeService, task: &Task, chunks: &[Chunk]) -> Result<bool, StoreError> {
    if !task.item.is_findable() || task.item.chunks != chunks.len() as u64 {
        return Ok(false);
    }
    for piece in chunks.chunks(STORED) {
        let Some(first) = piece.first() else { continue };
        let stored =
            service.ports.chunks.chunks(&task.scope, &task.item.id, first.position, STORED as u32).await?;
        if stored != piece {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Ensures the vectors that the base wants; returns their model.
async fn embed(
    service: &KnowledgeService,
    task: &Task,
    chunks: Option<&[Chunk]>,
    shown: &ProgressReporter<'_>,
) -> Result<Option<String>, IngestFailure> {
    let Some(model) = wanted(task)? else { return Ok(None) };
    match chunks {
        Some(chunks) => service.embedder.embed(task, chunks, &model, shown).await?,
        None => service.embedder.embed_stored(task, &model, shown).await?,
    }
    Ok(Some(model.to_string()))
}

/// The model whose vectors the base wants.
fn wanted(task: &Task) -> Result<Option<ModelId>, IngestFailure> {
    let Some(name) = &task.base.embedding else { return Ok(None) };
    let model = name.parse::<ModelId>().map_err(GenError::from);
    model.map(Some).map_err(|wrong| IngestFailure::Lasts(error(wrong.code(), wrong.to_string())))
}

/// The document to be chunked; none when the chunks are stored already.
async fn needs_reading(
    service: &KnowledgeService,
    task: &Task,
    lease: &LeaseCell,
) -> Result<Option<std::sync::Arc<Document>>, IngestFailure> {
    // A ready item has its chunks; it needs vectors of another model.
    if task.item.status == ItemStatus::Ready {
        return Ok(None);
    }
    let obtained = match &task.item.source {
        Source::Web { url } if task.item.content.is_none() => Some(obtain(service, task, lease, url).await?),
        _ => None,
    };
    Ok(service.read_item(&task.scope, obtained.as_ref().unwrap_or(&task.item)).await?)
}

/// The chunks of a document, and its language.
async fn cut(
    service: &KnowledgeService,
    document: std::sync::Arc<Document>,
    chunking: Chunking,
) -> Result<(Vec<Chunk>, Option<String>), IngestFailure> {
    let work = move || {
        let work = || {
            (
                chunk(&document, chunking),
                detect_reliably(&document.text).and_then(Language::code).map(str::to_owned),
            )
        };
        catch_unwind(AssertUnwindSafe(work)).ok()
    };
    let (chunks, language) = match offload(service.ports.workers.as_ref(), work).await {
        Some(Some(done)) => done,
        Some(None) => return Err(IngestFailure::Lasts(panicked())),
        None => return Err(IngestFailure::MayPass(panicked(), None)),
    };
    if chunks.is_empty() {
        return Err(IngestFailure::Lasts(error("document_without_text", "the document has no text")));
    }
    Ok((chunks, language))
}

/// Reports progress at a limited rate.
struct ProgressReporter<'a> {
    ports: &'a KnowledgePorts,
    task: &'a Task,
    lease: &'a LeaseCell,
    last: Mutex<Option<Duration>>,
}

impl ProgressReporter<'_> {
    fn is_time(&self) -> bool {
        let now = self.ports.timer.elapsed();
        let mut last = self.last.lock();
        let due = last.is_none_or(|last| now.saturating_sub(last) >= SHOWN_EVERY);
        if due {
            *last = Some(now);
        }
        due
    }
}

#[async_trait]
impl Progress for ProgressReporter<'_> {
    async fn report(&self, done: u64, total: u64) -> Result<(), EmbedFailure> {
        // The end of the work reports completion.
        if done >= total {
            return Ok(());
        }
        if self.ports.jobs.is_draining(&self.task.base.id.0) {
            return Err(EmbedFailure::Interrupted);
        }
        if !self.is_time() {
            return Ok(());
        }
        let (token, now) = (self.lease.token(), self.ports.clock.now());
        Ok(self.ports.ingest.progress(self.task, token, done, total, now).await?)
    }
}
