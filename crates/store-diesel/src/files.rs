//! The adapter of files: records and the reference counts of their blobs.

use accounts_core::QuotaKind;
use async_trait::async_trait;
use diesel::dsl::exists;
use diesel::{
    BoolExpressionMethods as _, ExpressionMethods as _, JoinOnDsl as _, OptionalExtension as _,
    QueryDsl as _, Queryable, RunQueryDsl as _,
};
use files_core::{BlobKey, DeletedFile, File, FileId, FileRepository, NewFile};
use shared_core::{Cursor, Page, PageRequest, Scope, StoreError, WorkspaceId};

use crate::blob_refs::{add_ref, remove_ref};
use crate::connection::{AnyConnection, prepared};
use crate::database::Database;
use crate::failure::{Failure, foreign_key_violation_as};
use crate::idempotency::effect;
use crate::lists::{self, cut};
use crate::quotas;
use crate::rows::{author, count, stored_count, time};
use crate::schema::{blobs, files, users};
use crate::text_encoding::{decode, encode};

/// Files in the database.
#[derive(Clone, Debug)]
pub struct DieselFiles(Database);

impl DieselFiles {
    /// Uses `database`.
    #[must_use]
    pub fn new(database: Database) -> Self {
        Self(database)
    }
}

#[derive(Queryable)]
struct FileRow {
    id: i64,
    workspace: String,
    author: String,
    name: String,
    bytes: i64,
    content_type: String,
    sha256: String,
    token: String,
    blob: String,
    created: i64,
}

impl FileRow {
    fn read(self, (name, email): (String, String)) -> Result<File, Failure> {
        Ok(File {
            id: FileId(self.id),
            workspace: WorkspaceId(self.workspace),
            author: author(self.author, name, email),
            name: decode(self.name),
            bytes: count(self.bytes)?,
            content_type: self.content_type,
            sha256: self.sha256,
            token: self.token,
            blob: BlobKey(self.blob),
            created: time(self.created)?,
        })
    }
}

/// Joins the author's row to the file's.
macro_rules! with_author {
    () => {
        files::table.inner_join(
            users::table.on(users::workspace.eq(files::workspace).and(users::id.eq(files::author))),
        )
    };
}

fn insert(connection: &mut AnyConnection, scope: &Scope, file: &NewFile) -> Result<(), Failure> {
    let blob = add_ref(connection, &scope.workspace.0, &file.blob, (&file.sha256, file.bytes))?;
    diesel::insert_into(files::table)
        .values((
            files::workspace.eq(&scope.workspace.0),
            files::author.eq(&scope.user.0),
            files::name.eq(encode(&file.name).as_ref()),
            files::bytes.eq(stored_count(file.bytes)),
            files::content_type.eq(&file.content_type),
            files::sha256.eq(&file.sha256),
            files::token.eq(&file.token),
            files::blob.eq(&blob),
            files::created.eq(file.created.micros()),
        ))
        .execute(connection)
        .map_err(foreign_key_violation_as("user"))?;
    Ok(())
}

#[async_trait]
impl FileRepository for DieselFiles {
    async fn insert(&self, scope: &Scope, new: Vec<NewFile>) -> Result<Vec<File>, StoreError> {
        let scope = scope.clone();
        let store = move |connection: &mut AnyConnection| {
            let mut stored = Vec::with_capacity(new.len());
            for file in &new {
                insert(connection, &scope, file)?;
                // The token is unique and new: it finds the row and its id on both databases.
                let (row, author) = with_author!()
                    .filter(files::token.eq(&file.token).and(files::workspace.eq(&scope.workspace.0)))
                    .select((files::all_columns, (users::name, users::email)))
                    .get_result::<(FileRow, (String, String))>(connection)?;
                stored.push(row.read(author)?);
            }
            quotas::check(connection, &scope.workspace.0, &[QuotaKind::Files, QuotaKind::Bytes])?;
            Ok(stored)
        };
        self.0.write_effect(store, |stored| effect("files", stored.iter().map(|file| file.id.0))).await
    }

    async fn find(&self, scope: &Scope, id: FileId) -> Result<Option<File>, StoreError> {
        let workspace = scope.workspace.0.clone();
        let find = move |connection: &mut AnyConnection| {
            let query = with_author!()
                .filter(files::workspace.eq(&workspace).and(files::id.eq(id.0)))
                .select((files::all_columns, (users::name, users::email)));
            let found: Option<(FileRow, (String, String))> =
                prepared!(connection, inner => query.get_result(inner).optional())?;
            found.map(|(row, author)| row.read(author)).transpose()
        };
        self.0.look_up(find).await
    }

    async fn find_by_token(&self, token: &str) -> Result<Option<File>, StoreError> {
        let token = encode(token).into_owned();
        let find = move |connection: &mut AnyConnection| {
            let query = with_author!()
                .filter(files::token.eq(&token))
                .select((files::all_columns, (users::name, users::email)));
            let found: Option<(FileRow, (String, String))> =
                prepared!(connection, inner => query.get_result(inner).optional())?;
            found.map(|(row, author)| row.read(author)).transpose()
        };
        self.0.look_up(find).await
    }

    async fn list(&self, scope: &Scope, page: &PageRequest) -> Result<Page<File>, StoreError> {
        let (workspace, page) = (scope.workspace.0.clone(), page.clone());
        let list = move |connection: &mut AnyConnection| {
            let own = files::workspace.eq(&workspace);
            let total: i64 = files::table.filter(own).count().get_result(connection)?;
            let columns = (files::all_columns, (users::name, users::email));
            let query = with_author!().filter(own).select(columns).into_boxed();
            let number = |id: &String| id.parse::<i64>().unwrap_or_default();
            let rows: Vec<(FileRow, (String, String))> =
                cut!(query, &page, files::created, files::id, number).load(connection)?;
            let items =
                rows.into_iter().map(|(row, author)| row.read(author)).collect::<Result<Vec<_>, _>>()?;
            let key = |file: &File| Cursor { created: file.created, id: file.id.0.to_string() };
            Ok(lists::page(items, total, &page, key)?)
        };
        self.0.read(list).await
    }

    async fn delete(&self, scope: &Scope, id: FileId) -> Result<Option<DeletedFile>, StoreError> {
        let workspace = scope.workspace.0.clone();
        let delete = move |connection: &mut AnyConnection| {
            let found = with_author!()
                .filter(files::workspace.eq(&workspace).and(files::id.eq(id.0)))
                .select((files::all_columns, (users::name, users::email)))
                .get_result::<(FileRow, (String, String))>(connection)
                .optional()?;
            let Some((row, author)) = found else { return Ok(None) };
            let file = row.read(author)?;
            let named = files::table.filter(files::workspace.eq(&workspace).and(files::id.eq(id.0)));
            if diesel::delete(named).execute(connection)? == 0 {
                return Ok(None);
            }
            let orphan = remove_ref(connection, &workspace, &file.blob.0)?;
            Ok(Some(DeletedFile { file, orphan }))
        };
        self.0.write(delete).await
    }

    async fn blob_in_use(&self, blob: &BlobKey) -> Result<bool, StoreError> {
        let key = blob.0.clone();
        let look = move |connection: &mut AnyConnection| {
            Ok(diesel::select(exists(blobs::table.filter(blobs::key.eq(&key)))).get_result(connection)?)
        };
        self.0.query(look).await
    }
}
