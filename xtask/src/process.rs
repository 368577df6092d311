//! Third-party programs that serve on a local port while they are needed.

use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail};
use tempfile::TempDir;

/// Maximum time until a program's port is open.
const PATIENCE: Duration = Duration::from_secs(120);

/// A running program. On drop it is asked to end and its folder is removed.
#[derive(Debug)]
pub(crate) struct Running {
    process: Child,
    /// Address, such as `127.0.0.1:40123`.
    pub(crate) address: String,
    _folder: TempDir,
}

impl Running {
    /// Starts a program that serves on `port`, and waits until the port is open.
    pub(crate) fn start(mut command: Command, port: u16, folder: TempDir) -> anyhow::Result<Self> {
        let name = command.get_program().to_string_lossy().into_owned();
        let process = command
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .with_context(|| format!("{name} cannot be started"))?;
        let running = Self { process, address: format!("127.0.0.1:{port}"), _folder: folder };
        let began = Instant::now();
        while TcpStream::connect(&running.address).is_err() {
            if began.elapsed() > PATIENCE {
                bail!("{name} does not answer");
            }
            std::thread::sleep(Duration::from_millis(100));
        }
        Ok(running)
    }

    /// Process id.
    pub(crate) fn pid(&self) -> u32 {
        self.process.id()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // On this signal it ends its child processes, too.
        Command::new("kill").arg(self.process.id().to_string()).status().ok();
        self.process.wait().ok();
    }
}

/// A port without a listener.
pub(crate) fn free_port() -> anyhow::Result<u16> {
    Ok(TcpListener::bind("127.0.0.1:0")?.local_addr()?.port())
}
