//! `cargo xtask fuzz`: fuzzes the parsers with damaged documents. `crates/documents-fuzz` implements it.

use std::process::Command;

use crate::server::{Profile, program_path};
use crate::shell::{cargo, run as run_command};

/// Number of cases per format in continuous integration.
const CASES_IN_CI: &str = "400";

/// Folders of the open corpus with documents.
const CORPUS: [&str; 2] = ["documents", "hostile/pdf"];

/// Fuzzes with these arguments. With the open corpus, its files are mutated, too.
pub(crate) fn run(arguments: &[&str]) -> anyhow::Result<()> {
    let mut command = program()?;
    command.args(arguments);
    match std::env::var("FORMWORK_CORPUS") {
        Ok(corpus) => {
            for folder in CORPUS {
                command.arg("--corpus").arg(format!("{corpus}/{folder}"));
            }
        }
        Err(_) => println!("FORMWORK_CORPUS is not set: only generated files are mutated"),
    }
    run_command(&mut command)
}

/// The same cases every time, from generated files.
pub(crate) fn run_in_ci() -> anyhow::Result<()> {
    run_command(program()?.args(["--cases", CASES_IN_CI, "--seed", "1"]))
}

/// Built as the tests are, with overflow checks; only the parsers are optimised.
fn program() -> anyhow::Result<Command> {
    let fast = "profile.dev.package.documents-core.opt-level=2";
    run_command(&mut cargo(&["build", "--workspace", "--bin", "documents-fuzz", "--config", fast]))?;
    Ok(Command::new(program_path("documents-fuzz", Profile::Dev)?))
}
