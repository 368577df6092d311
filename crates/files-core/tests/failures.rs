//! Failures of the stores, and what they leave behind.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests assert")]

use std::ops::Range;
use std::sync::Arc;

use async_trait::async_trait;
use bytes::Bytes;
use document::{DocumentOrigin as _, ReadError};
use files_core::{
    BlobError, BlobKey, BlobStore, BlobStream, BlobWriter, DeletedFile, File, FileId, FileOrigin,
    FileRepository, FileUrls, FilesConfig, FilesError, FilesService, MemoryBlobs, MemoryFiles, NewFile,
};
use futures_executor::block_on;
use futures_util::StreamExt as _;
use parking_lot::Mutex;
use shared_core::{
    Clock as _, DomainError as _, ErrorKind, FixedClock, Page, PageRequest, Scope, SeededRng, StoreError,
    UserId, Violation, WorkspaceId,
};

/// When the store of records fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Failure {
    Before,
    /// The files are stored, and the answer is lost.
    After,
    Reads,
}

#[derive(Debug)]
struct FailingFiles(MemoryFiles, Failure);

#[async_trait]
impl FileRepository for FailingFiles {
    async fn insert(&self, scope: &Scope, files: Vec<NewFile>) -> Result<Vec<File>, StoreError> {
        if self.1 == Failure::Before {
            return Err(StoreError::Full);
        }
        let stored = self.0.insert(scope, files).await?;
        if self.1 == Failure::After { Err(StoreError::OutcomeUnknown) } else { Ok(stored) }
    }

    async fn find(&self, scope: &Scope, id: FileId) -> Result<Option<File>, StoreError> {
        if self.1 == Failure::Reads { Err(StoreError::Full) } else { self.0.find(scope, id).await }
    }

    async fn find_by_token(&self, token: &str) -> Result<Option<File>, StoreError> {
        self.0.find_by_token(token).await
    }

    async fn list(&self, scope: &Scope, page: &PageRequest) -> Result<Page<File>, StoreError> {
        self.0.list(scope, page).await
    }

    async fn delete(&self, scope: &Scope, id: FileId) -> Result<Option<DeletedFile>, StoreError> {
        self.0.delete(scope, id).await
    }

    async fn blob_in_use(&self, blob: &BlobKey) -> Result<bool, StoreError> {
        if self.1 == Failure::Reads { Err(StoreError::Full) } else { self.0.blob_in_use(blob).await }
    }
}

/// Blobs in memory, and the keys whose uploads were cancelled.
#[derive(Clone, Debug, Default)]
struct RecordedBlobs(MemoryBlobs, Arc<Mutex<Vec<BlobKey>>>);

#[derive(Debug)]
struct RecordedWriter(Box<dyn BlobWriter>, BlobKey, Arc<Mutex<Vec<BlobKey>>>);

#[async_trait]
impl BlobWriter for RecordedWriter {
    async fn write(&mut self, bytes: Bytes) -> Result<(), BlobError> {
        self.0.write(bytes).await
    }

    async fn commit(self: Box<Self>) -> Result<(), BlobError> {
        self.0.commit().await
    }

    async fn abort(self: Box<Self>) {
        self.2.lock().push(self.1);
    }
}

#[async_trait]
impl BlobStore for RecordedBlobs {
    async fn create(&self, key: &BlobKey) -> Result<Box<dyn BlobWriter>, BlobError> {
        let writer = self.0.create(key).await?;
        Ok(Box::new(RecordedWriter(writer, key.clone(), Arc::clone(&self.1))))
    }

    async fn read(&self, key: &BlobKey, range: Option<Range<u64>>) -> Result<BlobStream, BlobError> {
        self.0.read(key, range).await
    }

    async fn delete(&self, key: &BlobKey) -> Result<(), BlobError> {
        self.0.delete(key).await
    }

    async fn list(
        &self,
    ) -> Result<futures_util::stream::BoxStream<'static, Result<(BlobKey, u64), BlobError>>, BlobError> {
        self.0.list().await
    }
}

/// A blob store whose service is away.
#[derive(Debug)]
struct AwayBlobs;

fn away<T>() -> Result<T, BlobError> {
    Err(BlobError::Unavailable("away".into()))
}

#[async_trait]
impl BlobStore for AwayBlobs {
    async fn create(&self, _: &BlobKey) -> Result<Box<dyn BlobWriter>, BlobError> {
        away()
    }

    async fn read(&self, _: &BlobKey, _: Option<Range<u64>>) -> Result<BlobStream, BlobError> {
        away()
    }

    async fn delete(&self, _: &BlobKey) -> Result<(), BlobError> {
        away()
    }

    async fn list(
        &self,
    ) -> Result<futures_util::stream::BoxStream<'static, Result<(BlobKey, u64), BlobError>>, BlobError> {
        away()
    }
}

fn service(failure: Failure, blobs: &RecordedBlobs) -> FilesService {
    FilesService::new(
        Arc::new(FailingFiles(MemoryFiles::default(), failure)),
        Arc::new(blobs.clone()),
        Arc::new(FixedClock::default()),
        Arc::new(SeededRng::new(1)),
        FilesConfig {
            max_bytes: 10,
            sniff: |_, _| "text/plain",
            urls: FileUrls::new("http://127.0.0.1:8080"),
        },
    )
}

