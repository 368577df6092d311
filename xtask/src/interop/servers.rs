//! Third-party servers on this machine. Each implements a vendor's API independently.

use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::node;
use crate::process::{Running, free_port};
use crate::python::Environment;
use crate::shell::run;

/// Pinned, so that findings are reproducible.
const AIMOCK: &str = "@copilotkit/aimock@1.43.0";
const LLAMA: [&str; 3] = ["xllamacpp==2026.10.11549", "gguf", "numpy"];

/// aimock: the APIs of OpenAI, Anthropic and Google, with answers from a file.
#[derive(Debug)]
pub(super) struct Aimock(pub(super) Running);

/// Installs and starts aimock.
pub(super) fn aimock() -> anyhow::Result<Aimock> {
    let folder = tempfile::tempdir()?;
    node::install(folder.path(), &[AIMOCK])?;
    let fixtures = concat!(env!("CARGO_MANIFEST_DIR"), "/interop/aimock.json");
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
    Ok(Aimock(Running::start(command, port, folder)?))
}

/// llama.cpp's server with a random model, started by the scripts in `peers`.
pub(super) fn llama(peers: &Path) -> anyhow::Result<Running> {
    let folder = tempfile::tempdir()?;
    let environment = Environment::with(folder.path(), &LLAMA)?;
    let model = folder.path().join("tiny.gguf");
    run(environment.program("python").arg(peers.join("tiny_model.py")).arg(&model).stdout(Stdio::null()))?;
    let port = free_port()?;
    let mut command = environment.program("python");
    command.arg(peers.join("tiny_llama_server.py")).arg(&model).arg(port.to_string());
    Running::start(command, port, folder)
}

impl Aimock {
    /// The requests that it received since the last call, oldest first.
    pub(super) async fn journal(&self, client: &reqwest::Client) -> anyhow::Result<Vec<Value>> {
        let journal = client.get(format!("http://{}/__aimock/journal", self.0.address)).send().await?;
        let entries: Vec<Value> = serde_json::from_slice(&journal.bytes().await?)?;
        client.post(format!("http://{}/__aimock/reset/journal", self.0.address)).send().await?;
        Ok(entries)
    }

    /// Makes it answer this share of all requests with 429.
    pub(super) async fn refuse(&self, client: &reqwest::Client, part: f64) -> anyhow::Result<()> {
        let chaos = serde_json::json!({"rateLimitRate": part});
        let address = format!("http://{}/__aimock/chaos", self.0.address);
        client.post(address).json(&chaos).send().await?.error_for_status()?;
        Ok(())
    }
}
