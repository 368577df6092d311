//! Operations on one group: enqueue its job, record a failed attempt, record its outcome. A transaction that
//! needs both locks the run before its groups, to prevent deadlocks on PostgreSQL.

use delta_core::{GroupId, GroupOutcome, GroupState, ItemError, QUEUE, Response};
use diesel::IntoSql as _;
use diesel::sql_types::{BigInt, Integer, Text};
use diesel::{
    BoolExpressionMethods as _, ExpressionMethods as _, JoinOnDsl as _, OptionalExtension as _,
    QueryDsl as _, RunQueryDsl as _,
};
use gen_core::Spend;
use jobs_core::{JobKey, Priority};
use shared_core::{StoreError, Timestamp};

use super::rows::{Tally, add_usage, stored_cost, tokens};
use super::{calls, reviews};
use crate::connection::{AnyConnection, prepared};
use crate::failure::Failure;
use crate::jobs::{end, is_leased};
use crate::rows::{position, to_json};
use crate::schema::{jobs, responses, run_groups, runs};
use crate::static_statement::execute_static;
use crate::webhooks::run_finished;

/// The row of a group.
macro_rules! group {
    ($workspace:expr, $group:expr) => {
        run_groups::table
            .filter(run_groups::workspace.eq($workspace).and(run_groups::sid.eq($group.sid.0)))
            .filter(run_groups::position.eq(position($group.index)))
    };
}

/// The row of a run.
macro_rules! run {
    ($workspace:expr, $sid:expr) => {
        runs::table.filter(runs::workspace.eq($workspace).and(runs::sid.eq($sid)))
    };
}
pub(super) use run;

