//! Notes, the resources that have them, and how many each has.
//!
//! Every writer of a resource's notes takes the resource's row first, so that two of them wait for each
//! other instead of getting in each other's way.

use async_trait::async_trait;
use diesel::{
    BoolExpressionMethods as _, ExpressionMethods as _, JoinOnDsl as _, OptionalExtension as _,
    QueryDsl as _, Queryable, RunQueryDsl as _,
};
use notes_core::{Note, NoteDraft, NoteId, NoteRepository, Resource, ResourceKind, Role, page_length};
use shared_core::{Cursor, Page, PageRequest, Revision, Scope, StoreError, WorkspaceId};

use crate::connection::AnyConnection;
use crate::database::Database;
use crate::failure::{Failure, corrupt, missing, taken_or_missing};
use crate::ids::last_id;
use crate::lists::cut;
use crate::rows::{author, count, from_json, time, to_json};
use crate::schema::{agents, files, noted_resources as noted, notes, users};
use crate::text::{decode, encode};

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

#[derive(Queryable)]
struct NoteRow {
    id: i64,
    workspace: String,
    resource: String,
    owner: String,
    author: String,
    role: String,
    _bytes: i64,
    content: String,
    meta: String,
    revision: i64,
    created: i64,
    updated: i64,
}

impl NoteRow {
    fn read(self, (name, email): (String, String), resource: Resource) -> Result<Note, StoreError> {
        let role = Role::from_name(&self.role);
        Ok(Note {
            id: NoteId(self.id),
            workspace: WorkspaceId(self.workspace),
            author: author(self.author, name, email),
            resource,
            role: role.ok_or_else(|| corrupt(format!("'{}' is no role", self.role)))?,
            content: decode(self.content),
            meta: from_json(&self.meta)?,
            revision: Revision(self.revision),
            created: time(self.created)?,
            updated: time(self.updated)?,
        })
    }
}

/// What lasts of a resource: its row in the table of its kind.
#[derive(Clone, Debug)]
enum Owner {
    Agent(String),
    File(i64),
}

impl Owner {
    fn key(&self) -> String {
        match self {
            Self::Agent(id) => id.clone(),
            Self::File(id) => id.to_string(),
        }
    }
}

/// The resource's owner, when the workspace has it.
fn owner(
    connection: &mut AnyConnection,
    workspace: &str,
    resource: &Resource,
) -> Result<Option<Owner>, Failure> {
    match resource.kind {
        ResourceKind::Agent => {
            let named = agents::namespace.eq(encode(&resource.id).into_owned());
            let found = agents::table.filter(agents::workspace.eq(workspace).and(named)).select(agents::id);
            Ok(found.first(connection).optional()?.map(Owner::Agent))
        }
        ResourceKind::File => {
            let Ok(id) = resource.id.parse::<i64>() else { return Ok(None) };
            let found = files::table.filter(files::workspace.eq(workspace).and(files::id.eq(id)));
            Ok(found.select(files::id).first(connection).optional()?.map(Owner::File))
        }
        // There are none yet.
        ResourceKind::KnowledgeBase => Ok(None),
    }
}

/// The resource that a stored note belongs to, under its present name.
fn resource_of(connection: &mut AnyConnection, row: &NoteRow) -> Result<Resource, Failure> {
    let kind = ResourceKind::from_name(&row.resource)
        .ok_or_else(|| corrupt(format!("'{}' is no kind of resource", row.resource)))?;
    let id = match kind {
        ResourceKind::Agent => agents::table
            .filter(agents::workspace.eq(&row.workspace).and(agents::id.eq(&row.owner)))
            .select(agents::namespace)
            .first(connection)?,
        ResourceKind::KnowledgeBase | ResourceKind::File => row.owner.clone(),
    };
    Ok(Resource { kind, id })
}

/// The author's row beside the note's.
macro_rules! with_author {
    () => {
        notes::table.inner_join(
            users::table.on(users::workspace.eq(notes::workspace).and(users::id.eq(notes::author))),
        )
    };
}

/// The notes of one owner.
macro_rules! of {
    ($table:ident, $workspace:expr, $kind:expr, $owner:expr) => {
        $table::workspace.eq($workspace).and($table::resource.eq($kind.name())).and($table::owner.eq($owner))
    };
}

