//! Operations on many groups of a run: cancel the open ones, or reset the failed ones. Each needs a few
//! set-based statements, however many groups there are.

use delta_core::{GroupId, GroupState, ItemError, QUEUE, Run, RunId, RunState};
use diesel::dsl::sql;
use diesel::sql_types::{BigInt, Nullable};
use diesel::{
    BoolExpressionMethods as _, ExpressionMethods as _, OptionalExtension as _, QueryDsl as _,
    RunQueryDsl as _,
};
use gen_core::Spend;
use shared_core::{StoreError, Timestamp};

use super::create::put_batch_job;
use super::groups::{add_group_spend, add_run_spend, emit_run_end, put_jobs, run};
use super::read::load_run;
use super::rows::{ALL_FAILED, Tally, read_index};
use super::{calls, reviews};
use crate::connection::{AnyConnection, prepared};
use crate::failure::{Failure, corrupt};
use crate::rows::to_json;
use crate::schema::{jobs, run_groups, runs};

/// A run that is locked until the end of the transaction.
struct LockedRun {
    agent: String,
    tally: Tally,
    running: bool,
}

fn lock_run(connection: &mut AnyConnection, workspace: &str, sid: i64) -> Result<LockedRun, Failure> {
    let query = run!(workspace, sid).select((
        runs::agent,
        runs::total,
        runs::successful,
        runs::failed,
        runs::sequence,
        runs::stop,
        runs::state,
    ));
    type Row = (String, i32, i32, i32, i64, Option<String>, String);
    let found: Option<Row> = match connection {
        AnyConnection::Postgres(inner) => query.for_update().get_result(inner).optional()?,
        AnyConnection::Sqlite(inner) => query.get_result(inner).optional()?,
    };
    let (agent, total, successful, failed, sequence, stop, state) =
        found.ok_or(StoreError::Missing("run"))?;
    let tally = Tally { total, successful, failed, sequence, stop };
    Ok(LockedRun { agent, tally, running: state == RunState::Running.name() })
}

pub(super) fn close(
    connection: &mut AnyConnection,
    workspace: &str,
    sid: i64,
    error: &ItemError,
    held_too: bool,
    now: Timestamp,
) -> Result<Run, Failure> {
    let LockedRun { agent, mut tally, running } = lock_run(connection, workspace, sid)?;
    if !running {
        return Err(StoreError::Stale.into());
    }
    let error = to_json(error)?;
    let left = end_jobs(connection, sid, held_too, now)?;
    let closed = close_groups(connection, workspace, sid, &left, (&error, tally.sequence))?;
    count_closed_calls(connection, workspace, sid, &left)?;
    tally.failed += i32::try_from(closed).unwrap_or(i32::MAX);
    // Event numbers have gaps where groups are already finished.
    tally.sequence += i64::from(tally.total);
    tally.stop.get_or_insert(error);
    store(connection, workspace, sid, &tally, now)?;
    emit_run_end(connection, (workspace, &agent), sid, &tally, now)?;
    require_run(connection, workspace, sid)
}

/// Deletes the jobs of a run, with `held_too` the leased ones as well. Returns the positions of the remaining
/// ones.
fn end_jobs(
    connection: &mut AnyConnection,
    sid: i64,
    held_too: bool,
    now: Timestamp,
) -> Result<Vec<i32>, Failure> {
    let own = || jobs::table.filter(jobs::queue.eq(QUEUE).and(jobs::owner.eq(sid.to_string())));
    if held_too {
        prepared!(connection, inner => diesel::delete(own()).execute(inner))?;
        return Ok(Vec::new());
    }
    let free = jobs::worker.is_null().or(jobs::ready.le(now.micros()));
    prepared!(connection, inner => diesel::delete(own().filter(free)).execute(inner))?;
    Ok(prepared!(connection, inner => own().select(jobs::position).load(inner))?)
}

