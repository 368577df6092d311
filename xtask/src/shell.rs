//! Running other programs.

use std::process::Command;

use anyhow::{Context as _, bail};

/// Runs a command and fails when it fails.
pub(crate) fn run(command: &mut Command) -> anyhow::Result<()> {
    println!("$ {}", command_line(command));
    let status = command.status().with_context(|| format!("{} cannot be started", command_line(command)))?;
    if !status.success() {
        bail!("{} failed: {status}", command_line(command));
    }
    Ok(())
}

/// `cargo` with arguments.
pub(crate) fn cargo(arguments: &[&str]) -> Command {
    let mut command = Command::new(std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned()));
    command.args(arguments);
    command
}

fn command_line(command: &Command) -> String {
    let program = command.get_program().to_string_lossy();
    let program = program.rsplit('/').next().unwrap_or_default().to_owned();
    let arguments = command.get_args().map(|argument| argument.to_string_lossy().into_owned());
    std::iter::once(program).chain(arguments).collect::<Vec<_>>().join(" ")
}
