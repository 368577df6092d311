//! The port of bases.

use std::fmt;

use async_trait::async_trait;
use files_core::BlobKey;
use shared_core::{Page, PageRequest, Revision, Scope, StoreError, Timestamp};

use crate::{Base, BaseId, ItemId};

/// What a deletion removed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RemovedItems {
    /// The items that went, in no order.
    pub items: Vec<ItemId>,
    /// Contents that nobody refers to any more; their bytes are to be removed.
    pub orphans: Vec<BlobKey>,
    /// Of a base: the namespaces of the agents that named it and do so no more, in order.
    pub agents: Vec<String>,
}

/// Stores bases. Implementations must pass `knowledge_contract!`.
#[async_trait]
pub trait BaseRepository: fmt::Debug + Send + Sync + 'static {
    /// Stores a base and answers it with its number. Counts, languages and `written` are ignored: a new base
    /// is empty, and `serving` is its `embedding`.
    async fn insert(&self, scope: &Scope, base: &Base) -> Result<Base, StoreError>;
    /// The base with this id.
    async fn find(&self, scope: &Scope, id: &BaseId) -> Result<Option<Base>, StoreError>;
    /// The workspace's bases, newest first, then by id.
    async fn list(&self, scope: &Scope, page: &PageRequest) -> Result<Page<Base>, StoreError>;
    /// Stores name, description, chunking and `embedding`; all else stays, but `revision` is `expected`'s
    /// next. `Stale` unless the stored revision is `expected`. With another `embedding`, a job is put in, in
    /// the same transaction, for each ready item that has no vectors of it; and each failed one with chunks that has
    /// none is queued again, since it may have failed for the model before. Where no findable item lacks vectors, or
    /// the model is none, `serving` follows at once. With none, no item is said to have vectors any more.
    async fn update(
        &self,
        scope: &Scope,
        base: &Base,
        expected: Revision,
        now: Timestamp,
    ) -> Result<Base, StoreError>;
    /// Deletes a base with its items, their jobs and its notes, takes it out of the agents that name it, all in one
    /// unit, and writes the change for indexes. `None` when it was not there.
    async fn delete(
        &self,
        scope: &Scope,
        id: &BaseId,
        now: Timestamp,
    ) -> Result<Option<RemovedItems>, StoreError>;
}
