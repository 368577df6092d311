//! The use cases of files: upload, read, list, delete, and the sweep after a crash.

use std::ops::Range;
use std::sync::Arc;

use bytes::Bytes;
use futures_util::stream::{self, BoxStream, StreamExt as _};
use sha2::{Digest as _, Sha256};
use shared_core::{Clock, Page, PageRequest, Rng, Scope, Violation, capability_token, new_id};

use crate::{
    BlobError, BlobKey, BlobStore, File, FileId, FileRepository, FileUrls, FilesError, NewFile,
    ReferenceTarget, Sniff, StagedFile, Upload, UrlQuery,
};

/// Characters of a file name at most.
const MAX_NAME: usize = 1_024;

/// Blobs that are deleted concurrently at most.
const MAX_CONCURRENT_DELETES: usize = 16;

/// The bytes of a file, in chunks.
pub type BlobStream = BoxStream<'static, Result<Bytes, BlobError>>;

/// The configuration of the service.
#[derive(Clone, Debug)]
pub struct FilesConfig {
    /// Bytes of a file at most.
    pub max_bytes: u64,
    /// Detects the content type of a file.
    pub sniff: Sniff,
    /// The public address.
    pub urls: FileUrls,
}

/// The use cases of files.
#[derive(Clone, Debug)]
pub struct FilesService {
    repository: Arc<dyn FileRepository>,
    blobs: Arc<dyn BlobStore>,
    clock: Arc<dyn Clock>,
    ids: Arc<dyn Rng>,
    config: Arc<FilesConfig>,
}

impl FilesService {
    /// Builds the service on its ports.
    #[must_use]
    pub fn new(
        repository: Arc<dyn FileRepository>,
        blobs: Arc<dyn BlobStore>,
        clock: Arc<dyn Clock>,
        ids: Arc<dyn Rng>,
        config: FilesConfig,
    ) -> Self {
        Self { repository, blobs, clock, ids, config: Arc::new(config) }
    }

    /// Starts the upload of a file.
    ///
    /// # Errors
    /// When the name breaks a rule or the blob store fails.
    pub async fn begin_upload(&self, name: String) -> Result<Upload, FilesError> {
        if name.is_empty() || name.chars().nth(MAX_NAME).is_some() {
            let message = format!("a file name must have 1 to {MAX_NAME} characters");
            return Err(FilesError::Invalid(Violation::new("/files", message)));
        }
        let blob = BlobKey(new_id("blob", self.clock.now(), self.ids.as_ref()));
        let writer = self.blobs.create(&blob).await?;
        let FilesConfig { max_bytes, sniff, .. } = *self.config;
        Ok(Upload { name, blob, writer, max_bytes, sniff, bytes: 0, head: Vec::new(), hash: Sha256::new() })
    }

