//! Checks what is stored: the database, and each blob by its hash, or in a bucket by its size.

use std::fs::File;
use std::path::Path;

use anyhow::Context as _;
use blobs::ObjectBlobs;
use files_core::BlobKey;
use futures_util::TryStreamExt as _;
use std::collections::HashMap;
use store_diesel::{DatabaseInspection, StoredBlob};

use super::content::{ContentFolder, Mismatch, hash, read_blob};
use super::index_check::check_index;
use super::problems::Problems;
use super::snapshot::Snapshot;
use crate::contents::open_blobs;
use crate::settings::Settings;

/// Blobs read from the database at a time.
const PAGE: u32 = 1_000;

/// Checks the structure of the database, compares each blob with its hash, and the search index with the database, while
/// a server works or not.
///
/// # Errors
/// The problems, one a line.
pub(crate) async fn check_store(settings: &Settings) -> anyhow::Result<String> {
    let mut database = DatabaseInspection::open(&settings.database_url())?;
    let mut problems = Problems::default();
    match database.problems(false) {
        Ok(found) => found.into_iter().for_each(|problem| problems.add(format!("database: {problem}"))),
        Err(error) => {
            problems.add(format!("database: {:#}", anyhow::Error::from(error)));
            return problems.report(String::new());
        }
    }
    let store = open_blobs(settings).await?;
    let sizes = bucket_sizes(&store).await?;
    let (mut blobs, mut bytes, mut after) = (0_u64, 0_u64, String::new());
    loop {
        let page = database.blobs(&after, PAGE)?;
        let Some(last) = page.last() else { break };
        after.clone_from(&last.key.0);
        for blob in &page {
            let found = match &sizes {
                Some(sizes) => compare_size(blob, sizes.get(&blob.key).copied()),
                None => read_blob(&store, blob, |_| Ok(())).await?,
            };
            // A record that was deleted meanwhile takes its blob along.
            if let Err(mismatch) = found
                && database.refers_to(&blob.key)?
            {
                problems.add(line_of(blob, &mismatch));
            }
            blobs += 1;
            bytes += blob.bytes;
        }
    }
    let index = check_index(&settings.index_folder(), &mut database, &mut problems)?;
    let extent = if sizes.is_some() { " Their sizes were compared, not their contents." } else { "" };
    problems.report(format!(
        "The database is whole, and so are all blobs: {blobs} ({bytes} bytes).{extent}\n{index}\n"
    ))
}

/// The sizes of all blobs of a bucket. Reading the contents would move the whole bucket over the network, and the
/// service checks them itself. `None` for a folder, whose contents are read.
async fn bucket_sizes(store: &ObjectBlobs) -> anyhow::Result<Option<HashMap<BlobKey, u64>>> {
    if !store.is_bucket() {
        return Ok(None);
    }
    Ok(Some(store.sizes().try_collect().await.context("the blobs of the bucket cannot be listed")?))
}

fn compare_size(blob: &StoredBlob, size: Option<u64>) -> Result<(), Mismatch> {
    match size {
        None => Err(Mismatch::Missing),
        Some(size) if size != blob.bytes => Err(Mismatch::Different),
        Some(_) => Ok(()),
    }
}

/// Checks the copies in a snapshot, the newest one without a name.
///
/// # Errors
/// The problems, one a line.
pub(crate) fn check_backup(backup: &Path, name: Option<&str>) -> anyhow::Result<String> {
    let snapshot = Snapshot::find(backup, name)?;
    let manifest = snapshot.manifest()?;
    let mut problems = Problems::default();
    let found =
        File::open(snapshot.database()).and_then(hash).context("the copy of the database cannot be read")?;
    if found != (manifest.database_sha256.clone(), manifest.database_bytes) {
        problems.add("the copy of the database is damaged".to_owned());
    }
    for key in &manifest.missing {
        problems.add(format!("blob {key}: it was missing or damaged when the snapshot was made"));
    }
    let content = ContentFolder::of(backup);
    let mut blobs = 0_u64;
    for blob in snapshot.blobs()? {
        let blob = blob?;
        blobs += 1;
        if manifest.missing.contains(&blob.key.0) {
            continue;
        }
        if let Err(mismatch) = content.verify(&blob)? {
            problems.add(line_of(&blob, &mismatch));
        }
    }
    if blobs != manifest.blobs {
        problems.add(format!("the list has {blobs} blobs instead of {}", manifest.blobs));
    }
    problems
        .report(format!("The snapshot {} is whole: the database and all blobs: {blobs}.\n", snapshot.name))
}

fn line_of(blob: &StoredBlob, mismatch: &Mismatch) -> String {
    let fault = match mismatch {
        Mismatch::Missing => "it is missing",
        Mismatch::Different => "its content is not what was stored",
    };
    format!("blob {}: {fault}", blob.key.0)
}
