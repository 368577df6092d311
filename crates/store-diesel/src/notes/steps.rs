//! Statements of a unit of work on notes.

use diesel::connection::DefaultLoadingMode;
use diesel::{
    BoolExpressionMethods as _, ExpressionMethods as _, JoinOnDsl as _, NullableExpressionMethods as _,
    OptionalExtension as _, QueryDsl as _, RunQueryDsl as _,
};
use notes_core::{Note, NoteDraft, NoteId, NoteUpdate, Resource, page_length};
use shared_core::{PageRequest, Position, Scope, StoreError};

use super::rows::{NoteOwner, NoteWithAuthor};
use crate::connection::{AnyConnection, prepared};
use crate::failure::{Failure, constraint_violation_as, foreign_key_violation_as};
use crate::lists;
use crate::schema::{agents, noted_resources as noted, notes, users};
use crate::static_statement::execute_static;
use crate::text_encoding::encode;

/// Joins the author's row to the note's.
macro_rules! with_author {
    () => {
        notes::table.inner_join(
            users::table.on(users::workspace.eq(notes::workspace).and(users::id.eq(notes::author))),
        )
    };
}

/// The rows of one owner.
macro_rules! of {
    ($table:ident, $workspace:expr, $owner:expr) => {
        $table::workspace
            .eq($workspace)
            .and($table::resource.eq($owner.kind.name()))
            .and($table::owner.eq(&$owner.key))
    };
}
pub(super) use of;

/// Size of a text in bytes, for bounding pages.
fn text_bytes(text: &str) -> i64 {
    i64::try_from(text.len()).unwrap_or(i64::MAX)
}

/// Adds to the number of the owner's notes, which locks its row. `false` if it has none.
pub(super) fn add_to_count(
    connection: &mut AnyConnection,
    workspace: &str,
    owner: &NoteOwner,
    by: i64,
) -> Result<bool, Failure> {
    let row = noted::table.filter(of!(noted, workspace, owner));
    let update = diesel::update(row).set(noted::notes.eq(noted::notes + by));
    Ok(execute_static!(connection, update, noted::notes)? > 0)
}

/// Counts one more note of an owner that may have no row yet.
pub(super) fn count_one(
    connection: &mut AnyConnection,
    workspace: &str,
    owner: &NoteOwner,
) -> Result<(), Failure> {
    if add_to_count(connection, workspace, owner, 1)? {
        return Ok(());
    }
    let insert = diesel::insert_into(noted::table).values((
        noted::workspace.eq(workspace),
        noted::resource.eq(owner.kind.name()),
        noted::owner.eq(&owner.key),
        noted::agent.eq(owner.agent()),
        noted::file.eq(owner.file()),
        noted::base.eq(owner.base),
        noted::notes.eq(1_i64),
    ));
    let inserted = prepared!(connection, inner => insert.execute(inner));
    inserted.map_err(|error| match constraint_violation_as("resource", "resource")(error) {
        // The owner's first note was inserted meanwhile.
        Failure::Store(StoreError::Taken(_)) => Failure::Retry,
        other => other,
    })?;
    Ok(())
}

/// The number of the owner's notes.
pub(super) fn load_count(
    connection: &mut AnyConnection,
    workspace: &str,
    owner: &NoteOwner,
) -> Result<i64, Failure> {
    let query = noted::table.filter(of!(noted, workspace, owner)).select(noted::notes);
    let found: Option<i64> = prepared!(connection, inner => query.get_result(inner).optional())?;
    Ok(found.unwrap_or_default())
}

/// Stores the note and returns its id.
pub(super) fn insert_note(
    connection: &mut AnyConnection,
    scope: &Scope,
    owner: &NoteOwner,
    (note, meta): (&NoteDraft, &str),
) -> Result<i64, Failure> {
    let content = encode(&note.content);
    let insert = diesel::insert_into(notes::table).values((
        notes::workspace.eq(&scope.workspace.0),
        notes::resource.eq(owner.kind.name()),
        notes::owner.eq(&owner.key),
        notes::author.eq(&scope.user.0),
        notes::role.eq(note.role.name()),
        notes::content_bytes.eq(text_bytes(&note.content)),
        notes::meta_bytes.eq(text_bytes(meta)),
        notes::content.eq(content.as_ref()),
        notes::meta.eq(meta),
        notes::created.eq(note.created.micros()),
        notes::updated.eq(note.created.micros()),
    ));
    let insert = insert.returning(notes::id);
    prepared!(connection, inner => insert.get_result(inner)).map_err(foreign_key_violation_as("user"))
}

/// The changed columns; an absent meta stays.
#[derive(diesel::AsChangeset)]
#[diesel(table_name = notes)]
struct NoteChangeset<'a> {
    role: &'a str,
    content_bytes: i64,
    meta_bytes: Option<i64>,
    content: &'a str,
    meta: Option<&'a str>,
    updated: i64,
}

