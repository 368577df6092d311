//! Division of bundles and classification of documents, on bundles made of the open corpus.

use std::path::Path;

use anyhow::Context as _;

use crate::python::Environment;
use crate::shell::{cargo, run as run_command};

/// They write the bundles. Pinned, so that figures are comparable.
const PACKAGES: [&str; 2] = ["pypdf==7.1.1", "reportlab==5.1.0"];

/// Makes the bundles and measures both halves.
pub(crate) fn run(rest: &[&str]) -> anyhow::Result<()> {
    let corpus = std::env::var("FORMWORK_CORPUS")
        .context("FORMWORK_CORPUS must name the folder of the open corpus")?;
    let folder = tempfile::tempdir()?;
    let bundles = folder.path().join("bundles");
    let environment = Environment::with(folder.path(), &PACKAGES)?;
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/peers/intake_bundles.py");
    run_command(environment.program("python").arg(script).arg(Path::new(&corpus)).arg(&bundles))?;
    let example = ["run", "--release", "--quiet", "-p", "intake-core", "--example", "intake_corpus", "--"];
    run_command(cargo(&example).arg(&bundles).args(rest))
}
