//! `formwork kb`: knowledge bases.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context as _, bail};
use clap::Subcommand;
use serde_json::{Value, json};

use super::connection::Connection;
use super::groups::{GroupBy, groups};
use super::{segment, tell, text};
use crate::cli::print;

/// Pause between two looks at a file that is being read.
const PAUSE: Duration = Duration::from_millis(200);

/// What is done with knowledge bases.
#[derive(Debug, Subcommand)]
pub(crate) enum KnowledgeCommand {
    /// List the newest knowledge bases
    List,
    /// Create a knowledge base and print its id
    Create {
        /// What people call it
        name: String,
    },
    /// Add documents, and wait until they can be found
    Add {
        /// Id of the knowledge base
        base: String,
        /// Documents, and folders with everything below them
        #[arg(required = true, value_name = "FILE")]
        files: Vec<PathBuf>,
    },
    /// Print the passages that answer a query best
    Search {
        /// Id of the knowledge base
        base: String,
        /// What to look for
        query: String,
        /// Maximum number of passages
        #[arg(long, default_value_t = 5)]
        limit: u32,
        /// Print the answer as JSON
        #[arg(long)]
        json: bool,
    },
}

impl KnowledgeCommand {
    /// # Errors
    /// When a file cannot be read, or the server refuses a request.
    pub(super) async fn run(self, connection: &Connection) -> anyhow::Result<()> {
        match self {
            Self::List => {
                let bases = connection.rows("/v1/knowledgebases?limit=100", "knowledgebases").await?;
                let line = |base: &Value| {
                    format!(
                        "{}  {} files  {}\n",
                        text(base, "knowledgeId"),
                        base["files"],
                        text(base, "name")
                    )
                };
                print(&bases.iter().map(line).collect::<String>())
            }
            Self::Create { name } => {
                let base = connection.post("/v1/knowledgebase", &json!({"name": name})).await?;
                print(&format!("{}\n", base["knowledgeId"].as_str().context("the server names no base")?))
            }
            Self::Add { base, files } => add(connection, &base, &files).await,
            Self::Search { base, query, limit, json } => {
                let path = format!("/v1/knowledgebase/{}/search", segment(&base));
                let answer = connection.post(&path, &json!({"query": query, "limit": limit})).await?;
                print(&if json {
                    format!("{}\n", serde_json::to_string_pretty(&answer)?)
                } else {
                    passages(&answer)
                })
            }
        }
    }
}

/// Adds one file after the other, then waits for all.
async fn add(connection: &Connection, base: &str, files: &[PathBuf]) -> anyhow::Result<()> {
    let path = format!("/v1/knowledgebase/{}/files", segment(base));
    let mut items = Vec::new();
    for file in groups(files, None, GroupBy::All)?.into_iter().flatten() {
        let answer = connection.upload(&path, &file).await?;
        let id = answer["files"][0]["id"].as_str().context("the server names no file")?.to_owned();
        items.push((file, id));
    }
    let mut failed = 0;
    for (file, id) in &items {
        let item = settled(connection, id).await?;
        if item["status"] != "ready" {
            failed += 1;
            let why =
                item["error"]["message"].as_str().or(item["error"].as_str()).unwrap_or("it cannot be read");
            tell(&format!("{}: {why}", file.display()));
        }
    }
    print(&format!("{} of {} files were added\n", items.len() - failed, items.len()))?;
    if failed > 0 {
        bail!("{failed} files were not added");
    }
    Ok(())
}

/// The file when it has been read, or cannot be.
async fn settled(connection: &Connection, id: &str) -> anyhow::Result<Value> {
    loop {
        let item = connection.get(&format!("/v1/knowledgebase/files/{}", segment(id))).await?;
        if !matches!(item["status"].as_str(), Some("queued" | "processing")) {
            return Ok(item);
        }
        tokio::time::sleep(PAUSE).await;
    }
}

/// The passages for people: source, page and text.
fn passages(answer: &Value) -> String {
    let passages = answer["results"].as_array().into_iter().flatten().map(|hit| {
        let page = hit["page"].as_u64().map(|page| format!(", page {page}")).unwrap_or_default();
        format!(
            "== {}{page} ({:.2})\n{}\n\n",
            text(hit, "title"),
            hit["score"].as_f64().unwrap_or_default(),
            text(hit, "text").trim()
        )
    });
    passages.collect()
}
