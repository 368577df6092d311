//! The use cases of accounts: bootstrap, authentication, workspaces and their quotas.

use std::sync::Arc;

use shared_core::{Author, Clock, Rng, Scope, WorkspaceId, new_id};

use crate::names::parse_display_name;
use crate::{
    AccountRepository, AccountsError, IssuedKey, KeyKind, KeyLimits, KeyScope, NewKey, NewMember, Principal,
    Quota, QuotaChange, Role, User, Workspace, key, quotas,
};

/// Seconds during which further uses of a key are not recorded.
const USE_RECORD_SECONDS: f64 = 60.0;

/// The use cases of accounts.
#[derive(Clone, Debug)]
pub struct AccountsService {
    pub(crate) repository: Arc<dyn AccountRepository>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) ids: Arc<dyn Rng>,
}

/// The names of the first workspace and its user.
#[derive(Clone, Debug)]
pub struct NewWorkspace {
    /// Name of the workspace.
    pub workspace: String,
    /// Name of the user.
    pub user_name: String,
    /// The user's e-mail address.
    pub user_email: String,
}

impl AccountsService {
    /// Builds the service on its ports.
    #[must_use]
    pub fn new(repository: Arc<dyn AccountRepository>, clock: Arc<dyn Clock>, ids: Arc<dyn Rng>) -> Self {
        Self { repository, clock, ids }
    }

    /// Authenticates the text of an API key.
    ///
    /// # Errors
    /// [`AccountsError::InvalidKey`] when it is malformed, unknown, revoked or expired.
    pub async fn authenticate(&self, text: &str) -> Result<Principal, AccountsError> {
        let prefix = key::prefix(text).ok_or(AccountsError::InvalidKey)?;
        let (stored, user, workspace) =
            self.repository.find_key(prefix).await?.ok_or(AccountsError::InvalidKey)?;
        let now = self.clock.now();
        let expired = stored.expires.is_some_and(|end| end <= now);
        let ended = expired || stored.revoked.is_some() || user.removed.is_some();
        if !key::matches(text, &stored.hash) || ended {
            return Err(AccountsError::InvalidKey);
        }
        Ok(Principal {
            scope: Scope { workspace: workspace.id, user: user.id.clone() },
            author: Author { id: user.id, name: user.name, email: user.email },
            role: user.role,
            workspace_name: workspace.name,
            is_operator: workspace.is_operator,
            key_id: stored.id,
            key_prefix: stored.prefix,
            key_kind: stored.kind,
            key_scope: stored.scope.min(user.role.max_scope()),
            key_bases: stored.bases,
            key_filter: stored.filter,
            publication: stored.publication,
            key_expires: stored.expires,
            limits: stored.limits,
            use_unrecorded: stored.last_used.is_none_or(|last| now.seconds_since(last) >= USE_RECORD_SECONDS),
        })
    }

    /// Records a use of the principal's key. Only needed when `use_unrecorded` is set.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn record_use(&self, principal: &Principal) -> Result<(), AccountsError> {
        let now = self.clock.now();
        let before = now.plus_seconds(-(USE_RECORD_SECONDS as i64));
        let workspace = &principal.scope.workspace;
        Ok(self.repository.record_use(workspace, &principal.key_prefix, before, now).await?)
    }

    /// Creates the first workspace with a user and a write key; `None` when there is a workspace already.
    ///
    /// # Errors
    /// When a name breaks a rule or the store fails.
    pub async fn bootstrap(&self, first: NewWorkspace) -> Result<Option<IssuedKey>, AccountsError> {
        if self.repository.any_workspace().await? {
            return Ok(None);
        }
        let (workspace, user) = self.draft_workspace(first, true)?;
        let new = NewKey {
            name: "first key".to_owned(),
            scope: KeyScope::Write,
            bases: None,
            filter: None,
            publication: None,
            expires: None,
            limits: KeyLimits::default(),
        };
        let issued = self.draft_key(&workspace.id, &user.id, KeyKind::Issued, new);
        let created = self.repository.create_first(&workspace, &user, &issued.key).await?;
        Ok(created.then_some(issued))
    }

    /// Adds a workspace with its first user, an owner.
    ///
    /// # Errors
    /// When a name breaks a rule or the store fails.
    pub async fn add_workspace(&self, first: NewWorkspace) -> Result<(Workspace, User), AccountsError> {
        let (workspace, user) = self.draft_workspace(first, false)?;
        self.repository.insert_workspace(&workspace, &user).await?;
        Ok((workspace, user))
    }

    /// Every workspace, oldest first.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn workspaces(&self) -> Result<Vec<Workspace>, AccountsError> {
        Ok(self.repository.workspaces().await?)
    }

    /// The workspace with this id.
    ///
    /// # Errors
    /// [`AccountsError::WorkspaceNotFound`], or when the store fails.
    pub async fn workspace(&self, id: &WorkspaceId) -> Result<Workspace, AccountsError> {
        let workspaces = self.repository.workspaces().await?;
        workspaces.into_iter().find(|row| row.id == *id).ok_or(AccountsError::WorkspaceNotFound)
    }

    /// Renames a workspace.
    ///
    /// # Errors
    /// When the name breaks a rule, [`AccountsError::WorkspaceNotFound`], or when the store fails.
    pub async fn rename_workspace(&self, id: &WorkspaceId, name: &str) -> Result<Workspace, AccountsError> {
        let name = parse_display_name("name", name)?;
        let is_there = self.repository.rename_workspace(id, &name).await?;
        if is_there { self.workspace(id).await } else { Err(AccountsError::WorkspaceNotFound) }
    }

    /// The quotas of a workspace with their use, one of each kind.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn quotas(&self, workspace: &WorkspaceId) -> Result<Vec<Quota>, AccountsError> {
        Ok(self.repository.quotas(workspace).await?)
    }

    /// Sets or removes quotas of a workspace; the others stay.
    ///
    /// # Errors
    /// When a limit is too large, there is no such workspace, or the store fails.
    pub async fn set_quotas(
        &self,
        workspace: &WorkspaceId,
        changes: &[QuotaChange],
    ) -> Result<(), AccountsError> {
        quotas::check(changes).map_err(AccountsError::Invalid)?;
        Ok(self.repository.set_quotas(workspace, changes).await?)
    }

    fn draft_workspace(
        &self,
        first: NewWorkspace,
        is_operator: bool,
    ) -> Result<(Workspace, User), AccountsError> {
        let created = self.clock.now();
        let workspace = Workspace {
            id: WorkspaceId(new_id("ws", created, self.ids.as_ref())),
            name: parse_display_name("workspace", &first.workspace)?,
            is_operator,
            created,
        };
        let owner = NewMember { name: first.user_name, email: first.user_email, role: Role::Owner };
        let user = self.draft_user(workspace.id.clone(), owner)?;
        Ok((workspace, user))
    }
}
