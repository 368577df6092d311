//! `formwork extract`: records from files, with a form.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context as _;
use clap::Args;
use futures_util::{StreamExt as _, TryStreamExt as _, stream};
use serde_json::{Value, json};

use super::checkpoint::{self, Checkpoint};
use super::connection::Connection;
use super::groups::{GroupBy, groups};
use super::runs::{ExportFormat, export};
use super::{agents, forms, segment, watch};

/// Examples for `--help`.
pub(super) const EXAMPLES: &str = "Examples:
  formwork extract invoice inbox/ -o invoices.xlsx       (the template of that name)
  formwork extract invoice.json inbox/ -o invoices.xlsx
  formwork extract invoice.json inbox/ -o invoices.csv --group-by folder
  formwork extract invoice.json a.pdf b.pdf --url http://127.0.0.1:8080 > records.jsonl

With --output, an interrupted extraction continues when the same command is given again.";

/// Uploads at a time.
const UPLOADS: usize = 4;

/// Arguments of `formwork extract`.
#[derive(Debug, Args)]
pub(crate) struct ExtractCommand {
    /// The form: a JSON file with {"title": …, "schema": {…}}, the schema alone or a JSON Schema, or a template's id
    #[arg(value_name = "FORM")]
    form: PathBuf,
    /// Documents, and folders with everything below them
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Write the records to this file; its extension selects xlsx, csv, jsonl or json (default: JSON lines on
    /// standard output)
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// What makes a record
    #[arg(long, value_enum, default_value_t = GroupBy::File)]
    group_by: GroupBy,
    /// Model, such as NAME@VENDOR (default: that of the server)
    #[arg(long, value_name = "MODEL")]
    model: Option<String>,
    /// Instructions for the model
    #[arg(long, value_name = "TEXT")]
    instructions: Option<String>,
    /// Add the evidence of each value
    #[arg(long)]
    evidence: bool,
    /// Call the model in batches of its vendor, at half the price and within a day
    #[arg(long)]
    batch: bool,
}

impl ExtractCommand {
    /// Extracts and writes the records. The exit code is 1 when a group failed.
    ///
    /// # Errors
    /// When a file cannot be read or written, or the server refuses a request.
    pub(super) async fn run(self, connection: &Connection) -> anyhow::Result<ExitCode> {
        let format = self.output.as_deref().map_or(Ok(ExportFormat::Jsonl), ExportFormat::of_file)?;
        let agent = self.agent()?;
        let groups = groups(&self.files, self.output.as_deref(), self.group_by)?;
        let request = checkpoint::digest(&self.request(&agent), &groups)?;
        let earlier = match &self.output {
            Some(output) => checkpoint::read(output, connection.url.as_deref(), &request)?,
            None => None,
        };
        let Checkpoint { namespace, sid, .. } = match earlier {
            Some(earlier) => earlier,
            None => self.start(connection, &agent, &groups, request).await?,
        };
        let run = watch::watch(connection, &namespace, sid).await?;
        export(connection, &namespace, sid, format, self.evidence, self.output.as_deref()).await?;
        if let Some(output) = &self.output {
            checkpoint::remove(output);
        }
        report(connection, &namespace, &run, &groups).await
    }

    /// The agent of this extraction: one for each form, model and instructions.
    fn agent(&self) -> anyhow::Result<Value> {
        let form = forms::read(&self.form, None)?;
        Ok(json!({"form": form, "model": self.model, "instructions": self.instructions}))
    }

    /// What the extraction is asked for beside its files.
    fn request(&self, agent: &Value) -> Value {
        // Without batches as earlier versions wrote it, whose extractions continue.
        if self.batch { json!({"agent": agent, "mode": "batch"}) } else { agent.clone() }
    }

    async fn start(
        &self,
        connection: &Connection,
        agent: &Value,
        groups: &[Vec<PathBuf>],
        request: String,
    ) -> anyhow::Result<Checkpoint> {
        let namespace = ensure_agent(connection, agent).await?;
        let documents = upload(connection, groups).await?;
        let mode = if self.batch { "&mode=batch" } else { "" };
        let path = format!(
            "/v1/agent/{}/workflow/delta?async=true&evidence={}{mode}",
            segment(&namespace),
            self.evidence
        );
        let run = connection.post(&path, &documents).await?;
        let sid = run["sid"].as_i64().context("the server names no run")?;
        let checkpoint = Checkpoint { url: connection.url.clone(), namespace, sid, request };
        if let Some(output) = &self.output {
            checkpoint::write(output, &checkpoint)?;
        }
        Ok(checkpoint)
    }
}

/// Creates the agent and its form, unless an earlier extraction has.
async fn ensure_agent(connection: &Connection, agent: &Value) -> anyhow::Result<String> {
    let digest = checkpoint::digest(agent, &[])?;
    let namespace = format!("extract-{}", digest.get(..16).unwrap_or(&digest));
    if connection.find(&format!("/v1/agent/{namespace}")).await?.is_some() {
        return Ok(namespace);
    }
    let form = forms::create(connection, &agent["form"]).await?;
    let text = |key: &str| agent[key].as_str().map(str::to_owned);
    agents::create(connection, &namespace, Some(form), text("model"), text("instructions")).await?;
    Ok(namespace)
}

/// Uploads every file; the groups as a run takes them.
async fn upload(connection: &Connection, groups: &[Vec<PathBuf>]) -> anyhow::Result<Value> {
    let uploads = groups.iter().flatten().map(|file| connection.store_document(file));
    let ids: Vec<i64> = stream::iter(uploads).buffered(UPLOADS).try_collect().await?;
    let mut ids = ids.into_iter();
    let group = |files: &Vec<PathBuf>| -> Value {
        ids.by_ref().take(files.len()).map(|id| json!({"description": "", "url": id.to_string()})).collect()
    };
    Ok(groups.iter().map(group).collect())
}

/// Says on standard error what failed.
async fn report(
    connection: &Connection,
    namespace: &str,
    run: &Value,
    groups: &[Vec<PathBuf>],
) -> anyhow::Result<ExitCode> {
    let sid = run["sid"].as_i64().unwrap_or_default();
    if run["state"] == "succeeded" {
        return Ok(ExitCode::SUCCESS);
    }
    for (index, message) in watch::failures(connection, namespace, sid).await? {
        let files: Vec<String> =
            groups.get(index).into_iter().flatten().map(|file| Path::display(file).to_string()).collect();
        super::tell(&format!("{}: {message}", files.join(", ")));
    }
    let [done, total] = ["successful", "total"].map(|key| run[key].as_u64().unwrap_or_default());
    super::tell(&format!(
        "{done} of {total} records; `formwork runs retry {namespace} {sid}` repeats the others"
    ));
    Ok(ExitCode::FAILURE)
}
