//! The port in memory, for tests and embedders. Nothing survives the process.

use std::collections::HashMap;

use parking_lot::{Mutex, MutexGuard};

use async_trait::async_trait;
use shared_core::{Cursor, Page, PageRequest, StoreError, Timestamp, UserId, WorkspaceId};

use crate::{
    Account, AccountRepository, ApiKey, KeyKind, Quota, QuotaChange, QuotaKind, Role, User, UserUpdate,
    Workspace,
};

/// Accounts in memory. Nothing else is stored here, so nothing of a quota is used.
#[derive(Debug, Default)]
pub struct MemoryAccounts(Mutex<Rows>);

#[derive(Debug, Default)]
struct Rows {
    workspaces: Vec<Workspace>,
    users: Vec<User>,
    keys: Vec<ApiKey>,
    /// Hashes by user.
    passwords: HashMap<UserId, String>,
    quotas: HashMap<(WorkspaceId, QuotaKind), u64>,
    /// The expiry of used attempts to sign in, by state.
    attempts: HashMap<String, Timestamp>,
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
        self.add_user(user).map(drop)
    }

    fn add_user(&mut self, user: &User) -> Result<User, StoreError> {
        if !self.workspaces.iter().any(|row| row.id == user.workspace) {
            return Err(StoreError::Missing("workspace"));
        }
        let is_same =
            |row: &&mut User| row.workspace == user.workspace && row.email.eq_ignore_ascii_case(&user.email);
        match self.users.iter_mut().find(is_same) {
            Some(former) if former.removed.is_some() => {
                let (id, email) = (former.id.clone(), former.email.clone());
                *former = User { id, email, created: former.created, ..user.clone() };
                Ok(former.clone())
            }
            Some(_) => Err(StoreError::Taken("e-mail")),
            None => {
                self.users.push(user.clone());
                Ok(user.clone())
            }
        }
    }

    fn active_user(&mut self, workspace: &WorkspaceId, id: &UserId) -> Option<&mut User> {
        self.users
            .iter_mut()
            .find(|row| row.workspace == *workspace && row.id == *id && row.removed.is_none())
    }

    /// Revokes the user's keys of this kind, or of all kinds.
    fn revoke_keys_of(&mut self, user: &UserId, kind: Option<KeyKind>, at: Timestamp) {
        let own = self.keys.iter_mut().filter(|row| row.user == *user && row.revoked.is_none());
        own.filter(|row| kind.is_none_or(|kind| row.kind == kind)).for_each(|row| revoke(row, at));
    }

    /// The key with this id, if it is not revoked.
    fn active_key(&mut self, workspace: &WorkspaceId, id: &str) -> Option<&mut ApiKey> {
        self.keys.iter_mut().find(|row| row.workspace == *workspace && row.id == id && row.revoked.is_none())
    }

    fn add_key(&mut self, key: &ApiKey) -> Result<(), StoreError> {
        if self.active_user(&key.workspace, &key.user).is_none() {
            return Err(StoreError::Missing("user"));
        }
        if self.keys.iter().any(|row| row.prefix == key.prefix) {
            return Err(StoreError::Taken("key"));
        }
        self.check_page(key)?;
        self.keys.push(key.clone());
        Ok(())
    }

    /// Checks that no other key has the page of this one.
    fn check_page(&self, key: &ApiKey) -> Result<(), StoreError> {
        let is_taken = page(key)
            .is_some_and(|name| self.keys.iter().any(|row| row.id != key.id && page(row) == Some(name)));
        if is_taken { Err(StoreError::Taken("page")) } else { Ok(()) }
    }
}

/// The name of the page of a key.
fn page(key: &ApiKey) -> Option<&str> {
    key.publication.as_ref()?.page.as_deref()
}

/// Takes the page of a key from it.
fn remove_page(key: &mut ApiKey) {
    if let Some(publication) = &mut key.publication {
        publication.page = None;
    }
}

fn revoke(key: &mut ApiKey, at: Timestamp) {
    key.revoked = Some(at);
    remove_page(key);
}

/// Sets a value that differs between two states.
fn set<T: Clone + PartialEq>(value: &mut T, before: &T, after: &T) {
    if before != after {
        value.clone_from(after);
    }
}

