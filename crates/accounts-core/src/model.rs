//! Workspaces, users and API keys.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use shared_core::{Author, Scope, Timestamp, UserId, WorkspaceId};

use crate::{KeyLimits, Publication};

/// The unit of isolation: every resource belongs to one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Workspace {
    /// Identifier.
    pub id: WorkspaceId,
    /// Display name.
    pub name: String,
    /// Whether its owners administer the server: all workspaces and their quotas. The first workspace does.
    pub is_operator: bool,
    /// When it was created.
    pub created: Timestamp,
}

/// What a member of a workspace may do at most, whatever the scope of the key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Everything, with members, keys and the audit log.
    Owner,
    /// Reads and writes.
    Member,
    /// Reads.
    Viewer,
}

impl Role {
    /// Every role, the mightiest first.
    pub const ALL: [Self; 3] = [Self::Owner, Self::Member, Self::Viewer];

    /// The stable name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Owner => "owner",
            Self::Member => "member",
            Self::Viewer => "viewer",
        }
    }

    /// The role with this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|role| role.name() == name)
    }

    /// The widest scope of a key of such a member.
    #[must_use]
    pub fn max_scope(self) -> KeyScope {
        match self {
            Self::Owner => KeyScope::Admin,
            Self::Member => KeyScope::Write,
            Self::Viewer => KeyScope::Read,
        }
    }
}

/// A person, or a program with a name, in a workspace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct User {
    /// Identifier.
    pub id: UserId,
    /// To which it belongs.
    pub workspace: WorkspaceId,
    /// Display name.
    pub name: String,
    /// E-mail address.
    pub email: String,
    /// What the user may do at most.
    pub role: Role,
    /// When it was created.
    pub created: Timestamp,
    /// When it was removed from the workspace: its keys and its password are refused, and what it made stays.
    pub removed: Option<Timestamp>,
}

/// The permissions of a key, each with those before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum KeyScope {
    /// Read only.
    Read,
    /// Read and write.
    Write,
    /// Administer the workspace too: members, keys, audit log.
    Admin,
}

impl KeyScope {
    /// Every scope, the narrowest first.
    pub const ALL: [Self; 3] = [Self::Read, Self::Write, Self::Admin];

    /// The stable name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
            Self::Admin => "admin",
        }
    }

    /// The scope with this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|scope| scope.name() == name)
    }
}

/// How a key came about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyKind {
    /// It was issued for a program.
    Issued,
    /// A sign-in by password made it, for some hours.
    SignIn,
}

impl KeyKind {
    /// The stable name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Issued => "issued",
            Self::SignIn => "sign_in",
        }
    }

    /// The kind with this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Issued, Self::SignIn].into_iter().find(|kind| kind.name() == name)
    }
}

/// A stored API key. Only the hash of its text is stored, but of a public key the text too.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ApiKey {
    /// Identifier (`key_…`).
    pub id: String,
    /// To which it belongs.
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
    /// How it came about.
    pub kind: KeyKind,
    /// Its permissions. The role of its user may narrow them.
    pub scope: KeyScope,
    /// Ids of the knowledge bases that are all it may search; `None` for a key without this restriction.
    pub bases: Option<Vec<String>>,
    /// What the metadata of an item in these bases must match for the key to see it; `None` for all items.
    pub filter: Option<Value>,
    /// What makes it public; `None` for a secret key.
    pub publication: Option<Publication>,
    /// The whole text of a public key, which stands in web pages; `None` for a secret key.
    pub public_text: Option<String>,
    /// When it was created.
    pub created: Timestamp,
    /// When it expires; `None` for never.
    pub expires: Option<Timestamp>,
    /// Identifier of the key that replaces it; `None` if none does.
    pub successor: Option<String>,
    /// When it was revoked; `None` while it is active.
    pub revoked: Option<Timestamp>,
    /// On requests, tokens and money, per minute and day.
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
    /// What the user may do at most.
    pub role: Role,
    /// The workspace's name.
    pub workspace_name: String,
    /// Whether the workspace's owners administer the server.
    pub is_operator: bool,
    /// Identifier of the key.
    pub key_id: String,
    /// Prefix of the key.
    pub key_prefix: String,
    /// How the key came about.
    pub key_kind: KeyKind,
    /// The permissions: those of the key that the user's role has, too.
    pub key_scope: KeyScope,
    /// The only knowledge bases that the key may search; `None` for all.
    pub key_bases: Option<Vec<String>>,
    /// What the metadata of an item in these bases must match for the key to see it; `None` for all items.
    pub key_filter: Option<Value>,
    /// What makes the key public; `None` for a secret key.
    pub publication: Option<Publication>,
    /// When the key expires; `None` for never.
    pub key_expires: Option<Timestamp>,
    /// The limits of the key.
    pub limits: KeyLimits,
    /// Whether this use should be recorded; see `AccountsService::record_use`.
    pub use_unrecorded: bool,
}
