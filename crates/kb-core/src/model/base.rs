//! A knowledge base.

use serde::{Deserialize, Serialize};
use shared_core::{Author, Revision, Timestamp, WorkspaceId};

use super::{BaseId, Item, ItemStatus};

/// A collection of items that is searched as one.
#[derive(Clone, Debug, PartialEq)]
pub struct Base {
    /// Identifier.
    pub id: BaseId,
    /// Short number for indexes, unique over all workspaces; assigned by the store.
    pub number: i64,
    /// The workspace that owns it.
    pub workspace: WorkspaceId,
    /// Who made it.
    pub author: Author,
    /// Display name.
    pub name: String,
    /// Free text.
    pub description: String,
    /// The wanted embedding model, as `model@provider`; `None`: lexical search only.
    pub embedding: Option<String>,
    /// The embedding model that serves searches: all vectors of it exist. It follows `embedding` once every
    /// item has vectors of that.
    pub serving: Option<String>,
    /// How documents are chunked.
    pub chunking: Chunking,
    /// How results are reranked unless a search says otherwise.
    pub rerank: RerankSettings,
    /// Totals of its items.
    pub counts: Counts,
    /// Languages of its items (ISO 639-1), in the order of their first occurrence.
    pub languages: Vec<String>,
    /// The sequence number of the last change that made something findable. An index that has applied it
    /// misses nothing of this base.
    pub written: i64,
    /// Revision of name, description and settings.
    pub revision: Revision,
    /// When it was made.
    pub created: Timestamp,
    /// When it or its items last changed.
    pub updated: Timestamp,
}

/// How documents are cut into chunks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Chunking {
    /// Maximum tokens of a chunk, as estimated.
    pub tokens: u32,
}

impl Default for Chunking {
    fn default() -> Self {
        // The README (Chunking) measures 100 to 600: at 300 the first 1,500 tokens hold the most answers.
        Self { tokens: 300 }
    }
}

/// How the results of searches are reranked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct RerankSettings {
    /// The reranking model, as `model@provider`; `None`: results are not reranked.
    pub model: Option<String>,
    /// Number of the best results that are reranked.
    pub depth: u32,
}

impl Default for RerankSettings {
    fn default() -> Self {
        // Chosen by hand; no measurement recorded.
        Self { model: None, depth: 50 }
    }
}

/// Totals of a base.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Queued items.
    pub queued: u64,
    /// Items in processing.
    pub processing: u64,
    /// Items that are ready.
    pub ready: u64,
    /// Items that failed.
    pub failed: u64,
    /// Findable chunks.
    pub chunks: u64,
    /// Bytes of the items as they were added.
    pub bytes: u64,
}

impl Counts {
    /// Number of all items.
    #[must_use]
    pub fn items(&self) -> u64 {
        self.queued + self.processing + self.ready + self.failed
    }

    /// Adds an item to the counts.
    pub fn include(&mut self, item: &Item) {
        *self.of(item.status) += 1;
        self.chunks += item.chunks;
        self.bytes += item.bytes;
    }

    /// Removes an item from the counts. The item must be as it was counted.
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
