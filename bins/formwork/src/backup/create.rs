//! Writes a backup, while a server works or not.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::Write as _;
use std::path::Path;

use anyhow::Context as _;
use blobs::{BlobLocation, ObjectBlobs};
use files_core::BlobKey;
use shared_core::{Clock as _, SystemClock};
use store_diesel::{DatabaseInspection, StoredBlob};

use super::content::{ContentFolder, Mismatch, hash};
use super::snapshot::{FORMAT, Manifest, SECRETS, Snapshot, line_of_blob, write_synced};
use crate::contents::open_blobs;
use crate::settings::Settings;

/// Blobs read from the database at a time.
const PAGE: u32 = 1_000;
/// Attempts at a snapshot whose blobs are deleted while it is written.
const ATTEMPTS: u32 = 3;

/// What was copied.
#[derive(Debug, Default)]
struct CopyTotals {
    blobs: u64,
    bytes: u64,
    new: u64,
    missing: Vec<String>,
}

/// Writes a snapshot to the folder `backup` and keeps at most `keep` snapshots. Returns what was done.
///
/// # Errors
/// One sentence for the operator. What the folder had before stays.
pub(crate) async fn create(settings: &Settings, backup: &Path, keep: Option<u32>) -> anyhow::Result<String> {
    let url = settings.database_url();
    if !url.starts_with("sqlite:") {
        let location = settings.blob_location()?;
        let how = match &location {
            BlobLocation::Folder(_) => "by copying",
            BlobLocation::Bucket { .. } => "by versions or replication of",
        };
        anyhow::bail!(
            "the database is on PostgreSQL: back it up with pg_dump, and the blobs {how} {location} (docs/operations.md)"
        );
    }
    fs::create_dir_all(backup).with_context(|| format!("{} cannot be created", backup.display()))?;
    let _lock = lock(backup)?;
    Snapshot::remove_unfinished(backup)?;
    let store = open_blobs(settings).await?;
    for attempt in 1..=ATTEMPTS {
        let mut source = DatabaseInspection::open(&url)?;
        let name = name(backup)?;
        let snapshot = Snapshot::begin(backup, &name)?;
        source.copy_to(&snapshot.database()).context("the database cannot be copied")?;
        let copied = copy_blobs(&store, &ContentFolder::of(backup), &snapshot).await?;
        // Blobs that were deleted after the copy of the database are no loss, but the copy still refers to them.
        let are_stored = copied.missing.iter().map(|key| source.refers_to(&BlobKey(key.clone())));
        let are_stored = are_stored.collect::<Result<Vec<bool>, _>>()?;
        if attempt < ATTEMPTS && are_stored.contains(&false) {
            snapshot.remove()?;
            continue;
        }
        copy_secrets(&settings.data_dir, &snapshot)?;
        let manifest = manifest(&snapshot, &copied)?;
        snapshot.finish(&manifest)?;
        let removed = remove_old(backup, keep)?;
        return report(&name, &manifest, &copied, removed);
    }
    anyhow::bail!("the blobs of the database change too fast")
}

fn report(name: &str, manifest: &Manifest, copied: &CopyTotals, removed: usize) -> anyhow::Result<String> {
    anyhow::ensure!(
        copied.missing.is_empty(),
        "the snapshot {name} was written, but blobs are missing or damaged in the store: {} of {}, the first is {}",
        copied.missing.len(),
        copied.blobs,
        copied.missing.first().map_or("", String::as_str)
    );
    Ok(format!(
        "Snapshot {name}. Database: {} bytes. Blobs: {} ({} bytes), new: {}. Removed snapshots: {removed}.\n",
        manifest.database_bytes, copied.blobs, copied.bytes, copied.new
    ))
}

/// Only one backup writes to a folder at a time. The system releases the lock when the process ends in any way.
fn lock(backup: &Path) -> anyhow::Result<File> {
    let path = backup.join(".lock");
    let file = File::create(&path).with_context(|| format!("{} cannot be written", path.display()))?;
    match file.try_lock() {
        Err(fs::TryLockError::WouldBlock) => anyhow::bail!("another backup writes to {}", backup.display()),
        // A file system without locks must not prevent backups.
        Ok(()) | Err(fs::TryLockError::Error(_)) => Ok(file),
    }
}

