//! Snapshots in a backup folder.

use std::fs::{self, File};
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use files_core::BlobKey;
use serde::{Deserialize, Serialize};
use store_diesel::StoredBlob;

/// Version of the format of snapshots.
pub(super) const FORMAT: u32 = 1;
/// Ending of a snapshot that is being written.
const UNFINISHED: &str = ".unfinished";
/// Files of the data folder beside the database that a server needs or its operator keeps.
pub(super) const SECRETS: [&str; 2] = ["url-secret", "first-key"];

/// What a snapshot has. It is written last.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Manifest {
    pub(super) format: u32,
    /// Version of the program that wrote it.
    pub(super) formwork: String,
    /// SHA-256 of the database file, lower-case hex.
    pub(super) database_sha256: String,
    /// Size of the database file in bytes.
    pub(super) database_bytes: u64,
    /// Number of blobs.
    pub(super) blobs: u64,
    /// Size of all blobs in bytes.
    pub(super) blob_bytes: u64,
    /// Keys of blobs that records refer to and the store did not have.
    pub(super) missing: Vec<String>,
}

/// A snapshot's folder.
#[derive(Clone, Debug)]
pub(super) struct Snapshot {
    pub(super) name: String,
    folder: PathBuf,
}

impl Snapshot {
    /// Creates the folder of a snapshot that is being written.
    pub(super) fn begin(backup: &Path, name: &str) -> anyhow::Result<Self> {
        let folder = backup.join("snapshots").join(format!("{name}{UNFINISHED}"));
        fs::create_dir_all(&folder).with_context(|| format!("{} cannot be created", folder.display()))?;
        Ok(Self { name: name.to_owned(), folder })
    }

    /// Writes the manifest and makes the snapshot a complete one.
    pub(super) fn finish(self, manifest: &Manifest) -> anyhow::Result<()> {
        let text = serde_json::to_string_pretty(manifest)? + "\n";
        write_synced(&self.folder.join("manifest.json"), text.as_bytes())?;
        sync_folder(&self.folder)?;
        let complete = self.folder.with_file_name(&self.name);
        fs::rename(&self.folder, &complete)
            .with_context(|| format!("{} cannot be renamed", self.folder.display()))?;
        sync_folder(complete.parent().unwrap_or(&complete))
    }

    /// The complete snapshots, oldest first.
    pub(super) fn list(backup: &Path) -> anyhow::Result<Vec<Self>> {
        let folder = backup.join("snapshots");
        let entries = match fs::read_dir(&folder) {
            Ok(entries) => entries,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(error).with_context(|| format!("{} cannot be read", folder.display())),
        };
        let mut found = Vec::new();
        for entry in entries {
            let folder = entry?.path();
            let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
            if folder.join("manifest.json").is_file() && !name.ends_with(UNFINISHED) {
                found.push(Self { name, folder });
            }
        }
        found.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(found)
    }

    /// The snapshot of this name; the newest one without a name.
    pub(super) fn find(backup: &Path, name: Option<&str>) -> anyhow::Result<Self> {
        let all = Self::list(backup)?;
        let found = match name {
            None => all.into_iter().next_back(),
            Some(name) => all.into_iter().find(|snapshot| snapshot.name == name),
        };
        found.with_context(|| match name {
            Some(name) => format!("{} has no complete snapshot '{name}'", backup.display()),
            None => format!("{} has no complete snapshot", backup.display()),
        })
    }

    /// Removes snapshots that an earlier backup left unfinished.
    pub(super) fn remove_unfinished(backup: &Path) -> anyhow::Result<()> {
        for entry in fs::read_dir(backup.join("snapshots")).into_iter().flatten().flatten() {
            if entry.file_name().to_string_lossy().ends_with(UNFINISHED) {
                fs::remove_dir_all(entry.path())
                    .with_context(|| format!("{} cannot be removed", entry.path().display()))?;
            }
        }
        Ok(())
    }

    /// Deletes the folder with everything in it.
    pub(super) fn remove(&self) -> anyhow::Result<()> {
        fs::remove_dir_all(&self.folder)
            .with_context(|| format!("{} cannot be removed", self.folder.display()))
    }

    /// The copy of the database.
    pub(super) fn database(&self) -> PathBuf {
        self.folder.join("database.sqlite")
    }

    /// The list of blobs: key, SHA-256 and bytes, separated by tabs, one blob a line.
    pub(super) fn blob_list(&self) -> PathBuf {
        self.folder.join("blobs.tsv")
    }

    /// The copy of a secret of the data folder.
    pub(super) fn secret(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    pub(super) fn manifest(&self) -> anyhow::Result<Manifest> {
        let path = self.folder.join("manifest.json");
        let text = fs::read_to_string(&path).with_context(|| format!("{} cannot be read", path.display()))?;
        let manifest: Manifest =
            serde_json::from_str(&text).with_context(|| format!("{} is damaged", path.display()))?;
        anyhow::ensure!(
            manifest.format == FORMAT,
            "the snapshot '{}' has the format {}; this version reads {FORMAT}",
            self.name,
            manifest.format
        );
        Ok(manifest)
    }

    /// The blobs of the list.
    pub(super) fn blobs(&self) -> anyhow::Result<impl Iterator<Item = anyhow::Result<StoredBlob>>> {
        let path = self.blob_list();
        let file = File::open(&path).with_context(|| format!("{} cannot be read", path.display()))?;
        Ok(BufReader::new(file).lines().map(move |line| {
            let line = line.with_context(|| format!("{} cannot be read", path.display()))?;
            blob_of_line(&line).with_context(|| format!("{} is damaged at '{line}'", path.display()))
        }))
    }
}

fn blob_of_line(line: &str) -> Option<StoredBlob> {
    let (key, rest) = line.split_once('\t')?;
    let (sha256, bytes) = rest.split_once('\t')?;
    Some(StoredBlob { key: BlobKey(key.into()), sha256: sha256.into(), bytes: bytes.parse().ok()? })
}

/// The line of a blob in the list.
pub(super) fn line_of_blob(blob: &StoredBlob) -> String {
    format!("{}\t{}\t{}\n", blob.key.0, blob.sha256, blob.bytes)
}

/// Writes a file durably.
pub(super) fn write_synced(path: &Path, content: &[u8]) -> anyhow::Result<()> {
    use std::io::Write as _;
    let write = || {
        let mut file = File::create(path)?;
        file.write_all(content)?;
        file.sync_all()
    };
    write().with_context(|| format!("{} cannot be written", path.display()))
}

/// Makes the names in a folder durable.
pub(super) fn sync_folder(folder: &Path) -> anyhow::Result<()> {
    let sync = || File::open(folder)?.sync_all();
    sync().with_context(|| format!("{} cannot be synchronised", folder.display()))
}
