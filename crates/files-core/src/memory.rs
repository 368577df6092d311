//! The ports in memory, for tests and embedders. Nothing survives the process.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use async_trait::async_trait;
use bytes::{Bytes, BytesMut};
use futures_util::stream::{self, BoxStream, StreamExt as _};
use parking_lot::{Mutex, MutexGuard};
use shared_core::{Author, Cursor, Page, PageRequest, Scope, StoreError};

use crate::refs::MemoryRefs;
use crate::{BlobError, BlobKey, BlobStore, BlobWriter, DeletedFile, File, FileId, FileRepository, NewFile};

/// File records in memory.
#[derive(Debug, Default)]
pub struct MemoryFiles {
    rows: Mutex<Rows>,
    refs: MemoryRefs,
}

#[derive(Debug, Default)]
struct Rows {
    files: Vec<File>,
    last_id: i64,
}

impl MemoryFiles {
    /// The references to blobs, for stores that share them.
    #[must_use]
    pub fn refs(&self) -> MemoryRefs {
        self.refs.clone()
    }

    fn rows(&self) -> MutexGuard<'_, Rows> {
        self.rows.lock()
    }
}

impl Rows {
    fn add(&mut self, scope: &Scope, new: NewFile, refs: &MemoryRefs) -> File {
        let blob = refs.add_ref(&scope.workspace, &new.sha256, new.bytes, new.blob);
        self.last_id += 1;
        let file = File {
            id: FileId(self.last_id),
            workspace: scope.workspace.clone(),
            author: Author { id: scope.user.clone(), name: scope.user.0.clone(), email: String::new() },
            name: new.name,
            bytes: new.bytes,
            content_type: new.content_type,
            sha256: new.sha256,
            token: new.token,
            blob,
            created: new.created,
        };
        self.files.push(file.clone());
        file
    }
}

#[async_trait]
impl FileRepository for MemoryFiles {
    async fn insert(&self, scope: &Scope, files: Vec<NewFile>) -> Result<Vec<File>, StoreError> {
        let mut rows = self.rows();
        Ok(files.into_iter().map(|file| rows.add(scope, file, &self.refs)).collect())
    }

    async fn find(&self, scope: &Scope, id: FileId) -> Result<Option<File>, StoreError> {
        Ok(self.rows().files.iter().find(|row| row.workspace == scope.workspace && row.id == id).cloned())
    }

    async fn find_by_token(&self, token: &str) -> Result<Option<File>, StoreError> {
        Ok(self.rows().files.iter().find(|row| row.token == token).cloned())
    }

    async fn list(&self, scope: &Scope, page: &PageRequest) -> Result<Page<File>, StoreError> {
        let own = self.rows().files.iter().filter(|row| row.workspace == scope.workspace).cloned().collect();
        Ok(Page::paginate(own, page, |row: &File| Cursor { created: row.created, id: row.id.0.to_string() }))
    }

    async fn delete(&self, scope: &Scope, id: FileId) -> Result<Option<DeletedFile>, StoreError> {
        let mut rows = self.rows();
        let found = rows.files.iter().position(|row| row.workspace == scope.workspace && row.id == id);
        Ok(found.map(|index| {
            let file = rows.files.remove(index);
            DeletedFile { orphan: self.refs.release(&file.blob).then(|| file.blob.clone()), file }
        }))
    }

    async fn blob_in_use(&self, blob: &BlobKey) -> Result<bool, StoreError> {
        Ok(self.refs.has(blob))
    }
}

/// Blobs in memory. Every blob counts as old.
#[derive(Clone, Debug, Default)]
pub struct MemoryBlobs(Arc<Mutex<HashMap<BlobKey, Bytes>>>);

impl MemoryBlobs {
    fn blobs(&self) -> MutexGuard<'_, HashMap<BlobKey, Bytes>> {
        self.0.lock()
    }
}

#[derive(Debug)]
struct MemoryWriter {
    store: MemoryBlobs,
    key: BlobKey,
    content: BytesMut,
}

#[async_trait]
impl BlobWriter for MemoryWriter {
    async fn write(&mut self, bytes: Bytes) -> Result<(), BlobError> {
        self.content.extend_from_slice(&bytes);
        Ok(())
    }

    async fn commit(self: Box<Self>) -> Result<(), BlobError> {
        let Self { store, key, content } = *self;
        store.blobs().insert(key, content.freeze());
        Ok(())
    }

    async fn abort(self: Box<Self>) {}
}

#[async_trait]
impl BlobStore for MemoryBlobs {
    async fn create(&self, key: &BlobKey) -> Result<Box<dyn BlobWriter>, BlobError> {
        Ok(Box::new(MemoryWriter { store: self.clone(), key: key.clone(), content: BytesMut::new() }))
    }

    async fn read(
        &self,
        key: &BlobKey,
        range: Option<Range<u64>>,
    ) -> Result<BoxStream<'static, Result<Bytes, BlobError>>, BlobError> {
        let content = self.blobs().get(key).cloned().ok_or(BlobError::Missing)?;
        let size = content.len();
        let at = |offset: u64| usize::try_from(offset).unwrap_or(size).min(size);
        let part =
            range.map_or_else(|| content.clone(), |r| content.slice(at(r.start).min(at(r.end))..at(r.end)));
        Ok(stream::iter([Ok(part)]).boxed())
    }

    async fn delete(&self, key: &BlobKey) -> Result<(), BlobError> {
        self.blobs().remove(key);
        Ok(())
    }

    async fn list(&self) -> Result<BoxStream<'static, Result<(BlobKey, u64), BlobError>>, BlobError> {
        let keys: Vec<BlobKey> = self.blobs().keys().cloned().collect();
        Ok(stream::iter(keys.into_iter().map(|key| Ok((key, u64::MAX)))).boxed())
    }
}
