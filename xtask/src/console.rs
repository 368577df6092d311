//! `cargo xtask console`: the files of the console are what its source builds, and a browser can use them.

use std::path::Path;
use std::process::Command;

use crate::server::{Profile, program_path};
use crate::shell::{cargo, is_installed, run};

const SOURCE: &str = "clients/console";

/// Builds the console, compares it with the files in the server, and plays the browser's tests. What is not installed is
/// skipped.
pub(crate) fn run_all() -> anyhow::Result<()> {
    if !is_installed("node") || !is_installed("npm") {
        println!("node and npm are not installed: the console is SKIPPED");
        return Ok(());
    }
    let npm = |arguments: &[&str]| {
        let mut command = Command::new("npm");
        command.args(arguments).current_dir(SOURCE);
        command
    };
    // Without a registry this fails within a minute.
    let install = [
        "ci",
        "--ignore-scripts",
        "--no-audit",
        "--no-fund",
        "--fetch-retries",
        "1",
        "--fetch-timeout",
        "15000",
    ];
    if let Err(error) = run(&mut npm(&install)) {
        println!("the packages of the console are not available ({error}): the console is SKIPPED");
        return Ok(());
    }
    run(&mut npm(&["run", "check"]))?;
    run(&mut npm(&["run", "test:locales"]))?;
    let chromium = std::env::var("CHROMIUM").unwrap_or_else(|_unset| "/usr/bin/chromium".to_owned());
    if !Path::new(&chromium).exists() {
        println!("chromium is not installed: the browser's tests of the console are SKIPPED");
        return Ok(());
    }
    run(&mut cargo(&["build", "--workspace", "--bins"]))?;
    let binary = program_path("formwork", Profile::Dev)?;
    run(npm(&["test"]).env("FORMWORK_BINARY", binary).env("CHROMIUM", chromium))
}
