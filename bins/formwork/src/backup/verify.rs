//! Checks what is stored: the database, and each blob by its hash.

use std::fs::File;
use std::path::Path;

use anyhow::Context as _;
use blobs::ObjectBlobs;
use store_diesel::{DatabaseInspection, StoredBlob};

use super::content::{ContentFolder, Mismatch, hash, read_blob};
use super::snapshot::Snapshot;
use crate::settings::Settings;

/// Blobs read from the database at a time.
const PAGE: u32 = 1_000;
/// Maximum number of problems that are named.
const MAX_NAMED: usize = 20;

/// Problems by kind, the first of them with their names.
#[derive(Debug, Default)]
struct Problems {
    count: u64,
    lines: Vec<String>,
}

impl Problems {
    fn add(&mut self, line: String) {
        self.count += 1;
        if self.lines.len() < MAX_NAMED {
            self.lines.push(line);
        }
    }

    /// The text of a success, or the problems as an error.
    fn report(self, success: String) -> anyhow::Result<String> {
        if self.count == 0 {
            return Ok(success);
        }
        let unnamed = self.count - self.lines.len() as u64;
        let more = if unnamed > 0 { format!("\n… and {unnamed} more") } else { String::new() };
        anyhow::bail!("Problems: {}\n{}{more}", self.count, self.lines.join("\n"))
    }
}

/// Checks the structure of the database and compares each blob with its hash, while a server works or not.
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
    let store = ObjectBlobs::open_folder(&settings.blob_folder())?;
    let (mut blobs, mut bytes, mut after) = (0_u64, 0_u64, String::new());
    loop {
        let page = database.blobs(&after, PAGE)?;
        let Some(last) = page.last() else { break };
        after.clone_from(&last.key.0);
        for blob in &page {
            let found = read_blob(&store, blob, |_| Ok(())).await?;
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
    problems.report(format!("The database is whole, and so are its {blobs} blobs with {bytes} bytes.\n"))
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
    problems.report(format!("The snapshot {} is whole: the database and {blobs} blobs.\n", snapshot.name))
}

fn line_of(blob: &StoredBlob, mismatch: &Mismatch) -> String {
    let fault = match mismatch {
        Mismatch::Missing => "it is missing",
        Mismatch::Different => "its content is not what was stored",
    };
    format!("blob {}: {fault}", blob.key.0)
}
