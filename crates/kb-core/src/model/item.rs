//! A piece of data in a base.

use files_core::{BlobKey, FileId};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use shared_core::{Timestamp, UserId, WorkspaceId};

use super::{BaseId, ItemId};

/// Where an item came from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Source {
    /// A file, which may have been deleted since.
    File {
        /// The id it has or had.
        id: FileId,
    },
    /// A text in the request.
    Text,
    /// Chunks in the request.
    Chunks,
    /// A page of the web.
    Web {
        /// The URL to fetch.
        url: String,
    },
}

impl Source {
    /// The name of its kind: `file`, `text`, `chunks` or `web`.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::File { .. } => "file",
            Self::Text => "text",
            Self::Chunks => "chunks",
            Self::Web { .. } => "web",
        }
    }
}

/// Processing status of an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ItemStatus {
    /// Waiting for a worker.
    Queued,
    /// Being processed.
    Processing,
    /// Processed and findable.
    Ready,
    /// Not processed completely; `error` says why.
    Failed,
}

impl ItemStatus {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Queued, Self::Processing, Self::Ready, Self::Failed];

    /// The serialized name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Queued => "queued",
            Self::Processing => "processing",
            Self::Ready => "ready",
            Self::Failed => "failed",
        }
    }

    /// Parses [`ItemStatus::name`].
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.name() == name)
    }
}

/// Why an item failed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ItemError {
    /// Stable error code, in snake case.
    pub code: String,
    /// One sentence.
    pub message: String,
}

/// The original of an item. The base holds a reference of its own, so deleting the file keeps it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Content {
    /// Key of its bytes.
    pub blob: BlobKey,
    /// SHA-256 of them, lower-case hex.
    pub sha256: String,
    /// Size in bytes.
    pub bytes: u64,
}

/// Progress of embedding: chunks that have vectors, of all that need them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Chunks with vectors.
    pub done: u64,
    /// All chunks; 0 until known.
    pub total: u64,
}

/// A piece of data in a base: a document, or ready-made chunks.
#[derive(Clone, Debug, PartialEq)]
pub struct Item {
    /// Identifier.
    pub id: ItemId,
    /// Short number for indexes, unique over all workspaces; assigned by the store.
    pub number: i64,
    /// Its index among all items that its base ever had, from 0: the position of its job.
    pub place: u32,
    /// The workspace that owns it.
    pub workspace: WorkspaceId,
    /// The knowledge base that it is in.
    pub base: BaseId,
    /// Who added it.
    pub author: UserId,
    /// The API key that is charged for its vectors.
    pub key: Option<String>,
    /// Where it came from.
    pub source: Source,
    /// Title: the file's name, or as given.
    pub name: String,
    /// The user's metadata; searches can filter by it.
    pub meta: Map<String, Value>,
    /// The user's identifier of it, unique in its base.
    pub external_id: Option<String>,
    /// From this moment on nothing finds it.
    pub expires: Option<Timestamp>,
    /// What is being done with it.
    pub status: ItemStatus,
    /// Why it failed; for a queued item, the error of the last attempt.
    pub error: Option<ItemError>,
    /// Size of the original, in bytes.
    pub bytes: u64,
    /// Its original; `None` for ready-made chunks and web pages.
    pub content: Option<Content>,
    /// Number of findable chunks.
    pub chunks: u64,
    /// How far the work is.
    pub progress: Progress,
    /// Its language (ISO 639-1), if detected.
    pub language: Option<String>,
    /// The model of which all its chunks have vectors.
    pub embedded: Option<String>,
    /// The sequence number of the change that made its present chunks findable; 0: none are. A hit with
    /// another number is outdated.
    pub sequence: i64,
    /// The sequence number of the last change of it: an index that has applied that change has everything of
    /// the item, also the vectors that came after its chunks. 0: there was none.
    pub position: i64,
    /// When it was added.
    pub created: Timestamp,
    /// When it was changed last.
    pub updated: Timestamp,
}

impl Item {
    /// Whether it has findable chunks.
    #[must_use]
    pub fn is_findable(&self) -> bool {
        self.sequence > 0
    }

    /// Whether nothing finds it any more, although it may not be removed yet.
    #[must_use]
    pub fn is_expired(&self, now: Timestamp) -> bool {
        self.expires.is_some_and(|expires| expires <= now)
    }

    /// Queues it again after a failure.
    pub fn queue_again(&mut self, now: Timestamp) {
        self.status = ItemStatus::Queued;
        self.error = None;
        self.updated = now;
    }

    /// Whether it has findable chunks and will get vectors of the model, but has none yet: such an item
    /// blocks the model from serving its base. A failed item gets none until it is retried.
    #[must_use]
    pub fn lacks(&self, model: Option<&str>) -> bool {
        let found = self.chunks > 0 && self.status != ItemStatus::Failed;
        found && model.is_some() && self.embedded.as_deref() != model
    }
}