fn scope() -> Scope {
    Scope { workspace: WorkspaceId("w".into()), user: UserId("u".into()) }
}

fn count(blobs: &RecordedBlobs) -> usize {
    block_on(async { blobs.list().await.unwrap().count().await })
}

#[test]
fn files_that_were_not_recorded_leave_no_bytes_and_those_that_may_have_been_keep_them() {
    for (failure, kept) in [(Failure::Before, 0), (Failure::After, 1)] {
        let blobs = RecordedBlobs::default();
        let service = service(failure, &blobs);
        let staged = block_on(service.store_blob("a".into(), Bytes::from("content"))).unwrap();
        let failed = block_on(service.store(&scope(), vec![staged])).unwrap_err();
        assert!(matches!(failed, FilesError::Store(_)), "{failed:?}");
        assert_eq!(count(&blobs), kept, "{failure:?}");
    }
}

#[test]
fn bytes_without_a_reference_are_removed_and_kept_while_the_store_cannot_tell() {
    for (failure, kept) in [(Failure::After, 0), (Failure::Reads, 1)] {
        let blobs = RecordedBlobs::default();
        let service = service(failure, &blobs);
        let staged = block_on(service.store_blob("a".into(), Bytes::from("content"))).unwrap();
        block_on(service.remove_unreferenced(&[staged.blob().clone()]));
        assert_eq!(count(&blobs), kept, "{failure:?}");
    }
}

#[test]
fn an_upload_over_the_limit_is_cancelled_in_the_blob_store() {
    let blobs = RecordedBlobs::default();
    let refused =
        block_on(service(Failure::Before, &blobs).store_blob("a".into(), Bytes::from("eleven byte")));
    assert!(matches!(refused, Err(FilesError::TooLarge(10))), "{refused:?}");
    assert_eq!((blobs.1.lock().len(), count(&blobs)), (1, 0));
}

#[test]
fn a_document_whose_record_cannot_be_read_is_no_fault_of_the_document() {
    let origin = FileOrigin(service(Failure::Reads, &RecordedBlobs::default()));
    let failed = block_on(origin.find(&scope(), "1")).unwrap_err();
    assert!(matches!(failed, ReadError::Store(StoreError::Full)), "{failed:?}");
}

#[test]
fn failures_have_the_kinds_and_codes_that_clients_see() {
    let cause = || BlobError::Failed("cause".into());
    for (error, kind, code) in [
        (FilesError::NotFound, ErrorKind::NotFound, "file_not_found"),
        (FilesError::UrlUnsigned, ErrorKind::Forbidden, "url_not_signed"),
        (FilesError::UrlExpired, ErrorKind::Forbidden, "url_expired"),
        (FilesError::TooLarge(1), ErrorKind::TooLarge, "file_too_large"),
        (FilesError::from(BlobError::Missing), ErrorKind::Internal, "content_missing"),
        (FilesError::from(cause()), ErrorKind::Internal, "content_failed"),
        (FilesError::from(BlobError::Full), ErrorKind::StorageFull, "storage_full"),
        (FilesError::from(StoreError::Stale), ErrorKind::Conflict, "changed_meanwhile"),
    ] {
        assert_eq!((error.kind(), error.code()), (kind, code));
        assert!(error.violations().is_empty(), "{code}");
    }
    let violation = Violation::new("/files", "a rule");
    let invalid = FilesError::Invalid(violation.clone());
    assert_eq!((invalid.kind(), invalid.code()), (ErrorKind::Invalid, "validation_failed"));
    assert_eq!(invalid.violations(), [violation]);
}

#[test]
fn contents_that_are_away_for_a_moment_are_no_fault_of_the_document() {
    let files = MemoryFiles::default();
    let new = NewFile {
        name: "a.txt".into(),
        bytes: 1,
        content_type: "text/plain".into(),
        sha256: "hash".into(),
        token: "token".into(),
        blob: BlobKey("blob_1".into()),
        created: FixedClock::default().now(),
    };
    let file = block_on(files.insert(&scope(), vec![new])).unwrap().remove(0);
    let config = FilesConfig {
        max_bytes: 10,
        sniff: |_, _| "text/plain",
        urls: FileUrls::new("http://127.0.0.1:8080"),
    };
    let (clock, ids) = (Arc::new(FixedClock::default()), Arc::new(SeededRng::new(1)));
    let service = FilesService::new(Arc::new(files), Arc::new(AwayBlobs), clock, ids, config);
    let upload = block_on(service.store_blob("a".into(), Bytes::from("a"))).unwrap_err();
    assert_eq!((upload.code(), upload.kind()), ("content_unavailable", ErrorKind::Saturated));
    let origin = FileOrigin(service);
    let found = block_on(origin.find(&scope(), &file.id.0.to_string())).unwrap();
    let failed = block_on(origin.open(&scope(), &found)).map(drop).unwrap_err();
    assert!(matches!(failed, ReadError::Transient { code: "content_unavailable", .. }), "{failed:?}");
}
