//! The adapter of evaluation sets.

use async_trait::async_trait;
use delta_core::Run;
use diesel::{
    BoolExpressionMethods as _, ExpressionMethods as _, JoinOnDsl as _, OptionalExtension as _,
    QueryDsl as _, Queryable, RunQueryDsl as _,
};
use evaluation_core::{EvaluationRepository, EvaluationSet, TrueGroup};
use shared_core::{Cursor, Page, PageRequest, Scope, StoreError};

use crate::connection::{AnyConnection, prepared};
use crate::database::Database;
use crate::failure::{Failure, constraint_violation_as};
use crate::idempotency::effect;
use crate::lists::{self, cut};
use crate::rows::{author, count, from_json, position, time, to_json};
use crate::runs::of_evaluation_set;
use crate::schema::{evaluation_groups as groups, evaluation_sets as sets, users};
use crate::text_encoding::{decode, encode};

/// Groups per insert statement on PostgreSQL; each takes four of its 65,535 parameters.
const INSERT_BATCH: usize = 500;

/// Evaluation sets in the database.
#[derive(Clone, Debug)]
pub struct DieselEvaluationSets(Database);

impl DieselEvaluationSets {
    /// Uses `database`.
    #[must_use]
    pub fn new(database: Database) -> Self {
        Self(database)
    }
}

#[derive(Queryable)]
struct SetRow {
    _workspace: String,
    id: String,
    author: String,
    name: String,
    form: String,
    weights: String,
    groups: i32,
    created: i64,
}

impl SetRow {
    fn read(self, (name, email): (String, String)) -> Result<EvaluationSet, StoreError> {
        Ok(EvaluationSet {
            id: self.id,
            name: decode(self.name),
            form_id: self.form,
            weights: from_json(&self.weights)?,
            groups: count(i64::from(self.groups))?,
            author: author(self.author, name, email),
            created: time(self.created)?,
        })
    }
}

/// A group to store.
#[derive(Clone, Debug, diesel::Insertable)]
#[diesel(table_name = groups)]
struct NewGroup<'a> {
    workspace: &'a str,
    set_id: &'a str,
    position: i32,
    content: String,
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
    ($workspace:expr, $id:expr) => {
        sets::table.filter(sets::workspace.eq($workspace).and(sets::id.eq($id)))
    };
}

#[async_trait]
impl EvaluationRepository for DieselEvaluationSets {
    async fn insert(&self, scope: &Scope, set: &EvaluationSet) -> Result<(), StoreError> {
        let (scope, set, weights) = (scope.clone(), set.clone(), to_json(&set.weights)?);
        let id = set.id.clone();
        let insert = move |connection: &mut AnyConnection| {
            let insert = diesel::insert_into(sets::table).values((
                sets::workspace.eq(&scope.workspace.0),
                sets::id.eq(&set.id),
                sets::author.eq(&scope.user.0),
                sets::name.eq(encode(&set.name).into_owned()),
                sets::form.eq(&set.form_id),
                sets::weights.eq(&weights),
                sets::groups.eq(position(set.groups)),
                sets::created.eq(set.created.micros()),
            ));
            let inserted = prepared!(connection, inner => insert.execute(inner));
            inserted.map_err(constraint_violation_as("evaluation_set", "form"))?;
            Ok(())
        };
        self.0.write_effect(insert, move |()| effect("evaluation_set", [&id])).await
    }

    async fn find(&self, scope: &Scope, id: &str) -> Result<Option<EvaluationSet>, StoreError> {
        let (workspace, id) = (scope.workspace.0.clone(), encode(id).into_owned());
        let find = move |connection: &mut AnyConnection| {
            let query = with_author!()
                .filter(sets::workspace.eq(&workspace).and(sets::id.eq(&id)))
                .select((sets::all_columns, (users::name, users::email)));
            let found: Option<(SetRow, (String, String))> =
                prepared!(connection, inner => query.get_result(inner).optional())?;
            Ok(found.map(|(row, author)| row.read(author)).transpose()?)
        };
        self.0.look_up(find).await
    }

