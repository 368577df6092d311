//! Tables in PDFs: those of the ICDAR 2013 competition and some of our own, compared with peers on the same
//! files.

use std::fs::File;
use std::path::Path;

use anyhow::Context as _;

use crate::python::Environment;
use crate::shell::{cargo, run as run_command};

/// Pinned, so that figures are comparable.
const PEERS: [&str; 2] = ["pdfplumber==0.11.10", "camelot-py==2.0.0"];

/// Scores both sets.
pub(crate) fn run() -> anyhow::Result<()> {
    let corpus = std::env::var("FORMWORK_CORPUS")
        .context("FORMWORK_CORPUS must name the folder of the open corpus")?;
    let folder = tempfile::tempdir()?;
    let environment = Environment::with(folder.path(), &PEERS)?;
    let own = folder.path().join("drawn");
    example(&own, &["--draw"])?;
    for (set, name) in [(Path::new(&corpus).join("documents/tables"), "ICDAR 2013"), (own, "our own")] {
        println!("\n{name}\n");
        let found = folder.path().join("peers.jsonl");
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/peers/pdf_tables.py");
        run_command(environment.program("python").arg(script).arg(&set).stdout(File::create(&found)?))?;
        example(&set, &["--peers", &found.display().to_string()])?;
    }
    Ok(())
}

fn example(folder: &Path, arguments: &[&str]) -> anyhow::Result<()> {
    let run = ["run", "--release", "--quiet", "-p", "documents-core", "--example", "pdf_tables", "--"];
    run_command(cargo(&run).arg(folder).args(arguments))
}
