//! The ports of notes: where they are stored, and whether what they are attached to exists.

use std::fmt;

use async_trait::async_trait;
use shared_core::{Page, PageRequest, Revision, Scope, StoreError};

use crate::{Note, NoteDraft, NoteId, Resource};

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
    /// first, however many notes there are.
    async fn list(
        &self,
        scope: &Scope,
        resource: &Resource,
        page: &PageRequest,
    ) -> Result<Page<Note>, StoreError>;
    /// Stores the note's role, content, meta and time of change, only if the stored revision is
    /// `expected`; else `Stale`, also when it is gone.
    async fn update(&self, scope: &Scope, note: &Note, expected: Revision) -> Result<(), StoreError>;
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
pub trait Resources: fmt::Debug + Send + Sync + 'static {
    /// Whether the workspace has the resource.
    async fn exists(&self, scope: &Scope, resource: &Resource) -> Result<bool, StoreError>;
}