/// Enqueues jobs for the run's groups in a state, claimable from `now` on. Their fencing tokens are above `token`.
pub(super) fn put_jobs(
    connection: &mut AnyConnection,
    workspace: &str,
    sid: i64,
    (state, priority): (GroupState, Priority),
    (now, token): (Timestamp, i64),
) -> Result<(), Failure> {
    let groups = run_groups::table
        .filter(run_groups::workspace.eq(workspace).and(run_groups::sid.eq(sid)))
        .filter(run_groups::state.eq(state.name()));
    let rows = groups.select((
        QUEUE.into_sql::<Text>(),
        sid.to_string().into_sql::<Text>(),
        run_groups::position,
        run_groups::workspace,
        now.micros().into_sql::<BigInt>(),
        token.into_sql::<BigInt>(),
        0_i32.into_sql::<Integer>(),
        0_i32.into_sql::<Integer>(),
        priority.rank().into_sql::<Integer>(),
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
        jobs::priority,
    );
    let insert = diesel::insert_into(jobs::table).values(rows).into_columns(columns);
    prepared!(connection, inner => insert.execute(inner))?;
    Ok(())
}

pub(super) fn job(group: GroupId) -> JobKey {
    JobKey { queue: QUEUE, owner: group.sid.0.to_string(), position: group.index }
}

/// An open group and its run, both locked until the end of the transaction.
struct LockedGroup {
    agent: String,
    /// Whether it is a group of an evaluation set.
    is_evaluation: bool,
    tally: Tally,
    usage: String,
}

/// `Stale` if the group is not open.
fn lock_group(
    connection: &mut AnyConnection,
    workspace: &str,
    group: GroupId,
) -> Result<LockedGroup, Failure> {
    let of_run = run_groups::workspace.eq(runs::workspace).and(run_groups::sid.eq(runs::sid));
    let query = runs::table
        .inner_join(run_groups::table.on(of_run))
        .filter(runs::workspace.eq(workspace).and(runs::sid.eq(group.sid.0)))
        .filter(run_groups::position.eq(position(group.index)))
        .filter(run_groups::state.eq(GroupState::Queued.name()))
        .select((
            runs::agent,
            runs::total,
            runs::successful,
            runs::failed,
            runs::sequence,
            runs::stop,
            run_groups::token_usage,
            runs::evaluation_set.is_not_null(),
        ));
    type Row = (String, i32, i32, i32, i64, Option<String>, String, bool);
    let found: Option<Row> = match connection {
        AnyConnection::Postgres(inner) => query.for_update().get_result(inner).optional()?,
        AnyConnection::Sqlite(inner) => query.get_result(inner).optional()?,
    };
    let (agent, total, successful, failed, sequence, stop, usage, is_evaluation) =
        found.ok_or(StoreError::Stale)?;
    Ok(LockedGroup {
        agent,
        is_evaluation,
        tally: Tally { total, successful, failed, sequence, stop },
        usage,
    })
}

pub(super) fn finish(
    connection: &mut AnyConnection,
    workspace: &str,
    group: GroupId,
    token: i64,
    outcome: &GroupOutcome,
    now: Timestamp,
) -> Result<(), Failure> {
    let LockedGroup { agent, is_evaluation, mut tally, usage } = lock_group(connection, workspace, group)?;
    end(connection, &job(group), token)?;
    tally.sequence += 1;
    match &outcome.result {
        Ok(response) => {
            tally.successful += 1;
            // A response of an evaluation is no agent's, and is not used again.
            let (owner, fingerprint) = match is_evaluation {
                true => ("", None),
                false => (agent.as_str(), outcome.fingerprint.as_deref()),
            };
            insert_response(connection, (workspace, owner), group, response, fingerprint)?;
        }
        Err(_) => tally.failed += 1,
    }
    if !outcome.reviews.is_empty() {
        reviews::insert(connection, (workspace, &agent), group, &outcome.reviews, now)?;
    }
    let mut spent = calls::delete(connection, workspace, group)?;
    spent += outcome.spent();
    write_outcome(connection, workspace, group, &tally, outcome, &add_usage(&usage, spent)?)?;
    count_in_run(connection, workspace, group, &tally, spent, now)?;
    emit_run_end(connection, (workspace, &agent), group.sid.0, &tally, now)
}

/// Emits the webhook event of a run that ended with its last group.
pub(super) fn emit_run_end(
    connection: &mut AnyConnection,
    of: (&str, &str),
    sid: i64,
    tally: &Tally,
    now: Timestamp,
) -> Result<(), Failure> {
    match tally.state(now)? {
        (state, Some(_)) => {
            let open = reviews::count_open(connection, of.0, sid)?;
            run_finished(connection, of, sid, state, (tally.successful, tally.failed, open), now)
        }
        (_, None) => Ok(()),
    }
}

/// Writes a group's outcome.
fn write_outcome(
    connection: &mut AnyConnection,
    workspace: &str,
    group: GroupId,
    tally: &Tally,
    outcome: &GroupOutcome,
    usage: &str,
) -> Result<(), Failure> {
    let (state, error) = match &outcome.result {
        Ok(_) => (GroupState::Succeeded, None),
        Err(error) => (GroupState::Failed, Some(to_json(error)?)),
    };
    let update = diesel::update(group!(workspace, group)).set((
        run_groups::state.eq(state.name()),
        run_groups::error.eq(error),
        run_groups::failures.eq(to_json(&outcome.failures)?),
        run_groups::token_usage.eq(usage),
        run_groups::attempts.eq(position(outcome.attempts)),
        run_groups::sequence.eq(Some(tally.sequence)),
    ));
    execute_static!(connection, update, run_groups::sid)?;
    Ok(())
}

fn insert_response(
    connection: &mut AnyConnection,
    (workspace, agent): (&str, &str),
    group: GroupId,
    response: &Response,
    fingerprint: Option<&str>,
) -> Result<(), Failure> {
    let insert = diesel::insert_into(responses::table).values((
        responses::workspace.eq(workspace),
        responses::agent.eq(agent),
        responses::sid.eq(group.sid.0),
        responses::position.eq(position(group.index)),
        responses::gid.eq(&response.gid),
        responses::content.eq(to_json(response)?),
        responses::created.eq(response.created.micros()),
        responses::fingerprint.eq(fingerprint),
    ));
    prepared!(connection, inner => insert.execute(inner))?;
    Ok(())
}

/// Updates the run's tally after a group, and ends the run with the last one.
fn count_in_run(
    connection: &mut AnyConnection,
    workspace: &str,
    group: GroupId,
    tally: &Tally,
    spent: Spend,
    now: Timestamp,
) -> Result<(), Failure> {
    let [input, output, cached, reasoning] = tokens(spent.usage);
    let (state, finished) = tally.state(now)?;
    let update = diesel::update(run!(workspace, group.sid.0)).set((
        runs::successful.eq(tally.successful),
        runs::failed.eq(tally.failed),
        runs::sequence.eq(tally.sequence),
        runs::input_tokens.eq(runs::input_tokens + input),
        runs::output_tokens.eq(runs::output_tokens + output),
        runs::cached_tokens.eq(runs::cached_tokens + cached),
        runs::reasoning_tokens.eq(runs::reasoning_tokens + reasoning),
        runs::cost.eq(runs::cost + stored_cost(spent)),
        runs::state.eq(state),
        runs::finished.eq(finished),
    ));
    execute_static!(connection, update, runs::sid)?;
    Ok(())
}

/// Records a failed attempt of a group that stays open.
pub(super) fn note_failed(
    connection: &mut AnyConnection,
    workspace: &str,
    group: GroupId,
    token: i64,
    (error, mut spent): (&ItemError, Spend),
    forgets: bool,
) -> Result<(), Failure> {
    let open = lock_group(connection, workspace, group)?;
    if !is_leased(connection, &job(group), token)? {
        return Err(StoreError::Stale.into());
    }
    if forgets {
        spent += calls::delete(connection, workspace, group)?;
    }
    let update = diesel::update(group!(workspace, group)).set((
        run_groups::error.eq(Some(to_json(error)?)),
        run_groups::token_usage.eq(add_usage(&open.usage, spent)?),
    ));
    execute_static!(connection, update, run_groups::sid)?;
    add_run_spend(connection, workspace, group.sid.0, spent)
}

/// Adds to the usage of a group.
pub(super) fn add_group_spend(
    connection: &mut AnyConnection,
    workspace: &str,
    group: GroupId,
    spent: Spend,
) -> Result<(), Failure> {
    let stored = group!(workspace, group).select(run_groups::token_usage);
    let stored: String = prepared!(connection, inner => stored.get_result(inner))?;
    let usage = run_groups::token_usage.eq(add_usage(&stored, spent)?);
    let update = diesel::update(group!(workspace, group)).set(usage);
    execute_static!(connection, update, run_groups::sid)?;
    Ok(())
}

/// Adds to the usage of a run.
pub(super) fn add_run_spend(
    connection: &mut AnyConnection,
    workspace: &str,
    sid: i64,
    spent: Spend,
) -> Result<(), Failure> {
    let [input, output, cached, reasoning] = tokens(spent.usage);
    let update = diesel::update(run!(workspace, sid)).set((
        runs::input_tokens.eq(runs::input_tokens + input),
        runs::output_tokens.eq(runs::output_tokens + output),
        runs::cached_tokens.eq(runs::cached_tokens + cached),
        runs::reasoning_tokens.eq(runs::reasoning_tokens + reasoning),
        runs::cost.eq(runs::cost + stored_cost(spent)),
    ));
    execute_static!(connection, update, runs::sid)?;
    Ok(())
}
