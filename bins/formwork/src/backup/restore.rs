//! Restores a snapshot into an empty data folder.

use std::fs::{self, File};
use std::io::Read as _;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use blobs::ObjectBlobs;
use bytes::Bytes;
use files_core::BlobStore as _;
use sha2::{Digest as _, Sha256};
use shared_core::hex;
use store_diesel::StoredBlob;

use super::content::{ContentFolder, hash};
use super::snapshot::{SECRETS, Snapshot, sync_folder, write_synced};
use crate::contents::open_blobs;
use crate::settings::Settings;

/// Bytes copied at a time.
const BUFFER: usize = 1 << 18;

/// Restores a snapshot, the newest one without a name, to the folders of the settings. The database appears last, so an
/// interrupted restoration can be repeated. Returns what was done.
///
/// # Errors
/// One sentence for the operator: above all when there is a database already, or the backup is damaged.
pub(crate) async fn restore(
    settings: &Settings,
    backup: &Path,
    name: Option<&str>,
) -> anyhow::Result<String> {
    let url = settings.database_url();
    let Some(target) = url.strip_prefix("sqlite://").map(Path::new) else {
        anyhow::bail!("a backup can be restored to an SQLite database only")
    };
    // The log of another database would be applied to this one.
    for file in [target.to_owned(), PathBuf::from(format!("{}-wal", target.display()))] {
        anyhow::ensure!(
            !file.exists(),
            "there is a database already: {}; stop the server and move it away with its data folder, or name another \
             data_dir",
            file.display()
        );
    }
    let snapshot = Snapshot::find(backup, name)?;
    let manifest = snapshot.manifest()?;
    let found =
        File::open(snapshot.database()).and_then(hash).context("the copy of the database cannot be read")?;
    anyhow::ensure!(
        found == (manifest.database_sha256.clone(), manifest.database_bytes),
        "the copy of the database in the snapshot '{}' is damaged",
        snapshot.name
    );
    fs::create_dir_all(&settings.data_dir)
        .with_context(|| format!("the data folder {} cannot be created", settings.data_dir.display()))?;
    let store = open_blobs(settings).await?;
    let content = ContentFolder::of(backup);
    let mut restored = 0_u64;
    for blob in snapshot.blobs()? {
        let blob = blob?;
        if !manifest.missing.contains(&blob.key.0) {
            restore_blob(&store, &content, &blob).await?;
            restored += 1;
        }
    }
    restore_secrets(&settings.data_dir, &snapshot)?;
    remove_index(&settings.index_folder())?;
    restore_database(&snapshot, target)?;
    Ok(format!(
        "The snapshot {} of version {} was restored: the database and {restored} blobs; {} were missing when it was made. \
         The search index is rebuilt when the server starts.\n",
        snapshot.name,
        manifest.formwork,
        manifest.missing.len()
    ))
}

/// Copies a blob to the store, which makes it readable only when it is complete.
async fn restore_blob(store: &ObjectBlobs, content: &ContentFolder, blob: &StoredBlob) -> anyhow::Result<()> {
    let damaged = || format!("the content {} of the backup is missing or damaged", blob.sha256);
    let cannot_write = || format!("the blob {} cannot be written", blob.key.0);
    let mut file = content.open(blob).with_context(damaged)?;
    let mut writer = store.create(&blob.key).await.with_context(cannot_write)?;
    let (mut buffer, mut digest) = (vec![0; BUFFER], Sha256::new());
    loop {
        let read = file.read(&mut buffer).with_context(damaged)?;
        if read == 0 {
            break;
        }
        let part = Bytes::copy_from_slice(buffer.get(..read).unwrap_or_default());
        digest.update(&part);
        writer.write(part).await.with_context(cannot_write)?;
    }
    if hex(&digest.finalize()) != blob.sha256 {
        writer.abort().await;
        anyhow::bail!(damaged());
    }
    writer.commit().await.with_context(cannot_write)
}

fn restore_secrets(data: &Path, snapshot: &Snapshot) -> anyhow::Result<()> {
    for name in SECRETS {
        if let Ok(secret) = fs::read(snapshot.secret(name)) {
            write_synced(&data.join(name), &secret)?;
        }
    }
    Ok(())
}

/// Removes the search index of a former database, which may be ahead of this one. It is rebuilt from the database.
fn remove_index(folder: &Path) -> anyhow::Result<()> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(error).with_context(|| format!("{} cannot be removed", folder.display()))
        }
        _ => Ok(()),
    }
}

fn restore_database(snapshot: &Snapshot, target: &Path) -> anyhow::Result<()> {
    let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let unfinished = target.with_extension("unfinished");
    let restore = || {
        fs::create_dir_all(folder)?;
        fs::copy(snapshot.database(), &unfinished)?;
        File::open(&unfinished)?.sync_all()?;
        fs::rename(&unfinished, target)
    };
    restore().with_context(|| format!("{} cannot be written", target.display()))?;
    sync_folder(folder)
}
