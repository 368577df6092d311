//! The content of a backup folder: blobs by their SHA-256.

use std::fs::{self, File};
use std::io::{Read, Write as _};
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use files_core::{BlobError, BlobStore};
use futures_util::StreamExt as _;
use sha2::{Digest as _, Sha256};
use shared_core::hex;
use store_diesel::StoredBlob;

/// Bytes read at a time.
const BUFFER: usize = 1 << 16;

/// Why a copy does not equal its original.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Mismatch {
    /// There is no copy.
    Missing,
    /// Its content is another.
    Different,
}

/// Blobs in a folder by SHA-256, spread over 256 folders by its first two characters.
#[derive(Clone, Debug)]
pub(super) struct ContentFolder(PathBuf);

impl ContentFolder {
    /// The content of a backup folder.
    pub(super) fn of(backup: &Path) -> Self {
        Self(backup.join("content"))
    }

    fn path(&self, sha256: &str) -> PathBuf {
        self.0.join(sha256.get(..2).unwrap_or_default()).join(sha256)
    }

    /// Whether the blob is there with its size. Its content was checked when it was written.
    pub(super) fn has(&self, blob: &StoredBlob) -> bool {
        fs::metadata(self.path(&blob.sha256)).is_ok_and(|file| file.len() == blob.bytes)
    }

    /// Copies a blob from the store and checks its content. [`ContentFolder::finish`] makes it a part of the backup.
    pub(super) async fn copy_from(
        &self,
        store: &dyn BlobStore,
        blob: &StoredBlob,
    ) -> anyhow::Result<Result<(), Mismatch>> {
        let unfinished = self.unfinished(&blob.sha256);
        let folder = unfinished.parent().unwrap_or(&self.0);
        fs::create_dir_all(folder).with_context(|| format!("{} cannot be created", folder.display()))?;
        let cannot_write = || format!("{} cannot be written", unfinished.display());
        let mut file = File::create(&unfinished).with_context(cannot_write)?;
        let found = read_blob(store, blob, |part| file.write_all(part).with_context(cannot_write)).await?;
        if found.is_err() {
            fs::remove_file(&unfinished).with_context(cannot_write)?;
        }
        Ok(found)
    }

    /// Makes copies durable, then gives them their names. One synchronisation for many files: two for each made the first
    /// backup of 5,000 small files last 31 s.
    pub(super) fn finish(&self, hashes: &[String]) -> anyhow::Result<()> {
        if hashes.is_empty() {
            return Ok(());
        }
        let unfinished: Vec<PathBuf> = hashes.iter().map(|sha256| self.unfinished(sha256)).collect();
        sync_files(&self.0, &unfinished)?;
        for (unfinished, sha256) in unfinished.iter().zip(hashes) {
            fs::rename(unfinished, self.path(sha256))
                .with_context(|| format!("{} cannot be renamed", unfinished.display()))?;
        }
        sync_files(&self.0, &[])
    }

    fn unfinished(&self, sha256: &str) -> PathBuf {
        self.path(sha256).with_extension("unfinished")
    }

    /// Opens a blob.
    pub(super) fn open(&self, blob: &StoredBlob) -> std::io::Result<File> {
        File::open(self.path(&blob.sha256))
    }

    /// Compares the content of a blob with its hash.
    pub(super) fn verify(&self, blob: &StoredBlob) -> anyhow::Result<Result<(), Mismatch>> {
        let file = match self.open(blob) {
            Ok(file) => file,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Err(Mismatch::Missing)),
            Err(error) => return Err(error).context("the content of the backup cannot be read"),
        };
        let (found, _) = hash(file).context("the content of the backup cannot be read")?;
        Ok(if found == blob.sha256 { Ok(()) } else { Err(Mismatch::Different) })
    }

    /// Removes the blobs whose hash `is_needed` does not name, and unfinished files. Returns how many.
    pub(super) fn remove_unneeded(&self, is_needed: impl Fn(&str) -> bool) -> anyhow::Result<u64> {
        let mut removed = 0;
        for folder in fs::read_dir(&self.0).into_iter().flatten().flatten() {
            for file in fs::read_dir(folder.path()).into_iter().flatten().flatten() {
                if !is_needed(&file.file_name().to_string_lossy()) {
                    fs::remove_file(file.path())
                        .with_context(|| format!("{} cannot be removed", file.path().display()))?;
                    removed += 1;
                }
            }
        }
        Ok(removed)
    }
}

/// Reads a blob from the store part by part, and compares its content with its hash.
pub(super) async fn read_blob(
    store: &dyn BlobStore,
    blob: &StoredBlob,
    mut take: impl FnMut(&[u8]) -> anyhow::Result<()>,
) -> anyhow::Result<Result<(), Mismatch>> {
    let cannot_read = || format!("the blob {} cannot be read", blob.key.0);
    let mut parts = match store.read(&blob.key, None).await {
        Ok(parts) => parts,
        Err(BlobError::Missing) => return Ok(Err(Mismatch::Missing)),
        Err(error) => return Err(error).with_context(cannot_read),
    };
    let mut digest = Sha256::new();
    while let Some(part) = parts.next().await {
        let part = part.with_context(cannot_read)?;
        digest.update(&part);
        take(&part)?;
    }
    Ok(if hex(&digest.finalize()) == blob.sha256 { Ok(()) } else { Err(Mismatch::Different) })
}

/// Makes files and the names in their folders durable, with the whole file system of `folder` where the system can.
#[cfg(target_os = "linux")]
fn sync_files(folder: &Path, _files: &[PathBuf]) -> anyhow::Result<()> {
    let sync = || rustix::fs::syncfs(File::open(folder)?).map_err(std::io::Error::from);
    sync().with_context(|| format!("{} cannot be synchronised", folder.display()))
}

#[cfg(not(target_os = "linux"))]
fn sync_files(folder: &Path, files: &[PathBuf]) -> anyhow::Result<()> {
    for file in files {
        super::snapshot::sync_folder(file)?;
        super::snapshot::sync_folder(file.parent().unwrap_or(folder))?;
    }
    super::snapshot::sync_folder(folder)
}

/// The SHA-256 in lower-case hex and the size of what is read.
pub(super) fn hash(mut from: impl Read) -> std::io::Result<(String, u64)> {
    let (mut digest, mut bytes, mut buffer) = (Sha256::new(), 0, vec![0; BUFFER]);
    loop {
        let read = from.read(&mut buffer)?;
        if read == 0 {
            return Ok((hex(&digest.finalize()), bytes));
        }
        digest.update(buffer.get(..read).unwrap_or_default());
        bytes += read as u64;
    }
}
