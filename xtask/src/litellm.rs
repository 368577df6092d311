//! LiteLLM's proxy: a peer of the gateway, and a foreign front end of two vendors.

use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail};
use tempfile::TempDir;

use crate::python::Environment;

/// Pinned, so that figures can be compared.
const PACKAGE: &str = "litellm[proxy]==1.106.2";
/// The key that it asks for.
pub(crate) const KEY: &str = "sk-bench";

/// An entry of its `model_list`: a name, and further parameters after `model`.
pub(crate) fn model(name: &str, model: &str, parameters: &str) -> String {
    format!(
        "  - model_name: {name}\n    litellm_params:\n      model: {model}\n      api_key: none\n      {parameters}\n"
    )
}

/// A running proxy. Dropping it ends it.
#[derive(Debug)]
pub(crate) struct LiteLlm {
    process: Child,
    /// Address, such as `127.0.0.1:40123`.
    pub(crate) address: String,
    _folder: TempDir,
}

impl LiteLlm {
    /// Installs and starts it with these models, the lines of its `model_list`.
    pub(crate) fn start(models: &str) -> anyhow::Result<Self> {
        let folder = tempfile::tempdir()?;
        let environment = Environment::with(folder.path(), &[PACKAGE])?;
        let settings = format!(
            "model_list:\n{models}general_settings:\n  master_key: {KEY}\nlitellm_settings:\n  telemetry: false\n"
        );
        let file = folder.path().join("litellm.yaml");
        std::fs::write(&file, settings)?;
        let port = std::net::TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
        let process = environment
            .program("litellm")
            .arg("--config")
            .arg(&file)
            .args(["--host", "127.0.0.1", "--port", &port.to_string(), "--num_workers", "1"])
            .env("LITELLM_LOCAL_MODEL_COST_MAP", "True")
            .env("LITELLM_LOG", "ERROR")
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .context("LiteLLM cannot be started")?;
        let peer = Self { process, address: format!("127.0.0.1:{port}"), _folder: folder };
        peer.wait()?;
        Ok(peer)
    }

    fn wait(&self) -> anyhow::Result<()> {
        let began = Instant::now();
        while std::net::TcpStream::connect(&self.address).is_err() {
            if began.elapsed() > Duration::from_secs(120) {
                bail!("LiteLLM does not answer");
            }
            std::thread::sleep(Duration::from_millis(500));
        }
        Ok(())
    }

    /// Process id.
    pub(crate) fn pid(&self) -> u32 {
        self.process.id()
    }
}

impl Drop for LiteLlm {
    fn drop(&mut self) {
        Command::new("kill").arg(self.process.id().to_string()).status().ok();
        self.process.wait().ok();
    }
}
