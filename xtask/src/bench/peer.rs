//! The peer of the notes benchmark: FastAPI, SQLAlchemy and SQLite in a temporary environment.

use std::process::Command;
use std::time::Duration;

use crate::process::{Running, free_port};
use crate::python::Environment;
use crate::shell::run;

/// Pinned, so that figures are comparable.
const PACKAGES: [&str; 5] =
    ["fastapi==0.165.0", "uvicorn==0.54.0", "uvloop==0.23.0", "httptools==0.9.0", "sqlalchemy==2.1.9"];

/// A running peer. On drop it ends and its data is removed.
#[derive(Debug)]
pub(crate) struct Peer(Running);

impl Peer {
    /// Installs and starts it with `notes` notes and one process per processor.
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
        let port = free_port()?;
        let workers = std::thread::available_parallelism()?.to_string();
        let mut command = prepared(environment.program("uvicorn"));
        command
            .args(["fastapi_notes:app", "--log-level", "error", "--no-access-log", "--workers", &workers])
            .args(["--port", &port.to_string()]);
        let peer = Self(Running::start(command, port, folder)?);
        // The port opens before each of its processes has loaded the application.
        std::thread::sleep(Duration::from_secs(3));
        Ok(peer)
    }

    /// Host and port.
    pub(crate) fn address(&self) -> &str {
        &self.0.address
    }

    /// Processor seconds that the peer and its child processes have used.
    pub(crate) fn cpu_seconds(&self) -> anyhow::Result<f64> {
        let parent = self.0.pid();
        let children = std::fs::read_to_string(format!("/proc/{parent}/task/{parent}/children"))?;
        let all = children.split_whitespace().map(str::to_owned).chain([parent.to_string()]);
        let mut seconds = 0.0;
        for process in all {
            seconds += crate::server::cpu_seconds_of(&process)?;
        }
        Ok(seconds)
    }
}
