//! The adapter of knowledge bases.

use async_trait::async_trait;
use diesel::sql_types::{BigInt, Integer, Text};
use diesel::{
    BoolExpressionMethods as _, ExpressionMethods as _, IntoSql as _, JoinOnDsl as _, QueryDsl as _,
    RunQueryDsl as _, TextExpressionMethods as _,
};
use kb_core::{Base, BaseId, BaseRepository, ChangeKind, ItemStatus, QUEUE, RemovedItems};
use shared_core::{Cursor, Page, PageRequest, Revision, Scope, StoreError, Timestamp};

use super::base_rows::{BaseWithAuthor, find, with_author};
use super::locked_base::LockedBase;
use super::{DieselKnowledge, changes, remove};
use crate::connection::{AnyConnection, prepared};
use crate::failure::{Failure, constraint_violation_as};
use crate::idempotency::effect;
use crate::lists::{self, cut};
use crate::rows::{from_json, to_json};
use crate::schema::{agents, jobs, kb_bases, kb_items, users};
use crate::text_encoding::{decode, encode};

#[async_trait]
impl BaseRepository for DieselKnowledge {
    async fn insert(&self, scope: &Scope, base: &Base) -> Result<Base, StoreError> {
        let (scope, base) = (scope.clone(), base.clone());
        let insert = move |connection: &mut AnyConnection| insert(connection, &scope, &base);
        self.0.write_effect(insert, |base| effect("knowledge base", [&base.id.0])).await
    }

    async fn find(&self, scope: &Scope, id: &BaseId) -> Result<Option<Base>, StoreError> {
        let (workspace, id) = (scope.workspace.0.clone(), id.clone());
        self.0.look_up(move |connection| find(connection, &workspace, &id)).await
    }

    async fn list(&self, scope: &Scope, page: &PageRequest) -> Result<Page<Base>, StoreError> {
        let (workspace, page) = (scope.workspace.0.clone(), page.clone());
        self.0.read(move |connection| list(connection, &workspace, &page)).await
    }

    async fn update(
        &self,
        scope: &Scope,
        base: &Base,
        expected: Revision,
        now: Timestamp,
    ) -> Result<Base, StoreError> {
        let (scope, base) = (scope.clone(), base.clone());
        self.0.write(move |connection| update(connection, &scope, &base, expected, now)).await
    }

    async fn delete(
        &self,
        scope: &Scope,
        id: &BaseId,
        now: Timestamp,
    ) -> Result<Option<RemovedItems>, StoreError> {
        let (workspace, id) = (scope.workspace.0.clone(), id.clone());
        self.0.bulk().write(move |connection| delete(connection, &workspace, &id, now)).await
    }
}

fn load_base(connection: &mut AnyConnection, scope: &Scope, id: &BaseId) -> Result<Base, Failure> {
    find(connection, &scope.workspace.0, id)?.ok_or_else(|| StoreError::Missing("knowledge base").into())
}

fn insert(connection: &mut AnyConnection, scope: &Scope, base: &Base) -> Result<Base, Failure> {
    let model = base.embedding.as_deref().map(encode);
    let insert = diesel::insert_into(kb_bases::table).values((
        (
            kb_bases::workspace.eq(&scope.workspace.0),
            kb_bases::id.eq(&base.id.0),
            kb_bases::author.eq(&scope.user.0),
            kb_bases::name.eq(encode(&base.name).into_owned()),
            kb_bases::description.eq(encode(&base.description).into_owned()),
            kb_bases::chunking.eq(to_json(&base.chunking)?),
            kb_bases::embedding.eq(model.as_deref()),
            kb_bases::serving.eq(model.as_deref()),
            kb_bases::languages.eq("[]"),
            kb_bases::rerank.eq(to_json(&base.rerank)?),
        ),
        (kb_bases::queued.eq(0_i64), kb_bases::processing.eq(0_i64), kb_bases::ready.eq(0_i64)),
        (kb_bases::failed.eq(0_i64), kb_bases::chunks.eq(0_i64), kb_bases::bytes.eq(0_i64)),
        (kb_bases::lacking.eq(0_i64), kb_bases::next_place.eq(0_i64), kb_bases::written.eq(0_i64)),
        kb_bases::revision.eq(base.revision.0),
        kb_bases::created.eq(base.created.micros()),
        kb_bases::updated.eq(base.updated.micros()),
    ));
    let inserted = prepared!(connection, inner => insert.execute(inner));
    inserted.map_err(constraint_violation_as("knowledge base", "user"))?;
    load_base(connection, scope, &base.id)
}

