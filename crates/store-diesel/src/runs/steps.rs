//! The steps that one transaction of a run is made of.

use delta_core::{GroupOutcome, Response, Run, RunPlan};
use diesel::{
    BoolExpressionMethods as _, ExpressionMethods as _, OptionalExtension as _, QueryDsl as _,
    RunQueryDsl as _,
};
use shared_core::{Scope, StoreError, Timestamp};

use super::rows::{FINISHED, NewGroup, RUNNING, RunRow, position};
use crate::connection::{AnyConnection, prepared};
use crate::failure::{Failure, missing};
use crate::ids::last_id;
use crate::rows::{stored_count, to_json};
use crate::schema::{responses, run_groups, runs};

/// Groups inserted by one statement on PostgreSQL; each takes seven of PostgreSQL's 65,535 parameters.
const INSERTED_TOGETHER: usize = 500;

pub(super) fn insert_run(
    connection: &mut AnyConnection,
    scope: &Scope,
    plan: &RunPlan,
    total: usize,
    now: Timestamp,
) -> Result<i64, Failure> {
    diesel::insert_into(runs::table)
        .values((
            runs::workspace.eq(&scope.workspace.0),
            runs::agent.eq(&plan.agent_id),
            runs::author.eq(&scope.user.0),
            runs::plan.eq(to_json(plan)?),
            runs::state.eq(RUNNING),
            runs::total.eq(i32::try_from(total).unwrap_or(i32::MAX)),
            runs::successful.eq(0),
            runs::failed.eq(0),
            runs::input_tokens.eq(0_i64),
            runs::output_tokens.eq(0_i64),
            runs::cached_tokens.eq(0_i64),
            runs::created.eq(now.micros()),
        ))
        .execute(connection)
        .map_err(missing("agent"))?;
    last_id(connection)
}

pub(super) fn insert_groups(connection: &mut AnyConnection, rows: &[NewGroup]) -> Result<(), Failure> {
    match connection {
        // Diesel wraps a batch in a transaction of its own on SQLite; there, rows are cheap one by one.
        AnyConnection::Sqlite(inner) => {
            for row in rows {
                diesel::insert_into(run_groups::table).values(row).execute(inner)?;
            }
        }
        AnyConnection::Postgres(inner) => {
            for part in rows.chunks(INSERTED_TOGETHER) {
                diesel::insert_into(run_groups::table).values(part).execute(inner)?;
            }
        }
    }
    Ok(())
}

pub(super) fn find_run(
    connection: &mut AnyConnection,
    scope: &Scope,
    agent: &str,
    sid: i64,
) -> Result<Option<Run>, Failure> {
    let query = runs::table
        .filter(runs::workspace.eq(&scope.workspace.0).and(runs::agent.eq(agent)).and(runs::sid.eq(sid)));
    let found: Option<RunRow> = prepared!(connection, inner => query.get_result(inner).optional())?;
    Ok(found.map(|row| row.read().map(|(_, run)| run)).transpose()?)
}

/// Marks the group done; `Stale` when it was already, or is gone. Answers its run's agent.
pub(super) fn mark_done(
    connection: &mut AnyConnection,
    scope: &Scope,
    (sid, index): (i64, u32),
    outcome: &GroupOutcome,
) -> Result<String, Failure> {
    let open = run_groups::table
        .filter(run_groups::workspace.eq(&scope.workspace.0).and(run_groups::sid.eq(sid)))
        .filter(run_groups::position.eq(position(index)).and(run_groups::done.eq(false)));
    let update = diesel::update(open).set((
        run_groups::done.eq(true),
        run_groups::failures.eq(to_json(&outcome.failures)?),
        run_groups::token_usage.eq(to_json(&outcome.usage)?),
    ));
    let changed = prepared!(connection, inner => update.execute(inner))?;
    if changed == 0 {
        return Err(StoreError::Stale.into());
    }
    let own = runs::table.filter(runs::workspace.eq(&scope.workspace.0).and(runs::sid.eq(sid)));
    let agent = own.select(runs::agent);
    Ok(prepared!(connection, inner => agent.get_result(inner))?)
}

pub(super) fn insert_response(
    connection: &mut AnyConnection,
    scope: &Scope,
    agent: &str,
    (sid, index): (i64, u32),
    response: &Response,
) -> Result<(), Failure> {
    let insert = diesel::insert_into(responses::table).values((
        responses::workspace.eq(&scope.workspace.0),
        responses::agent.eq(agent),
        responses::sid.eq(sid),
        responses::position.eq(position(index)),
        responses::gid.eq(&response.gid),
        responses::content.eq(to_json(response)?),
        responses::created.eq(response.created.micros()),
    ));
    prepared!(connection, inner => insert.execute(inner))?;
    Ok(())
}

/// Counts the group in its run, and finishes the run with its last group.
pub(super) fn count_in_run(
    connection: &mut AnyConnection,
    scope: &Scope,
    sid: i64,
    outcome: &GroupOutcome,
    now: Timestamp,
) -> Result<(), Failure> {
    let own = || runs::table.filter(runs::workspace.eq(&scope.workspace.0).and(runs::sid.eq(sid)));
    let succeeded = i32::from(outcome.response.is_some());
    let counted = diesel::update(own()).set((
        runs::successful.eq(runs::successful + succeeded),
        runs::failed.eq(runs::failed + (1 - succeeded)),
        runs::input_tokens.eq(runs::input_tokens + stored_count(outcome.usage.input_tokens)),
        runs::output_tokens.eq(runs::output_tokens + stored_count(outcome.usage.output_tokens)),
        runs::cached_tokens.eq(runs::cached_tokens + stored_count(outcome.usage.cached_tokens)),
    ));
    prepared!(connection, inner => counted.execute(inner))?;
    let finished = diesel::update(own().filter((runs::successful + runs::failed).ge(runs::total)))
        .set((runs::state.eq(FINISHED), runs::finished.eq(Some(now.micros()))));
    prepared!(connection, inner => finished.execute(inner))?;
    Ok(())
}