/// Closes the open groups except those with remaining jobs. Returns their number.
fn close_groups(
    connection: &mut AnyConnection,
    workspace: &str,
    sid: i64,
    left: &[i32],
    (error, base): (&str, i64),
) -> Result<usize, Failure> {
    let open = run_groups::table
        .filter(run_groups::workspace.eq(workspace).and(run_groups::sid.eq(sid)))
        .filter(run_groups::state.eq(GroupState::Queued.name()))
        .filter(run_groups::position.ne_all(left));
    let number = sql::<Nullable<BigInt>>("position + 1 + ").bind::<BigInt, _>(base);
    let update = diesel::update(open).set((
        run_groups::state.eq(GroupState::Failed.name()),
        run_groups::error.eq(Some(error)),
        run_groups::failures.eq(ALL_FAILED),
        run_groups::attempts.eq(0),
        run_groups::sequence.eq(number),
    ));
    Ok(prepared!(connection, inner => update.execute(inner))?)
}

/// Deletes the stored calls of a run except those of groups with remaining jobs, and counts their spend.
fn count_closed_calls(
    connection: &mut AnyConnection,
    workspace: &str,
    sid: i64,
    left: &[i32],
) -> Result<(), Failure> {
    let mut sum = Spend::default();
    for (position, spent) in calls::delete_except(connection, workspace, sid, left)? {
        let group = GroupId { sid: RunId(sid), index: read_index(position)? };
        add_group_spend(connection, workspace, group, spent)?;
        sum += spent;
    }
    match sum == Spend::default() {
        true => Ok(()),
        false => add_run_spend(connection, workspace, sid, sum),
    }
}

pub(super) fn reopen(
    connection: &mut AnyConnection,
    workspace: &str,
    sid: i64,
    now: Timestamp,
) -> Result<(Run, u32), Failure> {
    let LockedRun { mut tally, .. } = lock_run(connection, workspace, sid)?;
    // A worker may still hold a token of the group's earlier job, which ended under it; no job is claimed once in a
    // microsecond.
    let plan = require_run(connection, workspace, sid)?.plan;
    let failed = (GroupState::Failed, plan.settings.priority);
    put_jobs(connection, workspace, sid, failed, (now, now.micros()))?;
    put_batch_job(connection, workspace, sid, &plan, now)?;
    let failed = run_groups::table
        .filter(run_groups::workspace.eq(workspace).and(run_groups::sid.eq(sid)))
        .filter(run_groups::state.eq(GroupState::Failed.name()));
    let update = diesel::update(failed).set((
        run_groups::state.eq(GroupState::Queued.name()),
        run_groups::error.eq(None::<String>),
        run_groups::failures.eq("[]"),
        run_groups::attempts.eq(0),
        run_groups::sequence.eq(None::<i64>),
    ));
    let opened = prepared!(connection, inner => update.execute(inner))?;
    if opened > 0 {
        reviews::delete_failed(connection, workspace, sid)?;
        tally.failed -= i32::try_from(opened).unwrap_or(i32::MAX);
        tally.stop = None;
        store(connection, workspace, sid, &tally, now)?;
    }
    let opened = u32::try_from(opened).map_err(corrupt)?;
    Ok((require_run(connection, workspace, sid)?, opened))
}

fn store(
    connection: &mut AnyConnection,
    workspace: &str,
    sid: i64,
    tally: &Tally,
    now: Timestamp,
) -> Result<(), Failure> {
    let (state, finished) = tally.state(now)?;
    let update = diesel::update(run!(workspace, sid)).set((
        runs::successful.eq(tally.successful),
        runs::failed.eq(tally.failed),
        runs::sequence.eq(tally.sequence),
        runs::stop.eq(&tally.stop),
        runs::state.eq(state),
        runs::finished.eq(finished),
    ));
    prepared!(connection, inner => update.execute(inner))?;
    Ok(())
}

fn require_run(connection: &mut AnyConnection, workspace: &str, sid: i64) -> Result<Run, Failure> {
    let found = load_run(connection, workspace, sid)?;
    found.map(|(_, run)| run).ok_or_else(|| StoreError::Missing("run").into())
}