fn list(connection: &mut AnyConnection, workspace: &str, page: &PageRequest) -> Result<Page<Base>, Failure> {
    let own = kb_bases::workspace.eq(workspace);
    let total: i64 = kb_bases::table.filter(own).count().get_result(connection)?;
    let columns = (kb_bases::all_columns, (users::name, users::email));
    let query = with_author!().filter(own).select(columns).into_boxed();
    let text = |id: &String| id.clone();
    let rows: Vec<BaseWithAuthor> =
        cut!(query, &page, kb_bases::created, kb_bases::id, text).load(connection)?;
    let items = rows.into_iter().map(|(row, author)| row.read(author)).collect::<Result<Vec<_>, _>>()?;
    let key = |base: &Base| Cursor { created: base.created, id: base.id.0.clone() };
    Ok(lists::page(items, total, page, key)?)
}

fn update(
    connection: &mut AnyConnection,
    scope: &Scope,
    base: &Base,
    expected: Revision,
    now: Timestamp,
) -> Result<Base, Failure> {
    let held = LockedBase::lock(connection, &scope.workspace.0, &base.id)?;
    let mut held = held.filter(|held| held.revision == expected.0).ok_or(StoreError::Stale)?;
    let row = kb_bases::table
        .filter(kb_bases::workspace.eq(&scope.workspace.0).and(kb_bases::number.eq(held.number)));
    let model = base.embedding.as_deref().map(encode);
    let update = diesel::update(row).set((
        kb_bases::name.eq(encode(&base.name).into_owned()),
        kb_bases::description.eq(encode(&base.description).into_owned()),
        kb_bases::chunking.eq(to_json(&base.chunking)?),
        kb_bases::rerank.eq(to_json(&base.rerank)?),
        kb_bases::embedding.eq(model.as_deref()),
        kb_bases::revision.eq(expected.next().0),
    ));
    prepared!(connection, inner => update.execute(inner))?;
    if held.embedding != base.embedding {
        held.embedding.clone_from(&base.embedding);
        queue_embedding(connection, &mut held, now)?;
    }
    held.store(connection, now)?;
    load_base(connection, scope, &base.id)
}

