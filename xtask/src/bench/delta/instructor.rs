//! The peer of the batch benchmark: Instructor, asyncio and a semaphore in a temporary environment.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use anyhow::{Context as _, bail};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::python::Environment;

/// Pinned, so that figures are comparable.
const PACKAGES: [&str; 2] = ["instructor==1.17.0", "openai==3.3.0"];

/// A prepared peer. On drop it ends and its files are removed.
#[derive(Debug)]
pub(super) struct Instructor {
    process: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    _folder: TempDir,
}

impl Instructor {
    /// Installs it and passes it the texts to ask the vendor about.
    pub(super) fn prepare(vendor: &str, concurrency: usize, texts: &[String]) -> anyhow::Result<Self> {
        let folder = tempfile::tempdir()?;
        let environment = Environment::with(folder.path(), &PACKAGES)?;
        let mut command = environment.program("python");
        command.arg(concat!(env!("CARGO_MANIFEST_DIR"), "/peers/instructor_batch.py"));
        command.env("PYTHONDONTWRITEBYTECODE", "1").current_dir(folder.path());
        let mut process = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().context("python")?;
        let orders = process.stdin.take().context("standard input")?;
        let told = BufReader::new(process.stdout.take().context("standard output")?);
        let mut peer = Self { process, input: orders, output: told, _folder: folder };
        let task = json!({"url": format!("{vendor}/v1"), "concurrency": concurrency, "texts": texts});
        peer.order(&task.to_string())?;
        let ready = peer.line()?;
        if ready != "ready" {
            bail!("the peer is not ready: {ready}");
        }
        Ok(peer)
    }

    /// Process id.
    pub(super) fn pid(&self) -> u32 {
        self.process.id()
    }

    /// Starts the work.
    pub(super) fn start(&mut self) -> anyhow::Result<()> {
        self.order("start")
    }

    /// Waits for the end of the work. Returns its seconds and records. Blocks.
    pub(super) fn finish(&mut self) -> anyhow::Result<Value> {
        Ok(serde_json::from_str(&self.line()?)?)
    }

    fn order(&mut self, line: &str) -> anyhow::Result<()> {
        writeln!(self.input, "{line}")?;
        Ok(self.input.flush()?)
    }

    fn line(&mut self) -> anyhow::Result<String> {
        let mut line = String::new();
        if self.output.read_line(&mut line)? == 0 {
            bail!("the peer ended early");
        }
        Ok(line.trim_end().to_owned())
    }
}

impl Drop for Instructor {
    fn drop(&mut self) {
        self.process.kill().ok();
        self.process.wait().ok();
    }
}
