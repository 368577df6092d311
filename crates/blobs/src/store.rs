//! The blob store over a folder, a bucket or memory.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use async_trait::async_trait;
use bytes::Bytes;
use files_core::{BlobError, BlobKey, BlobStore, BlobWriter};
use futures_util::stream::{self, BoxStream, StreamExt as _};
use object_store::local::LocalFileSystem;
use object_store::memory::InMemory;
use object_store::path::Path;
use object_store::prefix::PrefixStore;
use object_store::{GetOptions, GetRange, ObjectMeta, ObjectStore, ObjectStoreExt as _};
use tokio::time::timeout;

use crate::backend::{Backend, Kind};
use crate::location::BlobLocation;
use crate::s3::{self, S3Access};
use crate::staging;
use crate::writer::ObjectWriter;

/// Time limit of the check of a bucket at the start.
const CHECK: Duration = Duration::from_secs(10);
/// The object that the check of a bucket writes and removes, and the name that no key begins with.
const PROBE: &str = "probe";

/// Blobs in an object store. Clones share it.
#[derive(Clone)]
pub struct ObjectBlobs {
    backend: Backend,
    location: String,
}

/// Why the store cannot be used. `Display` is one sentence for the operator.
#[derive(Debug, thiserror::Error)]
#[error("the blob {what} {location} cannot be used: {reason}")]
pub struct OpenError {
    what: &'static str,
    location: String,
    reason: String,
}

impl ObjectBlobs {
    /// Blobs at a location. A folder is created if it does not exist; nothing is sent to a bucket, see
    /// [`ObjectBlobs::check_access`]. `access` is for buckets alone.
    ///
    /// # Errors
    /// When the folder cannot be created or written to, or the access to a bucket is not complete.
    pub fn open(location: &BlobLocation, access: &S3Access) -> Result<Self, OpenError> {
        match location {
            BlobLocation::Folder(folder) => Self::open_folder(folder),
            BlobLocation::Bucket { bucket, prefix } => {
                let location = location.to_string();
                let store = match access.build(bucket) {
                    Ok(store) => PrefixStore::new(store, prefix.as_str()),
                    Err(reason) => return Err(OpenError { what: "bucket", location, reason }),
                };
                Ok(Self { backend: Backend { store: Arc::new(store), kind: Kind::Bucket }, location })
            }
        }
    }

    /// Blobs as files below `folder`, which is created if it does not exist. A committed blob is durable:
    /// file and folder are synchronised.
    ///
    /// # Errors
    /// When the folder cannot be created or written to.
    pub fn open_folder(folder: &std::path::Path) -> Result<Self, OpenError> {
        let location = folder.display().to_string();
        let failed = |reason: String| OpenError { what: "folder", location: location.clone(), reason };
        std::fs::create_dir_all(folder).map_err(|error| failed(error.to_string()))?;
        // A folder that is readable but not writable would fail only at the first upload.
        let probe = folder.join(".probe");
        std::fs::write(&probe, b"").map_err(|error| failed(error.to_string()))?;
        std::fs::remove_file(&probe).map_err(|error| failed(error.to_string()))?;
        let store = LocalFileSystem::new_with_prefix(folder).map_err(|error| failed(error.to_string()))?;
        let kind = Kind::Folder(folder.to_owned());
        Ok(Self { backend: Backend { store: Arc::new(store.with_fsync(true)), kind }, location })
    }

    /// Blobs in memory; nothing survives the process.
    #[must_use]
    pub fn in_memory() -> Self {
        let backend = Backend { store: Arc::new(InMemory::new()), kind: Kind::Memory };
        Self { backend, location: "in memory".to_owned() }
    }

    /// Whether the blobs are in a bucket.
    #[must_use]
    pub fn is_bucket(&self) -> bool {
        matches!(self.backend.kind, Kind::Bucket)
    }

