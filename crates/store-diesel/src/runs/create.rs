//! Stores a run with its groups and their jobs.

use accounts_core::QuotaKind;
use delta_core::{BATCH_QUEUE, CallMode, DocumentRef, GroupState, Run, RunPlan, RunState};
use diesel::{ExpressionMethods as _, RunQueryDsl as _};
use gen_core::Spend;
use jobs_core::JobKey;
use shared_core::{Scope, StoreError, Timestamp};

use super::groups::put_jobs;
use super::read::{find_run, stored_labels};
use crate::connection::AnyConnection;
use crate::failure::{Failure, corrupt, foreign_key_violation_as};
use crate::jobs::reset_job;
use crate::quotas;
use crate::rows::{position, stored_count, to_json};
use crate::schema::{run_groups, runs};

/// Groups per insert statement on PostgreSQL; each takes seven of its 65,535 parameters.
const INSERT_BATCH: usize = 500;

/// A group to store.
#[derive(Clone, Debug, diesel::Insertable)]
#[diesel(table_name = run_groups)]
pub(super) struct NewGroup {
    workspace: String,
    sid: i64,
    position: i32,
    documents: String,
    failures: String,
    token_usage: String,
    state: &'static str,
}

/// The rows of the groups. The run's number is set once it is known.
pub(super) fn rows(scope: &Scope, groups: &[Vec<DocumentRef>]) -> Result<Vec<NewGroup>, StoreError> {
    let nothing_spent = to_json(&Spend::default())?;
    let row = |(index, documents): (u32, &Vec<DocumentRef>)| {
        Ok(NewGroup {
            workspace: scope.workspace.0.clone(),
            sid: 0,
            position: position(index),
            documents: to_json(documents)?,
            failures: "[]".to_owned(),
            token_usage: nothing_spent.clone(),
            state: GroupState::Queued.name(),
        })
    };
    (0..).zip(groups).map(row).collect()
}

pub(super) fn create(
    connection: &mut AnyConnection,
    scope: &Scope,
    plan: &RunPlan,
    rows: &[NewGroup],
    now: Timestamp,
) -> Result<Run, Failure> {
    let sid = insert_run(connection, scope, plan, rows.len(), now)?;
    insert_groups(connection, sid, rows)?;
    let priority = plan.settings.priority;
    put_jobs(connection, &scope.workspace.0, sid, (GroupState::Queued, priority), (now, 0))?;
    put_batch_job(connection, &scope.workspace.0, sid, plan, now)?;
    quotas::check(connection, &scope.workspace.0, &[QuotaKind::Groups])?;
    find_run(connection, scope, &plan.agent_id, sid)?.ok_or_else(|| corrupt("the run is gone").into())
}

/// Enqueues the job of a run whose mode is batches; one that it has starts over.
pub(super) fn put_batch_job(
    connection: &mut AnyConnection,
    workspace: &str,
    sid: i64,
    plan: &RunPlan,
    now: Timestamp,
) -> Result<(), Failure> {
    if plan.settings.mode == CallMode::Direct {
        return Ok(());
    }
    let job = JobKey { queue: BATCH_QUEUE, owner: sid.to_string(), position: 0 };
    reset_job(connection, &job, workspace, (now.micros(), now.micros()))
}

fn insert_run(
    connection: &mut AnyConnection,
    scope: &Scope,
    plan: &RunPlan,
    total: usize,
    now: Timestamp,
) -> Result<i64, Failure> {
    let spent = plan.spent();
    diesel::insert_into(runs::table)
        .values((
            runs::workspace.eq(&scope.workspace.0),
            runs::agent.eq(&plan.agent_id),
            runs::author.eq(&scope.user.0),
            runs::plan.eq(to_json(plan)?),
            runs::evaluation_set.eq(&plan.evaluation_set),
            runs::labels.eq(stored_labels(&plan.settings.labels)),
            runs::state.eq(RunState::Running.name()),
            runs::total.eq(i32::try_from(total).unwrap_or(i32::MAX)),
            runs::successful.eq(0),
            runs::failed.eq(0),
            runs::input_tokens.eq(stored_count(spent.usage.input_tokens)),
            runs::output_tokens.eq(stored_count(spent.usage.output_tokens)),
            runs::cached_tokens.eq(stored_count(spent.usage.cached_tokens)),
            runs::reasoning_tokens.eq(stored_count(spent.usage.reasoning_tokens)),
            runs::sequence.eq(0_i64),
            runs::cost.eq(spent.cost.map(|cost| stored_count(cost.0))),
            runs::created.eq(now.micros()),
        ))
        .returning(runs::sid)
        .get_result(connection)
        .map_err(foreign_key_violation_as("agent"))
}

fn insert_groups(connection: &mut AnyConnection, sid: i64, rows: &[NewGroup]) -> Result<(), Failure> {
    match connection {
        // Diesel wraps a batch in a transaction of its own on SQLite, where single rows are cheap.
        AnyConnection::Sqlite(inner) => {
            for row in rows {
                let row = NewGroup { sid, ..row.clone() };
                diesel::insert_into(run_groups::table).values(row).execute(inner)?;
            }
        }
        AnyConnection::Postgres(inner) => {
            for part in rows.chunks(INSERT_BATCH) {
                let part: Vec<NewGroup> = part.iter().map(|row| NewGroup { sid, ..row.clone() }).collect();
                diesel::insert_into(run_groups::table).values(part).execute(inner)?;
            }
        }
    }
    Ok(())
}
