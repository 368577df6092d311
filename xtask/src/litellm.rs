//! LiteLLM's proxy: a peer of the gateway, and an independent front end of two vendors.

use crate::process::{Running, free_port};
use crate::python::Environment;

/// Pinned, so that figures are comparable.
const PACKAGE: &str = "litellm[proxy]==1.106.2";
/// Its API key.
pub(crate) const KEY: &str = "sk-bench";

/// An entry of its `model_list`: a name, and further parameters after `model`.
pub(crate) fn model(name: &str, model: &str, parameters: &str) -> String {
    format!(
        "  - model_name: {name}\n    litellm_params:\n      model: {model}\n      api_key: none\n      {parameters}\n"
    )
}

/// Installs and starts the proxy with these models, given as the lines of its `model_list`.
pub(crate) fn start(models: &str) -> anyhow::Result<Running> {
    let folder = tempfile::tempdir()?;
    let environment = Environment::with(folder.path(), &[PACKAGE])?;
    let settings = format!(
        "model_list:\n{models}general_settings:\n  master_key: {KEY}\nlitellm_settings:\n  telemetry: false\n"
    );
    let file = folder.path().join("litellm.yaml");
    std::fs::write(&file, settings)?;
    let port = free_port()?;
    let mut command = environment.program("litellm");
    command
        .arg("--config")
        .arg(&file)
        .args(["--host", "127.0.0.1", "--port", &port.to_string(), "--num_workers", "1"])
        .env("LITELLM_LOCAL_MODEL_COST_MAP", "True")
        .env("LITELLM_LOG", "ERROR");
    Running::start(command, port, folder)
}
