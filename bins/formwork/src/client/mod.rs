//! The commands that use the HTTP interface: of a running server, or of one that serves this command alone.

mod agents;
mod chat;
mod checkpoint;
mod connection;
mod eval;
mod extract;
mod form_diff;
mod forms;
mod groups;
mod knowledge;
mod own_server;
mod reviews;
mod runs;
pub(crate) mod templates;
mod watch;

use std::io::Write as _;
use std::process::ExitCode;

use anyhow::Context as _;
use clap::Subcommand;
use serde_json::Value;

use crate::settings::Settings;
use connection::{Connection, ServerFlags};

/// The commands, each with its server.
#[derive(Debug, Subcommand)]
pub(crate) enum ClientCommand {
    /// Extract a record from each document, with a form
    #[command(after_help = extract::EXAMPLES)]
    Extract {
        #[command(flatten)]
        command: extract::ExtractCommand,
        #[command(flatten)]
        server: ServerFlags,
    },
    /// Hold a conversation with an agent
    Chat {
        #[command(flatten)]
        command: chat::ChatCommand,
        #[command(flatten)]
        server: ServerFlags,
    },
    /// Runs of an agent: list, watch, retry, cancel, export
    Runs {
        #[command(subcommand)]
        command: runs::RunsCommand,
        #[command(flatten)]
        server: ServerFlags,
    },
    /// Evaluate an agent over a set of documents with true records
    #[command(after_help = eval::EXAMPLES)]
    Eval {
        #[command(flatten)]
        command: eval::EvalCommand,
        #[command(flatten)]
        server: ServerFlags,
    },
    /// Reviews of doubtful values: list, decide
    Reviews {
        #[command(subcommand)]
        command: reviews::ReviewsCommand,
        #[command(flatten)]
        server: ServerFlags,
    },
    /// Forms: list, import, export, versions, publish
    Forms {
        #[command(subcommand)]
        command: forms::FormsCommand,
        #[command(flatten)]
        server: ServerFlags,
    },
    /// Agents: list, create
    Agents {
        #[command(subcommand)]
        command: agents::AgentsCommand,
        #[command(flatten)]
        server: ServerFlags,
    },
    /// Knowledge bases: list, create, add, search
    Kb {
        #[command(subcommand)]
        command: knowledge::KnowledgeCommand,
        #[command(flatten)]
        server: ServerFlags,
    },
}

impl ClientCommand {
    fn server(&self) -> &ServerFlags {
        match self {
            Self::Extract { server, .. }
            | Self::Chat { server, .. }
            | Self::Runs { server, .. }
            | Self::Eval { server, .. }
            | Self::Reviews { server, .. }
            | Self::Forms { server, .. }
            | Self::Agents { server, .. }
            | Self::Kb { server, .. } => server,
        }
    }

    async fn execute(self, connection: &Connection) -> anyhow::Result<ExitCode> {
        match self {
            Self::Extract { command, .. } => return command.run(connection).await,
            Self::Runs { command, .. } => return command.run(connection).await,
            Self::Eval { command, .. } => return command.run(connection).await,
            Self::Chat { command, .. } => command.run(connection).await?,
            Self::Reviews { command, .. } => command.run(connection).await?,
            Self::Forms { command, .. } => command.run(connection).await?,
            Self::Agents { command, .. } => command.run(connection).await?,
            Self::Kb { command, .. } => command.run(connection).await?,
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// Runs a command.
///
/// # Errors
/// One sentence for the user.
pub(crate) fn run(command: ClientCommand, settings: Settings) -> anyhow::Result<ExitCode> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .context("the runtime cannot be started")?;
    runtime.block_on(async {
        let connection = Connection::open(command.server(), settings).await?;
        let done = command.execute(&connection).await;
        connection.close().await;
        done
    })
}

/// Writes a line to standard error; a closed one is ignored.
fn tell(line: &str) {
    let _closed = writeln!(std::io::stderr().lock(), "{line}");
}

/// The text of a key; empty where there is none.
fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value[key].as_str().unwrap_or_default()
}

/// A name as one segment of a path.
fn segment(name: &str) -> impl std::fmt::Display {
    percent_encoding::utf8_percent_encode(name, percent_encoding::NON_ALPHANUMERIC)
}
