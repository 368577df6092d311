//! The client of openapi-to-rust.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Context as _;

use super::Workplace;
use crate::server::{Profile, program_path};
use crate::shell::{cargo, run};

pub(super) const GENERATOR: &str = "openapi-to-rust";
const VERSION: &str = "0.23.0";
/// The manifest of the job. The generator tells the dependencies of the client.
const MANIFEST: &str = "\
[workspace]
[package]
name = \"rust_job\"
edition = \"2024\"
[dependencies.tokio]
version = \"1\"
features = [\"macros\", \"rt\"]
";
/// The versions of this workspace. Most dependencies of the client are among them.
const LOCK: &str = include_str!("../../../../Cargo.lock");

/// Installs the generator below the target folder, where later runs find it. Returns its program.
pub(super) fn install() -> anyhow::Result<PathBuf> {
    let folder = tools()?;
    let install = ["install", "--quiet", "--locked", "--profile", "dev", "--version", VERSION, GENERATOR];
    run(cargo(&install).args(["--bin", GENERATOR, "--root"]).arg(&folder))?;
    Ok(folder.join("bin").join(GENERATOR))
}

pub(super) fn check(workplace: &Workplace, generator: &Path) -> anyhow::Result<()> {
    let job = workplace.folder().join("rust_job");
    std::fs::create_dir_all(job.join("src"))?;
    std::fs::copy(workplace.folder().join("openapi.json"), job.join("openapi.json"))?;
    // It writes the client to src/generated.
    run(Command::new(generator).current_dir(&job).args(["generate", "openapi.json"]))?;
    let dependencies = std::fs::read_to_string(job.join("src/generated/REQUIRED_DEPS.toml"))?;
    std::fs::write(job.join("Cargo.toml"), format!("{MANIFEST}{dependencies}"))?;
    std::fs::write(job.join("Cargo.lock"), LOCK)?;
    std::fs::write(job.join("src/main.rs"), include_str!("rust_job.rs"))?;
    let mut command = cargo(&["run", "--quiet", "--manifest-path"]);
    command.arg(job.join("Cargo.toml")).env("CARGO_TARGET_DIR", tools()?.join("target"));
    workplace.run_job("rust", &mut command)
}

/// The folder of the generator and of the compiled dependencies of the client.
fn tools() -> anyhow::Result<PathBuf> {
    let program = program_path("formwork", Profile::Dev)?;
    let target = program.parent().and_then(Path::parent).context("the target folder")?;
    Ok(target.join("clients"))
}
