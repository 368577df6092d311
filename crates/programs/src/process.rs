//! Starts a program and waits for it.

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

/// This side of the process's pipes.
#[derive(Debug)]
pub struct Pipes {
    /// Its standard input; `None` when it reads none.
    pub stdin: Option<ChildStdin>,
    /// Its standard output.
    pub stdout: ChildStdout,
    /// Its standard error.
    pub stderr: ChildStderr,
}

impl RunningProcess {
    /// Starts a program with resource limits and pipes for its outputs and, when it `reads`, its input.
    ///
    /// # Errors
    /// When it cannot be started or limited.
    pub fn start(command: &mut Command, bounds: &Bounds, reads: bool) -> io::Result<(Self, Pipes)> {
        let stdin = if reads { Stdio::piped() } else { Stdio::null() };
        command
            .process_group(0)
            .stdin(stdin)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true);
        let mut child = command.spawn()?;
        let missing = || io::Error::other("the process has no id or no pipes");
        let pid =
            child.id().and_then(|id| i32::try_from(id).ok()).and_then(Pid::from_raw).ok_or_else(missing)?;
        let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let running = Self { child, group: ProcessGroup(pid) };
        apply_bounds(pid, bounds)?;
        let (Some(stdout), Some(stderr)) = (stdout, stderr) else { return Err(missing()) };
        Ok((running, Pipes { stdin, stdout, stderr }))
    }

    /// Waits until the first process has exited. Others of its group may live on.
    ///
    /// # Errors
    /// When the system cannot wait for it.
    pub async fn wait(&mut self) -> io::Result<ExitStatus> {
        self.child.wait().await
    }

    /// Its process group, to be watched or ended while the process is waited for.
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
