//! Benchmarks of documents: the readers of office formats compared with markitdown.

use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, bail};

use crate::python::Environment;
use crate::shell::{cargo, run as run_command};

/// Pinned, so that figures are comparable.
const MARKITDOWN: [&str; 1] = ["markitdown[docx,pptx,xlsx,xls,outlook]==0.1.8"];

/// Runs a benchmark of documents on the open corpus.
pub(super) fn run(arguments: &[&str]) -> anyhow::Result<()> {
    match arguments {
        ["office", rest @ ..] => office(rest),
        _ => bail!("no such bench of documents: office"),
    }
}

fn office(rest: &[&str]) -> anyhow::Result<()> {
    let corpus = std::env::var("FORMWORK_CORPUS")
        .context("FORMWORK_CORPUS must name the folder of the open corpus")?;
    let documents = Path::new(&corpus).join("documents/office");
    let folder = tempfile::tempdir()?;
    let texts = folder.path().join("texts");
    std::fs::create_dir(&texts)?;
    let environment = Environment::with(folder.path(), &MARKITDOWN)?;
    let script = format!("{}/peers/office_markitdown.py", env!("CARGO_MANIFEST_DIR"));
    let mut peer: Command = environment.program("python");
    run_command(peer.arg(script).arg(&documents).arg(&texts).env("PYTHONDONTWRITEBYTECODE", "1"))?;
    let example = ["run", "--release", "--quiet", "-p", "documents-core", "--example", "office_corpus", "--"];
    run_command(cargo(&example).arg(&documents).arg(&texts).args(rest))
}
