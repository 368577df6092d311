//! The client of oas3-gen in Rust.

use std::path::{Path, PathBuf};

use anyhow::Context as _;

use super::Workplace;
use crate::server::{Profile, build_program};
use crate::shell::{cargo, run};

pub(super) const GENERATOR: &str = "oas3-gen";
const VERSION: &str = "0.29.0";
const MANIFEST: &str = include_str!("rust_job.toml");
const JOB: &str = include_str!("rust_job.rs");
/// The versions of this workspace. The client's dependencies are mostly among them.
const LOCK: &str = include_str!("../../../../Cargo.lock");

/// Installs the generator below the target folder, where later runs find it. Returns its program.
pub(super) fn install() -> anyhow::Result<PathBuf> {
    let folder = tools()?;
    let install = ["install", "--locked", "--profile", "dev", "--version", VERSION, GENERATOR, "--root"];
    run(cargo(&install).arg(&folder))?;
    Ok(folder.join("bin").join(GENERATOR))
}

pub(super) fn check(workplace: &Workplace, generator: &Path) -> anyhow::Result<()> {
    let mut command = std::process::Command::new(generator);
    run(command.current_dir(workplace.folder()).args([
        "generate",
        "client-mod",
        "--workspace",
        "-i",
        "openapi.json",
        "-o",
        "rust_client",
    ]))?;
    let job = workplace.folder().join("rust_job");
    std::fs::create_dir_all(job.join("src"))?;
    for (name, text) in [("Cargo.toml", MANIFEST), ("Cargo.lock", LOCK), ("src/main.rs", JOB)] {
        std::fs::write(job.join(name), text)?;
    }
    let manifest = job.join("Cargo.toml");
    let mut command = cargo(&["run", "--quiet", "--manifest-path"]);
    workplace.run_job("rust", command.arg(manifest).env("CARGO_TARGET_DIR", tools()?.join("target")))
}

/// The folder of the generator and of the compiled client's dependencies.
fn tools() -> anyhow::Result<PathBuf> {
    let program = build_program("formwork", Profile::Dev)?;
    let target = program.parent().and_then(Path::parent).context("the target folder")?;
    Ok(target.join("clients"))
}
