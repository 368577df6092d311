//! The peer that notes are measured against: FastAPI, SQLAlchemy and SQLite in a throw-away environment.

use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail};
use tempfile::TempDir;

use crate::python::Environment;
use crate::shell::run;

/// Pinned, so that figures can be compared.
const PACKAGES: [&str; 5] =
    ["fastapi==0.165.0", "uvicorn==0.54.0", "uvloop==0.23.0", "httptools==0.9.0", "sqlalchemy==2.1.9"];

/// A running peer. Dropping it ends it and removes its data.
#[derive(Debug)]
pub(crate) struct Peer {
    process: Child,
    /// Address, such as `127.0.0.1:40123`.
    pub(crate) address: String,
    _folder: TempDir,
}

impl Peer {
    /// Installs and starts it with so many notes; one process for each processor.
    pub(crate) fn start(notes: usize) -> anyhow::Result<Self> {
        let folder = tempfile::tempdir()?;
        let environment = Environment::with(folder.path(), &PACKAGES)?;
        let source = concat!(env!("CARGO_MANIFEST_DIR"), "/peers");
        let prepared = |mut command: Command| {
            command.current_dir(source).env("NOTES_DB", folder.path().join("peer.db"));
            command.env("PYTHONDONTWRITEBYTECODE", "1");
            command
        };
        run(prepared(environment.program("python")).arg("fastapi_notes.py").arg(notes.to_string()))?;
        let port = std::net::TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
        let workers = std::thread::available_parallelism()?.to_string();
        let process = prepared(environment.program("uvicorn"))
            .args(["fastapi_notes:app", "--log-level", "error", "--no-access-log", "--workers", &workers])
            .args(["--port", &port.to_string()])
            .stdout(Stdio::null())
            .spawn()
            .context("the peer cannot be started")?;
        let peer = Self { process, address: format!("127.0.0.1:{port}"), _folder: folder };
        peer.wait()?;
        Ok(peer)
    }

    fn wait(&self) -> anyhow::Result<()> {
        let began = Instant::now();
        while std::net::TcpStream::connect(&self.address).is_err() {
            if began.elapsed() > Duration::from_secs(60) {
                bail!("the peer does not answer");
            }
            std::thread::sleep(Duration::from_millis(200));
        }
        // The port is open before each of its processes has loaded the application.
        std::thread::sleep(Duration::from_secs(3));
        Ok(())
    }

    /// Processor seconds that the peer and its processes have used.
    pub(crate) fn cpu_seconds(&self) -> anyhow::Result<f64> {
        let children = format!("/proc/{0}/task/{0}/children", self.process.id());
        let children = std::fs::read_to_string(children)?;
        let all = children.split_whitespace().map(str::to_owned).chain([self.process.id().to_string()]);
        let mut seconds = 0.0;
        for process in all {
            seconds += crate::server::cpu_seconds_of(&process)?;
        }
        Ok(seconds)
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        // Asked to end, it ends its processes too.
        Command::new("kill").arg(self.process.id().to_string()).status().ok();
        self.process.wait().ok();
    }
}
