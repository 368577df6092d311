//! The command line.

use std::collections::HashMap;
use std::io::Write as _;
use std::process::ExitCode;

use accounts_core::usage::{Group, Grouping, Totals, UsageService};
use accounts_core::{AccountsService, KeyScope, NewKey, NewWorkspace, User, Workspace};
use anyhow::Context as _;
use clap::{Parser, Subcommand, ValueEnum};
use secrecy::ExposeSecret as _;
use shared_core::{Scope, Timestamp, UserId};
use tracing_subscriber::EnvFilter;

use crate::backup::BackupCommand;
use crate::http::openapi;
use crate::limit_flags::LimitFlags;
use crate::parse::{self, ParseCommand};
use crate::serve::Server;
use crate::settings::{Flags, LogFormat, Settings, load, reference_markdown};
use crate::shutdown::StopSignals;
use crate::{app, database};

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
    /// Print documents as Markdown, JSON, tables or text, without a server
    Parse(ParseCommand),
    /// List the available models
    Models,
    /// Check everything that the server needs to run
    Doctor {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Rebuild the search index of knowledge bases
    Reindex,
    #[command(flatten)]
    Backup(BackupCommand),
    /// Users of the workspaces
    #[command(subcommand)]
    Users(Users),
    /// API keys
    #[command(subcommand)]
    Keys(Keys),
}

#[derive(Debug, Subcommand)]
enum Users {
    /// List users
    List,
    /// Create a user in the first workspace or in a new one
    Create {
        /// Display name
        #[arg(long)]
        name: String,
        /// E-mail address
        #[arg(long)]
        email: String,
        /// Create a new workspace of this name for the user
        #[arg(long)]
        new_workspace: Option<String>,
    },
}