    /// Records uploaded files in one transaction, in order. On failure none is recorded and their bytes are
    /// removed.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn store(&self, scope: &Scope, staged: Vec<StagedFile>) -> Result<Vec<File>, FilesError> {
        let blobs: Vec<BlobKey> = staged.iter().map(|file| file.blob.clone()).collect();
        let created = self.clock.now();
        let new = staged.into_iter().map(|file| NewFile {
            name: file.name,
            bytes: file.bytes,
            content_type: file.content_type.to_owned(),
            sha256: file.sha256,
            token: capability_token(self.ids.as_ref()),
            blob: file.blob,
            created,
        });
        let stored = match self.repository.insert(scope, new.collect()).await {
            Ok(files) => files,
            Err(error) => {
                // The store may have failed after the commit, so ask before removing.
                self.remove_unreferenced(&blobs).await;
                return Err(error.into());
            }
        };
        // The workspace may have had the same content already.
        for (file, own) in stored.iter().zip(&blobs) {
            if file.blob != *own {
                self.remove(own).await;
            }
        }
        Ok(stored)
    }

    /// Removes the bytes of uploads that will not be recorded.
    pub async fn discard(&self, staged: Vec<StagedFile>) {
        for file in staged {
            self.remove(&file.blob).await;
        }
    }

    /// Stores bytes without a record, for a caller that holds its own reference to them. Pass the result's
    /// blob to [`FilesService::remove_unreferenced`] if it is not needed after all.
    ///
    /// # Errors
    /// When they exceed the limit of a file, or the blob store fails. Nothing is left behind then.
    pub async fn store_blob(&self, name: String, bytes: Bytes) -> Result<StagedFile, FilesError> {
        let mut upload = self.begin_upload(name).await?;
        if let Err(error) = upload.write(bytes).await {
            upload.abort().await;
            return Err(error);
        }
        upload.finish().await
    }

    /// Removes those of the blobs that have no references.
    pub async fn remove_unreferenced(&self, blobs: &[BlobKey]) {
        let release = |blob| async move {
            // On failure the blob stays and a later sweep removes it.
            if matches!(self.repository.blob_in_use(blob).await, Ok(false)) {
                self.remove(blob).await;
            }
        };
        stream::iter(blobs).for_each_concurrent(MAX_CONCURRENT_DELETES, release).await;
    }

    /// The file with this id.
    ///
    /// # Errors
    /// [`FilesError::NotFound`], or when the store fails.
    pub async fn get(&self, scope: &Scope, id: FileId) -> Result<File, FilesError> {
        self.repository.find(scope, id).await?.ok_or(FilesError::NotFound)
    }

    /// The file whose capability token this is, of any workspace.
    ///
    /// # Errors
    /// [`FilesError::NotFound`], or when the store fails.
    pub async fn get_by_token(&self, token: &str) -> Result<File, FilesError> {
        self.repository.find_by_token(token).await?.ok_or(FilesError::NotFound)
    }

    /// Files, newest first.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn list(&self, scope: &Scope, page: &PageRequest) -> Result<Page<File>, FilesError> {
        Ok(self.repository.list(scope, page).await?)
    }

    /// Deletes a file with its notes, and its bytes when no other file shares them.
    ///
    /// # Errors
    /// [`FilesError::NotFound`], or when the store fails.
    pub async fn delete(&self, scope: &Scope, id: FileId) -> Result<File, FilesError> {
        let deleted = self.repository.delete(scope, id).await?.ok_or(FilesError::NotFound)?;
        if let Some(orphan) = deleted.orphan {
            self.remove(&orphan).await;
        }
        Ok(deleted.file)
    }

    /// Streams a file's bytes, or those of `range` (which must lie within the file).
    ///
    /// # Errors
    /// When the content is missing or the blob store fails.
    pub async fn content(&self, file: &File, range: Option<Range<u64>>) -> Result<BlobStream, FilesError> {
        Ok(self.blobs.read(&file.blob, range).await?)
    }

    /// Streams the bytes under a key: for a caller that holds its own reference to them, which may outlive
    /// the file. Records are not consulted: the caller must know that its user may read them.
    ///
    /// # Errors
    /// As [`FilesService::content`].
    pub async fn open_blob(&self, blob: &BlobKey) -> Result<BlobStream, FilesError> {
        self.open_blob_range(blob, None).await
    }

    /// As [`FilesService::open_blob`], of a range, which must lie within the bytes.
    ///
    /// # Errors
    /// As [`FilesService::content`].
    pub async fn open_blob_range(
        &self,
        blob: &BlobKey,
        range: Option<Range<u64>>,
    ) -> Result<BlobStream, FilesError> {
        Ok(self.blobs.read(blob, range).await?)
    }

    /// Resolves a document reference.
    #[must_use]
    pub fn locate(&self, reference: &str) -> ReferenceTarget {
        self.config.urls.locate(reference)
    }

    /// The capability URL of a file.
    #[must_use]
    pub fn url(&self, file: &File) -> String {
        self.config.urls.url(file, self.clock.now())
    }

    /// The query that a URL of a capability token needs now; empty when URLs do not expire.
    #[must_use]
    pub fn url_query(&self, token: &str) -> String {
        let signing = self.config.urls.signing();
        signing.map(|signing| signing.query(token, self.clock.now())).unwrap_or_default()
    }

    /// Checks the signature and expiry of a URL of a capability token.
    ///
    /// # Errors
    /// [`FilesError::UrlUnsigned`] and [`FilesError::UrlExpired`], if URLs expire.
    pub fn check_url(&self, token: &str, query: &UrlQuery) -> Result<(), FilesError> {
        let signing = self.config.urls.signing();
        signing.map_or(Ok(()), |signing| signing.check(token, query, self.clock.now()))
    }

    /// Removes blobs older than `seconds` without a record, as a crash leaves them. Returns how many.
    ///
    /// # Errors
    /// When a store fails.
    pub async fn sweep(&self, seconds: u64) -> Result<u64, FilesError> {
        let mut blobs = self.blobs.list().await?;
        let mut removed = 0;
        while let Some(entry) = blobs.next().await {
            let (key, age) = entry?;
            if age >= seconds && !self.repository.blob_in_use(&key).await? {
                self.blobs.delete(&key).await?;
                removed += 1;
            }
        }
        Ok(removed)
    }

    /// Removes unreferenced bytes. On failure they stay and a later sweep removes them.
    async fn remove(&self, blob: &BlobKey) {
        self.blobs.delete(blob).await.unwrap_or_default();
    }
}