/// Changes the note.
pub(super) fn update_note(
    connection: &mut AnyConnection,
    workspace: &str,
    id: NoteId,
    (change, meta): (&NoteUpdate, Option<&str>),
) -> Result<(), Failure> {
    let content = encode(&change.content);
    let changed = NoteChangeset {
        role: change.role.name(),
        content_bytes: text_bytes(&change.content),
        meta_bytes: meta.map(text_bytes),
        content: content.as_ref(),
        meta,
        updated: change.updated.micros(),
    };
    let named = notes::table.filter(notes::workspace.eq(workspace).and(notes::id.eq(id.0)));
    let update = diesel::update(named).set(changed);
    prepared!(connection, inner => update.execute(inner))?;
    Ok(())
}

/// The note with this id.
pub(super) fn find_note(
    connection: &mut AnyConnection,
    workspace: &str,
    id: NoteId,
) -> Result<Option<Note>, Failure> {
    let agent = agents::workspace.eq(notes::workspace).and(agents::id.eq(notes::owner));
    let query = with_author!()
        .left_join(agents::table.on(agent))
        .filter(notes::workspace.eq(workspace).and(notes::id.eq(id.0)))
        .select(((notes::all_columns, (users::name, users::email)), agents::namespace.nullable()));
    let found: Option<(NoteWithAuthor, Option<String>)> =
        prepared!(connection, inner => query.get_result(inner).optional())?;
    let Some(((row, author), namespace)) = found else { return Ok(None) };
    let resource = row.resource(namespace)?;
    Ok(Some(row.read(author, resource)?))
}

/// The sort key of a note in its list: creation time and id.
pub(super) type NoteKey = (i64, i64);

/// A range of a list: its newest and its oldest note, inclusive.
pub(super) type PageBounds = (NoteKey, NoteKey);

/// The bounds of a page, `None` if it is empty, and whether more notes follow.
pub(super) fn find_page_bounds(
    connection: &mut AnyConnection,
    workspace: &str,
    owner: &NoteOwner,
    page: &PageRequest,
) -> Result<(Option<PageBounds>, bool), Failure> {
    // The first page uses the same query as any other, so that it costs the same.
    let (created, id) = match &page.position {
        Position::Number(_) => (i64::MAX, i64::MAX),
        Position::After(cursor) => (cursor.created.micros(), cursor.id.parse().unwrap_or_default()),
    };
    let query = notes::table
        .filter(of!(notes, workspace, owner).and(notes::created.le(created)))
        .filter(notes::created.lt(created).or(notes::created.eq(created).and(notes::id.lt(id))))
        .select((notes::created, notes::id, notes::content_bytes + notes::meta_bytes))
        .order((notes::created.desc(), notes::id.desc()));
    let (skipped, wanted) = (page.offset(), lists::fetch(page));
    let heads: Vec<(i64, i64, i64)> = match connection {
        // Read row by row: with a limit, SQLite would plan the statement each time.
        AnyConnection::Sqlite(inner) if skipped == 0 => {
            let rows = query.load_iter::<_, DefaultLoadingMode>(inner)?;
            rows.take(page.limit as usize + 1).collect::<Result<_, _>>()?
        }
        AnyConnection::Sqlite(inner) => query.limit(wanted).offset(skipped).load(inner)?,
        AnyConnection::Postgres(inner) => query.limit(wanted).offset(skipped).load(inner)?,
    };
    let sizes = heads.iter().map(|(_, _, bytes)| usize::try_from(*bytes).unwrap_or(usize::MAX));
    let length = page_length(sizes.take(page.limit as usize));
    let key = |(created, id, _): &(i64, i64, i64)| (*created, *id);
    let ends = heads.first().zip(heads.get(length.saturating_sub(1)));
    Ok((ends.map(|(first, last)| (key(first), key(last))), length < heads.len()))
}

/// The notes of a range. (With a list of ids, SQLite would scan all notes of the workspace.)
pub(super) fn load(
    connection: &mut AnyConnection,
    workspace: &str,
    owner: &NoteOwner,
    ((newest, first), (oldest, last)): PageBounds,
) -> Result<Vec<NoteWithAuthor>, Failure> {
    let query = with_author!()
        .filter(of!(notes, workspace, owner))
        .filter(notes::created.le(newest).and(notes::created.ge(oldest)))
        .filter(notes::created.lt(newest).or(notes::id.le(first)))
        .filter(notes::created.gt(oldest).or(notes::id.ge(last)))
        .select((notes::all_columns, (users::name, users::email)))
        .order((notes::created.desc(), notes::id.desc()));
    Ok(prepared!(connection, inner => query.load(inner))?)
}

/// The owner, or the error of an insert without it.
pub(super) fn require_owner(
    connection: &mut AnyConnection,
    workspace: &str,
    resource: &Resource,
) -> Result<NoteOwner, Failure> {
    let found = NoteOwner::find(connection, workspace, resource)?;
    found.ok_or_else(|| StoreError::Missing("resource").into())
}
