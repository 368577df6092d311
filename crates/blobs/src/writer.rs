//! A blob that is being written.

use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use bytes::{Bytes, BytesMut};
use files_core::{BlobError, BlobWriter};
use object_store::path::Path;
use object_store::{MultipartUpload, ObjectStore, ObjectStoreExt as _};
use tokio::runtime::Handle;

use crate::backend::{Backend, Kind};

pub(crate) struct ObjectWriter {
    store: Arc<dyn ObjectStore>,
    kind: Kind,
    path: Path,
    buffer: BytesMut,
    /// Present from the first part to the completion.
    upload: Option<Box<dyn MultipartUpload>>,
}

impl ObjectWriter {
    pub(crate) fn new(backend: &Backend, path: Path) -> Self {
        let store = Arc::clone(&backend.store);
        Self { store, kind: backend.kind.clone(), path, buffer: BytesMut::new(), upload: None }
    }

    async fn upload_part(&mut self, part: Bytes) -> Result<(), BlobError> {
        let to_error = self.kind.to_error();
        let upload = match &mut self.upload {
            Some(upload) => upload,
            none => none.insert(self.store.put_multipart(&self.path).await.map_err(to_error)?),
        };
        upload.put_part(part.into()).await.map_err(to_error)
    }
}

impl fmt::Debug for ObjectWriter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ObjectWriter").field("path", &self.path).finish_non_exhaustive()
    }
}

#[async_trait]
impl BlobWriter for ObjectWriter {
    async fn write(&mut self, mut bytes: Bytes) -> Result<(), BlobError> {
        let part_bytes = self.kind.part_bytes();
        while self.buffer.len() + bytes.len() >= part_bytes {
            self.buffer.extend_from_slice(&bytes.split_to(part_bytes - self.buffer.len()));
            let part = self.buffer.split().freeze();
            self.upload_part(part).await?;
        }
        self.buffer.extend_from_slice(&bytes);
        Ok(())
    }

    async fn commit(mut self: Box<Self>) -> Result<(), BlobError> {
        let to_error = self.kind.to_error();
        let rest = self.buffer.split().freeze();
        if self.upload.is_none() {
            // A key is never written twice with different content, so that a repeated request does no harm.
            self.store.put(&self.path, rest.into()).await.map_err(to_error)?;
            return Ok(());
        }
        if !rest.is_empty() {
            self.upload_part(rest).await?;
        }
        if let Some(upload) = &mut self.upload {
            upload.complete().await.map_err(to_error)?;
        }
        self.upload = None;
        Ok(())
    }

    async fn abort(mut self: Box<Self>) {
        if let Some(mut upload) = self.upload.take() {
            // The sweep, or the bucket's rule for incomplete uploads, removes what is left behind.
            upload.abort().await.unwrap_or_default();
        }
    }
}

impl Drop for ObjectWriter {
    /// A bucket would keep, and charge for, the parts of an upload that is neither completed nor aborted.
    fn drop(&mut self) {
        if let Kind::Bucket = self.kind
            && let Some(mut upload) = self.upload.take()
            && let Ok(runtime) = Handle::try_current()
        {
            runtime.spawn(async move { upload.abort().await.unwrap_or_default() });
        }
    }
}
