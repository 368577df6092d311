//! The adapter of notes, the resources that have them, and their counts.
//!
//! Every writer of a resource's notes locks the resource's row first, so that concurrent writers wait instead
//! of conflicting.

mod rows;
mod steps;

use async_trait::async_trait;
use diesel::{BoolExpressionMethods as _, ExpressionMethods as _, QueryDsl as _, RunQueryDsl as _};
use notes_core::{Note, NoteDraft, NoteId, NoteRepository, NoteUpdate, Resource};
use shared_core::{Cursor, Page, PageRequest, Scope, StoreError};

use self::rows::NoteOwner;
use self::steps::{
    add_to_count, count_one, find_note, find_page_bounds, insert_note, load, load_count, of, require_owner,
    update_note,
};
use crate::connection::{AnyConnection, prepared};
use crate::database::Database;
use crate::idempotency::effect;
use crate::rows::{count, to_json};
use crate::schema::{noted_resources as noted, notes};

/// Notes in the database.
#[derive(Clone, Debug)]
pub struct DieselNotes(Database);

impl DieselNotes {
    /// Uses `database`.
    #[must_use]
    pub fn new(database: Database) -> Self {
        Self(database)
    }
}

#[async_trait]
impl NoteRepository for DieselNotes {
    async fn insert(&self, scope: &Scope, note: &NoteDraft) -> Result<NoteId, StoreError> {
        let (scope, note) = (scope.clone(), note.clone());
        let meta = to_json(&note.meta)?;
        let insert = move |connection: &mut AnyConnection| {
            let owner = require_owner(connection, &scope.workspace.0, &note.resource)?;
            count_one(connection, &scope.workspace.0, &owner)?;
            Ok(NoteId(insert_note(connection, &scope, &owner, (&note, &meta))?))
        };
        self.0.write_effect(insert, |id| effect("note", [id])).await
    }

    async fn find(&self, scope: &Scope, id: NoteId) -> Result<Option<Note>, StoreError> {
        let workspace = scope.workspace.0.clone();
        self.0.look_up(move |connection| find_note(connection, &workspace, id)).await
    }

    async fn list(
        &self,
        scope: &Scope,
        resource: &Resource,
        page: &PageRequest,
    ) -> Result<Page<Note>, StoreError> {
        let (workspace, resource, page) = (scope.workspace.0.clone(), resource.clone(), page.clone());
        let list = move |connection: &mut AnyConnection| {
            let Some(owner) = NoteOwner::find(connection, &workspace, &resource)? else {
                return Ok(Page { items: Vec::new(), total: 0, next: None });
            };
            let total = load_count(connection, &workspace, &owner)?;
            let (stretch, more) = find_page_bounds(connection, &workspace, &owner, &page)?;
            let rows = match stretch {
                Some(stretch) => load(connection, &workspace, &owner, stretch)?,
                None => Vec::new(),
            };
            let items = rows
                .into_iter()
                .map(|(row, author)| row.read(author, resource.clone()))
                .collect::<Result<Vec<Note>, _>>()?;
            let last = items.last().filter(|_| more);
            let next = last.map(|note| Cursor { created: note.created, id: note.id.to_string() });
            Ok(Page { items, total: count(total)?, next })
        };
        self.0.read(list).await
    }

    async fn update(
        &self,
        scope: &Scope,
        id: NoteId,
        change: &NoteUpdate,
    ) -> Result<Option<Note>, StoreError> {
        let (workspace, change) = (scope.workspace.0.clone(), change.clone());
        let meta = change.meta.as_ref().map(to_json).transpose()?;
        let update = move |connection: &mut AnyConnection| {
            update_note(connection, &workspace, id, (&change, meta.as_deref()))?;
            find_note(connection, &workspace, id)
        };
        self.0.write(update).await
    }

    async fn delete(
        &self,
        scope: &Scope,
        resource: &Resource,
        ids: &[NoteId],
    ) -> Result<Vec<NoteId>, StoreError> {
        let (workspace, resource, ids) = (scope.workspace.0.clone(), resource.clone(), ids.to_vec());
        let delete = move |connection: &mut AnyConnection| {
            let mut gone = Vec::new();
            let Some(owner) = NoteOwner::find(connection, &workspace, &resource)? else { return Ok(gone) };
            if !add_to_count(connection, &workspace, &owner, 0)? {
                return Ok(gone);
            }
            // One by one: with a list of ids, SQLite would scan all notes of the resource.
            for id in &ids {
                let named = notes::table.filter(of!(notes, &workspace, owner).and(notes::id.eq(id.0)));
                let delete = diesel::delete(named);
                if prepared!(connection, inner => delete.execute(inner))? > 0 {
                    gone.push(*id);
                }
            }
            let removed = i64::try_from(gone.len()).unwrap_or(i64::MAX);
            add_to_count(connection, &workspace, &owner, -removed)?;
            gone.sort_unstable();
            Ok(gone)
        };
        self.0.write(delete).await
    }

    async fn delete_all(&self, scope: &Scope, resource: &Resource) -> Result<u64, StoreError> {
        let (workspace, resource) = (scope.workspace.0.clone(), resource.clone());
        let delete = move |connection: &mut AnyConnection| {
            let Some(owner) = NoteOwner::find(connection, &workspace, &resource)? else { return Ok(0) };
            add_to_count(connection, &workspace, &owner, 0)?;
            let total = load_count(connection, &workspace, &owner)?;
            // The notes are deleted by cascade.
            diesel::delete(noted::table.filter(of!(noted, &workspace, owner))).execute(connection)?;
            Ok(count(total)?)
        };
        self.0.bulk().write(delete).await
    }
}
