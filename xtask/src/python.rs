//! Temporary Python environments for peers and third-party checkers.

use std::path::{Path, PathBuf};
use std::process::Command;

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

    /// One of its programs.
    pub(crate) fn program(&self, name: &str) -> Command {
        Command::new(self.0.join("bin").join(name))
    }
}
