//! The ports in memory, for tests and embedders. Nothing survives the process.

use std::collections::HashSet;

use async_trait::async_trait;
use parking_lot::{Mutex, MutexGuard};
use shared_core::{Author, Cursor, Page, PageRequest, Scope, StoreError, WorkspaceId};

use crate::{Note, NoteDraft, NoteId, NoteRepository, NoteUpdate, Resource, ResourceLookup, page_length};

/// Notes in memory. It holds no resources, so `Missing("resource")` never occurs.
#[derive(Debug, Default)]
pub struct MemoryNotes(Mutex<Rows>);

#[derive(Debug, Default)]
struct Rows {
    notes: Vec<Note>,
    last_id: i64,
}

impl MemoryNotes {
    fn rows(&self) -> MutexGuard<'_, Rows> {
        self.0.lock()
    }
}

fn is_of(note: &Note, scope: &Scope, resource: &Resource) -> bool {
    note.workspace == scope.workspace && note.resource == *resource
}

fn size(note: &Note) -> usize {
    note.content.len() + serde_json::to_string(&note.meta).map_or(0, |json| json.len())
}

#[async_trait]
impl NoteRepository for MemoryNotes {
    async fn insert(&self, scope: &Scope, note: &NoteDraft) -> Result<NoteId, StoreError> {
        let mut rows = self.rows();
        rows.last_id += 1;
        let id = NoteId(rows.last_id);
        let NoteDraft { resource, role, content, meta, created } = note.clone();
        rows.notes.push(Note {
            id,
            workspace: scope.workspace.clone(),
            author: Author { id: scope.user.clone(), name: scope.user.0.clone(), email: String::new() },
            resource,
            role,
            content,
            meta,
            created,
            updated: created,
        });
        Ok(id)
    }

    async fn find(&self, scope: &Scope, id: NoteId) -> Result<Option<Note>, StoreError> {
        Ok(self.rows().notes.iter().find(|row| row.workspace == scope.workspace && row.id == id).cloned())
    }

    async fn list(
        &self,
        scope: &Scope,
        resource: &Resource,
        page: &PageRequest,
    ) -> Result<Page<Note>, StoreError> {
        let rows = self.rows();
        let own = rows.notes.iter().filter(|row| is_of(row, scope, resource)).cloned().collect();
        let key = |row: &Note| Cursor { created: row.created, id: row.id.to_string() };
        let mut page = Page::paginate(own, page, key);
        let kept = page_length(page.items.iter().map(size));
        if kept < page.items.len() {
            page.items.truncate(kept);
            page.next = page.items.last().map(key);
        }
        Ok(page)
    }

    async fn update(
        &self,
        scope: &Scope,
        id: NoteId,
        change: &NoteUpdate,
    ) -> Result<Option<Note>, StoreError> {
        let mut rows = self.rows();
        let named = |row: &&mut Note| row.workspace == scope.workspace && row.id == id;
        let Some(note) = rows.notes.iter_mut().find(named) else { return Ok(None) };
        (note.role, note.updated) = (change.role, change.updated);
        note.content.clone_from(&change.content);
        if let Some(meta) = &change.meta {
            note.meta.clone_from(meta);
        }
        Ok(Some(note.clone()))
    }

    async fn delete(
        &self,
        scope: &Scope,
        resource: &Resource,
        ids: &[NoteId],
    ) -> Result<Vec<NoteId>, StoreError> {
        let mut gone = Vec::new();
        self.rows().notes.retain(|row| {
            let goes = is_of(row, scope, resource) && ids.contains(&row.id);
            if goes {
                gone.push(row.id);
            }
            !goes
        });
        Ok(gone)
    }

    async fn delete_all(&self, scope: &Scope, resource: &Resource) -> Result<u64, StoreError> {
        let mut rows = self.rows();
        let before = rows.notes.len();
        rows.notes.retain(|row| !is_of(row, scope, resource));
        Ok((before - rows.notes.len()) as u64)
    }
}

/// The resources that were registered with [`MemoryResources::add`].
#[derive(Debug, Default)]
pub struct MemoryResources(Mutex<HashSet<(WorkspaceId, Resource)>>);

impl MemoryResources {
    /// Registers a resource of the workspace.
    pub fn add(&self, scope: &Scope, resource: Resource) {
        let mut known = self.0.lock();
        known.insert((scope.workspace.clone(), resource));
    }
}

#[async_trait]
impl ResourceLookup for MemoryResources {
    async fn exists(&self, scope: &Scope, resource: &Resource) -> Result<bool, StoreError> {
        let known = self.0.lock();
        Ok(known.contains(&(scope.workspace.clone(), resource.clone())))
    }
}
