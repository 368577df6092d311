//! `cargo xtask conformance clients`: code generators make clients from the description, the clients compile, and
//! with each the main job is done against a server: a form, a file, an agent, an extraction, the list of forms.
//! No generated file is edited.

mod generator;
mod python_client;
mod rust;
mod typescript;

use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, ensure};
use tempfile::TempDir;

use crate::python::Environment;
use crate::server::{Profile, Server, program_path};
use crate::shell::run;

/// The generators in Python and what their clients need, pinned, so that findings are reproducible.
const REQUIREMENTS: &str = include_str!("requirements.txt");
/// What is extracted.
const DOCUMENT: &str = "Vendor: Harbour Works\nTotal: 12.50\nCurrency: EUR\nIssued: 2026-03-14\n";

/// A server, and a folder for its description and the clients.
struct Workplace {
    folder: TempDir,
    server: Server,
}

/// Runs every generator that can be installed.
pub(super) fn run_all() -> anyhow::Result<()> {
    let workplace = Workplace::new()?;
    let node = typescript::install(&workplace);
    if let Err(error) = &node {
        println!("packages of npm are not available ({error}): the clients in TypeScript are SKIPPED");
    } else {
        typescript::check(&workplace)?;
    }
    match Environment::with_requirements(workplace.folder(), REQUIREMENTS) {
        Ok(environment) => {
            python_client::check(&workplace, &environment)?;
            generator::check(&workplace, &environment, node.is_ok())?;
        }
        Err(error) => {
            println!("packages of Python are not available ({error}): their generators are SKIPPED");
        }
    }
    match rust::install() {
        Ok(generator) => rust::check(&workplace, &generator),
        Err(error) => {
            println!("{} cannot be installed ({error}): the client in Rust is SKIPPED", rust::GENERATOR);
            Ok(())
        }
    }
}

impl Workplace {
    fn new() -> anyhow::Result<Self> {
        let server = Server::start_checked(|command| command)?;
        let folder = tempfile::tempdir()?;
        let program = program_path("formwork", Profile::Dev)?;
        let output = Command::new(program).arg("openapi").output().context("formwork openapi")?;
        ensure!(output.status.success(), "formwork openapi failed: {}", output.status);
        std::fs::write(folder.path().join("openapi.json"), output.stdout)?;
        Ok(Self { folder, server })
    }

    fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Writes a file into the folder.
    fn write(&self, name: &str, text: &str) -> anyhow::Result<()> {
        Ok(std::fs::write(self.folder().join(name), text)?)
    }

    /// Runs a program that does the main job with a client.
    fn run_job(&self, client: &str, command: &mut Command) -> anyhow::Result<()> {
        command
            .current_dir(self.folder())
            .env("FORMWORK_URL", &self.server.url)
            .env("FORMWORK_KEY", &self.server.key)
            .env("FORMWORK_DOCUMENT", DOCUMENT);
        run(command)?;
        println!("{client}: the client compiles and does the main job");
        Ok(())
    }
}

/// Compiles and imports every module of a Python package, and does the main job with it.
fn run_python(workplace: &Workplace, environment: &Environment, client: &str) -> anyhow::Result<()> {
    let python = || {
        let mut command = environment.program("python");
        command.current_dir(workplace.folder());
        command
    };
    run(python().args(["-m", "compileall", "-q", client]))?;
    run(python().args(["-c", IMPORTS, client]))?;
    workplace.run_job(client, python().arg(format!("{client}_job.py")))
}

/// Imports every module of a package.
const IMPORTS: &str = "\
import importlib, pkgutil, sys
package = importlib.import_module(sys.argv[1])
for module in pkgutil.walk_packages(package.__path__, package.__name__ + '.'):
    importlib.import_module(module.name)
";