/// Changes the number of the owner's notes, and so takes its row. `false` when it has none.
fn add_to_count(
    connection: &mut AnyConnection,
    workspace: &str,
    (kind, owner): (ResourceKind, &str),
    by: i64,
) -> Result<bool, Failure> {
    let row = noted::table.filter(of!(noted, workspace, kind, owner));
    Ok(diesel::update(row).set(noted::notes.eq(noted::notes + by)).execute(connection)? > 0)
}

/// Counts one note more, of an owner that may be new.
fn count_one(
    connection: &mut AnyConnection,
    workspace: &str,
    kind: ResourceKind,
    owner: &Owner,
) -> Result<(), Failure> {
    if add_to_count(connection, workspace, (kind, &owner.key()), 1)? {
        return Ok(());
    }
    let (agent, file) = match owner {
        Owner::Agent(id) => (Some(id.as_str()), None),
        Owner::File(id) => (None, Some(*id)),
    };
    diesel::insert_into(noted::table)
        .values((
            noted::workspace.eq(workspace),
            noted::resource.eq(kind.name()),
            noted::owner.eq(owner.key()),
            noted::agent.eq(agent),
            noted::file.eq(file),
            noted::notes.eq(1_i64),
        ))
        .execute(connection)
        .map_err(|error| match taken_or_missing("resource", "resource")(error) {
            // Its first note came in between.
            Failure::Store(StoreError::Taken(_)) => Failure::Again,
            other => other,
        })?;
    Ok(())
}

/// How much a note has, for bounding pages.
fn size(content: &str, meta: &str) -> i64 {
    i64::try_from(content.len() + meta.len()).unwrap_or(i64::MAX)
}

/// A note in the index: its key, and how much it has.
type Head = (i64, i64, i64);

/// The heads of a page, and whether more notes follow.
fn heads(
    connection: &mut AnyConnection,
    workspace: &str,
    (kind, owner): (ResourceKind, &str),
    page: &PageRequest,
) -> Result<(Vec<Head>, bool), Failure> {
    let own = of!(notes, workspace, kind, owner);
    let query = notes::table.filter(own).select((notes::created, notes::id, notes::bytes)).into_boxed();
    let number = |id: &String| id.parse::<i64>().unwrap_or_default();
    let mut heads: Vec<Head> = cut!(query, page, notes::created, notes::id, number).load(connection)?;
    let found = heads.len();
    heads.truncate(page.limit as usize);
    let sizes = heads.iter().map(|(_, _, bytes)| usize::try_from(*bytes).unwrap_or(usize::MAX));
    heads.truncate(page_length(sizes));
    let more = heads.len() < found;
    Ok((heads, more))
}

#[async_trait]
impl NoteRepository for DieselNotes {
    async fn insert(&self, scope: &Scope, note: &NoteDraft) -> Result<NoteId, StoreError> {
        let (scope, note) = (scope.clone(), note.clone());
        let meta = to_json(&note.meta)?;
        let insert = move |connection: &mut AnyConnection| {
            let (workspace, kind) = (&scope.workspace.0, note.resource.kind);
            let Some(owner) = owner(connection, workspace, &note.resource)? else {
                return Err(StoreError::Missing("resource").into());
            };
            count_one(connection, workspace, kind, &owner)?;
            diesel::insert_into(notes::table)
                .values((
                    notes::workspace.eq(workspace),
                    notes::resource.eq(kind.name()),
                    notes::owner.eq(owner.key()),
                    notes::author.eq(&scope.user.0),
                    notes::role.eq(note.role.name()),
                    notes::bytes.eq(size(&note.content, &meta)),
                    notes::content.eq(encode(&note.content).as_ref()),
                    notes::meta.eq(&meta),
                    notes::revision.eq(Revision::FIRST.0),
                    notes::created.eq(note.created.micros()),
                    notes::updated.eq(note.created.micros()),
                ))
                .execute(connection)
                .map_err(missing("user"))?;
            Ok(NoteId(last_id(connection)?))
        };
        self.0.write(insert).await
    }

    async fn find(&self, scope: &Scope, id: NoteId) -> Result<Option<Note>, StoreError> {
        let workspace = scope.workspace.0.clone();
        let find = move |connection: &mut AnyConnection| {
            let found = with_author!()
                .filter(notes::workspace.eq(&workspace).and(notes::id.eq(id.0)))
                .select((notes::all_columns, (users::name, users::email)))
                .first::<(NoteRow, (String, String))>(connection)
                .optional()?;
            let Some((row, author)) = found else { return Ok(None) };
            let resource = resource_of(connection, &row)?;
            Ok(Some(row.read(author, resource)?))
        };
        self.0.read(find).await
    }

