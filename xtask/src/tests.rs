//! `cargo xtask test`: every test, on both databases where PostgreSQL is installed; a full run must see every
//! documented answer.

use testkit::PostgresServer;

use crate::{coverage, shell};

/// Runs the tests; further arguments go to `cargo test`.
pub(crate) fn run(arguments: &[&str]) -> anyhow::Result<()> {
    let given = std::env::var("FORMWORK_TEST_POSTGRES").is_ok();
    let server = if given { None } else { PostgresServer::start()? };
    let mut command = shell::cargo(&["test"]);
    // Naming packages narrows the run; a full one takes the workspace.
    if !arguments.contains(&"-p") {
        command.arg("--workspace");
    }
    command.args(arguments).env("FORMWORK_SEEN", coverage::fresh_folder()?);
    if let Some(server) = &server {
        command.env("FORMWORK_TEST_POSTGRES", server.url());
    } else if !given {
        println!("PostgreSQL is not installed (no initdb found): its tests are SKIPPED");
    }
    if std::env::var("FORMWORK_CORPUS").is_err() {
        println!("FORMWORK_CORPUS is not set: tests on the open corpus are SKIPPED");
    }
    shell::run(&mut command)?;
    // A narrowed run does not see all answers.
    if arguments.is_empty() { coverage::run() } else { Ok(()) }
}