    async fn list(&self, scope: &Scope, page: &PageRequest) -> Result<Page<EvaluationSet>, StoreError> {
        let (workspace, page) = (scope.workspace.0.clone(), page.clone());
        let list = move |connection: &mut AnyConnection| {
            let own = sets::workspace.eq(&workspace);
            let total: i64 = sets::table.filter(own).count().get_result(connection)?;
            let columns = (sets::all_columns, (users::name, users::email));
            let query = with_author!().filter(own).select(columns).into_boxed();
            let rows: Vec<(SetRow, (String, String))> =
                cut!(query, &page, sets::created, sets::id, String::clone).load(connection)?;
            let items = rows.into_iter().map(|(row, author)| row.read(author));
            let items = items.collect::<Result<Vec<_>, _>>()?;
            let key = |set: &EvaluationSet| Cursor { created: set.created, id: set.id.clone() };
            Ok(lists::page(items, total, &page, key)?)
        };
        self.0.read(list).await
    }

    async fn delete(&self, scope: &Scope, id: &str) -> Result<bool, StoreError> {
        let (workspace, id) = (scope.workspace.0.clone(), encode(id).into_owned());
        let delete = move |connection: &mut AnyConnection| {
            let delete = diesel::delete(set!(&workspace, &id));
            Ok(prepared!(connection, inner => delete.execute(inner))? > 0)
        };
        self.0.bulk().write(delete).await
    }

    async fn add(&self, scope: &Scope, id: &str, new: &[TrueGroup], most: u32) -> Result<u32, StoreError> {
        let (workspace, id) = (scope.workspace.0.clone(), encode(id).into_owned());
        let contents = new.iter().map(to_json).collect::<Result<Vec<_>, _>>()?;
        let named = id.clone();
        let add = move |connection: &mut AnyConnection| add(connection, (&workspace, &id), &contents, most);
        self.0.bulk().write_effect(add, move |_| effect("evaluation_set", [&named])).await
    }

    async fn groups(
        &self,
        scope: &Scope,
        id: &str,
        from: u32,
        limit: u32,
    ) -> Result<Vec<TrueGroup>, StoreError> {
        let (workspace, id) = (scope.workspace.0.clone(), encode(id).into_owned());
        let read = move |connection: &mut AnyConnection| {
            let query = groups::table
                .filter(groups::workspace.eq(&workspace).and(groups::set_id.eq(&id)))
                .filter(groups::position.ge(position(from)))
                .order(groups::position)
                .limit(i64::from(limit))
                .select(groups::content);
            let rows: Vec<String> = prepared!(connection, inner => query.load(inner))?;
            Ok(rows.iter().map(|content| from_json(content)).collect::<Result<Vec<_>, _>>()?)
        };
        self.0.read(read).await
    }

    async fn runs(&self, scope: &Scope, id: &str, page: &PageRequest) -> Result<Page<Run>, StoreError> {
        let (workspace, id, page) = (scope.workspace.0.clone(), encode(id).into_owned(), page.clone());
        self.0.read(move |connection| of_evaluation_set(connection, &workspace, &id, &page)).await
    }
}

/// Adds groups behind those of a set, whose row is locked meanwhile.
fn add(
    connection: &mut AnyConnection,
    (workspace, id): (&str, &str),
    contents: &[String],
    most: u32,
) -> Result<u32, Failure> {
    let more = i32::try_from(contents.len()).unwrap_or(i32::MAX);
    let update =
        diesel::update(set!(workspace, id)).set(sets::groups.eq(sets::groups + more)).returning(sets::groups);
    let found: Option<i32> = prepared!(connection, inner => update.get_result(inner).optional())?;
    let total: u32 = count(i64::from(found.ok_or(StoreError::Missing("evaluation_set"))?))?;
    if total > most {
        return Err(StoreError::Stale.into());
    }
    let first = total.saturating_sub(u32::try_from(contents.len()).unwrap_or(u32::MAX));
    let row = |(place, content): (u32, &String)| NewGroup {
        workspace,
        set_id: id,
        position: position(place),
        content: content.clone(),
    };
    let rows: Vec<NewGroup<'_>> = (first..).zip(contents).map(row).collect();
    match connection {
        // Diesel wraps a batch in a transaction of its own on SQLite, where single rows are cheap.
        AnyConnection::Sqlite(inner) => {
            for row in rows {
                diesel::insert_into(groups::table).values(row).execute(inner)?;
            }
        }
        AnyConnection::Postgres(inner) => {
            for part in rows.chunks(INSERT_BATCH) {
                diesel::insert_into(groups::table).values(part).execute(inner)?;
            }
        }
    }
    Ok(total)
}
