//! Runs other programs.

use std::io::{BufRead as _, BufReader, IsTerminal as _, PipeReader};
use std::process::{Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::Duration;

use anyhow::{Context as _, bail};

/// Interval at which the end of the command is checked while no line arrives.
const LAST_LINES: Duration = Duration::from_millis(500);

/// Runs a command. Fails when it fails.
pub(crate) fn run(command: &mut Command) -> anyhow::Result<()> {
    println!("$ {}", command_line(command));
    let status = command.status().with_context(|| format!("{} cannot be started", command_line(command)))?;
    if !status.success() {
        bail!("{} failed: {status}", command_line(command));
    }
    Ok(())
}

/// Whether a program is installed.
pub(crate) fn is_installed(program: &str) -> bool {
    Command::new(program).arg("--version").output().is_ok_and(|output| output.status.success())
}

/// As [`run`], and passes on each line of both outputs after printing it.
pub(crate) fn run_lines(command: &mut Command, mut read: impl FnMut(&str)) -> anyhow::Result<()> {
    println!("$ {}", command_line(command));
    // One pipe for both outputs keeps their lines in order.
    let (reader, writer) = std::io::pipe()?;
    command.stdout(writer.try_clone()?).stderr(writer);
    if std::io::stdout().is_terminal() {
        command.env("CARGO_TERM_COLOR", "always");
    }
    let mut process =
        command.spawn().with_context(|| format!("{} cannot be started", command_line(command)))?;
    // The pipe closes when its last writer does. This program holds a writer while it holds the command.
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let lines = lines_of(reader);
    let mut ended = None;
    loop {
        match lines.recv_timeout(LAST_LINES) {
            Ok(line) => {
                println!("{line}");
                read(&line);
            }
            Err(RecvTimeoutError::Disconnected) => break,
            // A process that the command left behind may keep the pipe open forever.
            Err(RecvTimeoutError::Timeout) if ended.is_some() => break,
            Err(RecvTimeoutError::Timeout) => ended = process.try_wait()?,
        }
    }
    let status = process.wait()?;
    if !status.success() {
        bail!("{} failed: {status}", command_line(command));
    }
    Ok(())
}

/// The lines of a reader, read on a thread of its own.
fn lines_of(reader: PipeReader) -> Receiver<String> {
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || {
        for line in BufReader::new(reader).split(b'\n').map_while(Result::ok) {
            if sender.send(String::from_utf8_lossy(&line).into_owned()).is_err() {
                break;
            }
        }
    });
    receiver
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

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::run_lines;

    #[test]
    fn lines_of_both_outputs_are_handed_on_in_their_order() {
        let mut lines = Vec::new();
        let mut command = Command::new("sh");
        command.args(["-c", "echo one; echo two >&2; echo three"]);
        run_lines(&mut command, |line| lines.push(line.to_owned())).unwrap();
        assert_eq!(lines, ["one", "two", "three"]);
    }

    #[test]
    fn a_program_that_is_left_behind_does_not_hold_up_the_end() {
        let mut command = Command::new("sh");
        command.args(["-c", "sleep 60 & echo $!; exit 3"]);
        let mut left = String::new();
        let result = run_lines(&mut command, |line| left = line.to_owned());
        Command::new("kill").arg(left).status().unwrap();
        assert!(result.unwrap_err().to_string().contains("exit status: 3"));
    }
}
