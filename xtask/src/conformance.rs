//! `cargo xtask conformance`: the description is tried against the real server by schemathesis.

use std::path::Path;
use std::process::{Command, Stdio};

use crate::server::Server;
use crate::shell::run;

/// Pinned, so that findings can be repeated.
const PACKAGE: &str = "schemathesis==4.32.5";
/// Of the generated requests.
const SEED: &str = "7";
/// Bound of the run, in seconds.
const SECONDS: &str = "120";

/// Runs every check of schemathesis with a key that may write; skipped where it cannot be had.
pub(crate) fn run_all() -> anyhow::Result<()> {
    let folder = tempfile::tempdir()?;
    if !installed(folder.path()) {
        println!("python3 or {PACKAGE} cannot be had: the conformance run is SKIPPED");
        return Ok(());
    }
    let server = Server::start()?;
    run(Command::new(folder.path().join("bin/st"))
        .current_dir(folder.path())
        .arg("--config-file")
        .arg(configured(folder.path(), &server.key)?)
        .args(["run", &format!("{}/openapi.json", server.url), "--no-color", "--continue-on-failure"])
        .args(["--checks", "all", "--seed", SEED, "--max-time", SECONDS, "--request-timeout", "20"]))
}

/// The key goes by a file: the command is printed.
fn configured(folder: &Path, key: &str) -> anyhow::Result<std::path::PathBuf> {
    let file = folder.join("schemathesis.toml");
    std::fs::write(&file, format!("headers = {{ X-Service-Key = \"{key}\" }}\n"))?;
    Ok(file)
}

/// Whether a throw-away environment with the package could be made.
fn installed(folder: &Path) -> bool {
    let quietly = |command: &mut Command| {
        let status = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status();
        status.is_ok_and(|status| status.success())
    };
    quietly(Command::new("python3").args(["-m", "venv"]).arg(folder))
        && quietly(
            Command::new(folder.join("bin/pip"))
                .args(["install", "--quiet", "--disable-pip-version-check", "--no-input"])
                .args(["--retries", "1", "--timeout", "15", PACKAGE]),
        )
}