    async fn list(
        &self,
        scope: &Scope,
        resource: &Resource,
        page: &PageRequest,
    ) -> Result<Page<Note>, StoreError> {
        let (workspace, resource, page) = (scope.workspace.0.clone(), resource.clone(), page.clone());
        let list = move |connection: &mut AnyConnection| {
            let owner = owner(connection, &workspace, &resource)?.map(|owner| owner.key());
            let owner = owner.unwrap_or_default();
            let counted = noted::table.filter(of!(noted, &workspace, resource.kind, &owner));
            let total: Option<i64> = counted.select(noted::notes).first(connection).optional()?;
            let (heads, more) = heads(connection, &workspace, (resource.kind, &owner), &page)?;
            let (created, id, _) = heads.first().copied().unwrap_or_default();
            // The same notes again, by the one that they begin with: SQLite would look for a list of ids
            // in all notes of the workspace.
            let rows: Vec<(NoteRow, (String, String))> = with_author!()
                .filter(of!(notes, &workspace, resource.kind, &owner).and(notes::created.le(created)))
                .filter(notes::created.lt(created).or(notes::created.eq(created).and(notes::id.le(id))))
                .select((notes::all_columns, (users::name, users::email)))
                .order((notes::created.desc(), notes::id.desc()))
                .limit(i64::try_from(heads.len()).unwrap_or(i64::MAX))
                .load(connection)?;
            let items = rows
                .into_iter()
                .map(|(row, author)| row.read(author, resource.clone()))
                .collect::<Result<Vec<Note>, _>>()?;
            let last = items.last().filter(|_| more);
            let next = last.map(|note| Cursor { created: note.created, id: note.id.to_string() });
            Ok(Page { items, total: count(total.unwrap_or_default())?, next })
        };
        self.0.read(list).await
    }

    async fn update(&self, scope: &Scope, note: &Note, expected: Revision) -> Result<(), StoreError> {
        let (workspace, note) = (scope.workspace.0.clone(), note.clone());
        let meta = to_json(&note.meta)?;
        let update = move |connection: &mut AnyConnection| {
            let same = notes::table
                .filter(notes::workspace.eq(&workspace).and(notes::id.eq(note.id.0)))
                .filter(notes::revision.eq(expected.0));
            let changed = diesel::update(same)
                .set((
                    notes::role.eq(note.role.name()),
                    notes::bytes.eq(size(&note.content, &meta)),
                    notes::content.eq(encode(&note.content).as_ref()),
                    notes::meta.eq(&meta),
                    notes::revision.eq(note.revision.0),
                    notes::updated.eq(note.updated.micros()),
                ))
                .execute(connection)?;
            if changed == 0 { Err(StoreError::Stale.into()) } else { Ok(()) }
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
            let Some(owner) = owner(connection, &workspace, &resource)? else { return Ok(Vec::new()) };
            let key = owner.key();
            let of = (resource.kind, key.as_str());
            if !add_to_count(connection, &workspace, of, 0)? {
                return Ok(Vec::new());
            }
            let mut gone = Vec::new();
            // One by one: SQLite would look for a list of ids in all notes of the resource.
            for id in &ids {
                let named = of!(notes, &workspace, resource.kind, &key).and(notes::id.eq(id.0));
                if diesel::delete(notes::table.filter(named)).execute(connection)? > 0 {
                    gone.push(*id);
                }
            }
            let removed = i64::try_from(gone.len()).unwrap_or(i64::MAX);
            add_to_count(connection, &workspace, of, -removed)?;
            gone.sort_unstable();
            Ok(gone)
        };
        self.0.write(delete).await
    }

    async fn delete_all(&self, scope: &Scope, resource: &Resource) -> Result<u64, StoreError> {
        let (workspace, resource) = (scope.workspace.0.clone(), resource.clone());
        let delete = move |connection: &mut AnyConnection| {
            let Some(owner) = owner(connection, &workspace, &resource)? else { return Ok(0) };
            let row = || noted::table.filter(of!(noted, &workspace, resource.kind, owner.key()));
            add_to_count(connection, &workspace, (resource.kind, &owner.key()), 0)?;
            let counted: Option<i64> = row().select(noted::notes).first(connection).optional()?;
            // The notes go with their resource's row.
            diesel::delete(row()).execute(connection)?;
            Ok(count(counted.unwrap_or_default())?)
        };
        self.0.write(delete).await
    }
}
