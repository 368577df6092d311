//! Workspaces, users and API keys.

use serde::{Deserialize, Serialize};
use shared_core::{Author, Scope, Timestamp, UserId, WorkspaceId};

/// The unit of isolation: every resource belongs to one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Workspace {
    /// Identifier.
    pub id: WorkspaceId,
    /// Display name.
    pub name: String,
    /// When it was made.
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
    /// When it was made.
    pub created: Timestamp,
}

/// What a key may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum KeyScope {
    /// Read only.
    Read,
    /// Everything.
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
    /// What the owner calls it.
    pub name: String,
    /// The beginning of the key's text (`fw_` and eight characters): finds the row, tells keys apart.
    /// Unique over all workspaces.
    pub prefix: String,
    /// SHA-256 of the key's whole text, lower-case hex.
    pub hash: String,
    /// What it may do.
    pub scope: KeyScope,
    /// When it was made.
    pub created: Timestamp,
    /// When it ends.
    pub expires: Option<Timestamp>,
    /// When it was revoked.
    pub revoked: Option<Timestamp>,
    /// Requests that it may make in a minute; no limit when absent.
    pub requests_per_minute: Option<u32>,
    /// When it was last used, to the minute.
    pub last_used: Option<Timestamp>,
}

/// Who presents a valid key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Principal {
    /// The workspace and user to act for.
    pub scope: Scope,
    /// The user as shown.
    pub author: Author,
    /// The workspace's name.
    pub workspace_name: String,
    /// Identifier of the key.
    pub key_id: String,
    /// Prefix of the key.
    pub key_prefix: String,
    /// What the key may do.
    pub key_scope: KeyScope,
    /// When the key ends.
    pub key_expires: Option<Timestamp>,
    /// Requests that the key may make in a minute; no limit when absent.
    pub requests_per_minute: Option<u32>,
    /// Whether this use is to be recorded; see `AccountsService::record_use`.
    pub use_unrecorded: bool,
}

/// A key to be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewKey {
    /// What the owner calls it: 1 to 255 characters.
    pub name: String,
    /// What it may do.
    pub scope: KeyScope,
    /// When it ends.
    pub expires: Option<Timestamp>,
    /// Requests that it may make in a minute, from 1; no limit when absent.
    pub requests_per_minute: Option<u32>,
}
