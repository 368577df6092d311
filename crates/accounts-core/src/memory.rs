//! The port in memory, for tests and embedders. Nothing survives the process.

use parking_lot::{Mutex, MutexGuard};

use async_trait::async_trait;
use shared_core::{StoreError, Timestamp, WorkspaceId};

use crate::{AccountRepository, ApiKey, User, Workspace};

/// Accounts in memory.
#[derive(Debug, Default)]
pub struct MemoryAccounts(Mutex<Rows>);

#[derive(Debug, Default)]
struct Rows {
    workspaces: Vec<Workspace>,
    users: Vec<User>,
    keys: Vec<ApiKey>,
}

impl MemoryAccounts {
    fn rows(&self) -> MutexGuard<'_, Rows> {
        self.0.lock()
    }
}

impl Rows {
    fn add_workspace(&mut self, workspace: &Workspace, user: &User) -> Result<(), StoreError> {
        if self.workspaces.iter().any(|row| row.id == workspace.id) {
            return Err(StoreError::Taken("workspace"));
        }
        self.workspaces.push(workspace.clone());
        self.add_user(user)
    }

    fn add_user(&mut self, user: &User) -> Result<(), StoreError> {
        if !self.workspaces.iter().any(|row| row.id == user.workspace) {
            return Err(StoreError::Missing("workspace"));
        }
        if self.users.iter().any(|row| row.workspace == user.workspace && row.email == user.email) {
            return Err(StoreError::Taken("e-mail"));
        }
        self.users.push(user.clone());
        Ok(())
    }

    fn add_key(&mut self, key: &ApiKey) -> Result<(), StoreError> {
        if !self.users.iter().any(|row| row.workspace == key.workspace && row.id == key.user) {
            return Err(StoreError::Missing("user"));
        }
        if self.keys.iter().any(|row| row.prefix == key.prefix) {
            return Err(StoreError::Taken("key"));
        }
        self.keys.push(key.clone());
        Ok(())
    }
}

#[async_trait]
impl AccountRepository for MemoryAccounts {
    async fn create_first(
        &self,
        workspace: &Workspace,
        user: &User,
        key: &ApiKey,
    ) -> Result<bool, StoreError> {
        let mut rows = self.rows();
        if !rows.workspaces.is_empty() {
            return Ok(false);
        }
        rows.add_workspace(workspace, user)?;
        rows.add_key(key)?;
        Ok(true)
    }

    async fn any_workspace(&self) -> Result<bool, StoreError> {
        Ok(!self.rows().workspaces.is_empty())
    }

    async fn find_key(&self, prefix: &str) -> Result<Option<(ApiKey, User, Workspace)>, StoreError> {
        let rows = self.rows();
        let Some(key) = rows.keys.iter().find(|row| row.prefix == prefix) else { return Ok(None) };
        let user = rows.users.iter().find(|row| row.id == key.user);
        let workspace = rows.workspaces.iter().find(|row| row.id == key.workspace);
        Ok(user.zip(workspace).map(|(user, workspace)| (key.clone(), user.clone(), workspace.clone())))
    }

    async fn insert_workspace(&self, workspace: &Workspace, user: &User) -> Result<(), StoreError> {
        self.rows().add_workspace(workspace, user)
    }

    async fn insert_user(&self, user: &User) -> Result<(), StoreError> {
        self.rows().add_user(user)
    }

    async fn workspaces(&self) -> Result<Vec<Workspace>, StoreError> {
        Ok(self.rows().workspaces.clone())
    }

    async fn users(&self, workspace: &WorkspaceId) -> Result<Vec<User>, StoreError> {
        Ok(self.rows().users.iter().filter(|row| row.workspace == *workspace).cloned().collect())
    }

    async fn insert_key(&self, key: &ApiKey) -> Result<(), StoreError> {
        self.rows().add_key(key)
    }

    async fn keys(&self, workspace: &WorkspaceId) -> Result<Vec<ApiKey>, StoreError> {
        Ok(self.rows().keys.iter().filter(|row| row.workspace == *workspace).cloned().collect())
    }

    async fn record_use(
        &self,
        workspace: &WorkspaceId,
        prefix: &str,
        before: Timestamp,
        at: Timestamp,
    ) -> Result<(), StoreError> {
        let mut rows = self.rows();
        let mut own = rows.keys.iter_mut().filter(|key| key.workspace == *workspace && key.prefix == prefix);
        if let Some(key) = own.find(|key| key.last_used.is_none_or(|last| last < before)) {
            key.last_used = Some(at);
        }
        Ok(())
    }

    async fn revoke_key(
        &self,
        workspace: &WorkspaceId,
        key: &str,
        at: Timestamp,
    ) -> Result<bool, StoreError> {
        let mut rows = self.rows();
        let found = rows.keys.iter_mut().find(|row| {
            row.workspace == *workspace && (row.prefix == key || row.id == key) && row.revoked.is_none()
        });
        Ok(found.map(|row| row.revoked = Some(at)).is_some())
    }
}
