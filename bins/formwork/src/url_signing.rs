//! The secrets that sign URLs which end: from the settings, or one that is made and kept in the data folder.

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

/// Bytes of a secret at the least: half of what HMAC-SHA256 gives is too much to guess.
const LEAST: usize = 16;
/// Bytes of a secret that is made here.
const MADE: usize = 32;
/// The file in the data folder.
const FILE: &str = "url-secret";

/// How URLs are signed; `None` where they do not end.
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

/// What breaks a rule among the secrets: one sentence.
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

/// The secret of the file, which is made where there is none.
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
        Err(error) => return Err(error).with_context(|| format!("{} cannot be made", path.display())),
    }
    read()
}