/// The names of those rows that expired first.
fn first(mut ended: Vec<(Option<Timestamp>, String)>, limit: u32) -> Vec<String> {
    ended.sort_unstable();
    ended.into_iter().take(limit as usize).map(|(_, name)| name).collect()
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

    async fn insert_user(&self, user: &User) -> Result<User, StoreError> {
        self.rows().add_user(user)
    }

    async fn update_user(&self, before: &User, user: &User) -> Result<UserUpdate, StoreError> {
        let mut rows = self.rows();
        let is_owner = |row: &User| row.role == Role::Owner && row.removed.is_none();
        let others = rows
            .users
            .iter()
            .any(|row| row.workspace == user.workspace && row.id != user.id && is_owner(row));
        let Some(stored) = rows.active_user(&user.workspace, &user.id) else {
            return Ok(UserUpdate::NotFound);
        };
        let mut changed = stored.clone();
        set(&mut changed.name, &before.name, &user.name);
        set(&mut changed.role, &before.role, &user.role);
        set(&mut changed.removed, &before.removed, &user.removed);
        if is_owner(stored) && !is_owner(&changed) && !others {
            return Ok(UserUpdate::LastOwner);
        }
        *stored = changed;
        if let Some(at) = user.removed {
            rows.passwords.remove(&user.id);
            rows.revoke_keys_of(&user.id, None, at);
        }
        Ok(UserUpdate::Stored)
    }

    async fn accounts(&self, email: &str) -> Result<Vec<Account>, StoreError> {
        let rows = self.rows();
        let account = |user: &User| {
            let workspace = rows.workspaces.iter().find(|row| row.id == user.workspace)?.clone();
            Some(Account { workspace, password: rows.passwords.get(&user.id).cloned(), user: user.clone() })
        };
        let users =
            rows.users.iter().filter(|row| row.email.eq_ignore_ascii_case(email) && row.removed.is_none());
        let mut accounts: Vec<Account> = users.filter_map(account).collect();
        accounts.sort_by(|one, other| one.workspace.id.0.cmp(&other.workspace.id.0));
        Ok(accounts)
    }

    async fn set_password(
        &self,
        workspace: &WorkspaceId,
        user: &UserId,
        hash: Option<&str>,
        at: Timestamp,
    ) -> Result<bool, StoreError> {
        let mut rows = self.rows();
        if rows.active_user(workspace, user).is_none() {
            return Ok(false);
        }
        match hash {
            Some(hash) => rows.passwords.insert(user.clone(), hash.to_owned()),
            None => rows.passwords.remove(user),
        };
        rows.revoke_keys_of(user, Some(KeyKind::SignIn), at);
        Ok(true)
    }

    async fn rename_workspace(&self, id: &WorkspaceId, name: &str) -> Result<bool, StoreError> {
        let mut rows = self.rows();
        let found = rows.workspaces.iter_mut().find(|row| row.id == *id);
        Ok(found.map(|row| name.clone_into(&mut row.name)).is_some())
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

    async fn insert_sign_in(&self, key: &ApiKey, password: Option<&str>) -> Result<bool, StoreError> {
        let mut rows = self.rows();
        let is_stored = |hash: &str| rows.passwords.get(&key.user).is_some_and(|stored| stored == hash);
        let is_current = password.is_none_or(is_stored);
        let is_allowed = is_current && rows.active_user(&key.workspace, &key.user).is_some();
        if is_allowed {
            rows.add_key(key)?;
        }
        Ok(is_allowed)
    }

    async fn list_keys(
        &self,
        workspace: &WorkspaceId,
        now: Timestamp,
        page: &PageRequest,
    ) -> Result<Page<ApiKey>, StoreError> {
        let has_ended = |key: &ApiKey| key.revoked.is_some() || key.expires.is_some_and(|end| end <= now);
        let is_listed =
            |key: &&ApiKey| key.workspace == *workspace && (key.kind == KeyKind::Issued || !has_ended(key));
        let keys = self.rows().keys.iter().filter(is_listed).cloned().collect();
        Ok(Page::paginate(keys, page, |key| Cursor { created: key.created, id: key.id.clone() }))
    }

    async fn key(&self, workspace: &WorkspaceId, key: &str) -> Result<Option<ApiKey>, StoreError> {
        let is_it = |row: &&ApiKey| row.workspace == *workspace && (row.id == key || row.prefix == key);
        Ok(self.rows().keys.iter().find(is_it).cloned())
    }

    async fn key_of_page(&self, name: &str) -> Result<Option<ApiKey>, StoreError> {
        Ok(self.rows().keys.iter().find(|row| page(row) == Some(name)).cloned())
    }

    async fn keys_by_id(&self, workspace: &WorkspaceId, ids: &[String]) -> Result<Vec<ApiKey>, StoreError> {
        let is_named = |key: &&ApiKey| key.workspace == *workspace && ids.contains(&key.id);
        Ok(self.rows().keys.iter().filter(is_named).cloned().collect())
    }

    async fn use_attempt(&self, state: &str, expires: Timestamp) -> Result<bool, StoreError> {
        Ok(self.rows().attempts.insert(state.to_owned(), expires).is_none())
    }

    async fn delete_ended_sign_ins(&self, now: Timestamp, limit: u32) -> Result<u64, StoreError> {
        let mut rows = self.rows();
        let has_ended =
            |row: &&ApiKey| row.kind == KeyKind::SignIn && row.expires.is_some_and(|end| end <= now);
        let keys = rows.keys.iter().filter(has_ended).map(|row| (row.expires, row.id.clone()));
        let keys = first(keys.collect(), limit);
        let attempts = rows.attempts.iter().filter(|(_, expires)| **expires <= now);
        let attempts =
            first(attempts.map(|(state, expires)| (Some(*expires), state.clone())).collect(), limit);
        rows.keys.retain(|row| !keys.contains(&row.id));
        rows.attempts.retain(|state, _| !attempts.contains(state));
        Ok((keys.len() + attempts.len()) as u64)
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
        Ok(found.map(|row| revoke(row, at)).is_some())
    }

    async fn update_key(&self, before: &ApiKey, after: &ApiKey) -> Result<bool, StoreError> {
        let mut rows = self.rows();
        rows.check_page(after)?;
        let Some(row) = rows.active_key(&after.workspace, &after.id) else { return Ok(false) };
        set(&mut row.name, &before.name, &after.name);
        set(&mut row.bases, &before.bases, &after.bases);
        set(&mut row.filter, &before.filter, &after.filter);
        set(&mut row.publication, &before.publication, &after.publication);
        set(&mut row.expires, &before.expires, &after.expires);
        set(&mut row.limits, &before.limits, &after.limits);
        Ok(true)
    }

    async fn replace_key(&self, old: &str, expires: Timestamp, new: &ApiKey) -> Result<bool, StoreError> {
        let mut rows = self.rows();
        if rows.active_key(&new.workspace, old).is_none_or(|row| row.successor.is_some()) {
            return Ok(false);
        }
        let before = rows.keys.clone();
        rows.active_key(&new.workspace, old).into_iter().for_each(remove_page);
        if let Err(error) = rows.add_key(new) {
            rows.keys = before;
            return Err(error);
        }
        let replaced = rows.active_key(&new.workspace, old);
        Ok(replaced.map(|row| (row.expires, row.successor) = (Some(expires), Some(new.id.clone()))).is_some())
    }

    async fn quotas(&self, workspace: &WorkspaceId) -> Result<Vec<Quota>, StoreError> {
        let rows = self.rows();
        let quota =
            |kind| Quota { kind, limit: rows.quotas.get(&(workspace.clone(), kind)).copied(), used: 0 };
        Ok(QuotaKind::ALL.into_iter().map(quota).collect())
    }

    async fn set_quotas(&self, workspace: &WorkspaceId, changes: &[QuotaChange]) -> Result<(), StoreError> {
        let mut rows = self.rows();
        if !rows.workspaces.iter().any(|row| row.id == *workspace) {
            return Err(StoreError::Missing("workspace"));
        }
        for (kind, limit) in changes {
            let key = (workspace.clone(), *kind);
            match limit {
                Some(limit) => rows.quotas.insert(key, *limit),
                None => rows.quotas.remove(&key),
            };
        }
        Ok(())
    }
}
