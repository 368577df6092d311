//! A stored file.

use serde::{Deserialize, Serialize};
use shared_core::{Author, Timestamp, WorkspaceId};

/// Identifies a file: a positive integer below 2⁵³ from the store's sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct FileId(pub i64);

impl FileId {
    /// Parses an id: decimal digits without sign or leading zeros. `None` for text that cannot be a file's
    /// id.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let plain = text.bytes().all(|byte| byte.is_ascii_digit()) && !text.starts_with('0');
        let id: i64 = text.parse().ok()?;
        (plain && id < 1 << 53).then_some(Self(id))
    }
}

/// Identifies the bytes of a file in the blob store. Opaque. Files of equal content in one workspace share
/// one key.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct BlobKey(pub String);

/// A file of a workspace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// Identifier.
    pub id: FileId,
    /// The workspace.
    pub workspace: WorkspaceId,
    /// Who uploaded it.
    pub author: Author,
    /// The name as it was given: for display, never a path.
    pub name: String,
    /// Size in bytes.
    pub bytes: u64,
    /// Content type, detected from the content.
    pub content_type: String,
    /// SHA-256 of the content, lower-case hex.
    pub sha256: String,
    /// The capability token: its bearer can read the content.
    pub token: String,
    /// The key of the content in the blob store.
    pub blob: BlobKey,
    /// When it was stored.
    pub created: Timestamp,
}

/// A file to be stored: its bytes are already in the blob store under `blob`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewFile {
    /// The name as it was given.
    pub name: String,
    /// Size in bytes.
    pub bytes: u64,
    /// Content type, detected from the content.
    pub content_type: String,
    /// SHA-256 of the content, lower-case hex.
    pub sha256: String,
    /// The capability token.
    pub token: String,
    /// The key of its bytes. If the workspace already has the content, the stored record refers to the older
    /// blob, and this one is to be deleted.
    pub blob: BlobKey,
    /// When it was stored.
    pub created: Timestamp,
}
