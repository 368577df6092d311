//! `formwork mcp`: the Model Context Protocol on standard input and output. It passes each message to a server: one
//! that runs elsewhere, or one of its own on the data folder.

mod bridge;
mod standard_streams;
mod upstream;

use std::path::PathBuf;

use anyhow::Context as _;
use clap::Args;
use secrecy::{ExposeSecret as _, SecretString};
use tokio::sync::oneshot;

use crate::log;
use crate::serve::{self, Server};
use crate::settings::Settings;
use upstream::Upstream;

/// How a client starts it.
const EXAMPLE: &str = r#"Configuration of a client, for a server that runs elsewhere:

  {"mcpServers": {"formwork": {
    "command": "formwork",
    "args": ["mcp", "--url", "https://forms.example.com"],
    "env": {"FORMWORK_KEY": "fw_…"}
  }}}

And for a data folder on this machine, which no other server uses:

  {"mcpServers": {"formwork": {
    "command": "formwork",
    "args": ["mcp", "--data-dir", "/home/me/formwork-data"]
  }}}"#;

/// Arguments of `formwork mcp`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLE)]
pub(crate) struct McpCommand {
    /// URL of a running server (default: a server of its own on the data folder)
    #[arg(long, value_name = "URL")]
    url: Option<String>,
    /// API key; arguments are visible to other users of the machine, the variable is not
    #[arg(long, env = "FORMWORK_KEY", hide_env_values = true, value_name = "KEY")]
    key: Option<SecretString>,
    /// File with the API key (default: first-key in the data folder)
    #[arg(long, value_name = "FILE", conflicts_with = "key")]
    key_file: Option<PathBuf>,
}

/// Passes messages until standard input ends.
///
/// # Errors
/// One sentence for the operator.
pub(crate) fn run(command: McpCommand, settings: Settings) -> anyhow::Result<()> {
    let runtime = serve::runtime()?;
    log::start(&settings.log, None)?;
    let done = runtime.block_on(async {
        match &command.url {
            Some(url) => {
                let key = command.key(&settings, None)?;
                bridge::run(Upstream::new(url, key)?).await
            }
            None => serve_own(&command, settings).await,
        }
    });
    // A thread waits for standard input, which cannot be interrupted.
    runtime.shutdown_background();
    done
}

/// Passes messages to a server of its own.
async fn serve_own(command: &McpCommand, settings: Settings) -> anyhow::Result<()> {
    let settings = Settings { listen: ([127, 0, 0, 1], 0).into(), public_url: String::new(), ..settings };
    let server = Server::build(settings.clone())
        .await
        .context("the data folder cannot be served; --url names a server that uses it already")?;
    let first = server.first_key.as_ref().map(|issued| issued.secret.expose_secret().to_owned().into());
    let upstream = Upstream::new(&server.public_url, command.key(&settings, first)?)?;
    let (started, handle) = oneshot::channel();
    let mut serving = Box::pin(server.run(None, |handle| drop(started.send(handle))));
    tokio::select! {
        ended = &mut serving => ended?,
        passed = bridge::run(upstream) => {
            let handle = handle.await.context("the server did not start")?;
            let ((), ended) = tokio::join!(handle.stop(true), serving);
            passed.and(ended)?;
        }
    }
    Ok(())
}

impl McpCommand {
    /// The key: that of the arguments, else the one just created, else that of a file.
    fn key(&self, settings: &Settings, created: Option<SecretString>) -> anyhow::Result<SecretString> {
        if let Some(key) = self.key.clone().or(created.filter(|_| self.key_file.is_none())) {
            return Ok(key);
        }
        let file = self.key_file.clone().unwrap_or_else(|| settings.data_dir.join("first-key"));
        let text = std::fs::read_to_string(&file).with_context(|| {
            format!("there is no API key: set FORMWORK_KEY; the file {} cannot be read", file.display())
        })?;
        Ok(text.trim().to_owned().into())
    }
}
