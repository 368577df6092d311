//! A blob on its way into the store.

use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use bytes::{Bytes, BytesMut};
use files_core::{BlobError, BlobWriter};
use object_store::path::Path;
use object_store::{MultipartUpload, ObjectStore, ObjectStoreExt as _};

use crate::failure::meaning;

/// Bytes gathered before they are handed on. Most files are smaller and are stored in one step. An S3
/// part must have 5 MiB at least, so this will have to grow with that backend.
const PART: usize = 1 << 20;

pub(crate) struct ObjectWriter {
    store: Arc<dyn ObjectStore>,
    path: Path,
    gathered: BytesMut,
    upload: Option<Box<dyn MultipartUpload>>,
}

impl ObjectWriter {
    pub(crate) fn new(store: Arc<dyn ObjectStore>, path: Path) -> Self {
        Self { store, path, gathered: BytesMut::new(), upload: None }
    }

    async fn hand_on(&mut self) -> Result<(), BlobError> {
        let part = self.gathered.split().freeze();
        let upload = match &mut self.upload {
            Some(upload) => upload,
            none => none.insert(self.store.put_multipart(&self.path).await.map_err(meaning)?),
        };
        upload.put_part(part.into()).await.map_err(meaning)
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
        self.gathered.extend_from_slice(&bytes);
        if self.gathered.len() >= PART { self.hand_on().await } else { Ok(()) }
    }

    async fn commit(mut self: Box<Self>) -> Result<(), BlobError> {
        if self.upload.is_none() {
            let whole = self.gathered.split().freeze();
            self.store.put(&self.path, whole.into()).await.map_err(meaning)?;
            return Ok(());
        }
        if !self.gathered.is_empty() {
            self.hand_on().await?;
        }
        if let Some(upload) = &mut self.upload {
            upload.complete().await.map_err(meaning)?;
        }
        Ok(())
    }

    async fn abort(mut self: Box<Self>) {
        if let Some(upload) = &mut self.upload {
            // What stays behind is swept up later.
            upload.abort().await.unwrap_or_default();
        }
    }
}
