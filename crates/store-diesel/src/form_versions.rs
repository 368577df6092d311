//! The versions of forms.

use diesel::{
    BoolExpressionMethods as _, ExpressionMethods as _, OptionalExtension as _, QueryDsl as _,
    RunQueryDsl as _,
};
use forms_core::{Form, FormExample, FormVersion, FormVersionSummary, VersionState};
use serde_json::{Map, Value};
use shared_core::{Cursor, Page, PageRequest, StoreError, WorkspaceId};

use crate::connection::{AnyConnection, prepared};
use crate::failure::{Failure, corrupt};
use crate::lists::{self, cut};
use crate::rows::{count, from_json, time, to_json};
use crate::schema::form_versions;
use crate::text_encoding::{decode, encode};

/// The content of a version as it is stored.
pub(crate) struct VersionContent {
    pub(crate) definition: String,
    pub(crate) examples: String,
}

impl VersionContent {
    pub(crate) fn of(schema: &Map<String, Value>, examples: &[FormExample]) -> Result<Self, StoreError> {
        Ok(Self { definition: to_json(schema)?, examples: to_json(&examples)? })
    }
}

pub(crate) fn stored_version(version: u32) -> i32 {
    i32::try_from(version).unwrap_or(i32::MAX)
}

pub(crate) fn read_version(stored: i32) -> Result<u32, StoreError> {
    count(i64::from(stored))
}

fn read_state(name: &str) -> Result<VersionState, StoreError> {
    let found = VersionState::ALL.into_iter().find(|state| state.name() == name);
    found.ok_or_else(|| corrupt(format!("'{name}' is no state of a version")))
}

/// Stores a version unless there is one. Returns whether there was none.
pub(crate) fn insert(
    connection: &mut AnyConnection,
    workspace: &WorkspaceId,
    version: &FormVersion,
    stored: &VersionContent,
) -> Result<bool, Failure> {
    let title = encode(&version.title);
    let insert = diesel::insert_into(form_versions::table).values((
        form_versions::workspace.eq(&workspace.0),
        form_versions::form.eq(&version.form_id),
        form_versions::version.eq(stored_version(version.version)),
        form_versions::state.eq(version.state.name()),
        form_versions::title.eq(title.as_ref()),
        form_versions::definition.eq(&stored.definition),
        form_versions::examples.eq(&stored.examples),
        form_versions::created.eq(version.created.micros()),
    ));
    let insert = insert.on_conflict_do_nothing();
    Ok(prepared!(connection, inner => insert.execute(inner))? > 0)
}

/// Stores the version in force, or marks the stored one as published.
pub(crate) fn publish(
    connection: &mut AnyConnection,
    form: &Form,
    stored: &VersionContent,
) -> Result<(), Failure> {
    if insert(connection, &form.workspace, &form.in_force(), stored)? {
        return Ok(());
    }
    let draft = form_versions::table
        .filter(form_versions::workspace.eq(&form.workspace.0).and(form_versions::form.eq(&form.id)))
        .filter(form_versions::version.eq(stored_version(form.version)))
        .filter(form_versions::state.eq(VersionState::Draft.name()));
    diesel::update(draft).set(form_versions::state.eq(VersionState::Published.name())).execute(connection)?;
    Ok(())
}

/// The form at a version.
pub(crate) fn find(
    connection: &mut AnyConnection,
    workspace: &str,
    id: &str,
    version: u32,
) -> Result<Option<FormVersion>, Failure> {
    let found = form_versions::table
        .filter(form_versions::workspace.eq(workspace))
        .filter(form_versions::form.eq(encode(id).as_ref()))
        .filter(form_versions::version.eq(stored_version(version)))
        .select((
            form_versions::state,
            form_versions::title,
            form_versions::definition,
            form_versions::examples,
            form_versions::created,
        ))
        .get_result::<(String, String, String, String, i64)>(connection)
        .optional()?;
    let Some((state, title, definition, examples, created)) = found else { return Ok(None) };
    Ok(Some(FormVersion {
        form_id: id.to_owned(),
        version,
        state: read_state(&state)?,
        title: decode(title),
        schema: from_json(&definition)?,
        examples: from_json(&examples)?,
        created: time(created)?,
    }))
}

/// The versions of a form, newest first.
pub(crate) fn list(
    connection: &mut AnyConnection,
    workspace: &str,
    id: &str,
    page: &PageRequest,
) -> Result<Page<FormVersionSummary>, Failure> {
    let id = encode(id);
    let own = form_versions::workspace.eq(workspace).and(form_versions::form.eq(id.as_ref()));
    let total: i64 = form_versions::table.filter(own).count().get_result(connection)?;
    let columns =
        (form_versions::version, form_versions::state, form_versions::title, form_versions::created);
    let query = form_versions::table.filter(own).select(columns).into_boxed();
    let number = |id: &String| id.parse::<i32>().unwrap_or_default();
    let rows: Vec<(i32, String, String, i64)> =
        cut!(query, page, form_versions::created, form_versions::version, number).load(connection)?;
    let read = |(version, state, title, created): (i32, String, String, i64)| {
        let (version, state) = (read_version(version)?, read_state(&state)?);
        let title = decode(title);
        Ok::<_, StoreError>(FormVersionSummary { version, state, title, created: time(created)? })
    };
    let items = rows.into_iter().map(read).collect::<Result<Vec<_>, _>>()?;
    let key = |row: &FormVersionSummary| Cursor { created: row.created, id: row.version.to_string() };
    Ok(lists::page(items, total, page, key)?)
}
