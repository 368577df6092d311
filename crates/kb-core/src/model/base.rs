//! A knowledge base.

use serde::{Deserialize, Serialize};
use shared_core::{Author, Revision, Timestamp, WorkspaceId};

use super::{Item, ItemStatus};

/// Identifies a knowledge base; opaque.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct BaseId(pub String);

/// A collection of items that is searched as one.
#[derive(Clone, Debug, PartialEq)]
pub struct Base {
    /// Identifier.
    pub id: BaseId,
    /// A short number that indexes know it by, unique over all workspaces; the store gives it.
    pub number: i64,
    /// The workspace.
    pub workspace: WorkspaceId,
    /// Who made it.
    pub author: Author,
    /// Display name.
    pub name: String,
    /// Free text.
    pub description: String,
    /// The model whose vectors are wanted, as `model@provider`; none: it is searched by words alone.
    pub embedding: Option<String>,
    /// The model whose vectors are complete and serve searches. It follows `embedding` once every item has
    /// vectors of that.
    pub serving: Option<String>,
    /// How documents are cut.
    pub chunking: Chunking,
    /// What it holds.
    pub counts: Counts,
    /// Languages that occur in it (ISO 639-1), in the order in which they came.
    pub languages: Vec<String>,
    /// The sequence number of the last change that made something findable: an index that has applied it
    /// misses nothing of this base.
    pub written: i64,
    /// Counts the changes of name, description and settings.
    pub revision: Revision,
    /// When it was made.
    pub created: Timestamp,
    /// When it, or what it holds, was changed last.
    pub updated: Timestamp,
}

/// How documents are cut into chunks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Chunking {
    /// Tokens that a chunk has at the most, as estimated.
    pub tokens: u32,
}

impl Default for Chunking {
    fn default() -> Self {
        Self { tokens: 300 }
    }
}

/// What a base holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Items that wait.
    pub queued: u64,
    /// Items that are worked on.
    pub processing: u64,
    /// Items that are done.
    pub ready: u64,
    /// Items that failed.
    pub failed: u64,
    /// Chunks that can be found.
    pub chunks: u64,
    /// Bytes of the items as they were given.
    pub bytes: u64,
}

impl Counts {
    /// All items.
    #[must_use]
    pub fn items(&self) -> u64 {
        self.queued + self.processing + self.ready + self.failed
    }

    /// Counts an item.
    pub fn include(&mut self, item: &Item) {
        *self.of(item.status) += 1;
        self.chunks += item.chunks;
        self.bytes += item.bytes;
    }

    /// Counts an item no longer that was counted as it is here.
    pub fn exclude(&mut self, item: &Item) {
        let count = self.of(item.status);
        *count = count.saturating_sub(1);
        self.chunks = self.chunks.saturating_sub(item.chunks);
        self.bytes = self.bytes.saturating_sub(item.bytes);
    }

    fn of(&mut self, status: ItemStatus) -> &mut u64 {
        match status {
            ItemStatus::Queued => &mut self.queued,
            ItemStatus::Processing => &mut self.processing,
            ItemStatus::Ready => &mut self.ready,
            ItemStatus::Failed => &mut self.failed,
        }
    }
}
