//! The clients of openapi-generator in Python and TypeScript.

use std::process::Stdio;

use super::{Workplace, run_python, typescript};
use crate::python::Environment;
use crate::shell::{is_installed, run};

/// Runs the generator, and the client in TypeScript where node is available.
pub(super) fn check(workplace: &Workplace, environment: &Environment, node: bool) -> anyhow::Result<()> {
    if !is_installed("java") {
        println!("java is not installed: openapi-generator is SKIPPED");
        return Ok(());
    }
    check_python(workplace, environment)?;
    if node {
        check_typescript(workplace, environment)?;
    }
    Ok(())
}

fn check_python(workplace: &Workplace, environment: &Environment) -> anyhow::Result<()> {
    let package = ["--additional-properties", "packageName=generator_python"];
    generate(workplace, environment, "python", &package)?;
    workplace.write("generator_python_job.py", include_str!("generator_python_job.py"))?;
    run_python(workplace, environment, "generator_python")
}

fn check_typescript(workplace: &Workplace, environment: &Environment) -> anyhow::Result<()> {
    // By default the generator leaves out models that only multipart bodies have, and imports them.
    let all_models = ["--global-property", "skipFormModel=false"];
    generate(workplace, environment, "typescript-fetch", &all_models)?;
    workplace.write("generator_typescript_job.ts", include_str!("generator_typescript_job.ts"))?;
    typescript::run_job(workplace, "generator_typescript")
}

fn generate(
    workplace: &Workplace,
    environment: &Environment,
    generator: &str,
    options: &[&str],
) -> anyhow::Result<()> {
    let output = match generator {
        "python" => ".",
        _ => "generator_typescript",
    };
    run(environment
        .program("openapi-generator-cli")
        .current_dir(workplace.folder())
        // The compiler of machine code would take longer than it saves.
        .env("JAVA_OPTS", "-XX:TieredStopAtLevel=1")
        .args(["generate", "-i", "openapi.json", "-g", generator, "-o", output])
        .args(options)
        .stdout(Stdio::null())
        .stderr(Stdio::null()))
}
