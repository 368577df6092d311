//! The ports of files: records and blobs.

use std::fmt;
use std::ops::Range;

use async_trait::async_trait;
use bytes::Bytes;
use futures_util::stream::BoxStream;
use shared_core::{BoxError, Page, PageRequest, Scope, StoreError};

use crate::{BlobKey, File, FileId, NewFile};

/// Stores file records and counts the references to each blob. Implementations must pass
/// `file_repository_contract!`.
#[async_trait]
pub trait FileRepository: fmt::Debug + Send + Sync + 'static {
    /// Stores files in one transaction, in order, and assigns their ids. Where the workspace has a file of
    /// the same SHA-256 and size, the new record shares its blob. The author is the scope's user.
    async fn insert(&self, scope: &Scope, files: Vec<NewFile>) -> Result<Vec<File>, StoreError>;
    /// The file with this id.
    async fn find(&self, scope: &Scope, id: FileId) -> Result<Option<File>, StoreError>;
    /// The file with this capability token, of any workspace.
    async fn find_by_token(&self, token: &str) -> Result<Option<File>, StoreError>;
    /// The workspace's files, newest first, then by id.
    async fn list(&self, scope: &Scope, page: &PageRequest) -> Result<Page<File>, StoreError>;
    /// Deletes the record with its notes in one transaction; `None` when it does not exist.
    async fn delete(&self, scope: &Scope, id: FileId) -> Result<Option<DeletedFile>, StoreError>;
    /// Whether any record refers to the blob (for the sweep after a crash).
    async fn blob_in_use(&self, blob: &BlobKey) -> Result<bool, StoreError>;
}

/// The result of deleting a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeletedFile {
    /// The deleted record.
    pub file: File,
    /// The blob to delete, if no record refers to it any more.
    pub orphan: Option<BlobKey>,
}

/// Why a blob could not be stored or read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BlobError {
    /// No blob under the key.
    #[error("the content is not there")]
    Missing,
    /// The disk is full.
    #[error("the storage is full")]
    Full,
    /// The blob store cannot be reached, or is overloaded. Whether a commit took effect is not known.
    #[error("the blob store is not available")]
    Unavailable(#[source] BoxError),
    /// Any other failure.
    #[error("the blob store failed")]
    Failed(#[source] BoxError),
}

/// A blob that is being written. Dropping it without `commit` leaves nothing behind.
#[async_trait]
pub trait BlobWriter: fmt::Debug + Send {
    /// Appends bytes.
    async fn write(&mut self, bytes: Bytes) -> Result<(), BlobError>;
    /// Makes the blob readable, durably.
    async fn commit(self: Box<Self>) -> Result<(), BlobError>;
    /// Cancels the write and removes what was written.
    async fn abort(self: Box<Self>);
}

/// Stores immutable blobs under opaque keys. Implementations must pass `blob_store_contract!`.
#[async_trait]
pub trait BlobStore: fmt::Debug + Send + Sync + 'static {
    /// Starts a blob. It is not readable under `key` until the writer commits.
    async fn create(&self, key: &BlobKey) -> Result<Box<dyn BlobWriter>, BlobError>;
    /// Streams the whole blob, or the bytes of `range` (which lies within it).
    async fn read(
        &self,
        key: &BlobKey,
        range: Option<Range<u64>>,
    ) -> Result<BoxStream<'static, Result<Bytes, BlobError>>, BlobError>;
    /// Removes a blob; no error if there is none.
    async fn delete(&self, key: &BlobKey) -> Result<(), BlobError>;
    /// Every key with its age in seconds, for the sweep.
    async fn list(&self) -> Result<BoxStream<'static, Result<(BlobKey, u64), BlobError>>, BlobError>;
}
