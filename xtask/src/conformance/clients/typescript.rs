//! The types of openapi-typescript, and what all clients in TypeScript share.

use std::process::Command;

use super::Workplace;
use crate::node;
use crate::shell::run;

/// Pinned, so that findings are reproducible.
const PACKAGES: [&str; 4] =
    ["openapi-typescript@7.13.0", "openapi-fetch@0.17.0", "typescript@5.9.3", "@types/node@20.19.43"];
/// Options of the compiler.
const OPTIONS: [&str; 13] = [
    "--strict",
    "--skipLibCheck",
    "--target",
    "ES2022",
    "--lib",
    "ES2022,DOM,DOM.Iterable",
    "--types",
    "node",
    "--module",
    "CommonJS",
    "--moduleResolution",
    "node10",
    "--outDir",
];

/// Installs the compiler and openapi-typescript.
pub(super) fn install(workplace: &Workplace) -> anyhow::Result<()> {
    node::install(workplace.folder(), &PACKAGES)?;
    workplace.write("job.ts", include_str!("job.ts"))
}

pub(super) fn check(workplace: &Workplace) -> anyhow::Result<()> {
    run(program(workplace, "openapi-typescript").args(["openapi.json", "-o", "schema.ts"]))?;
    workplace.write("typescript_job.ts", include_str!("typescript_job.ts"))?;
    run_job(workplace, "typescript")
}

/// Compiles a client with its job, and does the main job with it.
pub(super) fn run_job(workplace: &Workplace, client: &str) -> anyhow::Result<()> {
    run(program(workplace, "tsc").args(OPTIONS).args(["compiled".to_owned(), format!("{client}_job.ts")]))?;
    workplace.run_job(client, Command::new("node").arg(format!("compiled/{client}_job.js")))
}

fn program(workplace: &Workplace, name: &str) -> Command {
    let mut command = Command::new(workplace.folder().join("node_modules/.bin").join(name));
    command.current_dir(workplace.folder());
    command
}
