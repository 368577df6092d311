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

    /// Creates it in `folder` with the packages of a requirements file, which are all built already. Without a registry
    /// it fails within a minute.
    pub(crate) fn with_requirements(folder: &Path, requirements: &str) -> anyhow::Result<Self> {
        let file = folder.join("requirements.txt");
        std::fs::write(&file, requirements)?;
        let file = file.to_str().context("a temporary folder whose name is a text")?;
        let bounds = ["--retries", "1", "--timeout", "15", "--only-binary", ":all:"];
        Self::with(folder, &[&bounds[..], &["--requirement", file]].concat())
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
