//! Workspaces, users and API keys.

use serde::{Deserialize, Serialize};
use shared_core::{Author, Scope, Timestamp, UserId, WorkspaceId};

use crate::KeyLimits;

/// The unit of isolation: every resource belongs to one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Workspace {
    /// Identifier.
    pub id: WorkspaceId,
    /// Display name.
    pub name: String,
    /// When it was created.
    pub created: Timestamp,
}

/// A person, or a program with a name, in a workspace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct User {
    /// Identifier.
    pub id: UserId,
    /// The workspace.
    pub workspace: WorkspaceId,
    /// Display name.
    pub name: String,
    /// E-mail address.
    pub email: String,
    /// When it was created.
    pub created: Timestamp,
}

/// The permissions of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum KeyScope {
    /// Read only.
    Read,
    /// Read and write.
    Write,
}

/// A stored API key. The key's text is never stored, only its hash.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ApiKey {
    /// Identifier (`key_…`).
    pub id: String,
    /// The workspace.
    pub workspace: WorkspaceId,
    /// The user it acts as.
    pub user: UserId,
    /// The name given by the owner.
    pub name: String,
    /// The beginning of the key's text (`fw_` and eight characters): the lookup key, also shown to tell keys
    /// apart. Unique over all workspaces.
    pub prefix: String,
    /// SHA-256 of the key's whole text, lower-case hex.
    pub hash: String,
    /// Its permissions.
    pub scope: KeyScope,
    /// When it was created.
    pub created: Timestamp,
    /// When it expires; `None` for never.
    pub expires: Option<Timestamp>,
    /// When it was revoked; `None` while it is active.
    pub revoked: Option<Timestamp>,
    /// Its limits.
    pub limits: KeyLimits,
    /// When it was last used, to the minute; `None` if never.
    pub last_used: Option<Timestamp>,
}

/// The caller that a valid key authenticates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Principal {
    /// The workspace and user on whose behalf it acts.
    pub scope: Scope,
    /// The user as displayed.
    pub author: Author,
    /// The workspace's name.
    pub workspace_name: String,
    /// Identifier of the key.
    pub key_id: String,
    /// Prefix of the key.
    pub key_prefix: String,
    /// The permissions of the key.
    pub key_scope: KeyScope,
    /// When the key expires; `None` for never.
    pub key_expires: Option<Timestamp>,
    /// The limits of the key.
    pub limits: KeyLimits,
    /// Whether this use should be recorded; see `AccountsService::record_use`.
    pub use_unrecorded: bool,
}

/// A key to create.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewKey {
    /// Its name: 1 to 255 characters.
    pub name: String,
    /// Its permissions.
    pub scope: KeyScope,
    /// When it expires; `None` for never.
    pub expires: Option<Timestamp>,
    /// Its limits.
    pub limits: KeyLimits,
}
