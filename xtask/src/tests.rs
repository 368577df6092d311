//! `cargo xtask test`: every test, on both databases if PostgreSQL is installed. A full run must produce
//! every documented answer. A final table has the duration of each part.

use std::process::Command;
use std::time::Instant;

use testkit::PostgresServer;

use crate::durations::Durations;
use crate::{coverage, shell};

/// Runs the tests; further arguments are passed to `cargo test`.
pub(crate) fn run(arguments: &[&str]) -> anyhow::Result<()> {
    let mut durations = Durations::default();
    let result = run_parts(arguments, &mut durations);
    print!("{}", durations.table());
    result
}

fn run_parts(arguments: &[&str], durations: &mut Durations) -> anyhow::Result<()> {
    let given = std::env::var("FORMWORK_TEST_POSTGRES").is_ok();
    let began = Instant::now();
    let server = if given { None } else { PostgresServer::start()? };
    durations.add("start of PostgreSQL", began.elapsed());
    let mut command = test_command(arguments);
    command.env("FORMWORK_SEEN", coverage::fresh_folder()?);
    if let Some(server) = &server {
        command.env("FORMWORK_TEST_POSTGRES", server.url());
    } else if !given {
        println!("PostgreSQL is not installed (no initdb found): its tests are SKIPPED");
    }
    if std::env::var("FORMWORK_CORPUS").is_err() {
        println!("FORMWORK_CORPUS is not set: tests on the open corpus are SKIPPED");
    }
    let began = Instant::now();
    shell::run_lines(&mut command, |line| durations.read_line(line, began.elapsed()))?;
    // A partial run does not produce all answers.
    if arguments.is_empty() { coverage::run() } else { Ok(()) }
}

/// Named packages make the run partial; a full run has the whole workspace.
fn test_command(arguments: &[&str]) -> Command {
    let mut command = shell::cargo(&["test"]);
    if !arguments.contains(&"-p") {
        command.arg("--workspace");
    }
    command.args(arguments);
    command
}
