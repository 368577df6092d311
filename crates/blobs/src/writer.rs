//! A blob that is being written.

use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use bytes::{Bytes, BytesMut};
use files_core::{BlobError, BlobWriter};
use object_store::path::Path;
use object_store::{MultipartUpload, ObjectStore, ObjectStoreExt as _};

use crate::failure::to_blob_error;

/// Bytes buffered before they are written. Most files are smaller and are stored in one step. An S3 part must
/// have 5 MiB at least, so this will have to grow with that backend.
const PART_BYTES: usize = 1 << 20;

pub(crate) struct ObjectWriter {
    store: Arc<dyn ObjectStore>,
    path: Path,
    buffer: BytesMut,
    upload: Option<Box<dyn MultipartUpload>>,
}

impl ObjectWriter {
    pub(crate) fn new(store: Arc<dyn ObjectStore>, path: Path) -> Self {
        Self { store, path, buffer: BytesMut::new(), upload: None }
    }

    async fn upload_part(&mut self) -> Result<(), BlobError> {
        let part = self.buffer.split().freeze();
        let upload = match &mut self.upload {
            Some(upload) => upload,
            none => none.insert(self.store.put_multipart(&self.path).await.map_err(to_blob_error)?),
        };
        upload.put_part(part.into()).await.map_err(to_blob_error)
    }
}

impl fmt::Debug for ObjectWriter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ObjectWriter").field("path", &self.path).finish_non_exhaustive()
    }
}

#[async_trait]
impl BlobWriter for ObjectWriter {
    async fn write(&mut self, bytes: Bytes) -> Result<(), BlobError> {
        self.buffer.extend_from_slice(&bytes);
        if self.buffer.len() >= PART_BYTES { self.upload_part().await } else { Ok(()) }
    }

    async fn commit(mut self: Box<Self>) -> Result<(), BlobError> {
        if self.upload.is_none() {
            let whole = self.buffer.split().freeze();
            self.store.put(&self.path, whole.into()).await.map_err(to_blob_error)?;
            return Ok(());
        }
        if !self.buffer.is_empty() {
            self.upload_part().await?;
        }
        if let Some(upload) = &mut self.upload {
            upload.complete().await.map_err(to_blob_error)?;
        }
        Ok(())
    }

    async fn abort(mut self: Box<Self>) {
        if let Some(upload) = &mut self.upload {
            // The sweep removes what is left behind.
            upload.abort().await.unwrap_or_default();
        }
    }
}
