//! The port of accounts.

use std::fmt;

use async_trait::async_trait;
use shared_core::{Page, PageRequest, StoreError, Timestamp, UserId, WorkspaceId};

use crate::{Account, ApiKey, Quota, QuotaChange, User, Workspace};

/// What became of the change of a user.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UserUpdate {
    /// The user has the new values.
    Stored,
    /// The workspace has no such user, or it was removed before.
    NotFound,
    /// The workspace would have no owner left.
    LastOwner,
}

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
    /// Stores another user and returns it. A removed user of the same e-mail address gets the new name and role, and
    /// is returned with its own id and time. `Taken("e-mail")` when a user has it; `Missing("workspace")`.
    async fn insert_user(&self, user: &User) -> Result<User, StoreError>;
    /// Stores what of the name, role and removal differs between `before` and `after` of a user that was not removed,
    /// unless the workspace would have no owner left. A removal revokes the user's keys and forgets its password.
    async fn update_user(&self, before: &User, after: &User) -> Result<UserUpdate, StoreError>;
    /// The users of any workspace with this e-mail address, without regard to ASCII case, that were not removed, in the
    /// order of their workspaces' ids.
    async fn accounts(&self, email: &str) -> Result<Vec<Account>, StoreError>;
    /// Stores the hash of a user's password, or none, and revokes the user's keys of sign-ins. Returns whether the
    /// workspace has the user and did not remove it.
    async fn set_password(
        &self,
        workspace: &WorkspaceId,
        user: &UserId,
        hash: Option<&str>,
        at: Timestamp,
    ) -> Result<bool, StoreError>;
    /// Renames a workspace. Returns whether there is one.
    async fn rename_workspace(&self, id: &WorkspaceId, name: &str) -> Result<bool, StoreError>;
    /// Every workspace, oldest first.
    async fn workspaces(&self) -> Result<Vec<Workspace>, StoreError>;
    /// The users of a workspace, oldest first, with those that were removed.
    async fn users(&self, workspace: &WorkspaceId) -> Result<Vec<User>, StoreError>;
    /// Stores a key. `Taken("key")` when its prefix exists, `Taken("page")` when another key has its page;
    /// `Missing("user")`, also for a user that was removed.
    async fn insert_key(&self, key: &ApiKey) -> Result<(), StoreError>;
    /// Stores the key of a sign-in, unless its user was removed, or has another password than the one with this hash,
    /// which `None` does not ask for. Returns whether it is stored. A concurrent [`AccountRepository::set_password`]
    /// either ends the sign-in or prevents it.
    async fn insert_sign_in(&self, key: &ApiKey, password: Option<&str>) -> Result<bool, StoreError>;
    /// A page of the keys of a workspace, newest first, without sign-ins that have ended by `now`.
    async fn list_keys(
        &self,
        workspace: &WorkspaceId,
        now: Timestamp,
        page: &PageRequest,
    ) -> Result<Page<ApiKey>, StoreError>;
    /// The key with this prefix or id in the workspace, also when it was revoked.
    async fn key(&self, workspace: &WorkspaceId, key: &str) -> Result<Option<ApiKey>, StoreError>;
    /// The key, of any workspace, whose page has this name. A key that is revoked or replaced has no page any more.
    async fn key_of_page(&self, page: &str) -> Result<Option<ApiKey>, StoreError>;
    /// Those keys of the workspace that have one of these ids, in any order.
    async fn keys_by_id(&self, workspace: &WorkspaceId, ids: &[String]) -> Result<Vec<ApiKey>, StoreError>;
    /// Records that the attempt to sign in with this state is used, until it expires. Returns whether it was not before.
    /// It belongs to no workspace yet.
    async fn use_attempt(&self, state: &str, expires: Timestamp) -> Result<bool, StoreError>;
    /// Deletes keys of sign-ins, of all workspaces, and used attempts that have expired by `now`: at most `limit` of each,
    /// those that expired first. Returns how many rows.
    async fn delete_ended_sign_ins(&self, now: Timestamp, limit: u32) -> Result<u64, StoreError>;
    /// Revokes the key with this prefix or id in the workspace. Returns whether there was a key that was not
    /// revoked before.
    async fn revoke_key(&self, workspace: &WorkspaceId, key: &str, at: Timestamp)
    -> Result<bool, StoreError>;
    /// Stores what of the name, knowledge bases, filter, publication, expiry and limits differs between `before` and `after` of a
    /// key that is not revoked. Returns whether there is one. `Taken("page")` as of [`AccountRepository::insert_key`].
    async fn update_key(&self, before: &ApiKey, after: &ApiKey) -> Result<bool, StoreError>;
    /// Stores `new`, and of the key `old` of the same workspace its expiry and that `new` is its successor, in one
    /// transaction, if that is not revoked and has no successor. A page of `old` goes to `new`. Returns whether it did. Errors as of
    /// [`AccountRepository::insert_key`].
    async fn replace_key(&self, old: &str, expires: Timestamp, new: &ApiKey) -> Result<bool, StoreError>;
    /// Records a use of the key with this prefix in the workspace, unless the last recorded use is at or
    /// after `before`.
    async fn record_use(
        &self,
        workspace: &WorkspaceId,
        prefix: &str,
        before: Timestamp,
        at: Timestamp,
    ) -> Result<(), StoreError>;
    /// The quotas of a workspace with their use, in the order of [`QuotaKind::ALL`](crate::QuotaKind::ALL).
    async fn quotas(&self, workspace: &WorkspaceId) -> Result<Vec<Quota>, StoreError>;
    /// Sets quotas of a workspace; the others stay. Those below the use only prevent more.
    /// `Missing("workspace")`.
    async fn set_quotas(&self, workspace: &WorkspaceId, changes: &[QuotaChange]) -> Result<(), StoreError>;
}
