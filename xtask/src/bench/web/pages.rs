//! The main content of web pages compared with Python trafilatura and readability-lxml.

use std::path::Path;

use anyhow::Context as _;

use crate::python::Environment;
use crate::shell::{cargo, run as run_command};

/// Older versions find the requirements of the two peers in conflict.
const PIP: [&str; 1] = ["pip==25.3"];
/// Pinned, so that figures are comparable.
const PEERS: [&str; 2] = ["trafilatura==2.3.1", "readability-lxml==0.9"];

/// Runs the peers and then the own parser on the pages of the open corpus.
pub(super) fn run(rest: &[&str]) -> anyhow::Result<()> {
    let corpus = std::env::var("FORMWORK_CORPUS")
        .context("FORMWORK_CORPUS must name the folder of the open corpus")?;
    let pages = Path::new(&corpus).join("web");
    let folder = tempfile::tempdir()?;
    let environment = Environment::with(folder.path(), &PIP)?;
    run_command(environment.program("pip").args(["install", "--quiet", "--no-input"]).args(PEERS))?;
    let script = format!("{}/peers/web_pages.py", env!("CARGO_MANIFEST_DIR"));
    let mut peer = environment.program("python");
    run_command(peer.arg(script).arg(&pages).arg(folder.path()).env("PYTHONDONTWRITEBYTECODE", "1"))?;
    let example = ["run", "--release", "--quiet", "-p", "webpage-core", "--example", "web_corpus", "--"];
    run_command(cargo(&example).arg(&pages).arg(folder.path()).args(rest))
}
