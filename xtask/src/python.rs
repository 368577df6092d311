//! Temporary Python environments for peers and third-party checkers.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Context as _;

use crate::shell::run;

/// Whether there is a `python3` that can make environments.
pub(crate) fn is_installed() -> bool {
    Command::new("python3")
        .args(["-c", "import venv, ensurepip"])
        .output()
        .is_ok_and(|output| output.status.success())
}

/// An environment in a folder whose owner removes it.
#[derive(Debug)]
pub(crate) struct Environment(PathBuf);

impl Environment {
    /// Creates it in `folder` with these packages. The caller pins them, so that figures are reproducible.
    pub(crate) fn with(folder: &Path, packages: &[&str]) -> anyhow::Result<Self> {
        let environment = Self(folder.join("environment"));
        run(Command::new("python3").args(["-m", "venv"]).arg(&environment.0))?;
        let mut pip = environment.program("pip");
        run(pip.args(["install", "--quiet", "--disable-pip-version-check", "--no-input"]).args(packages))?;
        Ok(environment)
    }

    /// A folder of one of its packages.
    pub(crate) fn folder(&self, below: &str) -> anyhow::Result<PathBuf> {
        let libraries = std::fs::read_dir(self.0.join("lib"))?.flatten();
        let mut folders = libraries.map(|library| library.path().join("site-packages").join(below));
        folders.find(|folder| folder.is_dir()).with_context(|| format!("there is no {below}"))
    }

    /// One of its programs.
    pub(crate) fn program(&self, name: &str) -> Command {
        Command::new(self.0.join("bin").join(name))
    }
}
