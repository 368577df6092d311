//! Queries on runs and the status of their groups.

use std::collections::HashMap;

use delta_core::{DocumentRef, FinishedGroup, GroupId, GroupState, GroupStatus, QUEUE, Run};
use diesel::{
    BoolExpressionMethods as _, EscapeExpressionMethods as _, ExpressionMethods as _, OptionalExtension as _,
    QueryDsl as _, RunQueryDsl as _, TextExpressionMethods as _,
};
use shared_core::{Cursor, Page, PageRequest, Position, Scope, Timestamp};

use super::rows::{FinishedRow, RunRow, StatusRow, read_index};
use crate::connection::{AnyConnection, prepared};
use crate::failure::Failure;
use crate::lists;
use crate::rows::{count, from_json, position};
use crate::schema::{jobs, responses, run_groups, runs};
use crate::text_encoding::contains_pattern;

pub(super) fn find_run(
    connection: &mut AnyConnection,
    scope: &Scope,
    agent: &str,
    sid: i64,
) -> Result<Option<Run>, Failure> {
    let found = load_run(connection, &scope.workspace.0, sid)?;
    Ok(found.map(|(_, run)| run).filter(|run| run.plan.agent_id == agent))
}

/// A run with the scope under which it was started.
pub(super) fn load_run(
    connection: &mut AnyConnection,
    workspace: &str,
    sid: i64,
) -> Result<Option<(Scope, Run)>, Failure> {
    let query = runs::table.filter(runs::workspace.eq(workspace).and(runs::sid.eq(sid)));
    let found: Option<RunRow> = prepared!(connection, inner => query.get_result(inner).optional())?;
    Ok(found.map(RunRow::read).transpose()?)
}

/// A page of runs, newest first by number, which only grows.
macro_rules! run_page {
    ($connection:expr, $own:expr, $total:expr, $page:expr) => {{
        let before = match &$page.position {
            Position::Number(_) => i64::MAX,
            Position::After(cursor) => cursor.id.parse().unwrap_or_default(),
        };
        let query = $own
            .filter(runs::sid.lt(before))
            .order(runs::sid.desc())
            .limit(lists::fetch($page))
            .offset($page.offset());
        let rows: Vec<RunRow> = prepared!($connection, inner => query.load(inner))?;
        let items = rows.into_iter().map(|row| row.read().map(|(_, run)| run));
        let items = items.collect::<Result<Vec<_>, _>>()?;
        let key = |run: &Run| Cursor { created: run.created, id: run.sid.0.to_string() };
        Ok(lists::page(items, $total, $page, key)?)
    }};
}

/// The runs of an agent, newest first by number; with `label` those that have it.
pub(super) fn list(
    connection: &mut AnyConnection,
    workspace: &str,
    agent: &str,
    label: Option<&str>,
    page: &PageRequest,
) -> Result<Page<Run>, Failure> {
    let pattern = label.map_or_else(|| "%".to_owned(), |label| contains_pattern(&stored_labels(&[label])));
    let own = || {
        let own = runs::workspace.eq(workspace).and(runs::agent.eq(agent));
        runs::table.filter(own).filter(runs::labels.like(&pattern).escape('\\'))
    };
    let total: i64 = prepared!(connection, inner => own().count().get_result(inner))?;
    run_page!(connection, own(), total, page)
}

/// The runs over an evaluation set, newest first by number.
pub(crate) fn of_evaluation_set(
    connection: &mut AnyConnection,
    workspace: &str,
    set: &str,
    page: &PageRequest,
) -> Result<Page<Run>, Failure> {
    let own = || runs::table.filter(runs::workspace.eq(workspace).and(runs::evaluation_set.eq(set)));
    let total: i64 = prepared!(connection, inner => own().count().get_result(inner))?;
    run_page!(connection, own(), total, page)
}

pub(super) fn documents(
    connection: &mut AnyConnection,
    workspace: &str,
    group: GroupId,
) -> Result<Option<Vec<DocumentRef>>, Failure> {
    let query = run_groups::table
        .filter(run_groups::workspace.eq(workspace).and(run_groups::sid.eq(group.sid.0)))
        .filter(run_groups::position.eq(position(group.index)))
        .filter(run_groups::state.eq(GroupState::Queued.name()))
        .select(run_groups::documents);
    let found: Option<String> = prepared!(connection, inner => query.get_result(inner).optional())?;
    Ok(found.as_deref().map(from_json).transpose()?)
}

/// Open groups are those that have a job. The index finds the first without reading earlier groups.
pub(super) fn first_open(
    connection: &mut AnyConnection,
    workspace: &str,
    sid: i64,
    from: u32,
) -> Result<u32, Failure> {
    let open = jobs::table
        .filter(jobs::queue.eq(QUEUE).and(jobs::owner.eq(sid.to_string())))
        .filter(jobs::position.ge(position(from)).and(jobs::workspace.eq(workspace)))
        .order(jobs::position)
        .select(jobs::position)
        .limit(1);
    let open: Option<i32> = prepared!(connection, inner => open.get_result(inner).optional())?;
    if let Some(open) = open {
        return Ok(read_index(open)?);
    }
    let total = runs::table.filter(runs::workspace.eq(workspace).and(runs::sid.eq(sid))).select(runs::total);
    let total: Option<i32> = prepared!(connection, inner => total.get_result(inner).optional())?;
    Ok(count(i64::from(total.unwrap_or_default()))?)
}

