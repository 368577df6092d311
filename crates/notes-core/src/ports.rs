//! The ports of notes: where they are stored, and whether what they are attached to exists.

use std::fmt;

use async_trait::async_trait;
use shared_core::{Page, PageRequest, Scope, StoreError};

use crate::{Note, NoteDraft, NoteId, NoteUpdate, Resource};

/// Stores notes. Implementations must pass `contract::note_repository!`.
///
/// A store that also keeps the resources deletes a resource's notes in the transaction that deletes
/// the resource, and keeps them with it when it is renamed.
#[async_trait]
pub trait NoteRepository: fmt::Debug + Send + Sync + 'static {
    /// Stores a note and gives it its id. `Missing("resource")` when the store knows that the workspace
    /// has no such resource.
    async fn insert(&self, scope: &Scope, note: &NoteDraft) -> Result<NoteId, StoreError>;
    /// The note with this id.
    async fn find(&self, scope: &Scope, id: NoteId) -> Result<Option<Note>, StoreError>;
    /// The resource's notes, newest first, then by id. Takes as long for a page by cursor as for the
    /// first, however many notes there are. Where the notes of a page have more than [`PAGE_BYTES`](crate::PAGE_BYTES)
    /// together, the page ends earlier, with at least one note, and its cursor goes on from there.
    async fn list(
        &self,
        scope: &Scope,
        resource: &Resource,
        page: &PageRequest,
    ) -> Result<Page<Note>, StoreError>;
    /// Changes the note and answers it as it is then, in one unit; `None` when it is not there. Nothing
    /// was read before, so whoever comes last wins, and nobody has to come again.
    async fn update(
        &self,
        scope: &Scope,
        id: NoteId,
        change: &NoteUpdate,
    ) -> Result<Option<Note>, StoreError>;
    /// Deletes those of the notes that are the resource's, in one unit, and answers which they were, in
    /// ascending order.
    async fn delete(
        &self,
        scope: &Scope,
        resource: &Resource,
        ids: &[NoteId],
    ) -> Result<Vec<NoteId>, StoreError>;
    /// Deletes all notes of the resource, in one unit, and answers how many they were.
    async fn delete_all(&self, scope: &Scope, resource: &Resource) -> Result<u64, StoreError>;
}

/// Tells what can have notes. The composition root answers it from the services of agents, knowledge
/// bases and files.
#[async_trait]
pub trait ResourceLookup: fmt::Debug + Send + Sync + 'static {
    /// Whether the workspace has the resource.
    async fn exists(&self, scope: &Scope, resource: &Resource) -> Result<bool, StoreError>;
}
