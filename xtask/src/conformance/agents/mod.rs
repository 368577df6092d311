//! `cargo xtask conformance agents`: the official clients of A2A and of AG-UI fill a form with an agent.

use std::process::Command;

use tempfile::TempDir;

use crate::node;
use crate::python::Environment;
use crate::server::Server;
use crate::shell::run;

/// The A2A client and the types of AG-UI in Python, pinned, so that findings are reproducible.
const REQUIREMENTS: &str = include_str!("requirements.txt");
/// The clients in TypeScript.
const CLIENTS: [&str; 2] = ["@a2a-js/sdk@1.3.0", "@ag-ui/client@1.0.0"];

/// Runs every client that can be installed.
pub(super) fn run_all() -> anyhow::Result<()> {
    let server = Server::start_checked(|command| command)?;
    let folder = tempfile::tempdir()?;
    check_python(&server, &folder)?;
    check_typescript(&server, &folder)
}

fn check_python(server: &Server, folder: &TempDir) -> anyhow::Result<()> {
    match Environment::with_requirements(folder.path(), REQUIREMENTS) {
        Ok(environment) => {
            std::fs::write(folder.path().join("python_job.py"), include_str!("python_job.py"))?;
            run_job(server, folder, environment.program("python").arg("python_job.py"))
        }
        Err(error) => {
            println!("packages of Python are not available ({error}): the clients in Python are SKIPPED");
            Ok(())
        }
    }
}

fn check_typescript(server: &Server, folder: &TempDir) -> anyhow::Result<()> {
    if let Err(error) = node::install(folder.path(), &CLIENTS) {
        println!("packages of npm are not available ({error}): the clients in TypeScript are SKIPPED");
        return Ok(());
    }
    std::fs::write(folder.path().join("node_job.mjs"), include_str!("node_job.mjs"))?;
    run_job(server, folder, Command::new("node").arg("node_job.mjs"))
}

/// Runs a program with what it needs of the server.
fn run_job(server: &Server, folder: &TempDir, command: &mut Command) -> anyhow::Result<()> {
    command.current_dir(folder.path()).env("FORMWORK_URL", &server.url).env("FORMWORK_KEY", &server.key);
    run(command)
}
