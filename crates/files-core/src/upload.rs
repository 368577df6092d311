//! The upload of one file into the blob store: hashed, measured and sniffed while it streams.

use bytes::Bytes;
use sha2::{Digest as _, Sha256};
use shared_core::hex;

use crate::{BlobKey, BlobWriter, FilesError};

/// Bytes from which the content type is detected.
const SNIFF_BYTES: usize = 8 * 1024;

/// Detects the content type from the first bytes and the name.
pub type Sniff = fn(&[u8], &str) -> &'static str;

/// A file that is being uploaded. Dropping it leaves nothing behind.
#[derive(Debug)]
pub struct Upload {
    pub(crate) name: String,
    pub(crate) blob: BlobKey,
    pub(crate) writer: Box<dyn BlobWriter>,
    pub(crate) max_bytes: u64,
    pub(crate) sniff: Sniff,
    pub(crate) bytes: u64,
    pub(crate) head: Vec<u8>,
    pub(crate) hash: Sha256,
}

/// A file whose bytes are stored but which has no record yet. Pass it to `FilesService::store` or
/// `FilesService::discard`, or hold a reference of one's own to its blob.
#[derive(Debug)]
pub struct StagedFile {
    pub(crate) name: String,
    pub(crate) blob: BlobKey,
    pub(crate) bytes: u64,
    pub(crate) content_type: &'static str,
    pub(crate) sha256: String,
}

impl StagedFile {
    /// The name it was sent with.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// SHA-256 of the content, lower-case hex.
    #[must_use]
    pub fn sha256(&self) -> &str {
        &self.sha256
    }

    /// The key of the bytes in the blob store.
    #[must_use]
    pub fn blob(&self) -> &BlobKey {
        &self.blob
    }

    /// Size in bytes.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.bytes
    }
}

impl Upload {
    /// Appends bytes.
    ///
    /// # Errors
    /// [`FilesError::TooLarge`] once the file exceeds the limit, or the blob store's failure.
    pub async fn write(&mut self, chunk: Bytes) -> Result<(), FilesError> {
        self.bytes += chunk.len() as u64;
        if self.bytes > self.max_bytes {
            return Err(FilesError::TooLarge(self.max_bytes));
        }
        self.hash.update(&chunk);
        let wanted = SNIFF_BYTES.saturating_sub(self.head.len()).min(chunk.len());
        self.head.extend(chunk.iter().take(wanted));
        Ok(self.writer.write(chunk).await?)
    }

    /// Makes the bytes durable.
    ///
    /// # Errors
    /// The blob store's failure; nothing is left behind then.
    pub async fn finish(self) -> Result<StagedFile, FilesError> {
        let Self { name, blob, writer, sniff, bytes, head, hash, .. } = self;
        writer.commit().await?;
        let content_type = sniff(&head, &name);
        Ok(StagedFile { name, blob, bytes, content_type, sha256: hex(&hash.finalize()) })
    }

    /// Cancels the upload and removes its bytes.
    pub async fn abort(self) {
        self.writer.abort().await;
    }
}
