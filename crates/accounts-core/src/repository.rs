//! The port of accounts.

use std::fmt;

use async_trait::async_trait;
use shared_core::{StoreError, Timestamp, WorkspaceId};

use crate::{ApiKey, User, Workspace};

/// Stores workspaces, users and keys. Implementations must pass `account_repository_contract!`.
#[async_trait]
pub trait AccountRepository: fmt::Debug + Send + Sync + 'static {
    /// Stores the first workspace, its user and its key in one transaction, only if there is no workspace
    /// yet. Returns whether it did.
    async fn create_first(
        &self,
        workspace: &Workspace,
        user: &User,
        key: &ApiKey,
    ) -> Result<bool, StoreError>;
    /// Whether there is any workspace.
    async fn any_workspace(&self) -> Result<bool, StoreError>;
    /// The key with this prefix, of any workspace, with its user and workspace, also when revoked or expired.
    /// Prefixes are unique: `insert_key` refuses a collision of random prefixes.
    async fn find_key(&self, prefix: &str) -> Result<Option<(ApiKey, User, Workspace)>, StoreError>;
    /// Stores a workspace with its first user. `Taken("workspace")` when the id exists.
    async fn insert_workspace(&self, workspace: &Workspace, user: &User) -> Result<(), StoreError>;
    /// Stores another user. `Taken("e-mail")` when the workspace has it; `Missing("workspace")`.
    async fn insert_user(&self, user: &User) -> Result<(), StoreError>;
    /// Every workspace, oldest first.
    async fn workspaces(&self) -> Result<Vec<Workspace>, StoreError>;
    /// The users of a workspace, oldest first.
    async fn users(&self, workspace: &WorkspaceId) -> Result<Vec<User>, StoreError>;
    /// Stores a key. `Taken("key")` when its prefix exists; `Missing("user")`.
    async fn insert_key(&self, key: &ApiKey) -> Result<(), StoreError>;
    /// The keys of a workspace, oldest first.
    async fn keys(&self, workspace: &WorkspaceId) -> Result<Vec<ApiKey>, StoreError>;
    /// Revokes the key with this prefix or id in the workspace. Returns whether there was a key that was not
    /// revoked before.
    async fn revoke_key(&self, workspace: &WorkspaceId, key: &str, at: Timestamp)
    -> Result<bool, StoreError>;
    /// Records a use of the key with this prefix in the workspace, unless the last recorded use is at or
    /// after `before`.
    async fn record_use(
        &self,
        workspace: &WorkspaceId,
        prefix: &str,
        before: Timestamp,
        at: Timestamp,
    ) -> Result<(), StoreError>;
}
