//! The sub-commands for the quotas of workspaces.

use accounts_core::{Quota, QuotaChange, QuotaKind};
use clap::{Args, Subcommand};

use super::Administration;

#[derive(Debug, Subcommand)]
pub(crate) enum Quotas {
    /// List the quotas of all workspaces with what is stored
    List,
    /// Set quotas of a workspace; those that are not given stay
    Set(QuotaFlags),
}

/// Quotas of a workspace: a number, or `none` for no limit.
#[derive(Debug, Args)]
pub(crate) struct QuotaFlags {
    /// Name or id of the workspace; not needed if there is only one
    #[arg(long)]
    workspace: Option<String>,
    /// Uploaded files
    #[arg(long, value_name = "COUNT", value_parser = parse_limit)]
    files: Option<Limit>,
    /// Bytes of the contents of files, documents and thumbnails; equal contents count once
    #[arg(long, value_name = "BYTES", value_parser = parse_limit)]
    bytes: Option<Limit>,
    /// Chunks in knowledge bases
    #[arg(long, value_name = "COUNT", value_parser = parse_limit)]
    chunks: Option<Limit>,
    /// Groups of batch runs, also of those that have ended
    #[arg(long, value_name = "COUNT", value_parser = parse_limit)]
    groups: Option<Limit>,
}

/// The value of a flag.
#[derive(Clone, Copy, Debug)]
struct Limit(Option<u64>);

fn parse_limit(text: &str) -> Result<Limit, String> {
    if text == "none" {
        return Ok(Limit(None));
    }
    text.parse().map(|limit| Limit(Some(limit))).map_err(|_invalid| "give a number or 'none'".to_owned())
}

impl Quotas {
    /// Runs the sub-command. Returns what it prints.
    pub(crate) async fn run(self, by: &Administration) -> anyhow::Result<String> {
        let shown = match self {
            Self::List => by.accounts.workspaces().await?,
            Self::Set(flags) => {
                let workspace = by.workspace(flags.workspace.as_deref()).await?;
                let changes = flags.changes()?;
                let set = by.accounts.set_quotas(&workspace.id, &changes);
                by.record(&workspace.id, "quotas set", "", set).await?;
                vec![workspace]
            }
        };
        let mut text = String::new();
        for workspace in shown {
            let quotas = by.accounts.quotas(&workspace.id).await?;
            let columns: Vec<String> = quotas.iter().map(column).collect();
            text.push_str(&format!("{}\t{}\t{}\n", workspace.id.0, workspace.name, columns.join("\t")));
        }
        Ok(text)
    }
}

impl QuotaFlags {
    fn changes(&self) -> anyhow::Result<Vec<QuotaChange>> {
        let given = [
            (QuotaKind::Files, self.files),
            (QuotaKind::Bytes, self.bytes),
            (QuotaKind::Chunks, self.chunks),
            (QuotaKind::Groups, self.groups),
        ];
        let changes: Vec<QuotaChange> =
            given.into_iter().filter_map(|(kind, limit)| Some((kind, limit?.0))).collect();
        anyhow::ensure!(!changes.is_empty(), "give at least one of --files, --bytes, --chunks and --groups");
        Ok(changes)
    }
}

fn column(quota: &Quota) -> String {
    let limit = quota.limit.map_or_else(|| "no limit".to_owned(), |limit| format!("limit {limit}"));
    format!("{} {} ({limit})", quota.used, quota.kind.name())
}
