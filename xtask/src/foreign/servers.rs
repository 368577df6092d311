//! Foreign servers on this machine: each speaks a vendor's interface and was written by others.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail};
use serde_json::Value;
use tempfile::TempDir;

use crate::python::Environment;
use crate::shell::run;

/// Pinned, so that findings can be repeated.
const AIMOCK: &str = "@copilotkit/aimock@1.43.0";
const LLAMA: [&str; 3] = ["xllamacpp==2026.10.11549", "gguf", "numpy"];

/// A process that is ended when this is dropped.
#[derive(Debug)]
pub(super) struct Foreign {
    process: Child,
    /// Address, such as `127.0.0.1:40123`.
    pub(super) address: String,
    _folder: TempDir,
}

impl Drop for Foreign {
    fn drop(&mut self) {
        self.process.kill().ok();
        self.process.wait().ok();
    }
}

/// aimock: the interfaces of OpenAI, Anthropic and Google, with answers from a file.
pub(super) fn aimock() -> anyhow::Result<Foreign> {
    let folder = tempfile::tempdir()?;
    run(Command::new("npm")
        .args(["install", "--ignore-scripts", "--silent", "--no-audit", "--no-fund"])
        // Whoever has no registry hears of it within a minute.
        .args(["--fetch-retries", "1", "--fetch-timeout", "15000", AIMOCK])
        .current_dir(folder.path()))?;
    let fixtures = concat!(env!("CARGO_MANIFEST_DIR"), "/foreign/aimock.json");
    let port = free_port()?;
    let mut command = Command::new("node");
    command.arg(folder.path().join("node_modules/@copilotkit/aimock/dist/cli.js")).args([
        "-p",
        &port.to_string(),
        "-f",
        fixtures,
        "--validate-on-load",
        "--log-level",
        "warn",
    ]);
    started(command, port, folder)
}

/// llama.cpp's server with a random model, by the scripts in `peers`.
pub(super) fn llama(peers: &Path) -> anyhow::Result<Foreign> {
    let folder = tempfile::tempdir()?;
    let environment = Environment::with(folder.path(), &LLAMA)?;
    let model = folder.path().join("tiny.gguf");
    run(environment.program("python").arg(peers.join("tiny_model.py")).arg(&model).stdout(Stdio::null()))?;
    let port = free_port()?;
    let mut command = environment.program("python");
    command.arg(peers.join("tiny_llama_server.py")).arg(&model).arg(port.to_string());
    started(command, port, folder)
}

fn started(mut command: Command, port: u16, folder: TempDir) -> anyhow::Result<Foreign> {
    let process = command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .context("a foreign server cannot be started")?;
    let foreign = Foreign { process, address: format!("127.0.0.1:{port}"), _folder: folder };
    let began = Instant::now();
    while std::net::TcpStream::connect(&foreign.address).is_err() {
        if began.elapsed() > Duration::from_secs(60) {
            bail!("a foreign server does not answer");
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    Ok(foreign)
}

fn free_port() -> anyhow::Result<u16> {
    Ok(std::net::TcpListener::bind("127.0.0.1:0")?.local_addr()?.port())
}

impl Foreign {
    /// What aimock was sent since the last look, oldest first.
    pub(super) async fn journal(&self, client: &reqwest::Client) -> anyhow::Result<Vec<Value>> {
        let journal = client.get(format!("http://{}/__aimock/journal", self.address)).send().await?;
        let entries: Vec<Value> = serde_json::from_slice(&journal.bytes().await?)?;
        client.post(format!("http://{}/__aimock/reset/journal", self.address)).send().await?;
        Ok(entries)
    }

    /// Lets aimock answer so large a part of all requests with 429.
    pub(super) async fn refuse(&self, client: &reqwest::Client, part: f64) -> anyhow::Result<()> {
        let chaos = serde_json::json!({"rateLimitRate": part});
        let address = format!("http://{}/__aimock/chaos", self.address);
        client.post(address).json(&chaos).send().await?.error_for_status()?;
        Ok(())
    }
}
