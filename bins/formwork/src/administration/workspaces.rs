//! The sub-commands for workspaces.

use clap::Subcommand;

use super::Administration;

#[derive(Debug, Subcommand)]
pub(crate) enum Workspaces {
    /// List workspaces with their ids, the oldest first; its owners administer the server
    List,
    /// Give a workspace another name
    Rename {
        /// Name or id of the workspace; not needed if there is only one
        #[arg(long)]
        workspace: Option<String>,
        /// 1 to 255 characters
        #[arg(long)]
        name: String,
    },
}

impl Workspaces {
    /// Runs the sub-command. Returns what it prints.
    pub(crate) async fn run(self, by: &Administration) -> anyhow::Result<String> {
        let shown = match self {
            Self::List => by.accounts.workspaces().await?,
            Self::Rename { workspace, name } => {
                let id = by.workspace(workspace.as_deref()).await?.id;
                let rename = by.accounts.rename_workspace(&id, &name);
                vec![by.record(&id, "workspaces rename", "", rename).await?]
            }
        };
        Ok(shown.iter().map(|workspace| format!("{}\t{}\n", workspace.id.0, workspace.name)).collect())
    }
}
