//! The ports of notes: the store, and the lookup of the resources they are attached to.

use std::fmt;

use async_trait::async_trait;
use shared_core::{Page, PageRequest, Scope, StoreError};

use crate::{Note, NoteDraft, NoteId, NoteUpdate, Resource};

/// Stores notes. Implementations must pass `note_repository_contract!`.
///
/// A store that also holds the resources deletes a resource's notes in the transaction that deletes the
/// resource. When a resource is renamed, its notes follow it.
#[async_trait]
pub trait NoteRepository: fmt::Debug + Send + Sync + 'static {
    /// Stores a note and returns its id. `Missing("resource")` when the store knows that the workspace has no
    /// such resource.
    async fn insert(&self, scope: &Scope, note: &NoteDraft) -> Result<NoteId, StoreError>;
    /// The note with this id; `None` when the workspace has none.
    async fn find(&self, scope: &Scope, id: NoteId) -> Result<Option<Note>, StoreError>;
    /// The resource's notes, newest first, then by id. A page by cursor takes as long as the first page,
    /// however many notes there are. When the notes of a page exceed [`PAGE_BYTES`](crate::PAGE_BYTES)
    /// together, the page ends early, after at least one note, and its cursor continues there.
    async fn list(
        &self,
        scope: &Scope,
        resource: &Resource,
        page: &PageRequest,
    ) -> Result<Page<Note>, StoreError>;
    /// Changes the note and returns it, in one transaction; `None` when it does not exist. There is no
    /// revision check: the last writer wins.
    async fn update(
        &self,
        scope: &Scope,
        id: NoteId,
        change: &NoteUpdate,
    ) -> Result<Option<Note>, StoreError>;
    /// Deletes those of `ids` that are notes of the resource, in one transaction. Returns the deleted ids in
    /// ascending order.
    async fn delete(
        &self,
        scope: &Scope,
        resource: &Resource,
        ids: &[NoteId],
    ) -> Result<Vec<NoteId>, StoreError>;
    /// Deletes all notes of the resource in one transaction. Returns how many there were.
    async fn delete_all(&self, scope: &Scope, resource: &Resource) -> Result<u64, StoreError>;
}

/// Looks up the resources that can have notes. The composition root implements it with the services of
/// agents, knowledge bases and files.
#[async_trait]
pub trait ResourceLookup: fmt::Debug + Send + Sync + 'static {
    /// Whether the workspace has the resource.
    async fn exists(&self, scope: &Scope, resource: &Resource) -> Result<bool, StoreError>;
}