pub(super) fn finished(
    connection: &mut AnyConnection,
    workspace: &str,
    sid: i64,
    (from, limit): (u32, u32),
) -> Result<Vec<FinishedGroup>, Failure> {
    let query = run_groups::table
        .filter(run_groups::workspace.eq(workspace).and(run_groups::sid.eq(sid)))
        .filter(run_groups::position.ge(position(from)))
        .filter(run_groups::state.ne(GroupState::Queued.name()))
        .order(run_groups::position)
        .limit(i64::from(limit))
        .select((run_groups::position, run_groups::documents, run_groups::failures, run_groups::error));
    let rows: Vec<FinishedRow> = prepared!(connection, inner => query.load(inner))?;
    let Some((first, last)) = rows.first().zip(rows.last()) else { return Ok(Vec::new()) };
    // Not joined: two lookups by key, whatever a planner expects of the tables.
    let mut contents = contents(connection, workspace, sid, (first.position, last.position))?;
    let read = |row: FinishedRow| {
        let content = contents.remove(&row.position);
        row.read(content)
    };
    Ok(rows.into_iter().map(read).collect::<Result<_, _>>()?)
}

/// The responses of the groups at these positions.
fn contents(
    connection: &mut AnyConnection,
    workspace: &str,
    sid: i64,
    (first, last): (i32, i32),
) -> Result<HashMap<i32, String>, Failure> {
    let query = responses::table
        .filter(responses::workspace.eq(workspace).and(responses::sid.eq(sid)))
        .filter(responses::position.between(first, last))
        .select((responses::position, responses::content));
    let rows: Vec<(i32, String)> = prepared!(connection, inner => query.load(inner))?;
    Ok(rows.into_iter().collect())
}

/// The columns of a [`StatusRow`].
macro_rules! status {
    () => {
        (
            run_groups::position,
            run_groups::documents,
            run_groups::token_usage,
            run_groups::state,
            run_groups::error,
            run_groups::attempts,
            run_groups::sequence,
        )
    };
}

pub(super) fn statuses(
    connection: &mut AnyConnection,
    workspace: &str,
    sid: i64,
    (from, limit): (u32, u32),
    now: Timestamp,
) -> Result<Vec<GroupStatus>, Failure> {
    let query = run_groups::table
        .filter(run_groups::workspace.eq(workspace).and(run_groups::sid.eq(sid)))
        .filter(run_groups::position.ge(position(from)))
        .order(run_groups::position)
        .limit(i64::from(limit))
        .select(status!());
    let rows: Vec<StatusRow> = prepared!(connection, inner => query.load(inner))?;
    let open = |row: &&StatusRow| row.is_open();
    let (first, last) = (rows.iter().find(open), rows.iter().rev().find(open));
    let jobs = match first.zip(last) {
        Some((first, last)) => jobs_of(connection, sid, (first.position, last.position), now)?,
        None => HashMap::new(),
    };
    let read = |row: StatusRow| {
        let job = jobs.get(&row.position).copied();
        row.read(job)
    };
    Ok(rows.into_iter().map(read).collect::<Result<_, _>>()?)
}

/// For the jobs at these positions: whether they are leased, and their failed attempts.
fn jobs_of(
    connection: &mut AnyConnection,
    sid: i64,
    (first, last): (i32, i32),
    now: Timestamp,
) -> Result<HashMap<i32, (bool, i32)>, Failure> {
    let query = jobs::table
        .filter(jobs::queue.eq(QUEUE).and(jobs::owner.eq(sid.to_string())))
        .filter(jobs::position.between(first, last))
        .select((jobs::position, jobs::worker, jobs::ready, jobs::attempts));
    let rows: Vec<(i32, Option<String>, i64, i32)> = prepared!(connection, inner => query.load(inner))?;
    let read = |(position, worker, ready, attempts): (i32, Option<String>, i64, i32)| {
        (position, (worker.is_some() && ready > now.micros(), attempts))
    };
    Ok(rows.into_iter().map(read).collect())
}

pub(super) fn events(
    connection: &mut AnyConnection,
    workspace: &str,
    sid: i64,
    after: u64,
    limit: u32,
) -> Result<Vec<GroupStatus>, Failure> {
    let query = run_groups::table
        .filter(run_groups::workspace.eq(workspace).and(run_groups::sid.eq(sid)))
        .filter(run_groups::sequence.gt(i64::try_from(after).unwrap_or(i64::MAX)))
        .order(run_groups::sequence)
        .limit(i64::from(limit))
        .select(status!());
    let rows: Vec<StatusRow> = prepared!(connection, inner => query.load(inner))?;
    Ok(rows.into_iter().map(|row| row.read(None)).collect::<Result<_, _>>()?)
}

/// Labels as they are stored, so that a label is found between two commas.
pub(super) fn stored_labels<T: AsRef<str>>(labels: &[T]) -> String {
    let each = |label: &T| format!("{},", label.as_ref());
    if labels.is_empty() {
        String::new()
    } else {
        format!(",{}", labels.iter().map(each).collect::<String>())
    }
}
