//! A program from its start to its end.

use std::io;
use std::process::{ExitStatus, Stdio};

use rustix::process::Pid;
use tokio::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command};

use crate::ProcessGroup;
use crate::bounds::{Bounds, apply_bounds};

/// A program that runs in a process group of its own. Dropping it kills the group.
#[derive(Debug)]
pub struct RunningProcess {
    child: Child,
    group: ProcessGroup,
}

/// This side of its pipes.
#[derive(Debug)]
pub struct Pipes {
    /// What it reads; `None` where it was given nothing to read.
    pub stdin: Option<ChildStdin>,
    /// What it says.
    pub stdout: ChildStdout,
    /// What it complains of.
    pub stderr: ChildStderr,
}

impl RunningProcess {
    /// Starts a program, bounded, with pipes for what it says and, where it `reads`, for what it is told.
    ///
    /// # Errors
    /// When it cannot be started or bounded.
    pub fn start(command: &mut Command, bounds: &Bounds, reads: bool) -> io::Result<(Self, Pipes)> {
        let stdin = if reads { Stdio::piped() } else { Stdio::null() };
        command
            .process_group(0)
            .stdin(stdin)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true);
        let mut child = command.spawn()?;
        let missing = || io::Error::other("the process has no number or no pipes");
        let pid =
            child.id().and_then(|id| i32::try_from(id).ok()).and_then(Pid::from_raw).ok_or_else(missing)?;
        let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let running = Self { child, group: ProcessGroup(pid) };
        apply_bounds(pid, bounds)?;
        let (Some(stdout), Some(stderr)) = (stdout, stderr) else { return Err(missing()) };
        Ok((running, Pipes { stdin, stdout, stderr }))
    }

    /// Waits until its first process has ended; others may live on.
    ///
    /// # Errors
    /// When the system does not tell.
    pub async fn wait(&mut self) -> io::Result<ExitStatus> {
        self.child.wait().await
    }

    /// All of its processes, to be watched or ended while it is waited for.
    #[must_use]
    pub fn group(&self) -> ProcessGroup {
        self.group
    }
}

impl Drop for RunningProcess {
    fn drop(&mut self) {
        self.group.kill();
    }
}
