//! The adapter of sets of questions to knowledge bases.

use async_trait::async_trait;
use diesel::{
    BoolExpressionMethods as _, ExpressionMethods as _, JoinOnDsl as _, OptionalExtension as _,
    QueryDsl as _, RunQueryDsl as _,
};
use evaluation_core::retrieval::{Question, QuestionSet, QuestionSetRepository};
use shared_core::{Cursor, Page, PageRequest, Scope, StoreError};

use crate::connection::{AnyConnection, prepared};
use crate::database::Database;
use crate::failure::{Failure, constraint_violation_as};
use crate::idempotency::effect;
use crate::lists::{self, cut};
use crate::rows::{author, count, from_json, position, time, to_json};
use crate::schema::{kb_bases as bases, question_sets as sets, users};
use crate::text_encoding::{decode, encode};

/// Sets of questions in the database.
#[derive(Clone, Debug)]
pub struct DieselQuestionSets(Database);

impl DieselQuestionSets {
    /// Uses `database`.
    #[must_use]
    pub fn new(database: Database) -> Self {
        Self(database)
    }
}

/// Id, name, count, created, updated, author, and the author's name and e-mail address.
type SetRow = (String, String, i32, i64, i64, String, String, String);

fn read(row: SetRow, base: &str) -> Result<QuestionSet, StoreError> {
    let (id, name, questions, created, updated, user, user_name, email) = row;
    Ok(QuestionSet {
        id,
        base: base.to_owned(),
        name: decode(name),
        questions: count(i64::from(questions))?,
        author: author(user, user_name, email),
        created: time(created)?,
        updated: time(updated)?,
    })
}

/// The columns of [`SetRow`].
macro_rules! columns {
    () => {
        (
            sets::id,
            sets::name,
            sets::count,
            sets::created,
            sets::updated,
            sets::author,
            users::name,
            users::email,
        )
    };
}

/// Joins the author's row to the set's.
macro_rules! with_author {
    () => {
        sets::table
            .inner_join(users::table.on(users::workspace.eq(sets::workspace).and(users::id.eq(sets::author))))
    };
}

/// The row of a set.
macro_rules! set {
    ($workspace:expr, $base:expr, $id:expr) => {
        sets::table.filter(sets::workspace.eq($workspace).and(sets::base.eq($base)).and(sets::id.eq($id)))
    };
}

/// The number of a knowledge base.
fn base_number(connection: &mut AnyConnection, workspace: &str, base: &str) -> Result<Option<i64>, Failure> {
    let query =
        bases::table.filter(bases::workspace.eq(workspace).and(bases::id.eq(base))).select(bases::number);
    Ok(prepared!(connection, inner => query.get_result(inner).optional())?)
}

#[async_trait]
impl QuestionSetRepository for DieselQuestionSets {
    async fn insert(
        &self,
        scope: &Scope,
        set: &QuestionSet,
        questions: &[Question],
    ) -> Result<(), StoreError> {
        let (scope, set, questions) = (scope.clone(), set.clone(), to_json(&questions)?);
        let id = set.id.clone();
        let insert = move |connection: &mut AnyConnection| {
            let base = base_number(connection, &scope.workspace.0, encode(&set.base).as_ref())?;
            let base = base.ok_or(StoreError::Missing("knowledge base"))?;
            let insert = diesel::insert_into(sets::table).values((
                sets::workspace.eq(&scope.workspace.0),
                sets::id.eq(&set.id),
                sets::base.eq(base),
                sets::author.eq(&scope.user.0),
                sets::name.eq(encode(&set.name).into_owned()),
                sets::count.eq(position(set.questions)),
                sets::created.eq(set.created.micros()),
                sets::updated.eq(set.updated.micros()),
                sets::questions.eq(&questions),
            ));
            let inserted = prepared!(connection, inner => insert.execute(inner));
            inserted.map_err(constraint_violation_as("evaluation_set", "knowledge base"))?;
            Ok(())
        };
        self.0.write_effect(insert, move |()| effect("evaluation_set", [&id])).await
    }

    async fn find(
        &self,
        scope: &Scope,
        base: &str,
        id: &str,
    ) -> Result<Option<(QuestionSet, Vec<Question>)>, StoreError> {
        let (workspace, key, id) =
            (scope.workspace.0.clone(), encode(base).into_owned(), encode(id).into_owned());
        let base = base.to_owned();
        let find = move |connection: &mut AnyConnection| {
            let Some(number) = base_number(connection, &workspace, &key)? else { return Ok(None) };
            let query = with_author!()
                .filter(sets::workspace.eq(&workspace).and(sets::base.eq(number)).and(sets::id.eq(&id)))
                .select((columns!(), sets::questions));
            let found: Option<(SetRow, String)> =
                prepared!(connection, inner => query.get_result(inner).optional())?;
            let Some((row, questions)) = found else { return Ok(None) };
            Ok(Some((read(row, &base)?, from_json(&questions)?)))
        };
        self.0.look_up(find).await
    }

    async fn list(
        &self,
        scope: &Scope,
        base: &str,
        page: &PageRequest,
    ) -> Result<Page<QuestionSet>, StoreError> {
        let (workspace, key, page) = (scope.workspace.0.clone(), encode(base).into_owned(), page.clone());
        let base = base.to_owned();
        let list = move |connection: &mut AnyConnection| {
            let number = base_number(connection, &workspace, &key)?.unwrap_or_default();
            let own = sets::workspace.eq(&workspace).and(sets::base.eq(number));
            let total: i64 = sets::table.filter(own).count().get_result(connection)?;
            let own = sets::workspace.eq(&workspace).and(sets::base.eq(number));
            let query = with_author!().filter(own).select(columns!()).into_boxed();
            let rows: Vec<SetRow> =
                cut!(query, &page, sets::created, sets::id, String::clone).load(connection)?;
            let items = rows.into_iter().map(|row| read(row, &base)).collect::<Result<Vec<_>, _>>()?;
            let key = |set: &QuestionSet| Cursor { created: set.created, id: set.id.clone() };
            Ok(lists::page(items, total, &page, key)?)
        };
        self.0.read(list).await
    }

    async fn replace(
        &self,
        scope: &Scope,
        set: &QuestionSet,
        questions: &[Question],
    ) -> Result<bool, StoreError> {
        let (workspace, set, questions) = (scope.workspace.0.clone(), set.clone(), to_json(&questions)?);
        let replace = move |connection: &mut AnyConnection| {
            let base = base_number(connection, &workspace, encode(&set.base).as_ref())?;
            let Some(base) = base else { return Ok(false) };
            let id = encode(&set.id).into_owned();
            let update = diesel::update(set!(&workspace, base, &id)).set((
                sets::name.eq(encode(&set.name).into_owned()),
                sets::count.eq(position(set.questions)),
                sets::updated.eq(set.updated.micros()),
                sets::questions.eq(&questions),
            ));
            Ok(prepared!(connection, inner => update.execute(inner))? > 0)
        };
        self.0.write(replace).await
    }

    async fn delete(&self, scope: &Scope, base: &str, id: &str) -> Result<bool, StoreError> {
        let (workspace, base, id) =
            (scope.workspace.0.clone(), encode(base).into_owned(), encode(id).into_owned());
        let delete = move |connection: &mut AnyConnection| {
            let Some(number) = base_number(connection, &workspace, &base)? else { return Ok(false) };
            let delete = diesel::delete(set!(&workspace, number, &id));
            Ok(prepared!(connection, inner => delete.execute(inner))? > 0)
        };
        self.0.write(delete).await
    }
}
