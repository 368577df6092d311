//! Packages of npm for peers and third-party checkers.

use std::path::Path;
use std::process::Command;

use crate::shell::run;

/// Installs packages into a folder. The caller pins them, so that findings are reproducible.
pub(crate) fn install(folder: &Path, packages: &[&str]) -> anyhow::Result<()> {
    run(Command::new("npm")
        .args(["install", "--ignore-scripts", "--silent", "--no-audit", "--no-fund"])
        // Without a registry this fails within a minute.
        .args(["--fetch-retries", "1", "--fetch-timeout", "15000"])
        .args(packages)
        .current_dir(folder))
}
