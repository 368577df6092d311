//! `formwork runs`: the runs of an agent.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, bail};
use clap::{Args, Subcommand, ValueEnum};
use futures_util::TryStreamExt as _;
use serde_json::{Value, json};

use super::connection::Connection;
use super::watch::{failures, run_path, watch};
use super::{segment, tell, text};
use crate::cli::print;

/// What is done with runs.
#[derive(Debug, Subcommand)]
pub(crate) enum RunsCommand {
    /// List the newest runs of an agent
    List {
        /// Namespace of the agent
        agent: String,
    },
    /// Follow a run to its end
    Watch(RunName),
    /// Repeat the failed groups of a run, and follow it
    Retry(RunName),
    /// Cancel a run; finished groups keep their records
    Cancel(RunName),
    /// Write the records of a run
    Export {
        #[command(flatten)]
        run: RunName,
        /// Write to this file; its extension selects xlsx, csv, jsonl or json (default: JSON lines on standard
        /// output)
        #[arg(long, short, value_name = "FILE")]
        output: Option<PathBuf>,
        /// Add the evidence of each value
        #[arg(long)]
        evidence: bool,
    },
}

/// Which run is meant.
#[derive(Debug, Args)]
pub(crate) struct RunName {
    /// Namespace of the agent
    agent: String,
    /// Number of the run
    sid: i64,
}

impl RunsCommand {
    /// The exit code is 1 when the run that was followed did not succeed.
    ///
    /// # Errors
    /// When the server refuses a request, or a file cannot be written.
    pub(super) async fn run(self, connection: &Connection) -> anyhow::Result<ExitCode> {
        match self {
            Self::List { agent } => list(connection, &agent).await?,
            Self::Watch(run) => return follow(connection, &run).await,
            Self::Retry(run) => {
                connection.post(&format!("{}/retry", run_path(&run.agent, run.sid)), &json!({})).await?;
                return follow(connection, &run).await;
            }
            Self::Cancel(run) => {
                let cancelled = connection.delete(&run_path(&run.agent, run.sid)).await?;
                print(&format!("{}\n", cancelled["message"].as_str().unwrap_or("The run was cancelled.")))?;
            }
            Self::Export { run, output, evidence } => {
                let format = output.as_deref().map_or(Ok(ExportFormat::Jsonl), ExportFormat::of_file)?;
                export(connection, &run.agent, run.sid, format, evidence, output.as_deref()).await?;
            }
        }
        Ok(ExitCode::SUCCESS)
    }
}

async fn list(connection: &Connection, agent: &str) -> anyhow::Result<()> {
    let path = format!("/v1/agent/{}/workflow/delta/runs", segment(agent));
    let runs = connection.rows(&path, "runs").await?;
    let line = |run: &Value| {
        let (sid, done, total) = (&run["sid"], &run["successful"], &run["total"]);
        let mode = if run["mode"] == "batch" { "  batch" } else { "" };
        format!(
            "{sid}  {}  {:13}  {done} of {total}{mode}\n",
            text(run, "created_timestamp"),
            text(run, "state")
        )
    };
    print(&runs.iter().map(line).collect::<String>())
}

async fn follow(connection: &Connection, name: &RunName) -> anyhow::Result<ExitCode> {
    let run = watch(connection, &name.agent, name.sid).await?;
    let state = run["state"].as_str().unwrap_or_default();
    print(&format!("{state}: {} of {} groups\n", run["successful"], run["total"]))?;
    if state == "succeeded" {
        return Ok(ExitCode::SUCCESS);
    }
    for (index, message) in failures(connection, &name.agent, name.sid).await? {
        tell(&format!("group {index}: {message}"));
    }
    Ok(ExitCode::FAILURE)
}

/// What the server writes records as.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum ExportFormat {
    Xlsx,
    Csv,
    Jsonl,
    Json,
}

impl ExportFormat {
    /// By the extension of a file's name.
    pub(super) fn of_file(file: &Path) -> anyhow::Result<Self> {
        let extension = file.extension().unwrap_or_default().to_string_lossy();
        <Self as ValueEnum>::from_str(&extension, true)
            .ok()
            .with_context(|| format!("{} must end in .xlsx, .csv, .jsonl or .json", file.display()))
    }

    fn name(self) -> &'static str {
        match self {
            Self::Xlsx => "xlsx",
            Self::Csv => "csv",
            Self::Jsonl => "jsonl",
            Self::Json => "json",
        }
    }
}

/// Writes the records of a run with the names of their documents to a file, complete or not at all, or prints them.
///
/// # Errors
/// When they cannot be read, or written.
pub(super) async fn export(
    connection: &Connection,
    namespace: &str,
    sid: i64,
    format: ExportFormat,
    evidence: bool,
    output: Option<&Path>,
) -> anyhow::Result<()> {
    let (namespace, format) = (segment(namespace), format.name());
    let path = format!(
        "/v1/agent/{namespace}/workflow/delta?sid={sid}&format={format}&evidence={evidence}&meta=true"
    );
    let mut answer = connection.download(&path).await?;
    let Some(output) = output else {
        while let Some(piece) = answer.try_next().await? {
            std::io::stdout().lock().write_all(&piece).context("standard output is closed")?;
        }
        return Ok(());
    };
    let shown = || format!("{} cannot be written", output.display());
    let folder = output.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if !folder.is_dir() {
        bail!("{} is not a folder", folder.display());
    }
    let mut file = tempfile::NamedTempFile::new_in(folder).with_context(shown)?;
    while let Some(piece) = answer.try_next().await? {
        file.write_all(&piece).with_context(shown)?;
    }
    file.persist(output).map(drop).with_context(shown)
}
