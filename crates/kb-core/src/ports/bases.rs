//! The port of bases.

use std::fmt;

use async_trait::async_trait;
use files_core::BlobKey;
use shared_core::{Page, PageRequest, Revision, Scope, StoreError, Timestamp};

use crate::{Base, BaseId, ItemId};

/// Result of a deletion.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RemovedItems {
    /// The deleted items, in no order.
    pub items: Vec<ItemId>,
    /// Contents without references; the caller removes their bytes.
    pub orphans: Vec<BlobKey>,
    /// For a base: the namespaces of the agents that named it and no longer do, in order.
    pub agents: Vec<String>,
    /// The sequence number of the last change that was written; `None` when none was necessary.
    pub position: Option<i64>,
}

/// Stores bases. Implementations must pass `knowledge_contract!`.
#[async_trait]
pub trait BaseRepository: fmt::Debug + Send + Sync + 'static {
    /// Stores a base and returns it with its number. Counts, languages and `written` are ignored: a new base
    /// is empty, and `serving` is its `embedding`.
    async fn insert(&self, scope: &Scope, base: &Base) -> Result<Base, StoreError>;
    /// The base with this id.
    async fn find(&self, scope: &Scope, id: &BaseId) -> Result<Option<Base>, StoreError>;
    /// The workspace's bases, newest first, then by id.
    async fn list(&self, scope: &Scope, page: &PageRequest) -> Result<Page<Base>, StoreError>;
    /// Stores name, description, chunking, reranking and `embedding`, and the next revision. All else stays. `Stale`
    /// unless the stored revision is `expected`. With another `embedding`, the same transaction adds a job
    /// for each ready item without vectors of it, and queues each failed item again that has chunks but no
    /// vectors, since it may have failed because of the former model. `serving` follows at once when no
    /// findable item lacks vectors, or when the model is none. With none, no item is marked as embedded any
    /// more.
    async fn update(
        &self,
        scope: &Scope,
        base: &Base,
        expected: Revision,
        now: Timestamp,
    ) -> Result<Base, StoreError>;
    /// Deletes a base with its items, their jobs and its notes, removes it from the agents that name it, and
    /// writes the change for indexes, all in one transaction. `None` when it does not exist.
    async fn delete(
        &self,
        scope: &Scope,
        id: &BaseId,
        now: Timestamp,
    ) -> Result<Option<RemovedItems>, StoreError>;
}
