//! A piece of data in a base.

use files_core::{BlobKey, FileId};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use shared_core::{Timestamp, UserId, WorkspaceId};

use super::BaseId;

/// Identifies an item; opaque.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ItemId(pub String);

/// Where an item came from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Source {
    /// A file, which may have been deleted since.
    File {
        /// Its id.
        id: FileId,
    },
    /// A text in the request.
    Text,
    /// Chunks in the request.
    Chunks,
    /// A page of the web.
    Web {
        /// Its address.
        url: String,
    },
}

/// What is being done with an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ItemStatus {
    /// It waits.
    Queued,
    /// It is worked on.
    Processing,
    /// It is done, and can be found.
    Ready,
    /// It failed.
    Failed,
}

impl ItemStatus {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Queued, Self::Processing, Self::Ready, Self::Failed];

    /// As it is written.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Queued => "queued",
            Self::Processing => "processing",
            Self::Ready => "ready",
            Self::Failed => "failed",
        }
    }

    /// Reads what [`ItemStatus::name`] wrote.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.name() == name)
    }
}

/// Why an item failed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ItemError {
    /// Stable, in snake case.
    pub code: String,
    /// One sentence.
    pub message: String,
}

/// The original of an item, of which the base holds its own reference: deleting the file leaves it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Content {
    /// Where its bytes are.
    pub blob: BlobKey,
    /// SHA-256 of them, lower-case hex.
    pub sha256: String,
    /// How many there are.
    pub bytes: u64,
}

/// How far the work is: chunks that have their vectors, of all that need them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Done.
    pub done: u64,
    /// In all; 0 until it is known.
    pub total: u64,
}

/// A piece of data in a base: a document, or chunks that came ready-made.
#[derive(Clone, Debug, PartialEq)]
pub struct Item {
    /// Identifier.
    pub id: ItemId,
    /// A short number that indexes know it by, unique over all workspaces; the store gives it.
    pub number: i64,
    /// Its place among all items that its base ever had, from 0: the position of its job.
    pub place: u32,
    /// The workspace.
    pub workspace: WorkspaceId,
    /// The base.
    pub base: BaseId,
    /// Who added it.
    pub author: UserId,
    /// The API key that pays for its vectors.
    pub key: Option<String>,
    /// Where it came from.
    pub source: Source,
    /// Its title: the file's name, or what was given.
    pub name: String,
    /// What the user keeps with it; searches can filter by it.
    pub meta: Map<String, Value>,
    /// What is being done with it.
    pub status: ItemStatus,
    /// Why it failed; or, while it waits to be tried again, the last failure.
    pub error: Option<ItemError>,
    /// Size of what was given.
    pub bytes: u64,
    /// Its original; none for ready-made chunks and pages of the web.
    pub content: Option<Content>,
    /// Chunks that can be found.
    pub chunks: u64,
    /// How far the work is.
    pub progress: Progress,
    /// Its language (ISO 639-1), where it could be told.
    pub language: Option<String>,
    /// The model that all its chunks have vectors of.
    pub embedded: Option<String>,
    /// The sequence number of the change that made its present chunks findable; 0: none are. A finding with
    /// another number is out of date.
    pub sequence: i64,
    /// When it was added.
    pub created: Timestamp,
    /// When it was changed last.
    pub updated: Timestamp,
}

impl Item {
    /// Whether chunks of it can be found.
    #[must_use]
    pub fn is_findable(&self) -> bool {
        self.sequence > 0
    }

    /// Lets it wait again after it failed.
    pub fn queue_again(&mut self, now: Timestamp) {
        self.status = ItemStatus::Queued;
        self.error = None;
        self.updated = now;
    }

    /// Whether it has chunks that are found, and will get vectors of the model, but has not yet: such an item
    /// keeps the model from serving its base. What failed gets none until it is tried again.
    #[must_use]
    pub fn lacks(&self, model: Option<&str>) -> bool {
        let found = self.chunks > 0 && self.status != ItemStatus::Failed;
        found && model.is_some() && self.embedded.as_deref() != model
    }
}
