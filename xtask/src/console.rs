//! `cargo xtask console`: the pages in the server are what their sources build, and a browser can use them.

use std::path::Path;
use std::process::Command;

use crate::server::{Profile, program_path};
use crate::shell::{cargo, is_installed, run};

/// The console and the widget. The tests of the second use the browser of the first.
const SOURCES: [&str; 2] = ["clients/console", "clients/widget"];

/// What installs the packages of a source. Without a registry it fails within a minute.
const INSTALL: [&str; 8] =
    ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--fetch-retries", "1", "--fetch-timeout", "15000"];

/// Builds the pages, compares them with the files in the server, and plays the browser's tests. What is not installed is
/// skipped.
pub(crate) fn run_all() -> anyhow::Result<()> {
    if !is_installed("node") || !is_installed("npm") {
        println!("node and npm are not installed: the console is SKIPPED");
        return Ok(());
    }
    for source in SOURCES {
        if let Err(error) = run(&mut npm(source, &INSTALL)) {
            println!("the packages of {source} are not available ({error}): the console is SKIPPED");
            return Ok(());
        }
    }
    for source in SOURCES {
        run(&mut npm(source, &["run", "check"]))?;
        run(&mut npm(source, &["run", "test:locales"]))?;
    }
    let chromium = std::env::var("CHROMIUM").unwrap_or_else(|_unset| "/usr/bin/chromium".to_owned());
    if !Path::new(&chromium).exists() {
        println!("chromium is not installed: the browser's tests of the console are SKIPPED");
        return Ok(());
    }
    run(&mut cargo(&["build", "--workspace", "--bins"]))?;
    let binary = program_path("formwork", Profile::Dev)?;
    for source in SOURCES {
        run(npm(source, &["test"]).env("FORMWORK_BINARY", &binary).env("CHROMIUM", &chromium))?;
    }
    Ok(())
}

fn npm(source: &str, arguments: &[&str]) -> Command {
    let mut command = Command::new("npm");
    command.args(arguments).current_dir(source);
    command
}
