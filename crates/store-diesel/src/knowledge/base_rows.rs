//! Rows of knowledge bases.

use diesel::{
    BoolExpressionMethods as _, ExpressionMethods as _, JoinOnDsl as _, OptionalExtension as _,
    QueryDsl as _, Queryable, RunQueryDsl as _,
};
use kb_core::{Base, BaseId, Counts};
use shared_core::{Revision, StoreError, WorkspaceId};

use crate::connection::{AnyConnection, prepared};
use crate::failure::Failure;
use crate::rows::{author, count, from_json, time};
use crate::schema::{kb_bases, users};
use crate::text_encoding::{decode, encode};

#[derive(Clone, Debug, Queryable)]
pub(super) struct BaseRow {
    pub(super) number: i64,
    pub(super) workspace: String,
    pub(super) id: String,
    author: String,
    name: String,
    description: String,
    chunking: String,
    pub(super) embedding: Option<String>,
    pub(super) serving: Option<String>,
    languages: String,
    queued: i64,
    processing: i64,
    ready: i64,
    failed: i64,
    chunks: i64,
    bytes: i64,
    pub(super) lacking: i64,
    pub(super) next_place: i64,
    pub(super) written: i64,
    pub(super) revision: i64,
    created: i64,
    updated: i64,
    rerank: String,
}

impl BaseRow {
    pub(super) fn counts(&self) -> Result<Counts, StoreError> {
        Ok(Counts {
            queued: count(self.queued)?,
            processing: count(self.processing)?,
            ready: count(self.ready)?,
            failed: count(self.failed)?,
            chunks: count(self.chunks)?,
            bytes: count(self.bytes)?,
        })
    }

    pub(super) fn languages(&self) -> Result<Vec<String>, StoreError> {
        from_json(&self.languages)
    }

    pub(super) fn read(self, (name, email): (String, String)) -> Result<Base, StoreError> {
        Ok(Base {
            counts: self.counts()?,
            languages: self.languages()?,
            id: BaseId(self.id),
            number: self.number,
            workspace: WorkspaceId(self.workspace),
            author: author(self.author, name, email),
            name: decode(self.name),
            description: decode(self.description),
            embedding: self.embedding.map(decode),
            serving: self.serving.map(decode),
            chunking: from_json(&self.chunking)?,
            rerank: from_json(&self.rerank)?,
            written: self.written,
            revision: Revision(self.revision),
            created: time(self.created)?,
            updated: time(self.updated)?,
        })
    }
}

/// A knowledge base with its author's name and e-mail address.
pub(super) type BaseWithAuthor = (BaseRow, (String, String));

/// Joins the author's row to the base's.
macro_rules! with_author {
    () => {
        crate::schema::kb_bases::table.inner_join(
            crate::schema::users::table.on(crate::schema::users::workspace
                .eq(crate::schema::kb_bases::workspace)
                .and(crate::schema::users::id.eq(crate::schema::kb_bases::author))),
        )
    };
}
pub(super) use with_author;

/// The knowledge base with this id.
pub(super) fn find(
    connection: &mut AnyConnection,
    workspace: &str,
    id: &BaseId,
) -> Result<Option<Base>, Failure> {
    let id = encode(&id.0);
    let query = with_author!()
        .filter(kb_bases::workspace.eq(workspace).and(kb_bases::id.eq(id.as_ref())))
        .select((kb_bases::all_columns, (users::name, users::email)));
    let found: Option<BaseWithAuthor> = prepared!(connection, inner => query.get_result(inner).optional())?;
    Ok(found.map(|(row, author)| row.read(author)).transpose()?)
}

/// The number of the knowledge base with this id.
pub(super) fn number(
    connection: &mut AnyConnection,
    workspace: &str,
    id: &BaseId,
) -> Result<Option<i64>, Failure> {
    let id = encode(&id.0);
    let query = kb_bases::table
        .filter(kb_bases::workspace.eq(workspace).and(kb_bases::id.eq(id.as_ref())))
        .select(kb_bases::number);
    Ok(prepared!(connection, inner => query.get_result(inner).optional())?)
}
