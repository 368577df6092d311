//! Secrets that sign expiring URLs: from the settings, or generated and stored in the data folder.

use std::fs::OpenOptions;
use std::io::Write as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;

use anyhow::Context as _;
use files_core::UrlSigning;
use secrecy::ExposeSecret as _;
use shared_core::{Rng as _, hex};

use crate::settings::{FilesSettings, Settings};
use runtime_tokio::SystemRng;

/// Minimum size of a secret in bytes. Half of the output of HMAC-SHA256 is infeasible to guess.
const LEAST: usize = 16;
/// Size of a generated secret in bytes.
const MADE: usize = 32;
/// File name in the data folder.
const FILE: &str = "url-secret";

/// The URL signing; `None` when URLs do not expire.
///
/// # Errors
/// One sentence for the operator.
pub fn signing(settings: &Settings) -> anyhow::Result<Option<UrlSigning>> {
    let files = &settings.files;
    if files.url_seconds == 0 {
        return Ok(None);
    }
    let mut secrets = secrets(files);
    if secrets.is_empty() {
        secrets.push(kept(&settings.data_dir.join(FILE))?);
    }
    Ok(UrlSigning::new(files.url_seconds, secrets))
}

/// Validates the secrets. The error is one sentence.
pub(crate) fn check(files: &FilesSettings) -> Result<(), String> {
    match secrets(files).iter().any(|secret| secret.len() < LEAST) {
        true => Err(format!("each of 'files.url_secrets' must have at least {LEAST} bytes")),
        false => Ok(()),
    }
}

fn secrets(files: &FilesSettings) -> Vec<Vec<u8>> {
    let text = files.url_secrets.0.expose_secret();
    let parts = text.split(',').map(str::trim).filter(|part| !part.is_empty());
    parts.map(|part| part.as_bytes().to_vec()).collect()
}

/// The secret in the file, which is generated if it does not exist.
fn kept(path: &Path) -> anyhow::Result<Vec<u8>> {
    let read = || {
        let text =
            std::fs::read_to_string(path).with_context(|| format!("{} cannot be read", path.display()))?;
        let secret = text.trim().as_bytes().to_vec();
        anyhow::ensure!(secret.len() >= LEAST, "{} has no secret of {LEAST} bytes", path.display());
        Ok(secret)
    };
    if path.exists() {
        return read();
    }
    let mut random = [0_u8; MADE];
    SystemRng.fill(&mut random);
    // Another server that starts at the same time may be faster.
    match OpenOptions::new().write(true).create_new(true).mode(0o600).open(path) {
        Ok(mut file) => {
            let written = writeln!(file, "{}", hex(&random)).and_then(|()| file.sync_all());
            written.with_context(|| format!("{} cannot be written", path.display()))?;
        }
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
        Err(error) => return Err(error).with_context(|| format!("{} cannot be created", path.display())),
    }
    read()
}
