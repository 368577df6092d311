//! The peers in temporary environments.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use anyhow::Context as _;
use serde_json::Value;
use tempfile::TempDir;

use crate::python::Environment;
use crate::server::resident_mb_of;

/// Pinned, so that figures are comparable.
const QUALITY: [&str; 2] = ["bm25s==0.3.16", "PyStemmer==3.1.0"];
const SCALE: [&str; 2] = ["lancedb==0.40.0", "pyarrow==26.0.1"];

/// A script that answers each line with a line. On drop it ends.
#[derive(Debug)]
pub(super) struct Peer {
    process: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    _folder: TempDir,
}

impl Peer {
    /// The lexical peers of the quality benchmark.
    pub(super) fn quality() -> anyhow::Result<Self> {
        Self::start(&QUALITY, "retrieval_quality.py", |_| Vec::new())
    }

    /// A peer of the scale benchmark over the lines of a file.
    pub(super) fn scale(name: &str, texts: &Path) -> anyhow::Result<Self> {
        let packages: &[&str] = if name == "FTS5" { &[] } else { &SCALE };
        let texts = texts.display().to_string();
        Self::start(packages, "retrieval_scale.py", |folder| {
            vec![name.to_owned(), texts, folder.join("data").display().to_string()]
        })
    }

    fn start(
        packages: &[&str],
        script: &str,
        arguments: impl FnOnce(&Path) -> Vec<String>,
    ) -> anyhow::Result<Self> {
        let folder = tempfile::tempdir()?;
        std::fs::create_dir(folder.path().join("data"))?;
        // pip rejects an empty list.
        let packages = if packages.is_empty() { &["pip"] } else { packages };
        let environment = Environment::with(folder.path(), packages)?;
        let mut command = environment.program("python");
        command.arg(format!("{}/peers/{script}", env!("CARGO_MANIFEST_DIR"))).args(arguments(folder.path()));
        command.env("PYTHONDONTWRITEBYTECODE", "1").current_dir(folder.path());
        let mut process = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().context("python")?;
        let orders = process.stdin.take().context("standard input")?;
        let told = BufReader::new(process.stdout.take().context("standard output")?);
        Ok(Self { process, input: orders, output: told, _folder: folder })
    }

    /// Reads its next line.
    pub(super) fn line(&mut self) -> anyhow::Result<Value> {
        let mut line = String::new();
        self.output.read_line(&mut line)?;
        serde_json::from_str(&line).context("the peer ended early")
    }

    /// Sends it a line.
    pub(super) fn say(&mut self, line: &str) -> anyhow::Result<()> {
        writeln!(self.input, "{line}")?;
        Ok(self.input.flush()?)
    }

    /// Resident memory in megabytes.
    pub(super) fn resident_mb(&self) -> anyhow::Result<f64> {
        resident_mb_of(self.process.id())
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        self.process.kill().ok();
        self.process.wait().ok();
    }
}