/// A new name in the order of time: the time in UTC, with a number if it is taken.
fn name(backup: &Path) -> anyhow::Result<String> {
    let time = SystemClock.now().rfc3339();
    let time: String =
        time.chars().take("2026-01-01T00:00:00".len()).filter(|c| !"-:".contains(*c)).collect();
    let taken: HashSet<String> = Snapshot::list(backup)?.into_iter().map(|snapshot| snapshot.name).collect();
    let mut names = (1_u32..).map(|n| if n == 1 { format!("{time}Z") } else { format!("{time}Z-{n:03}") });
    names.find(|name| !taken.contains(name)).context("there is no free name for the snapshot")
}

async fn copy_blobs(
    store: &ObjectBlobs,
    content: &ContentFolder,
    snapshot: &Snapshot,
) -> anyhow::Result<CopyTotals> {
    let path = snapshot.database();
    let mut database = DatabaseInspection::open(&format!("sqlite://{}", path.display()))?;
    let list = snapshot.blob_list();
    let cannot_write = || format!("{} cannot be written", list.display());
    let mut lines = std::io::BufWriter::new(File::create(&list).with_context(cannot_write)?);
    let (mut copied, mut after) = (CopyTotals::default(), String::new());
    loop {
        let page = database.blobs(&after, PAGE)?;
        let Some(last) = page.last() else { break };
        after.clone_from(&last.key.0);
        let mut new = Vec::new();
        for blob in &page {
            if copy_blob(store, content, blob, &mut copied).await? && !new.contains(&blob.sha256) {
                new.push(blob.sha256.clone());
            }
            lines.write_all(line_of_blob(blob).as_bytes()).with_context(cannot_write)?;
        }
        content.finish(&new)?;
        copied.new += new.len() as u64;
    }
    let file = lines.into_inner().map_err(std::io::IntoInnerError::into_error).with_context(cannot_write)?;
    file.sync_all().with_context(cannot_write)?;
    Ok(copied)
}

/// Returns whether the blob was copied now.
async fn copy_blob(
    store: &ObjectBlobs,
    content: &ContentFolder,
    blob: &StoredBlob,
    copied: &mut CopyTotals,
) -> anyhow::Result<bool> {
    copied.blobs += 1;
    copied.bytes += blob.bytes;
    if content.has(blob) {
        return Ok(false);
    }
    match content.copy_from(store, blob).await? {
        Ok(()) => Ok(true),
        Err(Mismatch::Missing | Mismatch::Different) => {
            copied.missing.push(blob.key.0.clone());
            Ok(false)
        }
    }
}

fn copy_secrets(data: &Path, snapshot: &Snapshot) -> anyhow::Result<()> {
    for name in SECRETS {
        match fs::read(data.join(name)) {
            Ok(secret) => write_synced(&snapshot.secret(name), &secret)?,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(error) => return Err(error).with_context(|| format!("{name} cannot be read")),
        }
    }
    Ok(())
}

fn manifest(snapshot: &Snapshot, copied: &CopyTotals) -> anyhow::Result<Manifest> {
    let path = snapshot.database();
    let read = || {
        let file = File::open(&path)?;
        file.sync_all()?;
        hash(file)
    };
    let (database_sha256, database_bytes) =
        read().with_context(|| format!("{} cannot be read", path.display()))?;
    Ok(Manifest {
        format: FORMAT,
        formwork: env!("CARGO_PKG_VERSION").to_owned(),
        database_sha256,
        database_bytes,
        blobs: copied.blobs,
        blob_bytes: copied.bytes,
        missing: copied.missing.clone(),
    })
}

/// Removes the oldest snapshots beyond `keep`, and the content that no other has.
fn remove_old(backup: &Path, keep: Option<u32>) -> anyhow::Result<usize> {
    let Some(keep) = keep else { return Ok(0) };
    let all = Snapshot::list(backup)?;
    let (old, kept) = all.split_at(all.len().saturating_sub(keep as usize));
    for snapshot in old {
        snapshot.remove()?;
    }
    if !old.is_empty() {
        let mut needed = HashSet::new();
        for snapshot in kept {
            for blob in snapshot.blobs()? {
                needed.insert(blob?.sha256);
            }
        }
        ContentFolder::of(backup).remove_unneeded(|sha256| needed.contains(sha256))?;
    }
    Ok(old.len())
}
