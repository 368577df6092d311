//! The command line.

use std::io::Write as _;
use std::process::ExitCode;

use anyhow::Context as _;
use clap::{CommandFactory as _, Parser, Subcommand};
use secrecy::ExposeSecret as _;

use crate::administration::{Administration, Keys, Quotas, Users, Workspaces};
use crate::backup::BackupCommand;
use crate::client::templates::TemplatesCommand;
use crate::client::{self, ClientCommand};
use crate::http::openapi;
use crate::manual::{COMPLETION_EXAMPLES, CompletionCommand, MANUAL_EXAMPLES, ManualCommand};
use crate::mcp_stdio::{self, McpCommand};
use crate::models::{self, ModelsCommand};
use crate::parse::{self, ParseCommand};
use crate::serve::Server;
use crate::settings::{Flags, Settings, load, reference_markdown};
use crate::shutdown::StopSignals;
use crate::traces::Traces;
use crate::{database, log};

/// The backend for AI agents in one binary.
#[derive(Debug, Parser)]
#[command(name = "formwork", version, about)]
pub struct Cli {
    #[command(flatten)]
    flags: Flags,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Serve the HTTP interface (the default without a sub-command)
    Serve,
    /// Apply pending database migrations and exit
    Migrate,
    /// Print the effective settings, with passwords redacted
    Config {
        /// Print the reference of all settings instead
        #[arg(long)]
        reference: bool,
    },
    /// Print the OpenAPI 3.1 document of the HTTP interface
    Openapi,
    /// Serve the Model Context Protocol on standard input and output
    Mcp(McpCommand),
    /// Print documents as Markdown, JSON, tables or text, without a server
    Parse(ParseCommand),
    /// List the available models, or install embedding models that run in the server: add, remove
    Models {
        #[command(subcommand)]
        command: Option<ModelsCommand>,
    },
    /// Check everything that the server needs to run
    Doctor {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Ask the running server whether it is ready
    Health,
    /// Rebuild the search index of knowledge bases
    Reindex,
    #[command(flatten)]
    Client(ClientCommand),
    /// Ready forms of common documents: list, show
    #[command(subcommand)]
    Templates(TemplatesCommand),
    #[command(flatten)]
    Backup(BackupCommand),
    /// Workspaces
    #[command(subcommand)]
    Workspaces(Workspaces),
    /// Users of the workspaces
    #[command(subcommand)]
    Users(Users),
    /// API keys
    #[command(subcommand)]
    Keys(Keys),
    /// Quotas of the workspaces: files, bytes, chunks and groups
    #[command(subcommand)]
    Quotas(Quotas),
    /// Print the script that completes commands and options in a shell
    #[command(after_help = COMPLETION_EXAMPLES)]
    Completion(CompletionCommand),
    /// Print a manual page, or write all of them
    #[command(after_help = MANUAL_EXAMPLES)]
    Man(ManualCommand),
}

/// Runs the command line.
///
/// # Errors
/// One sentence for the operator.
pub fn run() -> anyhow::Result<ExitCode> {
    let cli = Cli::parse();
    // Before the mask: manual pages are for everyone.
    if let Some(Command::Man(command)) = &cli.command {
        return print(&command.run(Cli::command())?).map(|()| ExitCode::SUCCESS);
    }
    // What this process stores is nobody else's: folders get the mode 0700, files 0600.
    rustix::process::umask(rustix::fs::Mode::from_raw_mode(0o077));
    if let Some(Command::Doctor { json }) = cli.command {
        return doctor(&cli.flags, json);
    }
    execute(cli)
}

fn execute(cli: Cli) -> anyhow::Result<ExitCode> {
    let command = match cli.command {
        Some(Command::Config { reference: true }) => {
            return print(&reference_markdown()).map(|()| ExitCode::SUCCESS);
        }
        Some(Command::Templates(command)) => return print(&command.run()?).map(|()| ExitCode::SUCCESS),
        Some(Command::Completion(command)) => {
            return print(&command.run(Cli::command())?).map(|()| ExitCode::SUCCESS);
        }
        command => command,
    };
    let settings = load(&cli.flags)?;
    let done = match command {
        Some(Command::Parse(command)) => return parse::run(command, &settings),
        Some(Command::Client(command)) => return client::run(command, settings),
        Some(Command::Mcp(command)) => mcp_stdio::run(command, settings),
        None | Some(Command::Serve) => serve(settings),
        Some(Command::Openapi) => print(&openapi::document_text()),
        // Done before the settings are read.
        Some(Command::Doctor { .. } | Command::Templates(_) | Command::Completion(_) | Command::Man(_)) => {
            Ok(())
        }
        Some(Command::Config { .. }) => print(&settings.to_toml()?),
        Some(Command::Migrate) => migrate(&settings),
        Some(Command::Health) => crate::health::ask(&settings).and_then(|answer| print(&answer)),
        Some(Command::Models { command }) => models::run(command, &settings).and_then(|told| print(&told)),
        Some(Command::Reindex) => reindexed(&settings),
        Some(Command::Backup(command)) => command.run(&settings).and_then(|done| print(&done)),
        Some(Command::Workspaces(command)) => administer(&settings, async |by| command.run(by).await),
        Some(Command::Users(command)) => administer(&settings, async |by| command.run(by).await),
        Some(Command::Quotas(command)) => administer(&settings, async |by| command.run(by).await),
        Some(Command::Keys(command)) => administer(&settings, async |by| command.run(by).await),
    };
    done.map(|()| ExitCode::SUCCESS)
}

/// Exits with a failure when the server could not serve.
fn doctor(flags: &Flags, json: bool) -> anyhow::Result<ExitCode> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .context("the runtime cannot be started")?;
    let settings = load(flags);
    let report = runtime.block_on(crate::doctor::examine(settings.as_ref()));
    let text = if json { serde_json::to_string_pretty(&report)? + "\n" } else { report.text() };
    print(&text)?;
    Ok(if report.ok { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Prints a text on standard output.
pub(crate) fn print(text: &str) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush().context("standard output is closed")
}

fn serve(settings: Settings) -> anyhow::Result<()> {
    let runtime = crate::serve::runtime()?;
    let traces = Traces::start(&settings.traces, runtime.handle().clone())?;
    log::start(&settings.log, traces.as_ref())?;
    for warning in &settings.warnings {
        tracing::warn!("{warning}");
    }
    runtime.block_on(async {
        let served = run_server(settings).await;
        if let Some(traces) = traces {
            traces.end().await;
        }
        served
    })
}

async fn run_server(settings: Settings) -> anyhow::Result<()> {
    let signals = StopSignals::listen()?;
    let key_file = settings.data_dir.join("first-key");
    let server = Server::build(settings).await?;
    let mut text = format!("formwork is listening on {}\n", server.public_url);
    if let Some(issued) = &server.first_key {
        text.push_str(&format!("API key (shown once): {}\n", issued.secret.expose_secret()));
        text.push_str(&format!("The key is also in {}.\n", key_file.display()));
        text.push_str(&format!("Reference and examples: {}/docs\n", server.public_url));
    }
    print(&text)?;
    server.run(Some(signals), |_| crate::service_manager::tell_ready()).await
}

fn migrate(settings: &Settings) -> anyhow::Result<()> {
    let applied = store_diesel::Database::migrate(&settings.database_url())?;
    if applied.is_empty() {
        return print("The database is up to date.\n");
    }
    print(&format!("Applied: {}\n", applied.join(", ")))
}

fn reindexed(settings: &Settings) -> anyhow::Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(crate::settings::threads(0))
        .enable_all()
        .build()
        .context("the runtime cannot be started")?;
    // Progress is not a result: a closed output does not stop the work.
    let tell = |text: &str| print(text).unwrap_or_default();
    print(&runtime.block_on(crate::reindex::run(settings, tell))?)
}

fn administer(
    settings: &Settings,
    work: impl AsyncFnOnce(&Administration) -> anyhow::Result<String>,
) -> anyhow::Result<()> {
    let database = database::open(settings)?;
    let runtime =
        tokio::runtime::Builder::new_current_thread().build().context("the runtime cannot be started")?;
    let result = runtime.block_on(work(&Administration::new(&database, settings.audit.days)));
    database.close();
    print(&result?)
}
