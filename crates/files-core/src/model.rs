//! A stored file.

use serde::{Deserialize, Serialize};
use shared_core::{Author, Timestamp, WorkspaceId};

/// Identifies a file: a positive integer below 2⁵³ from the store's sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct FileId(pub i64);

impl FileId {
    /// Reads an id as it is written: decimal digits without sign or leading zeros. `None` for what can
    /// be no file's id.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let plain = text.bytes().all(|byte| byte.is_ascii_digit()) && !text.starts_with('0');
        let id: i64 = text.parse().ok()?;
        (plain && id < 1 << 53).then_some(Self(id))
    }
}

/// Names the bytes of a file in the blob store. Opaque; files of equal content in one workspace
/// share one key.
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
    /// Type found by looking at the content.
    pub content_type: String,
    /// SHA-256 of the content, lower-case hex.
    pub sha256: String,
    /// Whoever holds this token can read the content.
    pub token: String,
    /// Where the content is.
    pub blob: BlobKey,
    /// When it was stored.
    pub created: Timestamp,
}

/// A file about to be stored: its bytes are already in the blob store under `blob`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewFile {
    /// The name as it was given.
    pub name: String,
    /// Size in bytes.
    pub bytes: u64,
    /// Type found by looking at the content.
    pub content_type: String,
    /// SHA-256 of the content, lower-case hex.
    pub sha256: String,
    /// The capability token.
    pub token: String,
    /// The key its bytes were written under. If the workspace already has the content, the stored
    /// file refers to that older blob instead, and this one is superfluous.
    pub blob: BlobKey,
    /// When it was stored.
    pub created: Timestamp,
}
