//! The sub-commands for users.

use std::io::BufRead as _;

use accounts_core::{MemberChanges, NewMember, NewWorkspace, Role, User};
use anyhow::Context as _;
use clap::{Args, Subcommand, ValueEnum};
use secrecy::SecretString;
use shared_core::InlineOffload;

use super::Administration;

#[derive(Debug, Subcommand)]
pub(crate) enum Users {
    /// List users
    List,
    /// Create a user in the first workspace, in another, or in a new one
    Create {
        /// Display name
        #[arg(long)]
        name: String,
        /// E-mail address
        #[arg(long)]
        email: String,
        /// Create a new workspace of this name for the user, who owns it
        #[arg(long, conflicts_with_all = ["workspace", "role"])]
        new_workspace: Option<String>,
        /// Name or id of the workspace (default: the first one)
        #[arg(long)]
        workspace: Option<String>,
        /// What the user may do at most
        #[arg(long, value_enum, default_value_t = RoleFlag::Member)]
        role: RoleFlag,
    },
    /// Change the role of a user
    SetRole {
        #[command(flatten)]
        user: UserFlags,
        /// What the user may do at most
        #[arg(long, value_enum)]
        role: RoleFlag,
    },
    /// Set the password of a user, read from standard input
    SetPassword {
        #[command(flatten)]
        user: UserFlags,
    },
    /// Remove a user: its keys are revoked, its password is forgotten, and what it created stays
    Remove {
        #[command(flatten)]
        user: UserFlags,
    },
}

/// Names a user.
#[derive(Debug, Args)]
pub(crate) struct UserFlags {
    /// E-mail address
    #[arg(long)]
    email: String,
    /// Name or id of the workspace; needed where several have the address
    #[arg(long)]
    workspace: Option<String>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum RoleFlag {
    Owner,
    Member,
    Viewer,
}

impl From<RoleFlag> for Role {
    fn from(flag: RoleFlag) -> Self {
        match flag {
            RoleFlag::Owner => Self::Owner,
            RoleFlag::Member => Self::Member,
            RoleFlag::Viewer => Self::Viewer,
        }
    }
}

fn line(workspace: &str, user: &User) -> String {
    format!("{}\t{}\t{workspace}\t{}\n", user.email, user.name, user.role.name())
}

impl Users {
    /// Runs the sub-command. Returns what it prints.
    pub(crate) async fn run(self, by: &Administration) -> anyhow::Result<String> {
        match self {
            Self::List => list(by).await,
            Self::Create { name, email, new_workspace: Some(workspace), .. } => {
                let first = NewWorkspace { workspace, user_name: name, user_email: email };
                let target = first.user_email.clone();
                let (workspace, user) = by.accounts.add_workspace(first).await?;
                by.record_done(&workspace.id, "users create", &target).await?;
                Ok(line(&workspace.name, &user))
            }
            Self::Create { name, email, new_workspace: None, workspace, role } => {
                let workspace = match workspace {
                    Some(_) => by.workspace(workspace.as_deref()).await?,
                    None => {
                        let first = by.accounts.workspaces().await?.into_iter().next();
                        first.context("there is no workspace yet")?
                    }
                };
                let target = email.clone();
                let new = NewMember { name, email, role: role.into() };
                let add = by.accounts.add_member(&workspace.id, new);
                let user = by.record(&workspace.id, "users create", &target, add).await?;
                Ok(line(&workspace.name, &user))
            }
            Self::SetRole { user, role } => set_role(by, &user, role.into()).await,
            Self::SetPassword { user } => set_password(by, &user).await,
            Self::Remove { user } => {
                let found = by.member(&user.email, user.workspace.as_deref()).await?;
                let remove = by.accounts.remove_member(&found.workspace, &found.id);
                by.record(&found.workspace, "users remove", &found.email, remove).await?;
                Ok(format!("{} was removed.\n", found.email))
            }
        }
    }
}

async fn list(by: &Administration) -> anyhow::Result<String> {
    let mut text = String::new();
    for workspace in by.accounts.workspaces().await? {
        for user in by.accounts.members(&workspace.id).await? {
            text.push_str(&line(&workspace.name, &user));
        }
    }
    Ok(text)
}

async fn set_role(by: &Administration, user: &UserFlags, role: Role) -> anyhow::Result<String> {
    let found = by.member(&user.email, user.workspace.as_deref()).await?;
    let changes = MemberChanges { role: Some(role), ..MemberChanges::default() };
    let update = by.accounts.update_member(&found.workspace, &found.id, changes);
    let changed = by.record(&found.workspace, "users set-role", &found.email, update).await?;
    let workspace = by.accounts.workspace(&changed.workspace).await?;
    Ok(line(&workspace.name, &changed))
}

async fn set_password(by: &Administration, user: &UserFlags) -> anyhow::Result<String> {
    let found = by.member(&user.email, user.workspace.as_deref()).await?;
    let mut password = String::new();
    std::io::stdin().lock().read_line(&mut password).context("standard input cannot be read")?;
    let password = SecretString::from(password.trim_end_matches(['\r', '\n']).to_owned());
    let set = by.accounts.set_password(&found.workspace, &found.id, Some(password), &InlineOffload);
    by.record(&found.workspace, "users set-password", &found.email, set).await?;
    Ok(format!("The password of {} was set.\n", found.email))
}
