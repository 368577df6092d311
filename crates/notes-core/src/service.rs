//! The use cases of notes.

use std::collections::HashSet;
use std::sync::Arc;

use serde_json::Value;
use shared_core::{Clock, Page, PageRequest, Scope, StoreError, Violation};

use crate::rules::NoteValidator;
use crate::{
    Note, NoteDraft, NoteId, NoteLimits, NoteRepository, NoteUpdate, NotesError, Resource, ResourceKind,
    ResourceLookup,
};

/// Ids in one deletion at most.
pub const MAX_VALUES: usize = 1_000;

/// The use cases of notes.
#[derive(Clone, Debug)]
pub struct NotesService {
    repository: Arc<dyn NoteRepository>,
    resources: Arc<dyn ResourceLookup>,
    clock: Arc<dyn Clock>,
    limits: NoteLimits,
}

/// A note to add, as it was sent.
#[derive(Clone, Debug, PartialEq)]
pub struct NewNote {
    /// Its text.
    pub content: String,
    /// `assistant`, `user` or `system`.
    pub role: String,
    /// `agent`, `knowledgebase` or `file`.
    pub resource: String,
    /// The resource's id in URLs.
    pub resource_id: String,
    /// JSON text or an object; `{}` when absent.
    pub meta: Option<Value>,
}

/// Changes to a note, as they were sent.
#[derive(Clone, Debug, PartialEq)]
pub struct NoteChanges {
    /// New text.
    pub content: String,
    /// New role.
    pub role: String,
    /// New meta, JSON text or an object; `None` leaves it unchanged.
    pub meta: Option<Value>,
}

/// Which notes of a resource to delete. `all` takes precedence over `values`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NoteDeletion {
    /// Their ids as text.
    pub values: Option<Vec<String>>,
    /// Whether to delete all notes of the resource.
    pub all: bool,
}

/// The result of a deletion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeletedNotes {
    /// The number of deleted notes.
    pub count: u64,
    /// The ids that are not notes of the resource, as they were sent.
    pub unmatched: Vec<String>,
}

impl NotesService {
    /// Builds the service on its ports.
    #[must_use]
    pub fn new(
        repository: Arc<dyn NoteRepository>,
        resources: Arc<dyn ResourceLookup>,
        clock: Arc<dyn Clock>,
        limits: NoteLimits,
    ) -> Self {
        Self { repository, resources, clock, limits }
    }

    /// Adds a note to a resource.
    ///
    /// # Errors
    /// [`NotesError::Invalid`] with every violation, [`NotesError::ResourceNotFound`], or when the store
    /// fails.
    pub async fn add(&self, scope: &Scope, new: NewNote) -> Result<NoteId, NotesError> {
        let mut check = NoteValidator::default();
        check.content(&new.content, self.limits);
        let role = check.role(&new.role);
        let kind = check.kind("/resource", &new.resource);
        let meta = new.meta.map(|meta| check.meta(meta, self.limits)).unwrap_or(Some(Default::default()));
        let (Some(role), Some(kind), Some(meta), true) = (role, kind, meta, check.0.is_empty()) else {
            return Err(NotesError::Invalid(check.0));
        };
        let resource = Resource { kind, id: new.resource_id };
        self.require_resource(scope, &resource).await?;
        let note = NoteDraft { resource, role, content: new.content, meta, created: self.clock.now() };
        // The resource may have been deleted between the check and the write.
        self.repository.insert(scope, &note).await.map_err(|error| match error {
            StoreError::Missing("resource") => NotesError::ResourceNotFound(kind),
            other => other.into(),
        })
    }

    /// The note with this id.
    ///
    /// # Errors
    /// [`NotesError::NotFound`], or when the store fails.
    pub async fn get(&self, scope: &Scope, id: NoteId) -> Result<Note, NotesError> {
        self.repository.find(scope, id).await?.ok_or(NotesError::NotFound)
    }

