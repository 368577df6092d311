//! `cargo xtask simulate`: the services of several processes on a seeded scheduler. `crates/simulation` implements it.

use std::process::Command;

use crate::server::{Profile, program_path};
use crate::shell::{cargo, run as run_command};

/// Number of seeds when none is given.
const SEEDS: &str = "10000";

/// Runs with these arguments: `--seeds N`, `--seed S`, `--subject NAME`.
pub(crate) fn run(arguments: &[&str]) -> anyhow::Result<()> {
    run_command(&mut cargo(&["build", "--workspace", "--bin", "simulation"]))?;
    let mut command = Command::new(program_path("simulation", Profile::Dev)?);
    command.args(arguments);
    if !arguments.iter().any(|argument| argument.starts_with("--seed")) {
        command.args(["--seeds", SEEDS]);
    }
    run_command(&mut command)
}
