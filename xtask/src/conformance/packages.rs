//! `cargo xtask conformance packages`: installs the packages below `clients` and runs their tests against the server.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::python::Environment;
use crate::server::{Profile, program_path};
use crate::shell::{cargo, run};

/// What the Python package and its tests need, pinned, so that findings are reproducible.
const REQUIREMENTS: &str = include_str!("packages.txt");

/// The variable that names the server's program, here and in the tests of the packages.
const BINARY: &str = "FORMWORK_BINARY";

/// Runs the tests of every package.
pub(super) fn run_all() -> anyhow::Result<()> {
    let program = server()?;
    test_python(&program)?;
    test_typescript(&program)
}

/// The server's program: the one that FORMWORK_BINARY names, or one that is built.
fn server() -> anyhow::Result<PathBuf> {
    if let Some(program) = std::env::var_os(BINARY) {
        return Ok(std::path::absolute(program)?);
    }
    run(&mut cargo(&["build", "--workspace", "--bins"]))?;
    program_path("formwork", Profile::Dev)
}

fn test_python(program: &Path) -> anyhow::Result<()> {
    let folder = tempfile::tempdir()?;
    let environment = Environment::with_requirements(folder.path(), REQUIREMENTS)?;
    let package = copy("clients/python", folder.path())?;
    run(environment
        .program("pip")
        .current_dir(&package)
        .args(["install", "--quiet", "--disable-pip-version-check", "--no-input"])
        .args(["--no-deps", "--no-build-isolation", "."]))?;
    run(environment.program("mypy").current_dir(&package))?;
    let mut tests = environment.program("python");
    run(tests.args(["-m", "pytest", "-q"]).current_dir(&package).env(BINARY, program))
}

fn test_typescript(program: &Path) -> anyhow::Result<()> {
    let folder = tempfile::tempdir()?;
    let package = copy("clients/typescript", folder.path())?;
    let npm = || {
        let mut command = Command::new("npm");
        command.current_dir(&package).env(BINARY, program);
        command
    };
    run(npm().args(["ci", "--no-audit", "--no-fund", "--ignore-scripts"]))?;
    run(npm().args(["test"]))
}

/// A copy of a package, so that nothing is built in the repository.
fn copy(package: &str, folder: &Path) -> anyhow::Result<PathBuf> {
    let copied = folder.join("package");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    run(Command::new("cp").arg("-R").arg(root.join(package)).arg(&copied))?;
    Ok(copied)
}