    /// The notes of a resource, newest first. A page of large notes has fewer than its limit (see
    /// [`PAGE_BYTES`](crate::PAGE_BYTES)); its cursor continues there.
    ///
    /// # Errors
    /// [`NotesError::Invalid`] when `kind` is unknown, [`NotesError::ResourceNotFound`], or when the store
    /// fails.
    pub async fn list(
        &self,
        scope: &Scope,
        kind: &str,
        id: &str,
        page: &PageRequest,
    ) -> Result<Page<Note>, NotesError> {
        let resource = self.resource(scope, kind, id).await?;
        Ok(self.repository.list(scope, &resource, page).await?)
    }

    /// Changes a note's text and role, and its meta if one is given.
    ///
    /// # Errors
    /// [`NotesError::NotFound`], [`NotesError::Invalid`] with every violation, or when the store fails.
    pub async fn update(&self, scope: &Scope, id: NoteId, changes: NoteChanges) -> Result<Note, NotesError> {
        let mut check = NoteValidator::default();
        check.content(&changes.content, self.limits);
        let role = check.role(&changes.role);
        let meta = changes.meta.and_then(|meta| check.meta(meta, self.limits));
        let (Some(role), true) = (role, check.0.is_empty()) else {
            return Err(NotesError::Invalid(check.0));
        };
        let change = NoteUpdate { role, content: changes.content, meta, updated: self.clock.now() };
        self.repository.update(scope, id, &change).await?.ok_or(NotesError::NotFound)
    }

    /// Deletes notes of a resource. Ids that are not its notes are ignored.
    ///
    /// # Errors
    /// [`NotesError::Invalid`] when neither ids nor `all` are given or `kind` is unknown,
    /// [`NotesError::ResourceNotFound`], or when the store fails.
    pub async fn delete(
        &self,
        scope: &Scope,
        kind: &str,
        id: &str,
        deletion: NoteDeletion,
    ) -> Result<DeletedNotes, NotesError> {
        let values = if deletion.all { None } else { Some(check_ids(deletion.values)?) };
        let resource = self.resource(scope, kind, id).await?;
        let Some(values) = values else {
            let count = self.repository.delete_all(scope, &resource).await?;
            return Ok(DeletedNotes { count, unmatched: Vec::new() });
        };
        let ids: Vec<NoteId> = values.iter().filter_map(|value| NoteId::parse(value)).collect();
        let gone = self.repository.delete(scope, &resource, &ids).await?;
        let count = gone.len() as u64;
        let gone: HashSet<String> = gone.iter().map(NoteId::to_string).collect();
        Ok(DeletedNotes {
            count,
            unmatched: values.into_iter().filter(|value| !gone.contains(value)).collect(),
        })
    }

    /// The resource that a URL names.
    async fn resource(&self, scope: &Scope, kind: &str, id: &str) -> Result<Resource, NotesError> {
        let mut check = NoteValidator::default();
        let kind: Option<ResourceKind> = check.kind("{resource}", kind);
        let resource = Resource { kind: kind.ok_or(NotesError::Invalid(check.0))?, id: id.to_owned() };
        self.require_resource(scope, &resource).await?;
        Ok(resource)
    }

    async fn require_resource(&self, scope: &Scope, resource: &Resource) -> Result<(), NotesError> {
        let there = self.resources.exists(scope, resource).await?;
        if there { Ok(()) } else { Err(NotesError::ResourceNotFound(resource.kind)) }
    }
}

/// The ids to delete, without duplicates.
fn check_ids(values: Option<Vec<String>>) -> Result<Vec<String>, NotesError> {
    let invalid = |path: String, message: String| NotesError::Invalid(vec![Violation::new(path, message)]);
    let Some(values) = values else {
        return Err(invalid(String::new(), "'values' or 'delete_all' must be given".into()));
    };
    if values.is_empty() || values.len() > MAX_VALUES {
        return Err(invalid("/values".into(), format!("'values' must have 1 to {MAX_VALUES} ids")));
    }
    let mut seen = HashSet::new();
    Ok(values.into_iter().filter(|value| seen.insert(value.clone())).collect())
}
