//! Where an interrupted extraction stands: a small file beside the output.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, ensure};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use shared_core::hex;

use crate::parse::folder::replace;

/// A run whose records have not been written yet.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Checkpoint {
    /// URL of the server; none for the data folder.
    pub(super) url: Option<String>,
    /// The agent of the run.
    pub(super) namespace: String,
    /// The number of the run.
    pub(super) sid: i64,
    /// Digest of form, options and files.
    pub(super) request: String,
}

/// The file for an output.
pub(super) fn path(output: &Path) -> PathBuf {
    let mut name = output.file_name().unwrap_or_default().to_os_string();
    name.push(".run");
    output.with_file_name(name)
}

/// The checkpoint of an output, if there is one for the same request.
///
/// # Errors
/// When the file cannot be read or belongs to another request.
pub(super) fn read(output: &Path, url: Option<&str>, request: &str) -> anyhow::Result<Option<Checkpoint>> {
    let path = path(output);
    let text = match std::fs::read(&path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        read => read.with_context(|| format!("{} cannot be read", path.display()))?,
    };
    let found: Checkpoint = serde_json::from_slice(&text)
        .with_context(|| format!("{} is damaged; delete it to start anew", path.display()))?;
    ensure!(
        found.request == request && found.url.as_deref() == url,
        "{} belongs to another extraction (form, files, options or server differ); delete it to start anew",
        path.display()
    );
    Ok(Some(found))
}

/// Writes the checkpoint, complete or not at all.
///
/// # Errors
/// When the file cannot be written.
pub(super) fn write(output: &Path, checkpoint: &Checkpoint) -> anyhow::Result<()> {
    let path = path(output);
    replace(&path, &serde_json::to_vec(checkpoint)?)
        .with_context(|| format!("{} cannot be written", path.display()))
}

/// Removes it; a file that is gone is no error.
pub(super) fn remove(output: &Path) {
    let _gone = std::fs::remove_file(path(output));
}

/// The digest of a request: form and options as JSON, and each file's path, size and time of change.
///
/// # Errors
/// When a file cannot be read.
pub(super) fn digest(options: &serde_json::Value, groups: &[Vec<PathBuf>]) -> anyhow::Result<String> {
    let mut digest = Sha256::new();
    digest.update(options.to_string());
    for group in groups {
        digest.update([0]);
        for file in group {
            let facts = file.metadata().with_context(|| format!("{} cannot be read", file.display()))?;
            digest.update(file.as_os_str().as_encoded_bytes());
            digest.update(format!("\0{}\0{:?}\0", facts.len(), facts.modified().ok()));
        }
    }
    Ok(hex(&digest.finalize()))
}
