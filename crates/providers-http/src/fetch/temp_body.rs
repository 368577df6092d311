//! Stores the body of an answer: a small one in memory, a larger one in a temporary file.

use std::fs::{self, File};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use bytes::{Bytes, BytesMut};
use document::ContentStream;
use futures_util::{StreamExt as _, stream};
use sha2::{Digest as _, Sha256};
use shared_core::hex;
use tempfile::{NamedTempFile, TempPath};
use tokio::task::spawn_blocking;
use utilities_core::web::{Body, StoredBody};

// Chosen by hand; no measurement is recorded. They bound the memory.
/// Maximum number of bytes kept in memory.
const SMALL: usize = 64 << 10;
/// Bytes that are written or read at once.
const PORTION: usize = 256 << 10;

/// The folder of temporary files.
#[derive(Clone, Debug)]
pub(super) struct Folder(PathBuf);

impl Folder {
    /// Creates the folder and removes files of an earlier run.
    pub(super) fn new(path: &Path) -> io::Result<Self> {
        fs::create_dir_all(path)?;
        for entry in fs::read_dir(path)? {
            let entry = entry?;
            // Other files in it do not belong to the fetcher.
            if entry.file_type()?.is_file() && entry.file_name().to_string_lossy().starts_with(PREFIX) {
                fs::remove_file(entry.path())?;
            }
        }
        Ok(Self(path.to_owned()))
    }

    /// A new file in the folder. A removed folder is created again.
    fn file(&self) -> io::Result<NamedTempFile> {
        let new = || tempfile::Builder::new().prefix(PREFIX).tempfile_in(&self.0);
        match new() {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                fs::create_dir_all(&self.0)?;
                new()
            }
            made => made,
        }
    }
}

/// Prefix of the file names.
const PREFIX: &str = "fetched-";

/// A body that is being received.
pub(super) struct TempBody {
    folder: Folder,
    buffer: BytesMut,
    file: Option<NamedTempFile>,
    hash: Sha256,
    bytes: u64,
}

impl TempBody {
    pub(super) fn new(folder: Folder) -> Self {
        Self { folder, buffer: BytesMut::new(), file: None, hash: Sha256::new(), bytes: 0 }
    }

    /// Number of bytes so far.
    pub(super) fn bytes(&self) -> u64 {
        self.bytes
    }

    pub(super) async fn push(&mut self, part: &[u8]) -> io::Result<()> {
        self.hash.update(part);
        self.bytes += part.len() as u64;
        self.buffer.extend_from_slice(part);
        let full = if self.file.is_some() { PORTION } else { SMALL };
        if self.buffer.len() > full { self.flush().await } else { Ok(()) }
    }

    async fn flush(&mut self) -> io::Result<()> {
        let (file, folder, portion) = (self.file.take(), self.folder.clone(), self.buffer.split().freeze());
        let writing = move || -> io::Result<NamedTempFile> {
            let mut file = match file {
                Some(file) => file,
                None => folder.file()?,
            };
            file.write_all(&portion)?;
            Ok(file)
        };
        self.file = Some(spawn_blocking(writing).await.map_err(io::Error::other)??);
        Ok(())
    }

    /// Completes the body: its bytes, their number and their hash.
    pub(super) async fn finish(mut self) -> io::Result<(Body, u64, String)> {
        let hash = hex(&std::mem::take(&mut self.hash).finalize());
        if self.file.is_some() && !self.buffer.is_empty() {
            self.flush().await?;
        }
        let body = match self.file.take() {
            None => Body::Memory(self.buffer.freeze()),
            Some(file) => Body::Stored(Arc::new(StoredFile(file.into_temp_path()))),
        };
        Ok((body, self.bytes, hash))
    }
}

/// A file that is removed on drop.
#[derive(Debug)]
struct StoredFile(TempPath);

impl StoredBody for StoredFile {
    fn open(&self) -> ContentStream {
        // Opened immediately: an open file can be read to its end after its removal.
        match File::open(&self.0) {
            Ok(file) => portions(file),
            Err(error) => stream::once(async move { Err(error.into()) }).boxed(),
        }
    }
}

fn portions(file: File) -> ContentStream {
    let next = |file: Option<File>| async move {
        let file = file?;
        match spawn_blocking(move || portion(file)).await {
            Ok(Ok((part, _))) if part.is_empty() => None,
            Ok(Ok((part, file))) => Some((Ok(part), Some(file))),
            Ok(Err(error)) => Some((Err(error.into()), None)),
            Err(error) => Some((Err(error.into()), None)),
        }
    };
    stream::unfold(Some(file), next).boxed()
}

fn portion(mut file: File) -> io::Result<(Bytes, File)> {
    let mut part = Vec::with_capacity(PORTION);
    (&mut file).take(PORTION as u64).read_to_end(&mut part)?;
    Ok((Bytes::from(part), file))
}

#[cfg(test)]
mod tests {
    use futures_util::TryStreamExt as _;

    use super::*;

    async fn spooled(folder: &Folder, bytes: usize) -> (Body, u64, String) {
        let mut temp_body = TempBody::new(folder.clone());
        for part in vec![7_u8; bytes].chunks(10_000) {
            temp_body.push(part).await.unwrap();
        }
        temp_body.finish().await.unwrap()
    }

    fn files(path: &Path) -> usize {
        fs::read_dir(path).unwrap().count()
    }

    #[tokio::test]
    async fn small_answers_stay_in_memory_and_larger_ones_are_files_until_they_are_dropped() {
        let root = tempfile::tempdir().unwrap();
        let folder = Folder::new(&root.path().join("fetched")).unwrap();
        let (body, bytes, _) = spooled(&folder, SMALL).await;
        assert!(matches!(body, Body::Memory(kept) if kept.len() == SMALL) && bytes == SMALL as u64);
        let (body, bytes, hash) = spooled(&folder, 1_000_000).await;
        assert_eq!((bytes, files(&folder.0)), (1_000_000, 1));
        assert_eq!(hash, hex(&Sha256::digest(vec![7_u8; 1_000_000])));
        let Body::Stored(kept) = body else { panic!("a large answer is in memory") };
        let content = kept.open();
        drop(kept);
        assert_eq!(files(&folder.0), 0);
        let parts: Vec<Bytes> = content.try_collect().await.unwrap();
        assert_eq!(parts.concat(), vec![7_u8; 1_000_000]);
    }

    #[tokio::test]
    async fn a_folder_that_was_taken_away_is_made_again() {
        let root = tempfile::tempdir().unwrap();
        let folder = Folder::new(&root.path().join("fetched")).unwrap();
        fs::remove_dir_all(&folder.0).unwrap();
        let (_body, bytes, _) = spooled(&folder, 100_000).await;
        assert_eq!((bytes, files(&folder.0)), (100_000, 1));
    }

    #[tokio::test]
    async fn the_folder_is_emptied_of_what_an_earlier_run_left() {
        let root = tempfile::tempdir().unwrap();
        let folder = Folder::new(root.path()).unwrap();
        let (body, ..) = spooled(&folder, 100_000).await;
        std::mem::forget(body);
        fs::write(root.path().join("notes.txt"), "mine").unwrap();
        Folder::new(root.path()).unwrap();
        assert!(root.path().join("notes.txt").exists() && files(root.path()) == 1);
    }
}
