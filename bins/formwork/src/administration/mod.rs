//! The sub-commands that administer workspaces, users, keys and quotas. The audit log has what they change.

mod keys;
mod limit_flags;
mod quotas;
mod users;
mod workspaces;

use accounts_core::audit::{AuditEvent, AuditService, NewAuditEvent};
use accounts_core::usage::UsageService;
use accounts_core::{AccountsService, User, Workspace};
use anyhow::Context as _;
use shared_core::WorkspaceId;
use store_diesel::{Database, RequestAudit};

pub(crate) use self::keys::Keys;
pub(crate) use self::quotas::Quotas;
pub(crate) use self::users::Users;
pub(crate) use self::workspaces::Workspaces;
use crate::shared_services;

/// The services of the sub-commands.
pub(crate) struct Administration {
    accounts: AccountsService,
    usage: UsageService,
    audit: AuditService,
}

impl Administration {
    /// Over a database, whose audit log has its events for so many days.
    pub(crate) fn new(database: &Database, days: u32) -> Self {
        Self {
            accounts: shared_services::accounts(database),
            usage: shared_services::usage(database),
            audit: shared_services::audit(database, days),
        }
    }

    /// Does what changes a workspace, with its event in the audit log.
    async fn record<T>(
        &self,
        workspace: &WorkspaceId,
        operation: &str,
        target: &str,
        work: impl Future<Output = T>,
    ) -> T {
        match self.event(workspace, operation, target) {
            Some(event) => RequestAudit::new(event).record(work).await,
            None => work.await,
        }
    }

    /// Stores the event of what made its workspace, afterwards.
    async fn record_done(
        &self,
        workspace: &WorkspaceId,
        operation: &str,
        target: &str,
    ) -> anyhow::Result<()> {
        if let Some(event) = self.event(workspace, operation, target) {
            self.audit.record(&event).await?;
        }
        Ok(())
    }

    fn event(&self, workspace: &WorkspaceId, operation: &str, target: &str) -> Option<AuditEvent> {
        self.audit.event(|| NewAuditEvent {
            workspace: workspace.clone(),
            actor: None,
            operation: operation.to_owned(),
            target: target.to_owned(),
            request: String::new(),
            address: String::new(),
        })
    }

    /// The workspace with this id or name, or the only one.
    async fn workspace(&self, named: Option<&str>) -> anyhow::Result<Workspace> {
        let is_named = |workspace: &Workspace| {
            named.is_none_or(|named| workspace.id.0 == named || workspace.name == named)
        };
        let mut found = self.accounts.workspaces().await?.into_iter().filter(is_named);
        let first = found.next().context("there is no such workspace; see `formwork workspaces list`")?;
        anyhow::ensure!(
            found.next().is_none(),
            "there are several workspaces; give the id of one as --workspace (see `formwork workspaces list`)"
        );
        Ok(first)
    }

    /// The member with this e-mail address, in the named workspace or in the only one that has it.
    async fn member(&self, email: &str, workspace: Option<&str>) -> anyhow::Result<User> {
        let workspaces = match workspace {
            Some(_) => vec![self.workspace(workspace).await?],
            None => self.accounts.workspaces().await?,
        };
        let mut found = Vec::new();
        for workspace in workspaces {
            let members = self.accounts.members(&workspace.id).await?;
            found.extend(members.into_iter().filter(|user| user.email.eq_ignore_ascii_case(email)));
        }
        anyhow::ensure!(
            found.len() < 2,
            "several workspaces have a user with this e-mail address; give the id of one as --workspace (see \
             `formwork workspaces list`)"
        );
        found.pop().context("there is no such user")
    }
}
