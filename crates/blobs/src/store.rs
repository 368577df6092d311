//! The blob store over a folder or memory.

use std::fmt;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::SystemTime;

use async_trait::async_trait;
use bytes::Bytes;
use files_core::{BlobError, BlobKey, BlobStore, BlobWriter};
use futures_util::stream::{self, BoxStream, StreamExt as _};
use object_store::local::LocalFileSystem;
use object_store::memory::InMemory;
use object_store::path::Path;
use object_store::{GetOptions, GetRange, ObjectStore, ObjectStoreExt as _};

use crate::failure::to_blob_error;
use crate::staging;
use crate::writer::ObjectWriter;

/// Blobs in an object store. Clones share it.
#[derive(Clone)]
pub struct ObjectBlobs {
    store: Arc<dyn ObjectStore>,
    /// The folder; `None` in memory.
    folder: Option<PathBuf>,
}

/// Why the store could not be opened. `Display` is one sentence for the operator.
#[derive(Debug, thiserror::Error)]
#[error("the blob folder {path} cannot be used: {reason}")]
pub struct OpenError {
    path: String,
    reason: String,
}

impl ObjectBlobs {
    /// Blobs as files below `folder`, which is created if it does not exist. A committed blob is durable:
    /// file and folder are synchronised.
    ///
    /// # Errors
    /// When the folder cannot be created or written to.
    pub fn open_folder(folder: &std::path::Path) -> Result<Self, OpenError> {
        let failed = |reason: String| OpenError { path: folder.display().to_string(), reason };
        std::fs::create_dir_all(folder).map_err(|error| failed(error.to_string()))?;
        // A folder that is readable but not writable would fail only at the first upload.
        let probe = folder.join(".probe");
        std::fs::write(&probe, b"").map_err(|error| failed(error.to_string()))?;
        std::fs::remove_file(&probe).map_err(|error| failed(error.to_string()))?;
        let store = LocalFileSystem::new_with_prefix(folder).map_err(|error| failed(error.to_string()))?;
        Ok(Self { store: Arc::new(store.with_fsync(true)), folder: Some(folder.to_owned()) })
    }

    /// Blobs in memory; nothing survives the process.
    #[must_use]
    pub fn in_memory() -> Self {
        Self { store: Arc::new(InMemory::new()), folder: None }
    }
}

impl fmt::Debug for ObjectBlobs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ObjectBlobs({})", self.store)
    }
}

/// Spreads keys over 256 folders by their last two characters, which are the random end of an id.
fn path(key: &BlobKey) -> Path {
    let start = key.0.char_indices().rev().nth(1).map_or(0, |(index, _)| index);
    Path::from_iter([key.0.get(start..).unwrap_or_default(), key.0.as_str()])
}

#[async_trait]
impl BlobStore for ObjectBlobs {
    async fn create(&self, key: &BlobKey) -> Result<Box<dyn BlobWriter>, BlobError> {
        Ok(Box::new(ObjectWriter::new(Arc::clone(&self.store), path(key))))
    }

    async fn read(
        &self,
        key: &BlobKey,
        range: Option<Range<u64>>,
    ) -> Result<BoxStream<'static, Result<Bytes, BlobError>>, BlobError> {
        if range.as_ref().is_some_and(Range::is_empty) {
            return Ok(stream::empty().boxed());
        }
        let options = GetOptions { range: range.map(GetRange::Bounded), ..GetOptions::default() };
        let found = self.store.get_opts(&path(key), options).await.map_err(to_blob_error)?;
        Ok(found.into_stream().map(|part| part.map_err(to_blob_error)).boxed())
    }

    async fn delete(&self, key: &BlobKey) -> Result<(), BlobError> {
        if let Some(folder) = &self.folder
            && staging::is_staged(key)
        {
            return staging::delete(folder, key);
        }
        match self.store.delete(&path(key)).await.map_err(to_blob_error) {
            Ok(()) | Err(BlobError::Missing) => Ok(()),
            Err(error) => Err(error),
        }
    }

    async fn list(&self) -> Result<BoxStream<'static, Result<(BlobKey, u64), BlobError>>, BlobError> {
        let now = now();
        let entries = self.store.list(None).map(move |entry| {
            let entry = entry.map_err(to_blob_error)?;
            let key = BlobKey(entry.location.filename().unwrap_or_default().to_owned());
            let age = now.saturating_sub(u64::try_from(entry.last_modified.timestamp()).unwrap_or_default());
            Ok((key, age))
        });
        let staged = self.folder.as_deref().map(staging::list).into_iter().flatten();
        let staged = stream::iter(staged.map(move |(key, modified)| Ok((key, now.saturating_sub(modified)))));
        Ok(entries.chain(staged).boxed())
    }
}

/// Seconds since 1970 by the clock that also dates the files.
#[expect(clippy::disallowed_methods, reason = "the age of a file is measured by the clock of its disk")]
fn now() -> u64 {
    SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |elapsed| elapsed.as_secs())
}