/// Enqueues the jobs of items that lack vectors of the new model, and counts those that keep it from serving.
fn queue_embedding(
    connection: &mut AnyConnection,
    held: &mut LockedBase,
    now: Timestamp,
) -> Result<(), Failure> {
    let own = || {
        kb_items::table.filter(kb_items::workspace.eq(&held.workspace).and(kb_items::base.eq(held.number)))
    };
    let model = held.embedding.as_deref().map(|model| encode(model).into_owned());
    if model.is_none() {
        let with = own().filter(kb_items::embedded.is_not_null());
        let update = diesel::update(with).set(kb_items::embedded.eq(None::<String>));
        prepared!(connection, inner => update.execute(inner))?;
    }
    let without = || {
        let other = kb_items::embedded.is_null().or(kb_items::embedded.ne(model.as_deref()));
        own().filter(kb_items::stored.gt(0)).filter(other)
    };
    // With a model: ready items, and items that failed, perhaps only for the previous model.
    let also = if model.is_some() { ItemStatus::Ready } else { ItemStatus::Failed };
    let failed = kb_items::status.eq(ItemStatus::Failed.name());
    let rows = without().filter(failed.or(kb_items::status.eq(also.name()))).select((
        QUEUE.into_sql::<Text>(),
        held.id.0.as_str().into_sql::<Text>(),
        kb_items::place,
        kb_items::workspace,
        now.micros().into_sql::<BigInt>(),
        kb_items::fence + 1,
        0_i32.into_sql::<Integer>(),
        0_i32.into_sql::<Integer>(),
    ));
    let columns = (
        jobs::queue,
        jobs::owner,
        jobs::position,
        jobs::workspace,
        jobs::ready,
        jobs::token,
        jobs::attempts,
        jobs::interrupted,
    );
    // An existing job is reset, and a worker for the previous model loses its lease.
    let insert = diesel::insert_into(jobs::table)
        .values(rows)
        .into_columns(columns)
        .on_conflict((jobs::queue, jobs::owner, jobs::position))
        .do_update()
        .set((
            jobs::ready.eq(now.micros()),
            jobs::token.eq(jobs::token + 1),
            jobs::attempts.eq(0),
            jobs::interrupted.eq(0),
            jobs::worker.eq(None::<String>),
        ));
    prepared!(connection, inner => insert.execute(inner))?;
    let queue = diesel::update(without().filter(failed)).set((
        kb_items::status.eq(ItemStatus::Queued.name()),
        kb_items::error.eq(None::<String>),
        kb_items::updated.eq(now.micros()),
    ));
    let queued = prepared!(connection, inner => queue.execute(inner))? as u64;
    // The condition of `Item::lacks` in SQL.
    let lacking = without()
        .filter(kb_items::sequence.gt(0).and(kb_items::status.ne(ItemStatus::Failed.name())))
        .count();
    let lacking: i64 = match &model {
        Some(_) => prepared!(connection, inner => lacking.get_result(inner))?,
        None => 0,
    };
    held.counts.failed = held.counts.failed.saturating_sub(queued);
    held.counts.queued += queued;
    held.lacking = lacking;
    Ok(())
}

/// Removes a knowledge base from the agents that use it, and returns their namespaces in order.
fn detach_from_agents(
    connection: &mut AnyConnection,
    workspace: &str,
    id: &BaseId,
    now: Timestamp,
) -> Result<Vec<String>, Failure> {
    // The list is stored as JSON. False matches of the pattern are filtered below.
    let listed = agents::knowledge.like(format!("%\"{}\"%", id.0));
    let listing: Vec<(String, String, String)> = agents::table
        .filter(agents::workspace.eq(workspace).and(listed))
        .select((agents::id, agents::namespace, agents::knowledge))
        .order(agents::namespace)
        .load(connection)?;
    let mut forgot = Vec::new();
    for (agent, namespace, knowledge) in listing {
        let mut bases: Vec<String> = from_json(&knowledge)?;
        let before = bases.len();
        bases.retain(|base| *base != id.0);
        if bases.len() < before {
            let one = agents::table.filter(agents::workspace.eq(workspace).and(agents::id.eq(&agent)));
            let changes = (
                agents::knowledge.eq(to_json(&bases)?),
                agents::revision.eq(agents::revision + 1),
                agents::updated.eq(now.micros()),
            );
            diesel::update(one).set(changes).execute(connection)?;
            forgot.push(decode(namespace));
        }
    }
    Ok(forgot)
}

fn delete(
    connection: &mut AnyConnection,
    workspace: &str,
    id: &BaseId,
    now: Timestamp,
) -> Result<Option<RemovedItems>, Failure> {
    let Some(held) = LockedBase::lock(connection, workspace, id)? else { return Ok(None) };
    let all = remove::list_items(connection, &held)?;
    let agents = detach_from_agents(connection, workspace, id, now)?;
    let mut removed = RemovedItems { agents, ..remove::delete_items(connection, &held, all)? };
    // Its notes are deleted by cascade.
    let row = kb_bases::table.filter(kb_bases::workspace.eq(workspace).and(kb_bases::number.eq(held.number)));
    prepared!(connection, inner => diesel::delete(row).execute(inner))?;
    removed.position = Some(changes::append(connection, ChangeKind::BaseGone { base: held.number }, now)?);
    Ok(Some(removed))
}