#[derive(Debug, Subcommand)]
enum Keys {
    /// List keys
    List,
    /// Create a key; its secret is printed once
    Create {
        /// E-mail address of the user that the key acts as (default: the first user)
        #[arg(long)]
        email: Option<String>,
        /// Name of the key
        #[arg(long, default_value = "key")]
        name: String,
        /// Permission of the key
        #[arg(long, value_enum, default_value_t = ScopeFlag::Write)]
        scope: ScopeFlag,
        /// Days until the key expires, at most a hundred years
        #[arg(long, value_parser = clap::value_parser!(u32).range(0..=36_525))]
        days: Option<u32>,
        #[command(flatten)]
        limits: LimitFlags,
    },
    /// Revoke a key by its prefix or id
    Revoke {
        /// Prefix (fw_ and eight characters) or id
        key: String,
    },
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum ScopeFlag {
    Read,
    Write,
}

/// Runs the command line.
///
/// # Errors
/// One sentence for the operator.
pub fn run() -> anyhow::Result<ExitCode> {
    let cli = Cli::parse();
    // What this process stores is nobody else's: folders get the mode 0700, files 0600.
    rustix::process::umask(rustix::fs::Mode::from_raw_mode(0o077));
    if let Some(Command::Doctor { json }) = cli.command {
        return doctor(&cli.flags, json);
    }
    execute(cli)
}

fn execute(cli: Cli) -> anyhow::Result<ExitCode> {
    if let Some(Command::Config { reference: true }) = cli.command {
        return print(&reference_markdown()).map(|()| ExitCode::SUCCESS);
    }
    let settings = load(&cli.flags)?;
    let done = match cli.command {
        Some(Command::Parse(command)) => return parse::run(command, &settings),
        None | Some(Command::Serve) => serve(settings),
        Some(Command::Openapi) => print(&openapi::document_text()),
        // Handled before the settings are read.
        Some(Command::Doctor { .. }) => Ok(()),
        Some(Command::Config { .. }) => print(&settings.to_toml()?),
        Some(Command::Migrate) => migrate(&settings),
        Some(Command::Models) => models(&settings),
        Some(Command::Reindex) => reindexed(&settings),
        Some(Command::Backup(command)) => command.run(&settings).and_then(|done| print(&done)),
        Some(Command::Users(command)) => {
            with_accounts(&settings, async |accounts, _| users(accounts, command).await)
        }
        Some(Command::Keys(command)) => {
            with_accounts(&settings, async |accounts, usage| keys(accounts, usage, command).await)
        }
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

fn print(text: &str) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush().context("standard output is closed")
}

fn start_log(settings: &Settings) -> anyhow::Result<()> {
    let mut filter = EnvFilter::try_new(&settings.log.level).context("the setting log.level is not valid")?;
    if !settings.log.level.contains("actix") {
        // The HTTP library logs every malformed request as an error, so any client could fill the log.
        for quiet in ["actix_http::h1::dispatcher=off", "actix_server=warn"] {
            filter = filter.add_directive(quiet.parse().context("a directive of the log")?);
        }
    }
    let builder = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr);
    match settings.log.format {
        LogFormat::Text => builder.with_ansi(false).init(),
        LogFormat::Json => builder.json().init(),
    }
    Ok(())
}

fn serve(settings: Settings) -> anyhow::Result<()> {
    start_log(&settings)?;
    for warning in &settings.warnings {
        tracing::warn!("{warning}");
    }
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(crate::settings::threads(0))
        .max_blocking_threads(16)
        .enable_all()
        .build()
        .context("the runtime cannot be started")?;
    runtime.block_on(async {
        let signals = StopSignals::listen()?;
        let server = Server::build(settings).await?;
        let mut text = format!("formwork is listening on {}\n", server.public_url);
        if let Some(issued) = &server.first_key {
            text.push_str(&format!("API key (shown once): {}\n", issued.secret.expose_secret()));
        }
        print(&text)?;
        server.run(Some(signals), |_| ()).await
    })
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

/// Prints one model per line: its id, its input and output, and its context size.
fn models(settings: &Settings) -> anyhow::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .context("the runtime cannot be started")?;
    let generation = app::generation(settings)?;
    let lines = runtime.block_on(generation.models()).into_iter().map(|model| {
        let window = model.context_tokens.map(|tokens| format!("  {tokens} tokens")).unwrap_or_default();
        format!("{}  {}{window}\n", model.id, model.kind.id())
    });
    print(&lines.collect::<String>())
}

fn with_accounts(
    settings: &Settings,
    work: impl AsyncFnOnce(AccountsService, UsageService) -> anyhow::Result<String>,
) -> anyhow::Result<()> {
    let database = database::open(settings)?;
    let runtime =
        tokio::runtime::Builder::new_current_thread().build().context("the runtime cannot be started")?;
    let result = runtime.block_on(work(app::accounts(&database), app::usage(&database)));
    database.close();
    print(&result?)
}

/// The users of all workspaces with the name of their workspace, oldest first.
async fn list_all_users(accounts: &AccountsService) -> anyhow::Result<Vec<(String, User)>> {
    let mut all = Vec::new();
    for workspace in accounts.workspaces().await? {
        for user in accounts.users(&workspace.id).await? {
            all.push((workspace.name.clone(), user));
        }
    }
    Ok(all)
}

async fn users(accounts: AccountsService, command: Users) -> anyhow::Result<String> {
    let told = |workspace: &str, user: &User| format!("{}\t{}\t{workspace}\n", user.email, user.name);
    match command {
        Users::List => Ok(list_all_users(&accounts)
            .await?
            .iter()
            .map(|(workspace, user)| told(workspace, user))
            .collect()),
        Users::Create { name, email, new_workspace: Some(workspace) } => {
            let first = NewWorkspace { workspace, user_name: name, user_email: email };
            let (workspace, user) = accounts.add_workspace(first).await?;
            Ok(told(&workspace.name, &user))
        }
        Users::Create { name, email, new_workspace: None } => {
            let workspace =
                accounts.workspaces().await?.into_iter().next().context("there is no workspace yet")?;
            let user = accounts.add_user(&workspace.id, &name, &email).await?;
            Ok(told(&workspace.name, &user))
        }
    }
}

async fn keys(accounts: AccountsService, usage: UsageService, command: Keys) -> anyhow::Result<String> {
    match command {
        Keys::List => list_keys(&accounts, &usage).await,
        Keys::Create { email, name, scope, days, limits } => {
            let found = list_all_users(&accounts)
                .await?
                .into_iter()
                .find(|(_, user)| email.as_ref().is_none_or(|email| *email == user.email));
            let (_, user) = found.context("there is no such user")?;
            let owner = Scope { workspace: user.workspace, user: user.id };
            let scope = match scope {
                ScopeFlag::Read => KeyScope::Read,
                ScopeFlag::Write => KeyScope::Write,
            };
            let now = shared_core::Clock::now(&shared_core::SystemClock);
            let expires = days.map(|days| now.plus_seconds(i64::from(days) * 86_400));
            let new = NewKey { name, scope, expires, limits: limits.into() };
            let issued = accounts.issue_key(&owner, new).await?;
            Ok(format!("{}\n", issued.secret.expose_secret()))
        }
        Keys::Revoke { key } => {
            for workspace in accounts.workspaces().await? {
                if accounts.revoke_key(&workspace.id, &key).await.is_ok() {
                    return Ok(format!("{key} was revoked.\n"));
                }
            }
            anyhow::bail!("there is no valid key '{key}'")
        }
    }
}

async fn list_keys(accounts: &AccountsService, usage: &UsageService) -> anyhow::Result<String> {
    let mut text = String::new();
    for workspace in accounts.workspaces().await? {
        let today = today(usage, &workspace).await?;
        for key in accounts.keys(&workspace.id).await? {
            let scope = match key.scope {
                KeyScope::Read => "read",
                KeyScope::Write => "write",
            };
            let state = match (key.revoked, key.expires) {
                (Some(_), _) => "revoked".to_owned(),
                (None, Some(end)) => format!("until {}", Timestamp::record_text(end)),
                (None, None) => "valid".to_owned(),
            };
            let used =
                key.last_used.map_or("never used".to_owned(), |last| format!("used {}", last.record_text()));
            let limits = key.limits.descriptions().join(", ");
            let limits = if limits.is_empty() { "no limits".to_owned() } else { limits };
            let spent = today.get(&key.id).map_or("nothing today".to_owned(), usage_line);
            text.push_str(&format!(
                "{}\t{scope}\t{state}\t{used}\t{}\t{}\t{limits}\t{spent}\n",
                key.prefix, workspace.name, key.name
            ));
        }
    }
    Ok(text)
}

/// Today's usage (UTC) of each key of a workspace.
async fn today(usage: &UsageService, workspace: &Workspace) -> anyhow::Result<HashMap<String, Totals>> {
    let mut query = usage.query(None, None, Grouping::Key)?;
    query.from = query.to;
    // The report covers the workspace; the user is not used.
    let scope = Scope { workspace: workspace.id.clone(), user: UserId(String::new()) };
    let rows = usage.report(&scope, &query).await?.rows;
    let by_key = rows.into_iter().filter_map(|row| match row.group {
        Group::Key(Some(id)) => Some((id, row.totals)),
        _ => None,
    });
    Ok(by_key.collect())
}

fn usage_line(totals: &Totals) -> String {
    let cost =
        totals.whole_cost().map_or("at an unknown price".to_owned(), |cost| format!("{cost} US dollars"));
    format!("today {} requests, {} tokens, {cost}", totals.requests, totals.tokens.total())
}