    /// Lists, writes and deletes in a bucket, so that one that is missing, or keys that do not suffice, are found at
    /// the start. Takes 10 seconds at most. A folder was checked when it was opened.
    ///
    /// # Errors
    /// What the service answered.
    pub async fn check_access(&self) -> Result<(), OpenError> {
        if !self.is_bucket() {
            return Ok(());
        }
        let (store, probe) = (&self.backend.store, Path::from(PROBE));
        let check = async {
            store.list(Some(&probe)).next().await.transpose()?;
            store.put(&probe, Bytes::new().into()).await?;
            store.delete(&probe).await
        };
        let reason = match timeout(CHECK, check).await {
            Ok(Ok(())) => return Ok(()),
            Ok(Err(error)) => s3::sentence(&error),
            Err(_) => format!("the service did not answer within {} seconds", CHECK.as_secs()),
        };
        Err(OpenError { what: "bucket", location: self.location.clone(), reason })
    }

    /// Whether a bucket answers, by a list without results.
    ///
    /// # Errors
    /// When it does not, or refuses.
    pub async fn check_reads(&self) -> Result<(), BlobError> {
        let found = self.backend.store.list(Some(&Path::from(PROBE))).next().await;
        found.transpose().map(drop).map_err(self.backend.kind.to_error())
    }

    /// Every key with its size in bytes, from the lists of the store: no content is read.
    #[must_use]
    pub fn sizes(&self) -> BoxStream<'static, Result<(BlobKey, u64), BlobError>> {
        self.entries().map(|entry| entry.map(|(key, entry)| (key, entry.size))).boxed()
    }

    /// In a bucket, objects of others have no part in it.
    fn entries(&self) -> BoxStream<'static, Result<(BlobKey, ObjectMeta), BlobError>> {
        let (to_error, is_bucket) = (self.backend.kind.to_error(), self.is_bucket());
        let entries = self.backend.store.list(None).map(move |entry| {
            let entry = entry.map_err(to_error)?;
            Ok((BlobKey(entry.location.filename().unwrap_or_default().to_owned()), entry))
        });
        let own = move |entry: &Result<(BlobKey, ObjectMeta), BlobError>| {
            let own = entry.as_ref().map_or(true, |(key, entry)| !is_bucket || path(key) == entry.location);
            std::future::ready(own)
        };
        entries.filter(own).boxed()
    }
}

impl fmt::Debug for ObjectBlobs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ObjectBlobs({})", self.location)
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
        Ok(Box::new(ObjectWriter::new(&self.backend, path(key))))
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
        let to_error = self.backend.kind.to_error();
        let found = self.backend.store.get_opts(&path(key), options).await.map_err(to_error)?;
        Ok(found.into_stream().map(move |part| part.map_err(to_error)).boxed())
    }

    async fn delete(&self, key: &BlobKey) -> Result<(), BlobError> {
        if let Kind::Folder(folder) = &self.backend.kind
            && staging::is_staged(key)
        {
            return staging::delete(folder, key);
        }
        match self.backend.store.delete(&path(key)).await.map_err(self.backend.kind.to_error()) {
            Ok(()) | Err(BlobError::Missing) => Ok(()),
            Err(error) => Err(error),
        }
    }

    async fn list(&self) -> Result<BoxStream<'static, Result<(BlobKey, u64), BlobError>>, BlobError> {
        let now = now();
        let entries = self.entries().map(move |entry| {
            let (key, entry) = entry?;
            Ok((key, now.saturating_sub(u64::try_from(entry.last_modified.timestamp()).unwrap_or_default())))
        });
        let staged = match &self.backend.kind {
            Kind::Folder(folder) => Some(staging::list(folder)),
            Kind::Memory | Kind::Bucket => None,
        };
        let staged = staged.into_iter().flatten();
        let staged = stream::iter(staged.map(move |(key, modified)| Ok((key, now.saturating_sub(modified)))));
        Ok(entries.chain(staged).boxed())
    }
}

/// Seconds since 1970 by the clock that also dates the files. A bucket has a clock of its own: an age is wrong by their
/// difference, which is far below the ages of the sweep.
#[expect(clippy::disallowed_methods, reason = "the age of a file is measured by the clock of its disk")]
fn now() -> u64 {
    SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |elapsed| elapsed.as_secs())
}
